// Compensation: one undoing at a time, newest completion first, each row once, and none is forgotten.

import { isLive, type Row, type RowId } from "../../../run/model.ts";
import { describe, firstProblem, stepOf, type Oracle, type WriteView } from "./oracle.ts";

export const compensationInOrder: Oracle = {
  name: "compensation in order",
  judge: (view) => {
    for (const { before, after } of view.changed) {
      if (before !== undefined || after.role !== "undo" || after.via !== "undo") continue;
      const problem = judgeStart(view, after);
      if (problem !== undefined) return problem;
    }
    return judgeEnd(view);
  },
};

function judgeStart(view: WriteView, undo: Row): string | undefined {
  const { memory, stored } = view;
  const row = undo.serves === null ? undefined : view.row(undo.serves);
  if (row === undefined) return `${describe(undo)} undoes nothing`;
  if (memory.undone.includes(row.id)) return `${describe(row)} is undone twice`;
  const last = memory.undone.at(-1);
  const lastNo = last === undefined ? Infinity : (view.row(last)?.finishedNo ?? Infinity);
  if ((row.finishedNo ?? Infinity) >= lastNo) return `${describe(row)} is undone after ${last}, which finished before it`;
  const other = [...(stored?.rows.values() ?? [])].find((one) => one.role === "undo" && isLive(view.row(one.id) ?? one));
  if (other !== undefined) return `${describe(undo)} begins beside ${describe(other)}`;
  memory.undone.push(row.id);
  return undefined;
}

/** Worked out anew from the rows and the plan, when a run has failed or was cancelled. */
function judgeEnd(view: WriteView): string | undefined {
  const { runBefore, runAfter, memory } = view;
  const hasEnded = runAfter?.status === "failed" || runAfter?.status === "cancelled";
  if (!hasEnded || runBefore?.status === runAfter.status) return undefined;
  const rows = new Map(view.stored?.rows);
  for (const { after } of view.changed) rows.set(after.id, after);
  const undone = new Set(memory.undone);
  const forgotten = firstProblem(rows.values(), (row) =>
    mustBeUndone(view, row) && !undone.has(row.id) ? `${describe(row)} was not undone` : undefined,
  );
  return forgotten ?? firstProblem(undone, (id) => judgeUndone(view, rows, id));
}

function judgeUndone(view: WriteView, rows: ReadonlyMap<RowId, Row>, id: RowId): string | undefined {
  const row = rows.get(id);
  return row === undefined || !mustBeUndone(view, row) ? `row ${id} was undone, though there was nothing to undo` : undefined;
}

function mustBeUndone({ plan, tools }: WriteView, row: Row): boolean {
  const step = stepOf(plan, row);
  if ((row.role !== "step" && row.role !== "item") || row.side !== null) return false;
  if ((step?.kind !== "tool" && step?.kind !== "flow") || step.compensate === null) return false;
  // Of a step over a list it is the items that were done.
  if (step.each !== null && row.role === "step") return false;
  if (row.status === "done") return true;
  if (row.status !== "cancelled" || step.kind === "flow" || row.startedAt === null) return false;
  return row.mayHaveHappened && (step.effect ?? tools.effectOf(row.tool ?? "") ?? "write") === "write";
}
