// What must happen, happens: a healthy executor leaves nothing lying, and whatever waits can say what for.

import { hasEnded, isLive, type Row, type RunRow } from "../../../run/model.ts";
import type { Plan, PlanStep, StateTransition } from "../../../flow/plan.ts";
import { nextAlarm } from "../alarms.ts";
import type { Store, StoredRun } from "../store.ts";
import type { Tools } from "../tools.ts";
import { describe, firstProblem, stepOf } from "./oracle.ts";

/** An executor that has been up and left alone for this long has caught up with everything. */
export const recoveryBoundMs = 1000;

export type Healthy = { readonly store: Store; readonly tools: Tools; readonly epoch: string; readonly now: number };

/** Judged when nothing has disturbed the executor for the bound. */
export function judgePromptness(healthy: Healthy): string | undefined {
  return firstProblem(healthy.store.open(), (stored) => judgeRun(healthy, stored));
}

function judgeRun(healthy: Healthy, stored: StoredRun): string | undefined {
  const { run, rows } = stored;
  const due = nextAlarm({ run, rows });
  if (due !== undefined && due < healthy.now - recoveryBoundMs)
    return `run ${run.id} was due ${healthy.now - due} ms ago`;
  return firstProblem(rows.values(), (row) => judgeRow(healthy, run, row));
}

function judgeRow({ tools, epoch, now }: Healthy, run: RunRow, row: Row): string | undefined {
  const since = row.startedAt ?? row.createdAt;
  if (row.status === "running" && row.token !== null) {
    if (!row.token.endsWith(`.${epoch}`)) return `${describe(row)} still runs under an older epoch`;
    if (!tools.calls.has(row.token) && since < now - recoveryBoundMs) return `${describe(row)} was never called`;
  }
  const isForgotten =
    row.status === "ready" && run.status === "running" && (row.readyAt ?? now) < now - recoveryBoundMs;
  return isForgotten ? `${describe(row)} is ready and nobody takes it` : undefined;
}

/** Why a run has not ended; a problem when there is no reason. */
export function judgeWaits(store: Store): string | undefined {
  return firstProblem(store.open(), (stored) => {
    const { run, rows } = stored;
    if (run.status === "scheduled") return run.alarms.length > 0 ? undefined : `run ${run.id} is scheduled for no time`;
    if (isOrphan(store, run)) return `run ${run.id} goes on, though nothing waits for it in run ${run.parent?.run}`;
    const live = [...rows.values()].filter(isLive);
    if (live.length === 0 && run.status !== "paused") return `run ${run.id} goes on with nothing live`;
    return firstProblem(live, (row) =>
      isAwaiting(store, stored, row) ? undefined : `${describe(row)} waits for nothing`,
    );
  });
}

/** A sub-run whose step has been given up ends, too. */
function isOrphan(store: Store, { id, parent, ending }: RunRow): boolean {
  if (parent === null || ending !== null) return false;
  const row = store.find(parent.run)?.rows.get(parent.row);
  return row?.status !== "running" || row.childRun !== id;
}

function isAwaiting(store: Store, stored: StoredRun, row: Row): boolean {
  if (row.isHeld || row.status === "uncertain") return stored.run.attention !== null || hasProbe(stored, row);
  if (row.open !== null || row.status === "ready") return true;
  if (row.childRun !== null) return isOpen(store.find(row.childRun)?.run);
  const step = stepOf(stored.plan, row);
  if (row.status === "running") return row.token !== null && row.alarms.some(({ kind }) => kind === "timeout");
  return row.alarms.length > 0 || step?.kind === "gate" || step?.kind === "wait" || step?.kind === "state";
}

function hasProbe(stored: StoredRun, row: Row): boolean {
  return [...stored.rows.values()].some((probe) => probe.role === "probe" && probe.serves === row.id && isLive(probe));
}

function isOpen(run: RunRow | undefined): boolean {
  return run !== undefined && !hasEnded(run);
}

const circlesMax = 15;

/** People can do no more: guards and conditions that never hold, or nobody who may answer. That is the author's choice. */
export function isStuckByItsFlow(store: Store, stored: StoredRun): boolean {
  // It goes in circles for as long as it is answered, and may not be cancelled.
  if ([...stored.visits.values()].some(({ all }) => all > circlesMax)) return true;
  return [...stored.rows.values()].filter(isLive).some((row) => {
    const child = row.childRun === null ? undefined : store.find(row.childRun);
    if (child !== undefined) return !hasEnded(child.run) && isStuckByItsFlow(store, child);
    const step = stepOf(stored.plan, row);
    if (row.role !== "step" || row.status !== "pending" || step === undefined) return false;
    return isStuckStep(stored.plan, step, stored.run);
  });
}

function isStuckStep(plan: Plan, step: PlanStep, { createdBy }: RunRow): boolean {
  // A machine may go in circles for ever, unless all that leads out of a state leads to an end.
  if (step.kind === "state") return !step.transitions.every((transition) => isWayOut(plan, transition));
  if (step.kind === "wait") return step.wait.kind === "event" && step.wait.match !== null;
  if (step.kind !== "gate" || step.selfApproval) return false;
  return (step.approvers ?? []).every((name) => name === createdBy || name === `user:${createdBy}`);
}

function isWayOut(plan: Plan, { guard, set, action, to }: StateTransition): boolean {
  return guard === null && set === null && action === null && plan.steps[to]?.kind === "end";
}
