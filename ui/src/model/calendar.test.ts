import { expect, test } from "vitest";
import { daysAhead } from "./calendar.ts";

test("each time falls on its day, and those beyond the last one on none", () => {
  const noon = new Date(2026, 2, 28, 12).getTime();
  const hour = 3_600_000;
  // The last Sunday of March has 23 hours in much of Europe.
  const days = daysAhead(noon, 3, [noon + hour, noon + 13 * hour, noon + 40 * hour, noon + 200 * hour]);
  expect(days.map(({ count }) => count).reduce((sum, each) => sum + each)).toBe(3);
  expect(days.map(({ key }) => key)).toEqual(["2026-03-28", "2026-03-29", "2026-03-30"]);
  expect(days[0]?.count).toBe(1);
});
