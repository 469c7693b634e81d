// Where the verbs of the engine that only read are asked without an engine: nobody's work is taken over.

import type { ClerkWindow } from "../engine/clerk-window.ts";
import type { Workflows } from "../engine/workflows.ts";
import type { Access } from "../engine/access.ts";
import type { Secrets } from "../engine/secrets.ts";
import type { Call } from "./command.ts";
import { openView, refuseChange, type View } from "./view.ts";

export interface Reader extends AsyncDisposable {
  readonly view: View;
  readonly workflows: () => Promise<Workflows>;
  readonly access: () => Promise<Access>;
  readonly secrets: () => Promise<Secrets>;
}

export async function openReader(call: Pick<Call, "values" | "surroundings">): Promise<Reader> {
  const view = await openView(call);
  const { systemClock } = await import("../engine/clock.ts");
  const window: ClerkWindow = {
    store: view.store,
    clock: systemClock,
    ask: refuseChange,
    allow: view.allow,
  };
  return {
    view,
    workflows: async () => new (await import("../engine/workflows.ts")).Workflows(window),
    access: async () => new (await import("../engine/access.ts")).Access(window),
    secrets: async () => {
      const [{ Secrets }, { KeyRing, keyPlaceOf }] = await Promise.all([
        import("../engine/secrets.ts"),
        import("../access/key-ring.ts"),
      ]);
      return new Secrets(window, new KeyRing(keyPlaceOf(view.store.name, undefined)));
    },
    [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
  };
}
