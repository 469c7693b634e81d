// What people ask of a store and the engine does not: which ids begin with these digits, how far a run is.

export type StepCount = { readonly done: number; readonly all: number };

export interface Lookup extends AsyncDisposable {
  /** Ids that begin with these digits, of two at most. */
  readonly findIds: (kind: "run" | "step", digits: string) => Promise<readonly number[]>;
  /** For each of these runs, the ids of the runs that come before and after it. */
  readonly findNeighbours: (runs: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>;
  /** For each of these runs, how many of its steps are over, of those that it has entered. */
  readonly countSteps: (runs: readonly number[]) => Promise<ReadonlyMap<number, StepCount>>;
  /** How many runs have ended before this instant; sub-runs go with their roots and are not counted. */
  readonly countEnded: (before: number) => Promise<number>;
}

/** Ids are no longer than this. */
const digitsMax = 16;

/** Ids that begin with these digits lie between these, first and last. */
export function rangesOf(digits: string): readonly (readonly [first: number, last: number])[] {
  return Array.from({ length: digitsMax - digits.length + 1 }, (_, zeros) => {
    const first = Number(digits) * 10 ** zeros;
    return [first, first + 10 ** zeros - 1];
  });
}
