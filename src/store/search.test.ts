import { expect, test } from "vitest";
import { makeRun } from "./conformance/subject.ts";
import { looksMax, searchRuns, type Searched } from "./search.ts";
import type { RunHead, RunQuery, StoredRun } from "./store.ts";

/** A store with a run for every number, each created at the instant of its number, of which nothing is kept. */
function createEndless(newest: number): { readonly store: Searched; readonly looked: () => number } {
  let looked = 0;
  const numbers = (before: number, limitMax: number): readonly number[] => {
    const first = Math.min(before - 1, newest);
    return Array.from({ length: Math.min(limitMax, first) }, (_, index) => first - index);
  };
  return {
    looked: () => looked,
    store: {
      listRuns: async ({ before = Number.MAX_SAFE_INTEGER, limitMax }: RunQuery): Promise<readonly StoredRun[]> => {
        looked += limitMax;
        return numbers(before, limitMax).map((id) => {
          return { run: makeRun(id, { createdAt: id * 1000 }), flow: "f1", updatedAt: id, startKey: null };
        });
      },
      listHeads: async (before, limitMax): Promise<readonly RunHead[]> =>
        numbers(before, limitMax).map((id) => {
          const times = { createdAt: id * 1000, startedAt: id * 1000, completedAt: null };
          return { id, name: "greet", status: "running", createdBy: "ann", terminalKind: null, ...times };
        }),
    },
  };
}

test("a search that finds nothing ends after so many runs, and says where to go on", async () => {
  const { store, looked } = createEndless(looksMax * 3);
  const { runs, next } = await searchRuns(store, { status: "all", limitMax: 50, text: "nowhere" });
  expect([runs, next, looked()]).toEqual([[], looksMax * 2 + 1, looksMax]);
});

test("a search in a time looks at little besides that time, however many runs there are", async () => {
  const { store, looked } = createEndless(5_000_000);
  const search = { status: "all", limitMax: 50, createdAfter: 2_000_000_000, createdBefore: 2_000_005_000 } as const;
  const { runs, next } = await searchRuns(store, search);
  expect([runs.map(({ run }) => run.id), next]).toEqual([
    [2_000_004, 2_000_003, 2_000_002, 2_000_001, 2_000_000],
    null,
  ]);
  expect(looked()).toBeLessThan(1000);
});
