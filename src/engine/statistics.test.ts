import { expect, test } from "vitest";
import type { RunHead } from "../store/store.ts";
import { countRuns, type Stats } from "./statistics.ts";

/** A store of runs with the ids 1 to `last`, each made at the instant of its number. */
function count(last: number, since = 0): Promise<Stats> {
  const listHeads = async (before: number, limitMax: number): Promise<readonly RunHead[]> =>
    Array.from({ length: Math.max(0, Math.min(limitMax, before - 1, last)) }, (_, index) => {
      const id = Math.min(before - 1, last) - index;
      const times = { createdAt: id, startedAt: id, completedAt: id };
      return { id, name: "greet", status: "completed", createdBy: "ann", terminalKind: "success", ...times };
    });
  return countRuns({ listHeads }, { since, user: null });
}

test.each([0, 1, 98_000, 98_001, 99_999, 100_000])("of %i runs all are counted, and said so", async (last) => {
  expect(await count(last)).toMatchObject({ runs: last, isComplete: true });
});

test("of more than are looked at only the newest are counted, and it says so", async () => {
  expect(await count(100_001)).toMatchObject({ runs: 100_000, isComplete: false });
  expect(await count(100_001, 2)).toMatchObject({ runs: 100_000, isComplete: true });
});
