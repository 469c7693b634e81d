// Compensation: one undoing at a time, newest completion first, each visit and item of its own.

import type { Json } from "../flow/json.ts";
import type { Call, PlanStep } from "../flow/plan.ts";
import { raiseAttention } from "./attention.ts";
import { putRow, requireServed, stepOf, type Draft } from "./draft.ts";
import type { Failure, Row } from "./model.ts";
import { causedBy, keyFor, makeRow } from "./row.ts";
import { computeTemplate } from "./values.ts";

/** Of an each its items are undone, one by one; clean-up is never undone, nor what a machine does to end its run. */
export function canBeUndone(draft: Draft, row: Row): boolean {
  const step = stepOf(draft, row);
  if (compensationOf(step) === null || row.side === "cleanup" || endsTheRun(draft, row)) return false;
  return row.role === "item" || (row.role === "step" && !isEach(step));
}

/** The action of a transition to an end of kind failure or cancel is part of that end. */
function endsTheRun(draft: Draft, row: Row): boolean {
  const { transition } = stepOf(draft, row);
  if (row.firing === null || transition.kind !== "next" || transition.to.kind !== "step") return false;
  const end = stepOf(draft, { step: transition.to.step }).transition;
  return end.kind === "end" && end.terminal !== "success";
}

function isEach(step: PlanStep): boolean {
  return (step.kind === "tool" || step.kind === "flow") && step.each !== null;
}

function compensationOf(step: PlanStep): Call | null {
  return step.kind === "tool" || step.kind === "flow" ? step.compensate : null;
}

export function startUndo(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  const call = compensationOf(step);
  if (call === null) return;
  const undo = makeRow(draft, step, {
    cause: { ...causedBy(row, "undo"), scope: row.scope },
    visit: row.visit,
    role: "undo",
  });
  const args = computeTemplate(draft, row, call.args, { result: row.mayHaveHappened ? null : row.result });
  const key = keyFor(row, "undo");
  const made = putRow(draft, {
    ...undo,
    tool: call.tool,
    args: args.value,
    secrets: args.secrets,
    key,
    index: row.index,
    serves: row.id,
    warnings: args.warnings,
  });
  if (args.error !== null) holdUndo(draft, made, args.error);
}

/** The undoing is done: the row has nothing left to undo. */
export function finishUndo(draft: Draft, undo: Row, result: Json): void {
  closeUndo(draft, { ...undo, status: "done", result, outcome: "success", error: null });
}

/** A person lets an undoing go by. */
export function letGo(draft: Draft, undo: Row): void {
  closeUndo(draft, { ...undo, status: "skipped", outcome: "skipped" });
}

function closeUndo(draft: Draft, undo: Row): void {
  putRow(draft, { ...undo, token: null, alarms: [], isHeld: false, completedAt: draft.env.now });
  const row = requireServed(draft, undo);
  if (row !== undefined) putRow(draft, { ...row, version: row.version + 1, isUndoable: false });
}

/** One that fails for good holds the run: a person tries it again or lets it go by. */
export function holdUndo(draft: Draft, undo: Row, error: Failure): void {
  const held = { ...undo, status: "failed", error, isHeld: true, token: null, alarms: [] } as const;
  raiseAttention(draft, putRow(draft, { ...held, completedAt: draft.env.now }));
}
