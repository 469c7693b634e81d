import { expect, test } from "vitest";
import { allOrNone, extended, nothing, toggled } from "./selection.ts";

test("a row is chosen and let go", () => {
  const one = toggled(nothing, 3);
  expect([...one]).toEqual([3]);
  expect([...toggled(one, 3)]).toEqual([]);
});

test("all from one row to another are chosen, up or down", () => {
  expect([...extended(new Set([9]), [5, 4, 3, 2], [2, 4])].toSorted((one, other) => one - other)).toEqual([2, 3, 4, 9]);
  expect([...extended(nothing, [5, 4], [7, 4])]).toEqual([4]);
});

test("all are chosen, and none when all were", () => {
  const all = allOrNone(new Set([1]), [1, 2]);
  expect([...all]).toEqual([1, 2]);
  expect([...allOrNone(all, [1, 2])]).toEqual([]);
});
