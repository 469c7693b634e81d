// What can be asked of an engine beside its runs. Each desk asks through the same window, in the name of whoever has the
// engine in hand.

import type { Json } from "../flow/json.ts";
import { Access } from "./access.ts";
import { BreakerVerbs } from "./breaker-verbs.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import { LockVerbs, ServerVerbs } from "./server-verbs.ts";
import type { SavedWorkflow } from "./workflow-view.ts";
import { Workflows, type SaveOptions } from "./workflows.ts";

export abstract class Desks {
  protected abstract window(): ClerkWindow;

  /** Flows that are kept under a name, in versions. */
  get workflows(): Workflows {
    return new Workflows(this.window());
  }

  /** `await engine.save(flow)`, in short for `engine.workflows.save(flow)`. */
  save(flow: Json, options: SaveOptions = {}): Promise<SavedWorkflow> {
    return this.workflows.save(flow, options);
  }

  /** Who may do what. */
  get access(): Access {
    return new Access(this.window());
  }

  /** What keeps tools that fail again and again from being called. */
  get breakers(): BreakerVerbs {
    return new BreakerVerbs(this.window());
  }

  /** Servers that bring tools. */
  get servers(): ServerVerbs {
    return new ServerVerbs(this.window());
  }

  /** What somebody has agreed to about their tools. */
  get lock(): LockVerbs {
    return new LockVerbs(this.window());
  }
}
