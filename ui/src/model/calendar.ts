// Days that lie ahead, in the zone in which times are shown.

import { timeFormats } from "./time-format.ts";

export type Day = {
  /** `2026-11-18` */
  readonly key: string;
  readonly count: number;
};

const dayMs = 24 * 60 * 60_000;

/** From today on; how many of these times fall on each. */
export function daysAhead(now: number, days: number, times: readonly number[]): readonly Day[] {
  const { key } = timeFormats();
  const fallen = times.map((time) => key.format(time));
  // Days of the calendar follow each other by their dates, not by hours: some have 23 of them, or 25.
  const today = Date.parse(key.format(now));
  return Array.from({ length: days }, (_none, at) => {
    const name = new Date(today + at * dayMs).toISOString().slice(0, 10);
    return { key: name, count: fallen.filter((each) => each === name).length };
  });
}

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", timeZone: "UTC" });

/** `Thu 19` */
export function showWeekday({ key }: Day): string {
  return weekday.format(Date.parse(key));
}
