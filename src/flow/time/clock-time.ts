// Which time of day: "9am", "21:30", "noon", "9 in the morning". An hour alone may be morning or evening and is refused.

import { smallNumbers } from "./shift.ts";
import { attempt, lookUp, skip, take, type Cursor } from "./token.ts";

export type PartOfDay = "morning" | "afternoon" | "evening";

export type ClockTime = {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly half: "am" | "pm" | null;
  /** An hour without minutes: it needs to be said which half of the day is meant. */
  readonly isBare: boolean;
  /** Is it the beginning or the end of a day? */
  readonly isMidnight: boolean;
};

const onTheHour = { minute: 0, second: 0, half: null, isBare: false, isMidnight: false } as const;

export function readClockTime(cursor: Cursor): ClockTime | undefined {
  if (!skip(cursor, "at")) skip(cursor, "@");
  if (skip(cursor, "noon") || skip(cursor, "midday")) return { ...onTheHour, hour: 12 };
  if (skip(cursor, "midnight")) return { ...onTheHour, hour: 0, isMidnight: true };
  const [hour, minute, second = 0] = take(cursor, "clock")?.split(":").map(Number) ?? [];
  if (hour !== undefined && minute !== undefined) {
    return { ...onTheHour, hour, minute, second, half: readHalf(cursor) };
  }
  const digits = take(cursor, "number");
  const count = digits === undefined ? lookUp(cursor, smallNumbers) : toHour(digits);
  if (count === undefined) return undefined;
  skip(cursor, "o'clock");
  const half = readHalf(cursor);
  return { ...onTheHour, hour: count, half, isBare: half === null };
}

function toHour(digits: string): number | undefined {
  return /^\d{1,2}$/.test(digits) ? Number(digits) : undefined;
}

function readHalf(cursor: Cursor): "am" | "pm" | null {
  if (skip(cursor, "am")) return "am";
  return skip(cursor, "pm") ? "pm" : null;
}

export const partsOfDay: ReadonlyMap<string, PartOfDay> = new Map([
  ["morning", "morning"],
  ["afternoon", "afternoon"],
  ["evening", "evening"],
]);

/** "in the morning", and the "morning" of "tomorrow morning". */
export function readPartOfDay(cursor: Cursor): PartOfDay | undefined {
  skip(cursor, "in", "the");
  return attempt(cursor, (ahead) => lookUp(ahead, partsOfDay));
}

/** From which hour on, and before which. Whoever says evening at 4 pm means it; nobody says so at 3. */
const hoursOf: { readonly [part in PartOfDay]: readonly [number, number] } = {
  morning: [0, 12],
  afternoon: [12, 19],
  evening: [16, 24],
};

/** Milliseconds since midnight by the clock on the wall; a text says what is wrong. */
export function toMsOfDay(time: ClockTime, part: PartOfDay | null): number | string {
  const { minute, second, half, isBare } = time;
  if (minute > 59 || second > 59) return "No clock shows that time.";
  if (half !== null && (time.hour < 1 || time.hour > 12)) return `With ${half} the hour is 1 to 12.`;
  if (time.hour > 23) return "The hours of a day are 0 to 23; the end of a day is 00:00 of the next.";
  if (isBare && part === null) return `Is ${time.hour} in the morning or in the evening?`;
  const hour = toHourOfDay(time, part);
  const [from, before] = part === null ? [0, 24] : hoursOf[part];
  if (hour < from || hour >= before) return `There is no such hour in the ${String(part)}.`;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

function toHourOfDay({ hour, half }: ClockTime, part: PartOfDay | null): number {
  if (half === "am") return hour % 12;
  if (half === "pm") return (hour % 12) + 12;
  // 9:30 in the evening; noon in the afternoon
  return (part === "afternoon" || part === "evening") && hour > 0 && hour < 12 ? hour + 12 : hour;
}
