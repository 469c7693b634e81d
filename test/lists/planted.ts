// Stores with one thing done wrongly: the proof that playing lists would see it. Each is a real store, altered on its way
// in or out.

import type { Batch, Claim, Ownership, Store } from "../../src/store/store.ts";
import { alter } from "./kept-owner.ts";
import type { Place } from "./place.ts";

export type PlantedBug = {
  readonly name: string;
  /** Lists that are enough, many times what it takes today. */
  readonly within: number;
  /** How short the list gets that shows it. */
  readonly commandsMax: number;
  /** Where it is seen. */
  readonly shownAt: RegExp;
  readonly store?: (store: Store) => Partial<Store>;
  readonly ownership?: (ownership: Ownership) => Partial<Ownership>;
};

function writing(change: (batch: Batch) => Batch): Pick<PlantedBug, "ownership"> {
  return { ownership: (ownership) => ({ commit: (batch) => ownership.commit(change(batch)) }) };
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a signal is lost",
    within: 200,
    commandsMax: 2,
    shownAt: /\/signals\/0$/,
    ...writing((batch) => ({
      ...batch,
      signals: batch.signals.map(({ run, signals }) => ({ run, signals: signals.slice(1) })),
    })),
  },
  {
    name: "events come in another order",
    within: 200,
    commandsMax: 4,
    shownAt: /^\/events\/\d+/,
    store: (store) => ({ listEvents: async (run) => (await store.listEvents(run)).toReversed() }),
  },
  {
    name: "a start key is forgotten",
    within: 200,
    commandsMax: 1,
    shownAt: /startKey$/,
    ...writing((batch) => ({ ...batch, runs: batch.runs.map((write) => ({ ...write, startKey: null })) })),
  },
  {
    name: "what was interrupted is not found",
    within: 200,
    commandsMax: 4,
    shownAt: /^\//,
    ownership: () => ({ listInterrupted: async () => [] }),
  },
  {
    name: "what is due is found a second late",
    within: 200,
    commandsMax: 4,
    shownAt: /^\/told/,
    ownership: (ownership) => ({ listDue: (now, limitMax) => ownership.listDue(now - 1000, limitMax) }),
  },
  {
    name: "an older version of a workflow is not kept",
    within: 400,
    commandsMax: 3,
    shownAt: /^\//,
    ...writing((batch) => ({
      ...batch,
      entries: batch.entries.filter(({ kind, key }) => kind !== "workflow_version" || !key.endsWith("2")),
    })),
  },
  {
    name: "zero bytes do not come back",
    within: 400,
    commandsMax: 4,
    shownAt: /^\/runs/,
    store: (store) => ({ listRows: async (run) => JSON.parse(withoutZeros(await store.listRows(run))) }),
  },
  {
    name: "nothing is pruned",
    within: 400,
    commandsMax: 4,
    shownAt: /^\//,
    ownership: () => ({ listPrunable: async () => ({ runs: [], next: null }) }),
  },
];

function withoutZeros(value: unknown): string {
  return JSON.stringify(value).replaceAll("\\u0000", "");
}

/** The same place, where every store has the bug. */
export function plant({ store: alterStore, ownership: alterOwnership }: PlantedBug, place: Place): Place {
  const known = new WeakMap<Store, Store>();
  const real = new WeakMap<Store, Store>();
  const planted = (store: Store): Store => {
    const claim = async (...given: Parameters<Store["claim"]>): Promise<Claim> => {
      const claimed = await store.claim(...given);
      if (claimed.kind === "taken") return claimed;
      const { ownership } = claimed;
      return { kind: "owned", ownership: alter(ownership, alterOwnership?.(ownership) ?? {}) };
    };
    const altered = known.get(store) ?? alter(store, { claim, ...alterStore?.(store) });
    known.set(store, altered);
    real.set(altered, store);
    return altered;
  };
  const realOf = (store: Store): Store => real.get(store) ?? store;
  return {
    name: `${place.name}, altered`,
    begin: async (now) => planted(await place.begin(now)),
    reopen: async (store, now) => planted(await place.reopen(realOf(store), now)),
    end: (store) => place.end(realOf(store)),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}
