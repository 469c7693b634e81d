import { describe, expect, test } from "vitest";
import {
  greet,
  heightsOf,
  namesCompleted,
  sayAlarm,
  sayMarks,
  sayRuns,
  stackOf,
  sumOf,
  togetherOf,
  totalOf,
  type WorkflowFigures,
  wholeOf,
} from "./overview.ts";

describe("what Home says", () => {
  test("is today's truth, without what there is none of", () => {
    expect(greet({ runs: 12, failed: 1, waiting: 1 })).toBe("12 runs today, 1 needs you, 1 failed.");
    expect(greet({ runs: 1, failed: 0, waiting: 0 })).toBe("1 run today.");
    expect(greet({ runs: 0, failed: 0, waiting: 3 })).toBe("0 runs today, 3 need you.");
  });

  test("needs nobody who may not answer", () => {
    expect(greet({ runs: 3, failed: 1, waiting: 2 }, 2)).toBe("3 runs today, 2 wait for an answer, 1 failed.");
    expect(greet({ runs: 3, failed: 0, waiting: 3 }, 1)).toBe("3 runs today, 2 need you, 1 waits for an answer.");
    expect(greet({ runs: 3, failed: 0, waiting: 0 }, 1)).toBe("3 runs today.");
  });

  test("of an alarm is what it will do", () => {
    expect(sayAlarm({ kind: "retry", stepName: "ask" })).toBe("tries ask again");
    expect(sayAlarm({ kind: "start", stepName: null })).toBe("begins");
    expect(sayAlarm({ kind: "timeout", stepName: null })).toBe("the run times out");
  });
});

test("a bar is piled up from what went well to what failed", () => {
  const hour = { from: 0, to: 1, statuses: { failed: 1, completed: 3 }, doing: {} };
  expect(stackOf(hour).map(({ word }) => word)).toEqual(["completed", "failed"]);
  expect(totalOf(hour)).toBe(4);
  expect(sumOf([hour, { ...hour, statuses: {} }, hour])).toBe(8);
  expect([sayRuns(0), sayRuns(1), sayRuns(1519)]).toEqual(["0 runs", "1 run", "1,519 runs"]);
});

test("a workflow was tried once a run of it has come to its end", () => {
  const figures: WorkflowFigures = {
    name: "hello",
    last: [{ id: 1, status: "completed", durationMs: 1, createdAt: 0, doing: null }],
    runs: 1,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
    nextAt: null,
  };
  expect([
    ...namesCompleted({
      workflows: [
        figures,
        { ...figures, name: "flaky", last: figures.last.map((mark) => ({ ...mark, status: "running" as const })) },
      ],
    }),
  ]).toEqual(["hello"]);
  expect(namesCompleted(undefined).size).toBe(0);
});

test("the longest run is the highest, and the shortest can still be seen", () => {
  const mark = { id: 1, status: "completed", createdAt: 0, doing: null } as const;
  const [none = 0, long = 0, live = 0] = heightsOf([
    { ...mark, durationMs: 0 },
    { ...mark, durationMs: 5000 },
    { ...mark, durationMs: null },
  ]);
  expect([none, long, live]).toEqual([0.2, 1, 1]);
});

test("the last runs are counted by how they ended", () => {
  const mark = { id: 1, durationMs: 1, createdAt: 0, doing: null };
  expect(sayMarks([])).toBe("none");
  expect(
    sayMarks([
      { ...mark, status: "failed" },
      { ...mark, status: "completed" },
      { ...mark, status: "failed" },
    ]),
  ).toBe("1 completed, 2 failed");
});

test("in a bar and in the last runs only what works is running", () => {
  const hour = {
    from: 0,
    to: 1,
    statuses: { running: 5, completed: 1 },
    doing: { person: 1, event: 1, sleep: 1, work: 1 },
  };
  expect(stackOf(hour).map(({ word, token, count }) => [word, token, count])).toEqual([
    ["completed", "done", 1],
    ["running", "running", 2],
    ["sleeping", "sleeping", 1],
    ["waiting", "waiting", 2],
  ]);
  const mark = { id: 1, durationMs: null, createdAt: 0, status: "running" } as const;
  expect(
    sayMarks([
      { ...mark, doing: "person" },
      { ...mark, doing: "rest" },
    ]),
  ).toBe("1 waiting, 1 at rest");
});

test("hours that stand together are counted together", () => {
  const hour = (from: number) => ({ from, to: from + 1, statuses: { completed: 1, running: 1 }, doing: { sleep: 1 } });
  const [first = [], second = []] = togetherOf([hour(0), hour(1), hour(2)], 2);
  expect([first.length, second.length]).toEqual([2, 1]);
  expect(wholeOf(first)).toEqual({ from: 0, to: 2, statuses: { completed: 2, running: 2 }, doing: { sleep: 2 } });
  expect(wholeOf([])).toBeNull();
});
