import { expect, test } from "vitest";
import { askEvery, soonest } from "./line.ts";

test("what no event tells of is asked for as often as it wants to be, however the line is", () => {
  for (const line of ["connecting", "live", "reconnecting"] as const) {
    expect(askEvery(2500, line)).toBe(2500);
    expect(askEvery(null, line)).toBeNull();
  }
});

test("without a line everything is asked for every 5 seconds, and what was asked for more often still is", () => {
  expect(askEvery(null, "offline")).toBe(5000);
  expect(askEvery(2500, "offline")).toBe(2500);
  expect(askEvery(60_000, "offline")).toBe(5000);
});

test("paused, nothing is asked for", () => {
  expect(askEvery(2500, "paused")).toBeNull();
  expect(askEvery(null, "paused")).toBeNull();
});

test("of several who look at the same, the most eager counts, and who wants nothing does not", () => {
  expect(soonest([null, 5000, 1500, null])).toBe(1500);
  expect(soonest([null, null])).toBeNull();
  expect(soonest([])).toBeNull();
});
