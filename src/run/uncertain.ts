// What only somebody who looks can decide: calls of which nobody knows whether they happened, rows that are held. A
// probe is asked first, then a person.

import { isObject, own, type Json } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { raiseAttention } from "./attention.ts";
import { findRow, findServed, putRow, refuse, refuseIfEnded, stepOf, tell, type Draft } from "./draft.ts";
import { makeReady } from "./enter.ts";
import { effectOf } from "./effect.ts";
import { failForGood } from "./fail.ts";
import { complete, succeed, succeedItem } from "./finish.ts";
import { staysInFork } from "./fork.ts";
import type { MessageOf, ResolveMessage } from "./message.ts";
import type { Failure, Row, RowId } from "./model.ts";
import { endPath, goTo } from "./path.ts";
import { causedBy, keyFor, makeNextTry, makeRow } from "./row.ts";
import { skipStep, tryLostAgain } from "./tool.ts";
import { finishUndo, letGo } from "./undo.ts";
import { computeTemplate } from "./values.ts";

/** Asks the step's probe whether the call happened; without one a person is asked. */
export function startProbe(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  const probe = step.kind === "tool" && row.role !== "undo" ? step.probe : null;
  if (probe === null) return raiseAttention(draft, row);
  const made = makeRow(draft, step, { cause: causedBy(row, "probe"), visit: row.visit, role: "probe" });
  const { value, secrets, warnings, error } = computeTemplate(draft, row, probe.args);
  const call = { tool: probe.tool, args: value, secrets, warnings, key: keyFor(row, "probe") };
  const filled = putRow(draft, { ...made, ...call, index: row.index, serves: row.id });
  if (error !== null) failForGood(draft, filled, error);
}

/** The probe has looked: it happened, it did not, or a person has to say. */
export function finishProbe(draft: Draft, probe: Row, result: Json): void {
  complete(draft, probe, { result, errors: null, outcome: "success" });
  const row = findServed(draft, probe);
  if (row?.status !== "uncertain") return;
  const said = isObject(result) ? result : {};
  const happened = own(said, "happened");
  if (happened === true) return finishWell(draft, row, own(said, "result") ?? null);
  if (happened === false) return tryLostAgain(draft, row, errorOf(row));
  raiseAttention(draft, row);
}

function errorOf({ error, name }: Row): Failure {
  return error ?? { code: "unknown_outcome", message: `"${name}" may or may not have happened.` };
}

function finishWell(draft: Draft, row: Row, result: Json): void {
  if (row.role === "undo") return finishUndo(draft, row, result);
  if (row.role === "item") return succeedItem(draft, row, result);
  succeed(draft, row, { result, outcome: null });
}

/** A person says what became of a call, or lets one that is held be tried again. */
export function resolve(draft: Draft, message: ResolveMessage): void {
  const row = findWaiting(draft, message.row, isUndecided);
  if (row === undefined) return;
  const { how, by, result } = message;
  if (how === "retry" && row.error?.code === "expression_error") {
    return refuse(draft, "cannot_retry", "Its arguments cannot be computed, now or later. Skip it instead.");
  }
  tell(draft, "resolved", { row: row.id, by, data: { how } });
  switch (how) {
    case "retry":
      return tryNow(draft, row);
    case "done":
      return finishWell(draft, row, result);
    case "failed":
      return failForGood(draft, row, errorOf(row));
  }
}

/** Nobody knows whether it happened; it was cut off too often; or undoing it failed. */
function isUndecided(row: Row): boolean {
  return row.status === "uncertain" || (row.isHeld && (row.status === "pending" || row.role === "undo"));
}

/** The row, if it waits for a person in this way; else the request is refused. */
function findWaiting(draft: Draft, id: RowId, isWaiting: (row: Row) => boolean): Row | undefined {
  if (refuseIfEnded(draft)) return undefined;
  const row = findRow(draft, id);
  if (row !== undefined && isWaiting(row)) return row;
  refuse(draft, "not_waiting", "Nothing waits for this. Look at the run again.");
  return undefined;
}

/** At once, and whatever number of attempts the step has: a person has looked. */
function tryNow(draft: Draft, row: Row): void {
  // It has not been called since: this very row goes on.
  if (row.status === "pending" && row.error === null)
    return void makeReady(draft, { ...row, isHeld: false, interruptions: 0 });
  const cut = { status: "failed", outcome: "error", isHeld: false, completedAt: draft.env.now } as const;
  // Its tool has answered that nothing was done: no try, but its token is spent.
  if (row.status === "pending")
    return void makeNextTry(draft, putRow(draft, { ...row, ...cut }), { interruptions: 0, via: "resolve" });
  // Nobody has said that it did not happen.
  const mayHaveHappened = row.role !== "undo" && effectOf(draft, row) === "write";
  const closed = putRow(draft, { ...row, ...cut, mayHaveHappened });
  makeNextTry(draft, closed, { attempt: row.attempt + 1, interruptions: 0, via: "resolve" });
}

/** A person lets a step, or the undoing of one, go by. */
export function skip(draft: Draft, { row: id, by }: MessageOf<"skip">): void {
  const row = findWaiting(draft, id, isUndecided);
  if (row === undefined) return;
  tell(draft, "skipped", { row: row.id, by });
  if (row.role === "undo") letGo(draft, row);
  else skipStep(draft, row);
}

/** A person says where a row goes on for which no branch or route was found. */
export function choose(draft: Draft, { row: id, step, by }: MessageOf<"choose">): void {
  const row = findWaiting(draft, id, isAtCrossroads);
  if (row === undefined) return;
  const key = step === null ? null : own(draft.plan.names, step);
  if (key === undefined) return refuse(draft, "unknown_step", `The flow has no step "${step ?? ""}".`);
  if (key !== null && !staysInFork(draft, row, key)) {
    const message = `"${step ?? ""}" lies outside the fork of "${row.name}". Choose a step of its branches, or their join.`;
    return refuse(draft, "branch_leaves_fork", message);
  }
  tell(draft, "chosen", { row: row.id, by, data: { step: key } });
  goOn(draft, putRow(draft, { ...row, isHeld: false }), key);
}

/** It is over, and nothing says what follows. */
function isAtCrossroads(row: Row): boolean {
  return row.isHeld && (row.status === "done" || row.status === "skipped");
}

function goOn(draft: Draft, row: Row, step: StepKey | null): void {
  if (step === null) endPath(draft, row, row.result);
  else goTo(draft, row, step, causedBy(row, "chosen"));
}
