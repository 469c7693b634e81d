// Compensation: one undoing at a time, newest completion first, each row once, and none is forgotten.

import type { Plan } from "../../../flow/plan.ts";
import { isLive, type Row, type RowId } from "../../../run/model.ts";
import { describe, firstProblem, stepOf, type Oracle, type WriteView } from "./oracle.ts";

export const compensationInOrder: Oracle = {
  name: "compensation in order",
  judge: (view) => {
    noteEnds(view);
    for (const { before, after } of view.changed) {
      if (before !== undefined || after.role !== "undo" || after.via !== "undo") continue;
      const problem = judgeStart(view, after);
      if (problem !== undefined) return problem;
    }
    return judgeEnd(view);
  },
};

/** The oracle keeps its own count of when rows ended: that of the kernel may be what is wrong. */
function noteEnds({ changed, memory }: WriteView): void {
  memory.writes += 1;
  for (const { before, after } of changed) {
    // One that is held has been done all the same.
    const [was, is] = [before?.completedAt ?? null, after.completedAt];
    if (was === null && is !== null) memory.ends.set(after.id, memory.writes);
  }
}

function judgeStart(view: WriteView, undo: Row): string | undefined {
  const { memory, stored } = view;
  const row = undo.serves === null ? undefined : view.row(undo.serves);
  if (row === undefined) return `${describe(undo)} undoes nothing`;
  if (memory.undone.includes(row.id)) return `${describe(row)} is undone twice`;
  const last = view.row(memory.undone.at(-1) ?? 0);
  if (last !== undefined && !endedBefore(view, row, last))
    return `${describe(row)} is undone after ${last.id}, which ended before it`;
  const other = [...(stored?.rows.values() ?? [])].find(
    (one) => one.role === "undo" && isLive(view.row(one.id) ?? one),
  );
  if (other !== undefined) return `${describe(undo)} begins beside ${describe(other)}`;
  memory.undone.push(row.id);
  return undefined;
}

function endedBefore({ memory }: WriteView, one: Row, other: Row): boolean {
  const [first = 0, second = 0] = [memory.ends.get(one.id), memory.ends.get(other.id)];
  // In one decision several rows may end; only the kernel knows their order.
  return first < second || (first === second && (one.finishedNo ?? 0) < (other.finishedNo ?? 0));
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
  return row === undefined || !mustBeUndone(view, row)
    ? `row ${id} was undone, though there was nothing to undo`
    : undefined;
}

function mustBeUndone({ plan }: WriteView, row: Row): boolean {
  const step = stepOf(plan, row);
  if ((row.role !== "step" && row.role !== "item") || row.side === "cleanup") return false;
  if ((step?.kind !== "tool" && step?.kind !== "flow") || step.compensate === null) return false;
  // Of a step over a list it is the items that were done.
  if (step.each !== null && row.role === "step") return false;
  if (isPartOfTheEnd(plan, row)) return false;
  if (row.status === "done") return true;
  // A write that was cut off, or that failed without anybody knowing whether it happened.
  const isCutOff = row.status === "cancelled" || (row.status === "failed" && row.finishedNo !== null);
  return isCutOff && row.mayHaveHappened && step.kind === "tool";
}

/** What a machine does on its way to an end of kind failure or cancel belongs to that end. */
function isPartOfTheEnd(plan: Plan, row: Row): boolean {
  const transition = stepOf(plan, row)?.transition;
  if (row.firing === null || transition?.kind !== "next" || transition.to.kind !== "step") return false;
  const end = plan.steps[transition.to.step]?.transition;
  return end?.kind === "end" && end.terminal !== "success";
}

export const previewIsTrue: Oracle = {
  name: "preview tells the truth",
  judge: (view) => judgeAborted(view) ?? judgePromise(view),
};

/** What a cancel ends is what its preview said; what is to be undone is kept until it has been. */
function judgeAborted({ preview, changed, memory }: WriteView): string | undefined {
  if (preview === undefined) return undefined;
  memory.promised = preview.undone.map(({ row }) => row);
  const aborted = changed.filter(
    ({ before, after }) => before !== undefined && before.status !== "cancelled" && after.status === "cancelled",
  );
  const said = preview.aborted.map(({ row }) => row).toSorted(byNumber);
  const seen = aborted.map(({ after }) => after.id).toSorted(byNumber);
  return said.join() === seen.join() ? undefined : `the preview aborts ${said.join()}, the cancel ${seen.join()}`;
}

function byNumber(one: number, other: number): number {
  return one - other;
}

function judgePromise({ runBefore, runAfter, memory }: WriteView): string | undefined {
  const { promised, undone } = memory;
  if (promised === null || runAfter?.status !== "cancelled" || runBefore?.status === "cancelled") return undefined;
  return promised.join() === undone.join()
    ? undefined
    : `the preview undoes ${promised.join()}, the run ${undone.join()}`;
}
