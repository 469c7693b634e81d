// How a step is, in a sentence. Names stand apart from the words, so that they can be drawn as names.

import type { Failure, Outline, Step } from "./run.ts";
import { nodeOf, waitingOf } from "./run-view.ts";
import { beginsAt, isReused } from "./steps.ts";
import { hasRunEnded } from "./status.ts";
import { showDuration, showHour } from "./time.ts";
import { isServerGone } from "./tool.ts";

/** `until`: `in 4.2 s`, or `now`; `since`: `4.2 s`; `at`: `Thu 19 Nov, 09:00`. */
type Piece =
  | string
  | { readonly name: string }
  | { readonly until: number }
  | { readonly since: number }
  | { readonly at: number };
export type Sentence = readonly Piece[];

/** The one wording for a run that begins later, wherever it is told. */
export function sayBegin(at: number): Sentence {
  return ["Begins ", { at }, ", ", { until: at }, "."];
}

/** `tries` are those of its visit, itself included, oldest first. */
export function sayStep(step: Step, tries: readonly Step[], outline: Outline): Sentence {
  switch (step.status) {
    case "pending":
      return sayPending(step, tries, outline);
    case "ready":
      return ["It can begin as soon as there is room."];
    case "running":
      return [
        ...subject(step, "has been running"),
        " for ",
        { since: step.startedAt ?? step.createdAt },
        `${sayAttempt(step)}.`,
      ];
    case "done":
      return sayDone(step, outline);
    case "failed":
      return sayFailed(step, tries);
    case "skipped":
      return ["It was skipped", step.error === null ? "." : `: ${endSentence(step.error.message)}`];
    case "cancelled":
      return [
        step.mayHaveHappened ? "It was cancelled while it ran; what it does may have happened." : "It was cancelled.",
      ];
    case "uncertain":
      return [
        "Nobody knows whether ",
        { name: step.tool ?? step.name },
        " did it",
        step.error === null ? "." : `: ${endSentence(step.error.message)}`,
      ];
  }
}

export function sayUnreached(outline: Outline): Sentence {
  const hasEnded = hasRunEnded(outline.run.status);
  return [hasEnded ? "The run ended without this step." : "The run has not come here yet."];
}

function subject({ tool, name }: Step, does: string): Sentence {
  return tool === null ? [{ name }, ` ${does}`] : ["Tool ", { name: tool }, ` ${does}`];
}

function sayAttempt({ attempt, attemptsMax }: Step): string {
  if (attempt === 1 && (attemptsMax ?? 1) <= 1) return "";
  return attemptsMax === null ? ` (attempt ${attempt})` : ` (attempt ${attempt} of ${attemptsMax})`;
}

/** What went wrong before, of a step that was or is tried again and has no error of its own; null: nothing did. */
export function sayEarlier(
  row: Step,
  tries: readonly Step[],
): { readonly error: Failure; readonly sentence: Sentence } | null {
  if (row.error !== null) return null;
  const before = tries.findLast(
    ({ id, attempt, status }) => id !== row.id && attempt < row.attempt && status === "failed",
  );
  if (before === undefined || before.error === null) return null;
  const max = before.attemptsMax === null ? "" : ` of ${before.attemptsMax}`;
  const which = `Attempt ${before.attempt}${max}; `;
  if (row.nextTryAt !== null)
    return { error: before.error, sentence: [which, "tried again ", { until: row.nextTryAt }, "."] };
  const then = row.status === "done" ? "a later one went well." : "tried again since.";
  return { error: before.error, sentence: [which, then] };
}

function sayPending(step: Step, tries: readonly Step[], outline: Outline): Sentence {
  if (step.nextTryAt !== null) {
    const failed = tries.filter(({ status }) => status === "failed");
    const error = failed.at(-1)?.error ?? step.error;
    const told = error === null ? "." : `: ${sayCause(error)}`;
    return [
      ...subject(step, `failed ${times(failed.length)}${told}`),
      " Next try ",
      { until: step.nextTryAt },
      `${sayAttempt(step)}.`,
    ];
  }
  const begins = beginsAt(step);
  if (begins !== null) return sayBegin(begins);
  const sleep = step.alarms.find(({ kind }) => kind === "sleep");
  if (sleep !== undefined) return ["It sleeps, and goes on ", { until: sleep.at }, "."];
  const item = waitingOf(outline, step.id);
  if (item?.kind === "state") return ["The machine rests in this state until somebody fires a transition."];
  if (step.gate !== null) return ["It has waited for an answer for ", { since: step.createdAt }, "."];
  if (step.isHeld) return ["It is held until somebody decides what becomes of it."];
  if (step.open?.kind === "each")
    return [`${showCount(step.open.ended)} of ${showCount(step.open.count)} items have ended.`];
  if (nodeOf(outline, step.key)?.kind === "wait")
    return ["It has waited for an event for ", { since: step.createdAt }, "."];
  if (step.child !== null) return ["It waits for the run that it has started."];
  return ["It is to come."];
}

function sayDone(step: Step, outline: Outline): Sentence {
  const { origin } = outline.run;
  if (origin !== null && isReused(step, nodeOf(outline, step.key), outline.run))
    return ["Taken from run ", { name: String(origin.id) }, "; it was not done again."];
  const took =
    step.startedAt === null || step.completedAt === null
      ? ""
      : ` in ${showDuration(step.completedAt - step.startedAt)}`;
  const outcome: Sentence =
    step.outcome === null || step.outcome === "success" ? [] : [" with ", { name: step.outcome }];
  const tries = step.attempt > 1 ? ` at attempt ${step.attempt}` : "";
  const held = step.isHeld ? " Nothing says what follows." : "";
  if (step.gate !== null) return ["It was answered", ...outcome, `.${held}`];
  if (step.tool === null)
    return nodeOf(outline, step.key)?.kind === "state"
      ? ["The machine has left this state."]
      : ["Done", took, ...outcome, `.${held}`];
  return [...subject(step, "answered"), `${took}${tries}`, ...outcome, `.${held}`];
}

function sayFailed(step: Step, tries: readonly Step[]): Sentence {
  const failed = tries.filter(({ status }) => status === "failed").length;
  const again = failed > 1 ? ` after ${failed} attempts` : "";
  // It was never called, and is not tried again by itself; when it may be, its breaker says.
  if (step.error?.code === "circuit_open")
    return [
      ...subject(step, "was not called"),
      ": it has failed too often lately. This step does not try again by itself.",
    ];
  const told = step.error === null ? "." : `: ${sayCause(step.error)}`;
  return [...subject(step, `failed${again}`), told];
}

/** That there was no server to ask is said before what the server's end looked like. */
function sayCause({ code, message }: Failure): string {
  return `${isServerGone(code) ? "server not connected. " : ""}${endSentence(message)}`;
}

function showCount(count: number): string {
  return count.toLocaleString("en");
}

export function times(count: number): string {
  if (count <= 1) return "once";
  return count === 2 ? "twice" : `${count} times`;
}

const promise = /it is tried again in [^,;]+?, at (\d{4}-\d\d-\d\dT[\d:.]+Z)/g;

/** What a breaker says holds for its tool, not for the step that met it: that one has failed. */
export function sayError(message: string): string {
  return message.replaceAll(promise, (_all, at: string) => `it may be called again at ${showHour(Date.parse(at))}`);
}

/** With a full stop, unless there is one. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
