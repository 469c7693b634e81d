// A phrase as it was understood: its parts, in whatever order they stand, and what is left over. Nothing that carries
// meaning is passed over, because half of a time is another time.

import { readClockTime, readPartOfDay, type ClockTime, type PartOfDay } from "./clock-time.ts";
import { readDay, type Day } from "./day.ts";
import { readShift, type Shift } from "./shift.ts";
import { attempt, cutIntoTokens, skip, take, type Cursor } from "./token.ts";
import { isShortZone } from "./zone.ts";

export type Phrase = {
  readonly isNow: boolean;
  readonly shift: Shift | null;
  readonly day: Day | null;
  readonly part: PartOfDay | null;
  readonly time: ClockTime | null;
  /** As they were written. */
  readonly zones: readonly string[];
  /** What was understood, and what was not, as it was written. */
  readonly understood: string;
  readonly leftovers: readonly string[];
};

type Parts = { -readonly [Key in "isNow" | "shift" | "day" | "part" | "time"]: Phrase[Key] };

export function readPhrase(text: string): Phrase {
  const cursor: Cursor = { tokens: cutIntoTokens(text), at: 0 };
  const parts: Parts = { isNow: false, shift: null, day: null, part: null, time: null };
  const zones: string[] = [];
  const understood: Span[] = [];
  const leftovers: Span[] = [];
  while (cursor.at < cursor.tokens.length) {
    const from = cursor.at;
    const zone = zones.length < 2 ? attempt(cursor, readZone) : undefined;
    if (zone !== undefined) zones.push(zone);
    const isUnderstood = zone !== undefined || readPart(cursor, parts) || skip(cursor, ",");
    if (!isUnderstood) cursor.at += 1;
    addSpan(isUnderstood ? understood : leftovers, { from, to: cursor.at });
  }
  const written = ({ from, to }: Span): string => text.slice(cursor.tokens[from]?.start, cursor.tokens[to - 1]?.end);
  return { ...parts, zones, understood: understood.map(written).join(" … "), leftovers: leftovers.map(written) };
}

/** Tokens, from the one to before the other. */
type Span = { readonly from: number; readonly to: number };

function addSpan(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last?.to === from) spans[spans.length - 1] = { from: last.from, to };
  else spans.push({ from, to });
}

/** Each part at most once: what comes a second time is left over. */
function readPart(cursor: Cursor, parts: Parts): boolean {
  const { at } = cursor;
  parts.isNow ||= skip(cursor, "now");
  if (cursor.at === at) parts.shift ??= attempt(cursor, readShift) ?? null;
  if (cursor.at === at) parts.day ??= attempt(cursor, readDay) ?? null;
  if (cursor.at === at) parts.part ??= attempt(cursor, readPartOfDay) ?? null;
  if (cursor.at === at) parts.time ??= attempt(cursor, readClockTime) ?? null;
  return cursor.at > at;
}

/** `Europe/Berlin`, `EST`, `(Europe/Berlin)`, `in UTC`. */
function readZone(cursor: Cursor): string | undefined {
  skip(cursor, "in");
  if (!skip(cursor, "(")) return readZoneName(cursor);
  const name = readZoneName(cursor);
  return skip(cursor, ")") ? name : undefined;
}

function readZoneName(cursor: Cursor): string | undefined {
  const zone = take(cursor, "zone");
  if (zone !== undefined) return zone;
  const word = take(cursor, "word");
  // Other words may be zones to the runtime ("Japan"); in a sentence they are more likely slips of the pen.
  return word !== undefined && isShortZone(word) ? word.toUpperCase() : undefined;
}
