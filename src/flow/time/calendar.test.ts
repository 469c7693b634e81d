import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths, dateOf, dayMs, daysInMonth, findDay, weekdayOf } from "./calendar.ts";

/** From the year 1 to 9999. */
const someDay = fc.integer({ min: -719_162, max: 2_932_896 });

describe("a day", () => {
  test("is the one that `Date` has under its number, and the other way round", () => {
    fc.assert(
      fc.property(someDay, (number) => {
        const date = new Date(number * dayMs);
        const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(dateOf(number)).toEqual(expected);
        expect(findDay(expected)).toBe(number);
        expect(weekdayOf(number)).toBe((date.getUTCDay() + 6) % 7);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [2000, 29],
    [1900, 28],
    [2024, 29],
    [2026, 28],
  ])("29 February: %i has %i days in it", (year, days) => {
    expect(daysInMonth(year, 2)).toBe(days);
    expect(findDay({ year, month: 2, day: 29 }) !== undefined).toBe(days === 29);
  });

  test.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2026-12-31", 2, "2027-02-28"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2026-03-15", 120, "2036-03-15"],
  ])("%s and %i months later is %s", (from, months, expected) => {
    const later = addMonths(Date.parse(from) / dayMs, months);
    expect(new Date(later * dayMs).toISOString().slice(0, 10)).toBe(expected);
  });
});
