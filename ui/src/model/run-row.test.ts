import { expect, test } from "vitest";
import { keyOf, progressOf } from "./run-row.ts";

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
  const steps = { total: 7, statuses: { running: 1, done: 4, failed: 1, pending: 1 } };
  const { text, segments, about } = progressOf(steps, false);
  expect(text).toBe("4 done, 1 failed, 1 running, 1 pending");
  expect(segments.map(({ token, count }) => [token, count])).toEqual([
    ["done", 4],
    ["failed", 1],
    ["running", 1],
    ["pending", 1],
  ]);
  expect(about).toBe("4 done, 1 failed, 1 running, 1 pending");
  expect(progressOf({ total: 0, statuses: {} }, false)).toMatchObject({ text: "", about: "no steps yet" });
});

test("of a run that has ended it is told how many of its steps are over", () => {
  const steps = { total: 7, statuses: { done: 4, failed: 1, skipped: 1, pending: 1 } };
  expect(progressOf(steps, true)).toMatchObject({ text: "6/7", about: "4 done, 1 skipped, 1 failed, 1 pending" });
  expect(progressOf({ total: 0, statuses: {} }, true)).toMatchObject({ text: "0/0", about: "no steps" });
});
