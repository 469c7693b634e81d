// Instants that callers and waits give, in the zone of the engine unless they name another.

import { StepwellError } from "../error.ts";
import { parseInstant, readInstant as readWords } from "../flow/time/instant.ts";
import { adviseZone, findZone } from "../flow/time/zone.ts";
import type { Env } from "../run/env.ts";

export type InstantContext = {
  readonly now: number;
  /** Null: the machine's. */
  readonly zone: string | null;
};

/** What was understood: the instant, the zone in which it was read, and both as people read them. */
export type ReadTime = { readonly at: number; readonly zone: string; readonly text: string; readonly inMs: number };

/** An instant to come, as a caller gives it; null: none. */
export function toInstant(at: number | string | Date | undefined, context: InstantContext): number | null {
  return at === undefined ? null : readTime(at instanceof Date ? textOf(at) : at, context).at;
}

export function readTime(text: number | string, { now, zone }: InstantContext): ReadTime {
  const reading = parseInstant(text, { now, zone: zone ?? systemZone() });
  if (reading.ok) return { at: reading.at, zone: reading.zone, text: reading.echo, inMs: reading.at - now };
  throw new StepwellError("INPUT_INVALID", reading.problem, { hint: reading.hint });
}

/** As a number it might be taken for seconds. */
function textOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}

/** How waits read the instants of their flows; for those, what is over is over at once. */
export function createTimeResolver(engineZone: string | null): Env["resolveTime"] {
  return (text, zone, now) => readWords(text, { now, zone: zone ?? engineZone ?? systemZone() });
}

/** A zone that somebody has set, as it is; null: the machine's. */
export function toZone(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (findZone(name) !== undefined) return name;
  throw new StepwellError("INPUT_INVALID", `${JSON.stringify(name)} is no time zone that is known here.`, {
    hint: adviseZone(name),
  });
}

let knownZone: string | undefined;

/** Asked for when it is needed, and once: the runtime takes 20 ms to find out. */
function systemZone(): string {
  knownZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return knownZone;
}

const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** For clocks that tests set: ISO 8601 only, to come or not, whatever the time and the zone; null: not understood. */
export function readInstant(text: string): number | null {
  const at = shape.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** As far as dates of the language reach. */
const instantMax = 8.64e15;

/** What a test sets its clock to, in milliseconds, as a date or as ISO 8601; null: nothing. */
export function toClockTime(at: number | string | Date | undefined): number | null {
  if (at === undefined) return null;
  const instant = typeof at === "string" ? readInstant(at) : Number(at);
  if (instant !== null && Math.abs(instant) <= instantMax) return Math.round(instant);
  throw new StepwellError("INPUT_INVALID", `"${String(at)}" is no instant; write it as 2026-03-29T09:00:00Z.`);
}
