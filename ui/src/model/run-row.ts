// What one line about a run says.

import { isObject, type Json } from "./json.ts";
import type { Run, StepCounts } from "./run.ts";
import { hasRunEnded, shownStatusOf, type Shown, type Token } from "./status.ts";

const keyMax = 120;

/** By which people tell runs of one workflow apart: the first value of its input. */
export function keyOf(input: Json): string {
  const first = isObject(input) ? Object.values(input)[0] : Array.isArray(input) ? input[0] : input;
  if (first === undefined || first === null) return "";
  const text = typeof first === "string" ? first : JSON.stringify(first);
  return text.length > keyMax ? `${text.slice(0, keyMax - 1)}…` : text;
}

/** A person has to do something about it. `waiting`: ids of runs of which the inbox says so. */
export function needsPerson(run: Run, waiting: ReadonlySet<number>): boolean {
  if (hasRunEnded(run.status)) return false;
  return run.attention !== null || run.doing === "person" || waiting.has(run.id);
}

export function conditionOf(run: Run, waiting: ReadonlySet<number>): Shown {
  const { status, ending, doing } = run;
  const condition = { status, needsPerson: needsPerson(run, waiting), ending: ending?.kind ?? null };
  return shownStatusOf({ ...condition, doing: doing ?? "work" });
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

const parts: readonly (readonly [word: string, token: Token])[] = [
  ["done", "done"],
  ["skipped", "skipped"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["uncertain", "uncertain"],
  ["running", "running"],
  ["ready", "ready"],
  ["waiting", "waiting"],
  ["retrying", "retrying"],
  ["sleeping", "sleeping"],
  ["at rest", "sleeping"],
  ["pending", "pending"],
];
const over: ReadonlySet<string> = new Set(["done", "skipped", "failed", "cancelled"]);

/** By the words under which steps are shown: what waits is neither done nor only pending. */
function countWords({ statuses, waits }: StepCounts): { readonly [word: string]: number } {
  const { person = 0, choice = 0, retry = 0, event = 0, sleep = 0, rest = 0 } = waits;
  const { done = 0, skipped = 0, pending = 0 } = statuses;
  const fromDone = Math.min(done, choice);
  return {
    ...statuses,
    done: done - fromDone,
    skipped: Math.max(0, skipped - (choice - fromDone)),
    waiting: person + choice + event,
    retrying: retry,
    sleeping: sleep,
    "at rest": rest,
    pending: Math.max(0, pending - person - event - retry - sleep - rest),
  };
}

/** While a run is under way nobody knows how many steps there will be: only what there is so far is told. */
export function progressOf(steps: StepCounts, hasEnded: boolean): Progress {
  const words = countWords(steps);
  const segments = parts.flatMap(([word, token]) => {
    const count = words[word] ?? 0;
    return count === 0 ? [] : [{ token, word, count }];
  });
  const ended = segments.filter(({ word }) => over.has(word)).reduce((sum, { count }) => sum + count, 0);
  const counts = segments.map(({ word, count }) => `${count} ${word}`).join(", ");
  const about = counts !== "" ? counts : hasEnded ? "no steps" : "no steps yet";
  // `2/2` beside a step that failed would read as if all were well.
  const isPlain = hasEnded && !segments.some(({ word }) => word === "failed" || word === "cancelled");
  return { segments, text: isPlain ? `${ended}/${steps.total}` : counts, about };
}
