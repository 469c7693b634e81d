// Runs as the seeds' page shows them: each with its steps and what they gave, and above all those that are under way.

import type { Json } from "./json.ts";
import type { Failure, Run } from "./run.ts";
import { hasRunEnded, hasStepEnded, showStep, type Shown, type StepStatus } from "./status.ts";

export type SeedStep = {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly tool: string | null;
  readonly status: StepStatus;
  readonly outcome: string | null;
  readonly result: Json;
  readonly error: Failure | null;
  readonly attempt: number;
  readonly isHeld: boolean;
  readonly hasGate: boolean;
  readonly alarms: readonly { readonly kind: string; readonly at: number }[];
};

export type SeedRunSteps = { readonly run: Run; readonly steps: readonly SeedStep[] };

const resultMax = 2000;

/** What a step gave, as text; what is too long is cut, and says so. */
export function showResult(result: Json): string {
  if (result === null) return "";
  const text = typeof result === "string" ? result : (JSON.stringify(result, null, 2) ?? "");
  return text.length > resultMax ? `${text.slice(0, resultMax)}…` : text;
}

/** Somebody may let it go on: a gate that is open, or a step that waits for its time. */
export function canBeReady({ status, hasGate, alarms }: SeedStep): boolean {
  return (
    status === "pending" &&
    (hasGate || alarms.some(({ kind }) => kind === "retry" || kind === "sleep" || kind === "start"))
  );
}

export function showSeedStep({ status, attempt, hasGate, isHeld, alarms, error }: SeedStep): Shown {
  const retry = alarms.find(({ kind }) => kind === "retry");
  return showStep({
    status,
    attempt,
    needsPerson: (hasGate && status === "pending") || isHeld,
    nextTryAt: retry?.at ?? null,
    isWaiting: alarms.some(({ kind }) => kind === "sleep" || kind === "start"),
    isTimedOut: error?.code === "timeout",
  });
}

/** The step at which a run is, or after which nobody knows how it goes on; null: there is none. */
export function currentStep(steps: readonly SeedStep[]): SeedStep | null {
  const open = steps.filter(({ status }) => !hasStepEnded(status));
  return (
    open.findLast(({ status }) => status === "running") ?? open.at(-1) ?? steps.findLast(({ isHeld }) => isHeld) ?? null
  );
}

/** So long a run that has ended stays among those that are under way. */
const staysMs = 10_000;

/** Under way, or ended a moment ago; those that wait for their time to begin are not. */
/** A tool that somebody has tried, and no workflow: `call demo.echo`. */
export function isToolCall({ name, parent }: Pick<Run, "name" | "parent">): boolean {
  return parent === null && /^call \S+$/.test(name);
}

export function activeRuns(runs: readonly Run[], now: number): readonly Run[] {
  return runs.filter(({ status, completedAt }) =>
    hasRunEnded(status) ? completedAt !== null && now - completedAt < staysMs : status !== "scheduled",
  );
}
