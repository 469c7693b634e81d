// What came of reading an instant: the instant with what to show to people, or why not and what to write instead.

import { dayMs } from "./calendar.ts";
import type { Zone } from "./zone.ts";

export type InstantReading =
  | {
      readonly ok: true;
      /** Milliseconds since 1970. */
      readonly at: number;
      /** In which the text was read. */
      readonly zone: string;
      /** The instant for people: `Mon 9 Mar 2026, 09:00 EDT (America/New_York)`. */
      readonly echo: string;
    }
  | Refusal;

export type Refusal = {
  readonly ok: false;
  /** The words; the zone; or an instant that was understood, and that is over or too far off. */
  readonly reason: "words" | "zone" | "past" | "far";
  readonly problem: string;
  /** What to write instead. */
  readonly hint: string;
};

export type Surrounding = { readonly now: number; readonly zone: Zone };

const examples = `Write it like "tomorrow at 9am", "in 30 minutes", "next monday 9am" or "2030-01-31T09:00:00Z".`;

export function refuse(problem: string, hint: string = examples): Refusal {
  return { ok: false, reason: "words", problem, hint };
}

/** Ten years: what is further off is a slip of the pen. */
const aheadMaxMs = 3653 * dayMs;

export function isFar(at: number, { now }: { readonly now: number }): boolean {
  return at > now + aheadMaxMs;
}

export function refuseFar(text: string | number): Refusal {
  const problem = `${quote(String(text))} is more than ten years ahead.`;
  return { ...refuse(problem, "Write an instant within ten years."), reason: "far" };
}

const shownMax = 80;

/** For messages: in quotes, and no longer than a line. */
export function quote(text: string): string {
  // A character may be cut in half; what is left of it is left out.
  return JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax).replace(/[\uD800-\uDBFF]$/, "")}…` : text);
}
