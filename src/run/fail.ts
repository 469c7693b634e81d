// A try has failed: again after a while, else the way the author gave for failures, else the branch or the run fails.

import { own } from "../flow/json.ts";
import type { Retry } from "../flow/plan.ts";
import { raiseAttention } from "./attention.ts";
import { dropTodos, findRow, findServed, liveRows, patchRun, putRow, stepOf, tell, type Draft } from "./draft.ts";
import { abort, failRun } from "./ending.ts";
import { arrive, dropScope, forkOfRow, mergeInner, noteVisit } from "./fork.ts";
import type { Failure, Row, RowId, ScopePath } from "./model.ts";
import { go } from "./path.ts";
import { delayAfter, delayAskedFor } from "./retry.ts";
import { causedBy, makeNextTry } from "./row.ts";
import { canBeUndone, holdUndo } from "./undo.ts";
import { forkAround, sideAround } from "./values.ts";

/** A try failed in a way that another one may mend, not before `retryAfterMs` if that was asked for. */
export function failTry(draft: Draft, row: Row, error: Failure, retryAfterMs = 0): void {
  const retry = retryOf(draft, row);
  if (row.attempt >= retry.attempts || !mayTryAgain(draft, row)) return failForGood(draft, row, error);
  const failed = closeFailed(draft, row, error);
  const at =
    draft.env.now + Math.max(delayAfter(retry, row.attempt, row.id), delayAskedFor(retry, row.id, retryAfterMs));
  const waiting = { status: "pending", readyAt: null, alarms: [{ kind: "retry", at }] } as const;
  makeNextTry(draft, failed, { ...waiting, attempt: row.attempt + 1, interruptions: 0, via: "retry" });
}

/** While a run is ending only what ends it is tried again. */
function mayTryAgain(draft: Draft, row: Row): boolean {
  return draft.run.ending === null || row.role === "undo" || row.side === "cleanup";
}

function retryOf(draft: Draft, row: Row): Retry {
  const step = stepOf(draft, row);
  if (step.kind === "tool" || step.kind === "flow") return step.retry;
  return { attempts: 1, backoff: { kind: "list", delaysMs: [] }, jitter: 0 };
}

function closeFailed(draft: Draft, row: Row, error: Failure): Row {
  return putRow(draft, {
    ...row,
    status: "failed",
    error,
    outcome: "error",
    token: null,
    alarms: [],
    open: null,
    isHeld: false,
    completedAt: draft.env.now,
  });
}

/** No other try: what the row was for decides what that means. */
export function failForGood(draft: Draft, row: Row, error: Failure): void {
  switch (row.role) {
    case "undo":
      return holdUndo(draft, row, error);
    case "probe":
    case "notify":
      closeFailed(draft, row, error);
      tell(draft, `${row.role}_failed`, { row: row.id, data: { ...error } });
      return row.role === "probe" ? askInstead(draft, row) : undefined;
    case "item":
    case "items":
    case "step": {
      const failed = closeFailed(draft, row, error);
      return row.role === "step" ? failStep(draft, failed, error) : failItem(draft, failed);
    }
  }
}

/** What no probe could find out a person has to say. */
function askInstead(draft: Draft, probe: Row): void {
  const uncertain = findServed(draft, probe);
  if (uncertain?.status === "uncertain") raiseAttention(draft, uncertain);
}

/** The try that decided it. A write that may have happened all the same is undone with the others. */
function closeVisit(draft: Draft, row: Row): Row {
  const finishedNo = draft.run.finishedCount + 1;
  patchRun(draft, { finishedCount: finishedNo });
  const isUndoable = row.isUndoable || (row.mayHaveHappened && canBeUndone(draft, row));
  return putRow(draft, { ...row, finishedNo, isUndoable });
}

function failItem(draft: Draft, row: Row): void {
  closeVisit(draft, row);
  draft.todo.push({ kind: "item_over", row: row.id });
}

/** The step itself has failed: by its `error` route if it has one. */
export function failStep(draft: Draft, row: Row, error: Failure): void {
  const failed = closeVisit(draft, row);
  noteVisit(draft, { scope: row.scope, step: row.step, visit: { row: row.id, finishedNo: draft.run.finishedCount } });
  // The state that waits for this action knows where a failure leads.
  if (row.firing !== null) return void draft.todo.push({ kind: "fired", row: row.id });
  const { routes } = stepOf(draft, row);
  // Nobody answered in time: a route for that comes before the one for failures of any kind.
  const outcome = error.code === "timeout" && own(routes, "timeout") !== undefined ? "timeout" : "error";
  const target = own(routes, outcome);
  if (target === undefined) return failPath(draft, failed, error);
  const cause = { ...causedBy(failed, `route:${outcome}`), previous: { kind: "error", row: row.id } } as const;
  go(draft, putRow(draft, { ...failed, outcome }), target, cause);
}

/** Nobody takes the failure: a branch that is collected arrives with it, a side path just ends, else the run fails. */
export function failPath(draft: Draft, row: Row, error: Failure): void {
  const collecting = collectingFork(draft, row);
  if (collecting === undefined) return row.side === null ? failRun(draft, error) : failSide(draft, row, error);
  const { forking, last } = collecting;
  if (last.id !== row.id) abortBranch(draft, last.scope);
  // The branch comes back with the row it began to fail in: the step itself, or the inner fork that it was part of.
  arrive(draft, putRow(draft, { ...(findRow(draft, last.id) ?? last), error }), forking);
}

/** The path beside the flow in which this happened is given up. */
export function failSide(draft: Draft, at: { readonly id: RowId; readonly scope: ScopePath }, error: Failure): void {
  const scope = sideAround(at.scope);
  abortBranch(draft, scope);
  dropScope(draft, scope);
  tell(draft, "side_path_failed", { row: at.id, data: { ...error } });
}

/** The nearest fork around that collects failures, with the row whose scope is the branch that failed in it. */
function collectingFork(draft: Draft, row: Row): { readonly forking: Row; readonly last: Row } | undefined {
  let last = row;
  for (let forking = forkAround(draft, last); forking !== undefined; forking = forkAround(draft, last)) {
    if (forkOfRow(draft, forking).onBranchError === "collect") return { forking, last };
    last = forking;
  }
  return undefined;
}

/** Everything else in the branch stops; its inner forks are given up. */
function abortBranch(draft: Draft, scope: string): void {
  for (const row of liveRows(draft)) if (row.scope === scope || row.scope.startsWith(`${scope}/`)) abort(draft, row);
  const isInside = (id: number): boolean => {
    const inside = findRow(draft, id)?.scope ?? "";
    return inside === scope || inside.startsWith(`${scope}/`);
  };
  dropTodos(draft, (todo) => !isInside(todo.row));
  mergeInner(draft, scope);
}
