// A real store with faults: commits that wait, are refused or give no clear answer, reads that wait, and a process that
// dies. What is not disturbed goes through unchanged.

import type { Batch, Claim, Committed, Ownership, Store } from "../store/store.ts";

type Faults = {
  /** Before a batch is written; what it gives stands in place of the store's answer, and nothing is written. */
  beforeCommit: ((batch: Batch) => Committed | undefined | Promise<Committed | undefined>) | null;
  /** After a batch was written: what the engine is told. */
  afterCommit: ((committed: Committed, batch: Batch) => Committed | Promise<Committed>) | null;
  /** Before any other verb; it may wait or throw. Nothing: the verb goes through at once. */
  beforeVerb: ((verb: string) => Promise<void> | undefined) | null;
  /** After a verb has read: its answer is kept from the engine until this resolves. */
  afterVerb: ((verb: string) => Promise<void> | undefined) | null;
  /** In place of what the store says of itself. */
  whenLost: Store["whenLost"] | null;
  /** The same. Wherever it can be, a second batch is in flight: that is where faults do most harm. */
  secondBatchMin: number;
};

export type FaultyStore = {
  readonly store: Store;
  readonly faults: Faults;
  /** What was handed over, in order, whatever became of it. */
  readonly batches: Batch[];
  /** How often each verb was used. */
  readonly counts: Map<string, number>;
  /** Verbs that the real store is busy with. */
  readonly underWay: () => number;
  /** Resolves when one of them has answered, at once when there is none. */
  readonly nextAnswer: () => Promise<void>;
  /** From now on nothing answers: the process has died, and the system frees what it held. What was handed over may still
   *  get to the disk. */
  readonly die: () => Promise<void>;
  /** The same, but the real store stays open, for the engine that comes next: one in memory ends with its last handle. */
  readonly leave: () => Promise<void>;
};

const noFaults: Faults = {
  beforeCommit: null,
  afterCommit: null,
  beforeVerb: null,
  afterVerb: null,
  whenLost: null,
  secondBatchMin: 0,
};

export function createFaultyStore(real: Store): FaultyStore {
  const faults: Faults = { ...noFaults };
  const batches: Batch[] = [];
  const counts = new Map<string, number>();
  let isDead = false;
  let held: Ownership | null = null;

  const { track, reach, underWay, nextAnswer } = createUnderWay();

  const commit = async (ownership: Ownership, batch: Batch): Promise<Committed> => {
    batches.push(batch);
    counts.set("commit", batches.length);
    const answered = await faults.beforeCommit?.(batch);
    if (isDead) return never();
    if (answered !== undefined) return answered;
    const committed = await track(() => ownership.commit(batch));
    const told = (await faults.afterCommit?.(committed, batch)) ?? committed;
    return isDead ? never() : told;
  };

  const around = (verb: string, call: () => unknown): unknown => {
    counts.set(verb, (counts.get(verb) ?? 0) + 1);
    if (isDead) return never();
    const before = faults.beforeVerb?.(verb);
    const answer = before === undefined ? reach(call) : before.then(() => (isDead ? never() : reach(call)));
    const after = faults.afterVerb?.(verb);
    if (after === undefined || !(answer instanceof Promise)) return answer;
    return answer.then((given: unknown) => after.then(() => given));
  };

  const wrapOwnership = (ownership: Ownership): Ownership =>
    watchVerbs(ownership, around, {
      get secondBatchMin() {
        return faults.secondBatchMin;
      },
      commit: (batch: Batch) => (isDead ? never() : commit(ownership, batch)),
    });

  const claim = async (owner: Parameters<Store["claim"]>[0]): Promise<Claim> => {
    const before = isDead ? undefined : faults.beforeVerb?.("claim");
    if (before !== undefined) await before;
    if (isDead) return never();
    const claimed = await track(() => real.claim(owner));
    if (claimed.kind !== "owned") return claimed;
    held = claimed.ownership;
    return { kind: "owned", ownership: wrapOwnership(claimed.ownership) };
  };

  const end = (free: () => Promise<void> | undefined) => async (): Promise<void> => {
    isDead = true;
    await free();
  };

  return {
    store: watchVerbs(real, around, {
      claim,
      get whenLost() {
        return faults.whenLost ?? real.whenLost;
      },
    }),
    faults,
    batches,
    counts,
    underWay,
    nextAnswer,
    die: end(() => real.close()),
    leave: end(() => held?.release()),
  };
}

/** Counts the calls of the real store that have not answered. */
function createUnderWay(): {
  readonly track: <Result>(call: () => Promise<Result>) => Promise<Result>;
  readonly reach: (call: () => unknown) => unknown;
  readonly underWay: () => number;
  readonly nextAnswer: () => Promise<void>;
} {
  let count = 0;
  let next = Promise.withResolvers<void>();
  const track = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    count += 1;
    try {
      return await call();
    } finally {
      count -= 1;
      next.resolve();
      next = Promise.withResolvers();
    }
  };

  /** Only what the real store takes counts as under way, not what a fault keeps waiting. */
  const reach = (call: () => unknown): unknown => {
    const answer = call();
    return answer instanceof Promise ? track(() => answer) : answer;
  };
  const nextAnswer = async (): Promise<void> => (count === 0 ? undefined : next.promise);
  return { track, reach, underWay: () => count, nextAnswer };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** The same object, with every method led through `around`, except for those that are given. */
function watchVerbs<Target extends object>(
  target: Target,
  around: (verb: string, call: () => unknown) => unknown,
  given: Partial<Target>,
): Target {
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(given, name)) return Reflect.get(given, name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => around(String(name), () => Reflect.apply(value, target, values));
    },
  });
}

export type Gate = { readonly opened: Promise<void>; readonly open: () => void };

/** Something to wait at until a test opens it. */
export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
