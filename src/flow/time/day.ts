// Which day: "tomorrow", "next monday", "9 march 2027". A day without a year, or a weekday, is the next one to come.

import { dateOf, findDay, monthNames, weekdayNames, weekdayOf } from "./calendar.ts";
import { partsOfDay } from "./clock-time.ts";
import { attempt, lookUp, skip, take, type Cursor } from "./token.ts";

export type Day =
  | { readonly kind: "ahead"; readonly days: number; readonly isEvening: boolean }
  | { readonly kind: "weekday"; readonly weekday: number; readonly which: "coming" | "this" | "next" }
  | {
      readonly kind: "date";
      readonly year: number | null;
      readonly month: number;
      readonly day: number;
      /** What the text says of it; it must be so. */
      readonly weekday: number | null;
    };

const weekdays: ReadonlyMap<string, number> = withShortNames(weekdayNames, [
  ["tues", 1],
  ["thur", 3],
  ["thurs", 3],
]);

const months: ReadonlyMap<string, number> = withShortNames(monthNames, [["sept", 8]]);

function withShortNames(names: readonly string[], others: readonly (readonly [string, number])[]): Map<string, number> {
  const numbered = names.map((name, index) => [name, index] as const);
  return new Map([...numbered, ...numbered.map(([name, index]) => [name.slice(0, 3), index] as const), ...others]);
}

export function readDay(cursor: Cursor): Day | undefined {
  skip(cursor, "on");
  return (
    attempt(cursor, readDayAhead) ??
    attempt(cursor, readDate) ??
    attempt(cursor, readWeekday) ??
    attempt(cursor, readWeekdayOfNextWeek)
  );
}

function readDayAhead(cursor: Cursor): Day | undefined {
  if (skip(cursor, "today")) return { kind: "ahead", days: 0, isEvening: false };
  if (skip(cursor, "tonight")) return { kind: "ahead", days: 0, isEvening: true };
  if (skip(cursor, "tomorrow")) return { kind: "ahead", days: 1, isEvening: false };
  // The part of the day stays where it is, and is read next.
  const isPart = partsOfDay.has(cursor.tokens[cursor.at + 1]?.text ?? "");
  if (isPart && skip(cursor, "this")) return { kind: "ahead", days: 0, isEvening: false };
  skip(cursor, "the");
  return skip(cursor, "day", "after", "tomorrow") ? { kind: "ahead", days: 2, isEvening: false } : undefined;
}

function readWeekday(cursor: Cursor): Day | undefined {
  const word = ["next", "this", "coming"].find((candidate) => skip(cursor, candidate));
  const weekday = lookUp(cursor, weekdays);
  if (weekday === undefined) return undefined;
  if (word === undefined && skip(cursor, "next", "week")) return { kind: "weekday", weekday, which: "next" };
  return { kind: "weekday", weekday, which: word === "next" || word === "this" ? word : "coming" };
}

function readWeekdayOfNextWeek(cursor: Cursor): Day | undefined {
  if (!skip(cursor, "next", "week")) return undefined;
  skip(cursor, ",");
  skip(cursor, "on");
  const weekday = lookUp(cursor, weekdays);
  return weekday === undefined ? undefined : { kind: "weekday", weekday, which: "next" };
}

/** With the weekday in front, if one stands there: "monday, 9 march 2026". */
function readDate(cursor: Cursor): Day | undefined {
  const weekday = lookUp(cursor, weekdays) ?? null;
  skip(cursor, ",");
  skip(cursor, "the");
  const [year, month, day] = take(cursor, "date")?.split("-").map(Number) ?? [];
  if (year !== undefined && month !== undefined && day !== undefined)
    return { kind: "date", year, month, day, weekday };
  const date = attempt(cursor, readDayThenMonth) ?? attempt(cursor, readMonthThenDay);
  if (date === undefined) return undefined;
  return { kind: "date", year: attempt(cursor, readYear) ?? null, ...date, weekday };
}

type DayOfYear = { readonly month: number; readonly day: number };

function readDayThenMonth(cursor: Cursor): DayOfYear | undefined {
  const day = readDayOfMonth(cursor);
  skip(cursor, "of");
  const month = lookUp(cursor, months);
  return day === undefined || month === undefined ? undefined : { month: month + 1, day };
}

function readMonthThenDay(cursor: Cursor): DayOfYear | undefined {
  const month = lookUp(cursor, months);
  if (month === undefined) return undefined;
  skip(cursor, "the");
  const day = readDayOfMonth(cursor);
  return day === undefined ? undefined : { month: month + 1, day };
}

function readDayOfMonth(cursor: Cursor): number | undefined {
  const digits = take(cursor, "number");
  if (digits === undefined || !/^\d{1,2}$/.test(digits)) return undefined;
  for (const ending of ["st", "nd", "rd", "th"]) if (skip(cursor, ending)) break;
  return Number(digits);
}

function readYear(cursor: Cursor): number | undefined {
  skip(cursor, ",");
  const digits = take(cursor, "number");
  return digits !== undefined && /^\d{4}$/.test(digits) ? Number(digits) : undefined;
}

/** The days that may be meant, by number, the nearest first; none: no calendar has it. Of several it is the first that is
 *  still to come. */
export function daysMeant(day: Day, today: number): readonly number[] {
  switch (day.kind) {
    case "ahead":
      return [today + day.days];
    case "weekday":
      return weekdaysMeant(day, today);
    case "date":
      return datesMeant(day, today);
  }
}

function weekdaysMeant({ weekday, which }: Extract<Day, { kind: "weekday" }>, today: number): readonly number[] {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  switch (which) {
    case "coming":
      return [today + ahead, today + ahead + 7];
    case "this":
      return [today + ahead];
    case "next":
      // The one of next week: whoever means the first to come says "friday" or "this friday".
      return [today - weekdayOf(today) + 7 + weekday];
  }
}

/** Two leap days are eight years apart at most. */
const yearsAhead = [0, 1, 2, 3, 4, 5, 6, 7, 8];

function datesMeant({ year, month, day }: Extract<Day, { kind: "date" }>, today: number): readonly number[] {
  const thisYear = dateOf(today).year;
  const years = year === null ? yearsAhead.map((ahead) => thisYear + ahead) : [year];
  return years.flatMap((candidate) => findDay({ year: candidate, month, day }) ?? []);
}
