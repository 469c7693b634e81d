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

test("steps are counted as over or still to come", () => {
  const { text, segments, about } = progressOf({ total: 7, statuses: { running: 1, done: 4, failed: 1, pending: 1 } });
  expect(text).toBe("5/7");
  expect(segments.map(({ token, count }) => [token, count])).toEqual([
    ["done", 4],
    ["failed", 1],
    ["running", 1],
    ["pending", 1],
  ]);
  expect(about).toBe("4 done, 1 failed, 1 running, 1 pending");
  expect(progressOf({ total: 0, statuses: {} })).toMatchObject({ text: "0/0", about: "no steps yet" });
});
