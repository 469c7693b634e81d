// Where the verbs of the engine that only read are asked without an engine: nobody's work is taken over.

import type { ClerkWindow } from "../engine/clerk-window.ts";
import { StepwellError } from "../error.ts";
import type { Workflows } from "../engine/workflows.ts";
import type { Access } from "../engine/access.ts";
import type { Secrets } from "../engine/secrets.ts";
import type { Call } from "./command.ts";
import { openView, type View } from "./view.ts";

export interface Reader extends AsyncDisposable {
  readonly view: View;
  readonly workflows: () => Promise<Workflows>;
  readonly access: () => Promise<Access>;
  readonly secrets: () => Promise<Secrets>;
}

export async function openReader(call: Pick<Call, "values" | "surroundings">): Promise<Reader> {
  const view = await openView(call);
  const { systemClock } = await import("../engine/clock.ts");
  const window = createWindow(view, systemClock, call.values.as);
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

/** Whoever has the file and acts in nobody's name may read all of it. */
function createWindow({ store }: View, clock: ClerkWindow["clock"], user: string | undefined): ClerkWindow {
  return {
    store,
    clock,
    ask: () => Promise.reject(new StepwellError("USAGE", "Nothing is changed here.")),
    allow: async (right) => {
      if (user === undefined) return;
      const { checkRight } = await import("../engine/readers.ts");
      await checkRight(store, { user, via: null, scopes: null }, right);
    },
  };
}
