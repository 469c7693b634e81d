// ISO 8601, long or short, with RFC 9557's zone in brackets: `2026-03-09T09:00:00Z`, `20260309T0900+0100`,
// `2026-03-09 09:00[Europe/Berlin]`. A date alone says no time and is none of these.

import { dayMs, daysInMonth, findDay, monthNames } from "./calendar.ts";
import { quote, refuse, type Refusal } from "./reading.ts";

export type IsoTime = {
  readonly ok: true;
  /** What clocks on the wall show, as if it were UTC. */
  readonly wall: number;
  readonly zones: readonly string[];
};

const zonePart = String.raw`(Z|[+-]\d\d(?::?\d\d)?)?(?:\[([\w/+-]{1,64})\])?`;
const long = new RegExp(
  String.raw`^(\d{4})-(\d\d)-(\d\d)(?:T| +)(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?${zonePart}$`,
  "i",
);
const short = new RegExp(String.raw`^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?${zonePart}$`, "i");

/** Undefined: another notation. */
export function readIso(text: string): IsoTime | Refusal | undefined {
  const found = long.exec(text) ?? short.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const days = findDay({ year, month, day });
  if (days === undefined) return refuseDate(text, { year, month });
  if (hour > 23 || minute > 59 || second > 59) {
    return refuse(
      `${quote(text)} has a time of day that no clock shows.`,
      "Hours go from 00 to 23, minutes and seconds to 59.",
    );
  }
  const ms = Number((found[7] ?? "").padEnd(3, "0").slice(0, 3));
  const wall = days * dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  return { ok: true, wall, zones: found.slice(8).filter((zone) => zone !== undefined) };
}

/** A day that no calendar has. */
export function refuseDate(
  text: string,
  { year, month }: { readonly year: number | null; readonly month: number },
): Refusal {
  const name = monthNames[month - 1];
  if (name === undefined) return refuse(`${quote(text)} names a month ${month}.`, "Months go from 01 to 12.");
  const days = daysInMonth(year ?? 0, month);
  const title = name.slice(0, 1).toUpperCase() + name.slice(1);
  return refuse(
    `${quote(text)} names a day that ${title}${year === null ? "" : ` ${year}`} does not have.`,
    `Its days go from 1 to ${days}.`,
  );
}
