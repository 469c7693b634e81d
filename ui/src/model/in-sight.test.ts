import { expect, test } from "vitest";
import { rowsInSight } from "./in-sight.ts";

test("drawn are the rows in sight and a few around them, never one that is not there", () => {
  expect(rowsInSight(1000, 28, { top: 2800, height: 280 })).toEqual([90, 120]);
  expect(rowsInSight(1000, 28, { top: 0, height: 100 })).toEqual([0, 14]);
  expect(rowsInSight(1000, 28, { top: 27_900, height: 100 })).toEqual([986, 1000]);
});

test("a list that became shorter than it was scrolled shows its end", () => {
  expect(rowsInSight(5, 28, { top: 2800, height: 280 })).toEqual([0, 5]);
  expect(rowsInSight(0, 28, { top: 0, height: 280 })).toEqual([0, 0]);
});
