// What was told of changes, folded into what the page has read. A status is the whole truth about its run or step, so to
// fold one twice does no harm; what else a change brings along is read anew.

import type { Change } from "./change.ts";
import type { Outline, Run, Step } from "./run.ts";
import { hasRunEnded, hasStepEnded, type RunStatus, type StepStatus } from "./status.ts";

/** The newest change of each run and step. */
export function newestOf(changes: readonly Change[]): readonly Change[] {
  const newest = new Map<number, Change>();
  for (const change of changes) newest.set(change.step ?? change.run, change);
  return [...newest.values()];
}

export function foldRun(run: Run, changes: readonly Change[]): Run {
  const change = changes.findLast((each) => each.run === run.id && each.step === null);
  if (change === undefined || change.at < run.updatedAt) return run;
  const status = change.status as RunStatus;
  const completedAt = hasRunEnded(status) ? (run.completedAt ?? change.at) : null;
  const startedAt = run.startedAt ?? (status === "running" ? change.at : null);
  return { ...run, status, completedAt, startedAt, updatedAt: change.at };
}

/** The very same list when nothing of it has changed. */
export function foldRuns(runs: readonly Run[], changes: readonly Change[]): readonly Run[] {
  const left = withoutRemoved(runs, changes);
  const folded = left.map((run) => foldRun(run, changes));
  return folded.every((run, at) => run === left[at]) ? left : folded;
}

/** The very same list when nothing of it is gone. */
export function withoutRemoved(runs: readonly Run[], changes: readonly Change[]): readonly Run[] {
  const gone = new Set(changes.filter(({ status }) => status === "removed").map(({ run }) => run));
  return gone.size === 0 || !runs.some(({ id }) => gone.has(id)) ? runs : runs.filter(({ id }) => !gone.has(id));
}

export function foldOutline(outline: Outline, changes: readonly Change[]): Outline {
  // One that is gone stands as it was until it has been looked for.
  const own = changes.filter(({ run, status }) => run === outline.run.id && status !== "removed");
  if (own.length === 0) return outline;
  const byStep = new Map(own.map((change) => [change.step, change]));
  const steps = outline.steps.map((step) => foldStep(step, byStep.get(step.id)));
  const known = new Set(steps.map(({ id }) => id));
  const lacksSteps = outline.lacksSteps === true || own.some(({ step }) => step !== null && !known.has(step));
  const run = foldRun(outline.run, own);
  // Its end is shown when the steps are there that led to it: else it would be over with steps that have not begun.
  const isTooEarly = lacksSteps && hasRunEnded(run.status);
  return { ...outline, run: isTooEarly ? outline.run : run, steps, lacksSteps };
}

function foldStep(step: Step, change: Change | undefined): Step {
  if (change === undefined || hasStepEnded(step.status)) return step;
  const status = change.status as StepStatus;
  if (status === step.status) return step;
  const startedAt = step.startedAt ?? (status === "running" ? change.at : null);
  const completedAt = hasStepEnded(status) ? change.at : null;
  return { ...step, status, startedAt, completedAt, nextTryAt: status === "pending" ? step.nextTryAt : null };
}
