// What may be made, and how often: one row for one cause, one join for one fork, nothing new in a run that is paused
// or on its way to its end.

import type { Fork } from "../../../flow/plan.ts";
import { isLive, type Row, type RowId } from "../../../run/model.ts";
import { forkOf, outerScope } from "../../../run/values.ts";
import { describe, firstProblem, isOver, stepOf, type ChangedRow, type Oracle, type WriteView } from "./oracle.ts";

export const oneRowPerCause: Oracle = {
  name: "one row per cause",
  judge: (view) => firstProblem(newRows(view), (row) => judgeCause(view, row)),
};

function newRows({ changed }: WriteView): readonly Row[] {
  return changed.flatMap(({ before, after }) => (before === undefined ? [after] : []));
}

function judgeCause(view: WriteView, row: Row): string | undefined {
  const { causedBy, via, step, attempt, index, role, scope } = row;
  if (causedBy === null && via !== "start") return `${describe(row)} has no cause`;
  if (causedBy !== null && view.row(causedBy) === undefined)
    return `${describe(row)} was caused by a row that is not there`;
  // Each reminder is a notice of its own.
  const notice = role === "notify" ? row.key : "";
  const cause = [causedBy, via, step, attempt, index, role, scope, notice].join("|");
  const earlier = view.memory.causes.get(cause);
  view.memory.causes.set(cause, row.id);
  if (earlier === undefined) return undefined;
  // A transition that failed, in its action or after it, leaves the machine where it is, and may be fired again.
  const before = row.copiedFrom === null ? view.stored?.rows.get(earlier) : view.row(earlier);
  const isFiredAgain = via.startsWith("fire:") && before !== undefined && isOver(before);
  return isFiredAgain ? undefined : `${describe(row)} is there twice for one cause: ${cause}`;
}

export const joinOnce: Oracle = {
  name: "join once",
  judge: (view) => firstProblem(newRows(view), (row) => judgeJoin(view, row)),
};

function judgeJoin(view: WriteView, row: Row): string | undefined {
  if (row.role !== "step" || row.side !== null || row.via === "retry" || row.via === "interrupted") return undefined;
  for (let scope = row.scope; scope !== ""; scope = outerScope(scope)) {
    const fork = forkStep(view, forkOf(scope));
    if (fork?.join === row.step) return `${describe(row)} is the join of the fork it stands in`;
  }
  const fork = forkStep(view, row.causedBy ?? undefined);
  if (fork === undefined || row.via !== "join" || fork.join !== row.step || row.causedBy === null) return undefined;
  if (view.memory.joinedForks.has(row.causedBy)) return `the fork ${row.causedBy} was joined twice`;
  view.memory.joinedForks.add(row.causedBy);
  if (view.row(row.causedBy)?.open !== null) return `the fork ${row.causedBy} was joined while it is open`;
  return judgeArrivals(view, row.causedBy, fork);
}

/** No branch has arrived twice, and where every branch arrives, all have. */
function judgeArrivals(view: WriteView, fork: RowId, { branches, everyBranchArrives }: Fork): string | undefined {
  const arrived = [...rowsAfter(view)]
    .filter((row) => row.arrived && forkOf(row.scope) === fork)
    .map(({ scope }) => scope);
  const distinct = new Set(arrived).size;
  if (distinct !== arrived.length) return `a branch of the fork ${fork} arrived twice`;
  const isComplete = everyBranchArrives ? distinct === branches.length : distinct > 0;
  return isComplete ? undefined : `the fork ${fork} was joined after ${distinct} of ${branches.length} branches`;
}

function forkStep(view: WriteView, id: RowId | undefined): Fork | undefined {
  const row = id === undefined ? undefined : view.row(id);
  const transition = row === undefined ? undefined : stepOf(view.plan, row)?.transition;
  return transition?.kind === "fork" ? transition : undefined;
}

export const pauseHolds: Oracle = {
  name: "pause holds",
  judge: (view) => {
    if (view.runBefore?.status !== "paused" || view.runAfter?.status !== "paused") return undefined;
    return firstProblem(view.changed, ({ before, after }) => {
      const isCalled = before?.status !== "running" && after.status === "running" && after.token !== null;
      if (isCalled) return `${describe(after)} was called in a paused run`;
      return hasBegun(view, before, after) ? `${describe(after)} has begun in a paused run` : undefined;
    });
  },
};

/** A step that calls nothing went on by itself. */
function hasBegun({ plan }: WriteView, before: Row | undefined, after: Row): boolean {
  const isNew = before === undefined || before.status === "ready";
  if (!isNew || after.status === "ready" || after.status === "cancelled" || after.role !== "step") return false;
  const isRetry = after.status === "pending" && after.via === "retry";
  const kind = stepOf(plan, after)?.kind;
  // People may fire a transition of the state that a paused machine is in, as they may answer a gate.
  return kind !== "tool" && !isRetry && !(kind === "state" && after.status === "done");
}

/** While a run is ending only undoing and clean-up begin, and what was live before is not any more. */
export const endingStartsNothing: Oracle = {
  name: "ending starts nothing new",
  judge: (view) => {
    const { runAfter, runBefore } = view;
    if (runAfter === null) return undefined;
    const isEnding = runAfter.ending !== null || (runBefore?.ending ?? null) !== null;
    if (!isEnding) return undefined;
    if ((runBefore?.ending ?? null) !== null) return firstProblem(view.changed, judgeNewInEnding);
    return firstProblem(rowsAfter(view), (row) => {
      return isLive(row) && !endsRun(row) ? `${describe(row)} is live although the run is ending` : undefined;
    });
  },
};

function judgeNewInEnding({ before, after }: ChangedRow): string | undefined {
  return before === undefined && !endsRun(after) ? `${describe(after)} was made while the run is ending` : undefined;
}

function endsRun(row: Row): boolean {
  return row.role === "undo" || row.side === "cleanup";
}

function rowsAfter({ stored, changed }: WriteView): Iterable<Row> {
  const rows = new Map(stored?.rows);
  for (const { after } of changed) rows.set(after.id, after);
  return rows.values();
}
