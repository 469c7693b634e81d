import { expect, test } from "vitest";
import type { Change } from "./change.ts";
import { absorb, cursorsFor, foldRows, heldBack, isSameRows, joinPages, refresh } from "./run-list.ts";
import type { Run } from "./run.ts";
import type { RunStatus } from "./status.ts";

function run(id: number, status: RunStatus = "running", updatedAt = 0): Run {
  return {
    id,
    uid: `u${id}`,
    name: "digest",
    status,
    terminalKind: null,
    attention: null,
    ending: null,
    flow: "",
    input: null,
    output: null,
    error: null,
    data: null,
    createdBy: "ann",
    createdVia: null,
    createdAt: 0,
    updatedAt,
    scheduledAt: null,
    startedAt: null,
    completedAt: null,
    parent: null,
    origin: null,
    steps: null,
    doing: null,
  };
}

const ids = (runs: readonly Run[]): readonly number[] => runs.map(({ id }) => id);

test("rows stay where they are and say how they are now", () => {
  const rows = [run(3), run(2), run(1)];
  const now = refresh(rows, [[run(9), run(2, "completed", 5)]]);
  expect(ids(now)).toEqual([3, 2, 1]);
  expect(now[1]?.status).toBe("completed");
});

test("what was told later than it was read stands", () => {
  const rows = [run(1, "completed", 7)];
  expect(refresh(rows, [[run(1, "running", 3)]])[0]?.status).toBe("completed");
});

test("a run that has ended and is not read any more does not tell of steps that run", () => {
  const steps = { total: 3, statuses: { done: 2, running: 1 }, waits: {} };
  const rows = [
    { ...run(2), steps },
    { ...run(1), steps },
  ];
  const told: Change = { run: 2, step: null, name: "digest", stepName: null, status: "completed", at: 9 };
  const folded = foldRows(rows, [told]);
  expect(refresh(folded, [[]])).toMatchObject([
    { status: "completed", steps: null },
    { status: "running", steps },
  ]);
  expect(folded[1]).toBe(rows[1]);
  expect(foldRows(rows, [{ ...told, run: 8 }])).toBe(rows);
  expect(refresh(folded, [rows])[0]).toMatchObject({ status: "completed", steps });
  const read = { ...run(2, "completed", 9), steps: { total: 3, statuses: { done: 3 }, waits: {} } };
  expect(refresh(folded, [[read]])[0]).toBe(read);
});

test("new runs are held back, wherever they belong", () => {
  const rows = [run(5), run(3)];
  expect(ids(heldBack(rows, [run(6), run(5), run(4), run(3)]))).toEqual([6, 4]);
});

test("the head takes in what is new and lets go what does not belong there any more", () => {
  const rows = [run(5, "completed"), run(4), run(2), run(1)];
  expect(ids(absorb(rows, { runs: [run(7), run(6), run(4)], isAll: false }))).toEqual([7, 6, 4, 2, 1]);
  expect(ids(absorb(rows, { runs: [run(4)], isAll: true }))).toEqual([4]);
});

test("runs between the head and what was shown are not skipped: the list begins anew", () => {
  expect(ids(absorb([run(3), run(2)], { runs: [run(9), run(8)], isAll: false }))).toEqual([9, 8]);
});

test("a head of nothing empties the list only when there is nothing beyond it", () => {
  expect(ids(absorb([run(1)], { runs: [], isAll: true }))).toEqual([]);
});

test("pages that overlap show each run once", () => {
  expect(
    ids(
      joinPages([
        [run(3), run(2)],
        [run(2), run(1)],
      ]),
    ),
  ).toEqual([3, 2, 1]);
});

test("rows are the same by what they are about", () => {
  expect(isSameRows([run(2), run(1)], [run(2, "failed"), run(1)])).toBe(true);
  expect(isSameRows([run(2)], [run(2), run(1)])).toBe(false);
});

test("what is in sight is read in whole pages, each behind the row before it", () => {
  const rows = Array.from({ length: 10 }, (_none, at) => run(10 - at));
  expect(cursorsFor(rows, { from: 0, to: 2, size: 4 })).toEqual([null]);
  expect(cursorsFor(rows, { from: 3, to: 5, size: 4 })).toEqual([null, "7"]);
  expect(cursorsFor(rows, { from: 9, to: 30, size: 4 })).toEqual(["3"]);
  expect(cursorsFor([], { from: 0, to: 0, size: 4 })).toEqual([null]);
});
