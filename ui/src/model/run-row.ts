// What one line about a run says.

import { isObject, type Json } from "./json.ts";
import type { Run, StepCounts } from "./run.ts";
import { hasRunEnded, showRun, type Shown, type Token } from "./status.ts";

const keyMax = 120;

/** By which people tell runs of one workflow apart: the first value of its input. */
export function keyOf(input: Json): string {
  const first = isObject(input) ? Object.values(input)[0] : Array.isArray(input) ? input[0] : input;
  if (first === undefined || first === null) return "";
  const text = typeof first === "string" ? first : JSON.stringify(first);
  return text.length > keyMax ? `${text.slice(0, keyMax - 1)}…` : text;
}

/** `waiting`: ids of runs in which something waits for a person. */
export function conditionOf(run: Run, waiting: ReadonlySet<number>): Shown {
  const needsPerson = run.attention !== null || waiting.has(run.id);
  return showRun({ status: run.status, needsPerson, ending: run.ending?.kind ?? null });
}

/** null: it has not begun. */
export function spanOf(run: Run): { readonly from: number; readonly to: number | null } | null {
  if (run.startedAt === null) return null;
  return { from: run.startedAt, to: hasRunEnded(run.status) ? (run.completedAt ?? run.updatedAt) : null };
}

type Segment = { readonly token: Token; readonly word: string; readonly count: number };
export type Progress = {
  readonly segments: readonly Segment[];
  /** Beside the bar. */
  readonly text: string;
  readonly about: string;
};

const parts: readonly (readonly [status: string, token: Token])[] = [
  ["done", "done"],
  ["skipped", "skipped"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["uncertain", "uncertain"],
  ["running", "running"],
  ["ready", "ready"],
  ["pending", "pending"],
];
const over: ReadonlySet<string> = new Set(["done", "skipped", "failed", "cancelled"]);

/** While a run is under way nobody knows how many steps there will be: only what there is so far is told. */
export function progressOf({ total, statuses }: StepCounts, hasEnded: boolean): Progress {
  const segments = parts.flatMap(([word, token]) => {
    const count = statuses[word] ?? 0;
    return count === 0 ? [] : [{ token, word, count }];
  });
  const ended = segments.filter(({ word }) => over.has(word)).reduce((sum, { count }) => sum + count, 0);
  const counts = segments.map(({ word, count }) => `${count} ${word}`).join(", ");
  const about = counts !== "" ? counts : hasEnded ? "no steps" : "no steps yet";
  return { segments, text: hasEnded ? `${ended}/${total}` : counts, about };
}

/** Where it comes from, when it is not a start of its own. */
export function originOf(run: Run): string | null {
  if (run.origin !== null) return `${run.origin.kind} of ${run.origin.id}`;
  return run.parent === null ? null : `part of ${run.parent}`;
}
