// A store whose owner is kept from one list to the next: a new session of a server, with all its statements, costs more
// than a list. What is released is given back when somebody else claims; whoever begins the next list, on a store that
// was emptied, goes on with it as if it were new.

import type { Claim, Ownership, Store } from "../../src/store/store.ts";

export type KeptOwner = {
  readonly store: Store;
  /** The store is empty: the next claim takes what is kept. */
  readonly renew: () => void;
};

export function keepOwner(real: Store): KeptOwner {
  let kept: Ownership | null = null;
  let isNew = false;
  let isLost = false;
  const lend = (ownership: Ownership, given: Partial<Ownership>): Claim => {
    const onLost: Ownership["onLost"] = (listener) =>
      ownership.onLost((problem) => {
        isLost = true;
        listener(problem);
      });
    return { kind: "owned", ownership: alter(ownership, { ...given, release: releaseLater, onLost }) };
  };
  const claim = async (...values: Parameters<Store["claim"]>): Promise<Claim> => {
    if (kept !== null && isNew && !isLost) {
      isNew = false;
      return lend(kept, { lastId: 0, lastCommit: 0 });
    }
    await kept?.release();
    isNew = false;
    isLost = false;
    const claimed = await real.claim(...values);
    if (claimed.kind === "taken") return claimed;
    kept = claimed.ownership;
    return lend(kept, {});
  };
  return {
    store: alter(real, { claim }),
    renew: () => {
      isNew = true;
    },
  };
}

async function releaseLater(): Promise<void> {}

/** The same object, but for what is given. */
export function alter<Target extends object>(target: Target, given: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(Object.hasOwn(given, name) ? given : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
