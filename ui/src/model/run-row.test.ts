import { expect, test } from "vitest";
import { conditionOf, keyOf, needsPerson, progressOf } from "./run-row.ts";
import { sampleRun } from "./run-sample.ts";
import type { Run, StepCounts } from "./run.ts";

test("the first value of the input tells runs apart", () => {
  expect(keyOf({ topic: "tides", n: 3 })).toBe("tides");
  expect(keyOf({ order: { no: 17 } })).toBe('{"no":17}');
  expect(keyOf(["a", "b"])).toBe("a");
  expect(keyOf(0)).toBe("0");
  expect(keyOf({})).toBe("");
  expect(keyOf(null)).toBe("");
  expect(keyOf({ text: "x".repeat(500) })).toHaveLength(120);
});

test("of a run under way it is told what there is so far, and never out of how many", () => {
  const steps = { total: 7, statuses: { running: 1, done: 4, failed: 1, pending: 1 }, waits: {} };
  const { text, segments, about } = progressOf(steps, false);
  expect(text).toBe("4 done, 1 failed, 1 running, 1 pending");
  expect(segments.map(({ token, count }) => [token, count])).toEqual([
    ["done", 4],
    ["failed", 1],
    ["running", 1],
    ["pending", 1],
  ]);
  expect(about).toBe("4 done, 1 failed, 1 running, 1 pending");
  expect(progressOf({ total: 0, statuses: {}, waits: {} }, false)).toMatchObject({ text: "", about: "no steps yet" });
});

test("of a run that has ended it is told how many of its steps are over, and which of them went wrong", () => {
  const steps = { total: 7, statuses: { done: 4, skipped: 2, pending: 1 }, waits: {} };
  expect(progressOf(steps, true)).toMatchObject({ text: "6/7", about: "4 done, 2 skipped, 1 pending" });
  const failed = { total: 2, statuses: { done: 1, failed: 1 }, waits: {} };
  expect(progressOf(failed, true).text).toBe("1 done, 1 failed");
  expect(progressOf({ total: 2, statuses: { done: 1, cancelled: 1 }, waits: {} }, true).text).toBe(
    "1 done, 1 cancelled",
  );
  expect(progressOf({ total: 0, statuses: {}, waits: {} }, true)).toMatchObject({ text: "0/0", about: "no steps" });
});

test("a step that waits is shown as what it waits for, and one that a person has to lead on is not done", () => {
  const steps = (statuses: StepCounts["statuses"], waits: StepCounts["waits"]): string =>
    progressOf({ total: 9, statuses, waits }, false).text;
  expect(steps({ done: 1 }, { choice: 1 })).toBe("1 waiting");
  expect(steps({ done: 2, skipped: 1 }, { choice: 3 })).toBe("3 waiting");
  expect(steps({ pending: 3 }, { sleep: 1, retry: 1 })).toBe("1 retrying, 1 sleeping, 1 pending");
  expect(steps({ pending: 2, done: 1 }, { event: 1, person: 1 })).toBe("1 done, 2 waiting");
  expect(steps({ pending: 1 }, { rest: 1 })).toBe("1 at rest");
});

test("a run is what it does: only one that works is running", () => {
  const shown = (more: Partial<Run>): string => conditionOf(sampleRun({ status: "running", ...more }), new Set()).word;
  expect(shown({ doing: "work" })).toBe("running");
  expect(shown({ doing: null })).toBe("running");
  expect(shown({ doing: "sleep" })).toBe("sleeping");
  expect(shown({ doing: "event" })).toBe("waiting");
  expect(shown({ doing: "rest" })).toBe("at rest");
  expect(shown({ doing: "person" })).toBe("waiting");
  expect(shown({ doing: "sleep", status: "completed" })).toBe("completed");
  expect(needsPerson(sampleRun({ status: "running", doing: "event" }), new Set())).toBe(false);
  expect(needsPerson(sampleRun({ status: "running", doing: "person" }), new Set())).toBe(true);
});
