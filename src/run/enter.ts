// A step is entered: a row is made for the visit, unless the flow has gone in circles for too long.

import type { StepKey } from "../flow/plan.ts";
import { patchRun, putRow, stepOf, type Cause, type Draft } from "./draft.ts";
import { openEach } from "./each.ts";
import { failRun } from "./ending.ts";
import { failSide } from "./fail.ts";
import type { Recorded } from "./message.ts";
import type { Row, VisitCount } from "./model.ts";
import { findRecorded, takeOver } from "./recall.ts";
import { makeRow } from "./row.ts";
import { prepareTool } from "./tool.ts";

export function enter(draft: Draft, key: StepKey, cause: Cause): void {
  const row = makeVisit(draft, key, cause);
  if (row !== undefined) beginVisit(draft, row);
}

/** The row of a new visit, which has not begun; undefined when it is one too many. */
export function makeVisit(draft: Draft, key: StepKey, cause: Cause): Row | undefined {
  const recorded = findRecorded(draft, key, cause);
  const { all: visit, sinceRest } = recorded === undefined ? countVisit(draft, key) : sameVisit(recorded);
  const { limits } = draft.env;
  const isAllowed = sinceRest <= limits.visits && draft.run.rowCount < limits.rows;
  if (isAllowed) {
    const row = makeRow(draft, stepOf(draft, { step: key }), { cause, visit });
    if (recorded !== undefined) draft.recalled.set(row.id, recorded);
    return row;
  }
  stopCircling(draft, key, cause);
  return undefined;
}

function stopCircling(draft: Draft, key: StepKey, { side, scope, causedBy }: Cause): void {
  const { limits } = draft.env;
  const message = `"${key}" was visited ${limits.visits} times without a wait or a gate, or the run has ${limits.rows} rows.`;
  const error = { code: "step_limit", message };
  // Whatever becomes of cleaning up, the run is ending.
  if (side === "cleanup" && causedBy !== null) failSide(draft, { id: causedBy, scope }, error);
  else failRun(draft, error);
}

export function beginVisit(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  const recorded = draft.recalled.get(row.id);
  if (recorded !== undefined && recorded.way !== null) return takeOver(draft, row, { ...recorded, way: recorded.way });
  if (step.kind === "tool") prepareTool(draft, row, step);
  // What is recorded of its items is known only now.
  else if (step.kind === "flow" && step.each !== null && recorded !== undefined) openEach(draft, row, step.each);
  else openReady(draft, row);
}

/** What is done again is no new visit, and what is taken over does not spin. */
function sameVisit({ row }: Recorded): Pick<VisitCount, "all" | "sinceRest"> {
  return { all: row.visit, sinceRest: 0 };
}

function countVisit(draft: Draft, key: StepKey): VisitCount {
  const known = draft.visits?.get(key) ?? draft.base.visits.get(key) ?? { all: 0, sinceRest: 0, rest: 0 };
  const { restCount } = draft.run;
  const sinceRest = known.rest === restCount ? known.sinceRest + 1 : 1;
  const count = { all: known.all + 1, sinceRest, rest: restCount };
  draft.visits = (draft.visits ?? new Map<StepKey, VisitCount>()).set(key, count);
  return count;
}

/** A gate or a wait is over: a loop that passes it does not spin. */
export function rest(draft: Draft): void {
  patchRun(draft, { restCount: draft.run.restCount + 1 });
}

/** A row that only waits for its time or its answer goes on now. */
export function makeReady(draft: Draft, row: Row): Row {
  return putRow(draft, { ...row, status: "ready", readyAt: draft.env.now, alarms: [] });
}

/** The next try begins: a sub-flow starts a new child by itself, a tool waits to be admitted. */
export function tryAgain(draft: Draft, row: Row): void {
  openReady(draft, makeReady(draft, row));
}

/** What begins by itself begins; a tool waits to be admitted. */
export function openReady(draft: Draft, row: Row): void {
  if (row.tool === null) draft.todo.push({ kind: row.role === "item" ? "item" : "open", row: row.id });
}
