// What people say of what a run has done: `up` or `down`, in whichever words. Every door reads it here.

import { StepwellError } from "../error.ts";
import type { Row, RowId } from "../run/model.ts";
import type { Quality } from "../store/outcome.ts";

const words: Readonly<Record<Quality, readonly string[]>> = {
  up: ["up", "+", "yes", "ok", "good", "👍"],
  down: ["down", "-", "no", "bad", "nope", "👎"],
};

const feedbackMax = 10_000;

/** undefined: it is no rating. */
export function findQuality(text: string): Quality | undefined {
  // A hand may have a colour.
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\u{1F3FB}-\u{1F3FF}]$/u, "");
  if (words.up.includes(word)) return "up";
  return words.down.includes(word) ? "down" : undefined;
}

/** Throws when it is no rating. */
export function parseQuality(text: unknown): Quality {
  const quality = typeof text === "string" ? findQuality(text) : undefined;
  if (quality !== undefined) return quality;
  const shown = typeof text === "string" ? `"${text}" is no rating.` : "There is no rating.";
  throw new StepwellError("INPUT_INVALID", `${shown} Say ${words.up.join(" ")} or ${words.down.join(" ")}.`);
}

/** As it is kept; null: nothing was said. Throws when it is too long. */
export function parseFeedback(text: string | null | undefined): string | null {
  const said = (text ?? "").replaceAll("\0", "").trim().toWellFormed();
  if (said.length > feedbackMax)
    throw new StepwellError("INPUT_INVALID", `What was said is longer than ${feedbackMax} characters.`);
  return said === "" ? null : said;
}

/** The calls of a run that are over, in their order: a step's number is its place among them, from 1. */
export function ratedSteps(rows: readonly Row[]): readonly Row[] {
  return rows.filter(
    ({ tool, args, completedAt, copiedFrom }) =>
      tool !== null && args !== null && completedAt !== null && copiedFrom === null,
  );
}

/** By its id, its number, or its name; of several of that name the newest. */
export function findRated(rows: readonly Row[], wanted: RowId | string): Row | undefined {
  const steps = ratedSteps(rows);
  const number = typeof wanted === "number" ? wanted : /^\d{1,15}$/u.test(wanted) ? Number(wanted) : undefined;
  const byNumber = number === undefined ? undefined : (steps.find(({ id }) => id === number) ?? steps[number - 1]);
  return byNumber ?? steps.findLast(({ step, name }) => name === wanted || step === wanted);
}
