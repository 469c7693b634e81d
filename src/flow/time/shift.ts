// "in 2 hours", "+15m", "3 days from now": how far from now. Days, weeks, months and years go by the calendar, and the
// clock on the wall shows the same then; hours and what is shorter are exact. So a day may have 23 or 25 hours, and 24
// hours are 24 hours.

import { attempt, lookUp, skip, take, type Cursor } from "./token.ts";

export type Shift = {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
  /** A length of time by itself: from when, nobody says. */
  readonly isLoose: boolean;
};

type Unit = { readonly months?: number; readonly days?: number; readonly ms?: number };

/** From the longest to the shortest, each by all its names. */
const unitNames: readonly (readonly [string, Unit])[] = [
  ["year years", { months: 12 }],
  ["month months", { months: 1 }],
  ["w week weeks", { days: 7 }],
  ["d day days", { days: 1 }],
  ["h hr hrs hour hours", { ms: 3_600_000 }],
  ["m min mins minute minutes", { ms: 60_000 }],
  ["s sec secs second seconds", { ms: 1000 }],
];

const units: ReadonlyMap<string, Unit & { readonly rank: number }> = new Map(
  unitNames.flatMap(([names, unit], rank) => names.split(" ").map((name) => [name, { ...unit, rank }] as const)),
);

export const smallNumbers: ReadonlyMap<string, number> = new Map(
  "one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, index) => [word, index + 1] as const),
);

const amounts: ReadonlyMap<string, number> = new Map([
  ...smallNumbers,
  ["a", 1],
  ["an", 1],
  ["fifteen", 15],
  ["twenty", 20],
  ["thirty", 30],
  ["forty", 40],
  ["sixty", 60],
  ["ninety", 90],
]);

export function readShift(cursor: Cursor): Shift | undefined {
  const hasStart = skip(cursor, "in") || skip(cursor, "+");
  const length = readLength(cursor);
  if (length === undefined) return undefined;
  const hasEnd = skip(cursor, "from", "now") || skip(cursor, "from", "today");
  return { ...length, isLoose: !hasStart && !hasEnd };
}

type Length = Omit<Shift, "isLoose">;

/** One or more amounts, each of a shorter unit than the one before. */
function readLength(cursor: Cursor): Length | undefined {
  let total: Length = { months: 0, days: 0, ms: 0 };
  let rank = -1;
  for (;;) {
    const { at } = cursor;
    const amount = attempt(cursor, rank < 0 ? readAmount : readFurtherAmount);
    if (amount === undefined) return rank < 0 ? undefined : total;
    if (amount.rank <= rank) {
      cursor.at = at;
      return total;
    }
    rank = amount.rank;
    total = { months: total.months + amount.months, days: total.days + amount.days, ms: total.ms + amount.ms };
  }
}

function readFurtherAmount(cursor: Cursor): (Length & { readonly rank: number }) | undefined {
  skip(cursor, ",");
  skip(cursor, "and");
  return readAmount(cursor);
}

function readAmount(cursor: Cursor): (Length & { readonly rank: number }) | undefined {
  const count = readCount(cursor);
  if (count === undefined) return undefined;
  const unit = lookUp(cursor, units);
  if (unit === undefined) return undefined;
  const halves = skip(cursor, "and", "a", "half") ? 0.5 : 0;
  const { months = 0, days = 0, ms = 0, rank } = unit;
  const exact = Math.round((count + halves) * ms);
  // Half a day may be 11.5 or 12.5 hours, and how long half a month is nobody knows.
  if (ms === 0 && !Number.isInteger(count + halves)) return undefined;
  return { months: months * (count + halves), days: days * (count + halves), ms: exact, rank };
}

/** `30`, `1.5`, `two`, `an`, `half an`, `2 and a half`. */
function readCount(cursor: Cursor): number | undefined {
  if (skip(cursor, "half", "an") || skip(cursor, "half", "a")) return 0.5;
  const digits = take(cursor, "number");
  const count = digits === undefined ? lookUp(cursor, amounts) : Number(digits);
  if (count === undefined) return undefined;
  return attempt(cursor, (ahead) => (skip(ahead, "and", "a", "half") ? count + 0.5 : undefined)) ?? count;
}
