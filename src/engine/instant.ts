// An instant as people and programs give it. Words ("tomorrow at 9am") are not understood here.

import { StepwellError } from "../error.ts";

const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds of an ISO 8601 text; null: not understood. */
export function readInstant(text: string): number | null {
  const at = shape.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** As far as dates of the language reach. */
const instantMax = 8.64e15;

/** An instant as a caller gives it; null: none. */
export function toInstant(at: number | string | Date | undefined): number | null {
  if (at === undefined) return null;
  const instant = typeof at === "string" ? readInstant(at) : Number(at);
  if (instant !== null && Math.abs(instant) <= instantMax) return Math.round(instant);
  throw new StepwellError("INPUT_INVALID", `"${String(at)}" is no instant; write it as 2026-03-29T09:00:00Z.`);
}
