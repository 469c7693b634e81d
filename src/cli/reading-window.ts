// Where the verbs of the engine that only read are asked without an engine: nobody's work is taken over.

import type { ClerkWindow } from "../engine/clerk-window.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { Call } from "./command.ts";
import { urlOf, visitServer } from "./server-place.ts";
import { openStoreView } from "./store-view.ts";
import { refuseChange } from "./view.ts";

export interface Reader extends AsyncDisposable {
  readonly workflows: () => Promise<UserEngine["workflows"]>;
  readonly access: () => Promise<UserEngine["access"]>;
  readonly secrets: () => Promise<UserEngine["secrets"]>;
  readonly outcomes: () => Promise<UserEngine["outcomes"]>;
}

type Wish = Pick<Call, "values" | "surroundings">;

export async function openReader(call: Wish): Promise<Reader> {
  const url = urlOf(call);
  return url === undefined ? openStoreReader(call) : openServerReader(url, call);
}

async function openServerReader(url: string, call: Wish): Promise<Reader> {
  const { client } = await visitServer(url, call);
  return {
    workflows: async () => client.workflows,
    access: async () => client.access,
    secrets: async () => client.secrets,
    outcomes: async () => client.outcomes,
    [Symbol.asyncDispose]: () => client.stop(),
  };
}

async function openStoreReader(call: Wish): Promise<Reader> {
  const view = await openStoreView(call);
  const { as } = call.values;
  const { systemClock } = await import("../engine/clock.ts");
  const window: ClerkWindow = {
    store: view.store,
    clock: systemClock,
    ask: refuseChange,
    allow: view.allow,
  };
  return {
    workflows: async () => new (await import("../engine/workflows.ts")).Workflows(window),
    access: async () => new (await import("../engine/access.ts")).Access(window),
    secrets: async () => {
      const [{ Secrets }, { KeyRing, keyPlaceOf }] = await Promise.all([
        import("../engine/secrets.ts"),
        import("../access/key-ring.ts"),
      ]);
      return new Secrets(window, new KeyRing(keyPlaceOf(view.store.name, undefined)));
    },
    outcomes: async () => {
      const { Outcomes } = await import("../engine/outcomes.ts");
      const asker = as === undefined ? null : { user: as, via: null, scopes: null };
      return new Outcomes({ store: view.store, asker, ask: refuseChange });
    },
    [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
  };
}
