import { expect, test } from "vitest";
import { EndedTally } from "./ended-tally.ts";

const start = Date.UTC(2026, 10, 18, 9, 0, 0);

test("what has ended is counted by tens of seconds, and forgotten after a quarter of an hour", () => {
  const tally = new EndedTally();
  tally.add(3, start);
  tally.add(2, start + 9999);
  tally.add(7, start + 10_000);
  const now = tally.list(start + 25_000);
  expect(now).toMatchObject({ everyMs: 10_000, since: start - 87 * 10_000 });
  expect(now.counts).toHaveLength(90);
  expect(now.counts.slice(-4)).toEqual([0, 5, 7, 0]);
  expect(tally.list(start + 15 * 60_000).counts.slice(0, 2)).toEqual([7, 0]);
  expect(tally.list(start + 24 * 60 * 60_000).counts.every((count) => count === 0)).toBe(true);
});

test("a clock that is set back loses nothing", () => {
  const tally = new EndedTally();
  tally.add(3, start);
  tally.add(2, start - 60_000);
  expect(tally.list(start - 60_000).counts.at(-1)).toBe(5);
});
