// Calls: a result belongs to its own call, every try of a visit is the same call, and nobody but a person or a probe
// knows what nobody knows.

import { canonicalText } from "../../../flow/json.ts";
import type { PlanStep } from "../../../flow/plan.ts";
import type { Message } from "../../../run/message.ts";
import type { Row } from "../../../run/model.ts";
import { describe, firstProblem, stepOf, type ChangedRow, type Oracle, type WriteView } from "./oracle.ts";

export const resultOfItsOwnCall: Oracle = {
  name: "result of its own call",
  judge: (view) => firstProblem(view.changed, (change) => judgeResult(view, change)),
};

/** A row of a tool is done because its own call answered so, or because a person or a probe says so. */
function judgeResult(view: WriteView, { before, after }: ChangedRow): string | undefined {
  const hasBecomeDone = before !== undefined && before.status !== "done" && after.status === "done";
  if (!hasBecomeDone || after.tool === null || after.role === "items" || isEach(view, after)) return undefined;
  const { message } = view.write;
  if (message.kind === "resolve" && message.row === after.id) return undefined;
  if (message.kind !== "done") return `${describe(after)} is done by ${message.kind}`;
  if (message.row !== after.id) return judgeProbed(view, before, message);
  if (before.token !== message.token)
    return `${describe(after)} took the result of ${message.token}, its token is ${before.token}`;
  const record = view.tools.calls.get(message.token);
  if (record === undefined) return `${describe(after)} has a result of a call that was never made`;
  if (!record.results.includes(after.result)) return `${describe(after)} has a result that its tool did not give`;
  return undefined;
}

/** Its items were called, not the step itself. */
function isEach({ plan }: WriteView, row: Row): boolean {
  const step = stepOf(plan, row);
  return row.role === "step" && step?.kind === "tool" && step.each !== null;
}

function judgeProbed(view: WriteView, before: Row, message: { readonly row: number }): string | undefined {
  const probe = view.row(message.row);
  const isItsProbe = probe?.role === "probe" && probe.serves === before.id && before.status === "uncertain";
  return isItsProbe ? undefined : `${describe(before)} took the result of another row: ${message.row}`;
}

/** A result for a row that does not run under its token any more is told as an event, and changes nothing. */
export const lateIsRecorded: Oracle = {
  name: "late results are recorded",
  judge: ({ write, stored, memory }) => {
    const { message, decision } = write;
    if (!isAnswer(message)) return undefined;
    const row = stored?.rows.get(message.row);
    if (row?.status === "running" && row.token === message.token) return undefined;
    if (decision.changes.rows.length > 0) return `${message.kind} of ${message.token} came late and changed a row`;
    const isTold =
      memory.messages.has(message.id) || decision.changes.events.some(({ kind }) => kind === "late_result");
    return isTold ? undefined : `${message.kind} of ${message.token} came late and is not told of`;
  },
};

function isAnswer(message: Message): message is Extract<Message, { readonly token: string }> {
  return message.kind === "done" || message.kind === "failed" || message.kind === "lost" || message.kind === "held";
}

/** Of a call that goes on elsewhere the same row goes on; of one that waits for a person nothing has happened. */
export const followedInItsRow: Oracle = {
  name: "followed in its row",
  judge: (view) => firstProblem(view.changed, (change) => judgeFollowed(view, change)),
};

function judgeFollowed({ write: { message } }: WriteView, { before, after }: ChangedRow): string | undefined {
  if (before?.status !== "running") return undefined;
  const isCrash = message.kind === "lost" && message.reason === "crash" && message.row === after.id;
  const isFollowed = isCrash && before.handle !== null;
  const isHeldBack = message.kind === "held" && message.row === after.id;
  const isBack = after.status === "ready" || after.status === "pending";
  // A notice or a probe nobody follows for ever.
  const isGivenUp = isService(before) && before.interruptions >= 2 && after.status === "failed";
  if (isBack && !isFollowed && !isHeldBack) return `${describe(before)} became ${after.status} by ${message.kind}`;
  if (isFollowed && !isBack && !isGivenUp) return `${describe(before)} goes on elsewhere, and became ${after.status}`;
  if (isFollowed && after.handle !== before.handle) return `${describe(after)} is followed from elsewhere`;
  return undefined;
}

function isService({ role }: Row): boolean {
  return role === "probe" || role === "notify";
}

export const sameKeyAndArgs: Oracle = {
  name: "same key and args",
  judge: (view) => firstProblem(view.changed, ({ after }) => judgeSame(view, after)),
};

function judgeSame({ memory }: WriteView, row: Row): string | undefined {
  if (row.tool === null || row.key === null) return undefined;
  const call = { key: row.key.replace(/:fallback$/, ""), args: row.args };
  // A reminder is a notice of its own.
  const notice = row.role === "notify" ? row.key : "";
  const visit = [row.step, row.visit, row.index, row.role, row.serves, notice].join("|");
  const first = memory.visits.get(visit);
  if (first === undefined) memory.visits.set(visit, call);
  else if (first.key !== call.key) return `${describe(row)} has the key ${call.key}, an earlier try had ${first.key}`;
  else if (first.args !== call.args && canonicalText(first.args) !== canonicalText(call.args))
    return `${describe(row)} has other args than an earlier try`;
  return undefined;
}

export const effectsWithinAttempts: Oracle = {
  name: "effects within attempts",
  judge: (view) => {
    for (const { after } of view.changed) if (after.isHeld) view.memory.held.add(after.id);
    return firstProblem(view.changed, (change) => judgeAttempts(view, change));
  },
};

/** A new try is one of those that its policy allows, was cut off by our own crash, or was asked for by a person or a probe. */
function judgeAttempts(view: WriteView, { before, after }: ChangedRow): string | undefined {
  if (before !== undefined || after.causedBy === null) return undefined;
  const cause = view.row(after.causedBy);
  const isNextTry =
    cause?.step === after.step && cause.visit === after.visit && cause.role === after.role && after.role !== "items";
  if (cause === undefined || !isNextTry) return undefined;
  const step = stepOf(view.plan, after);
  const { message } = view.write;
  if (message.kind === "resolve" || isProbeAnswer(view, message)) return undefined;
  if (after.attempt === cause.attempt) {
    const isInterrupted = message.kind === "lost" && message.reason === "crash" && message.row === cause.id;
    if (!isInterrupted) return `${describe(after)} is another try that nothing counts, by ${message.kind}`;
    return interruptionsOf(view, after) >= 3 && !after.isHeld
      ? `${describe(after)} was cut off three times and goes on`
      : undefined;
  }
  const code = cause.error?.code ?? "";
  // Of a sub-flow it is the failure of another run, which may do better the next time.
  if (cause.tool !== null && neverRetried.has(code)) return `${describe(after)} is another try after ${code}`;
  if (after.attempt !== cause.attempt + 1)
    return `${describe(after)} is attempt ${after.attempt}, after ${cause.attempt}`;
  if (after.attempt > attemptsOf(step)) return `${describe(after)} is attempt ${after.attempt} of ${attemptsOf(step)}`;
  return undefined;
}

const neverRetried: ReadonlySet<string> = new Set([
  "unknown_tool",
  "not_allowed",
  "circuit_open",
  "expression_error",
  "bad_items",
]);

/** How many tries in a row were cut off by a crash before this one; a person's word begins a new count. */
function interruptionsOf(view: WriteView, row: Row): number {
  let count = 0;
  for (
    let at: Row | undefined = row;
    at?.via === "interrupted";
    at = at.causedBy === null ? undefined : view.row(at.causedBy)
  ) {
    count += 1;
    // Held, and let go again by a person: what was before does not count any more.
    if (at !== row && view.memory.held.has(at.id)) return count - 1;
  }
  return count;
}

function isProbeAnswer(view: WriteView, message: Message): boolean {
  return "row" in message && view.row(message.row)?.role === "probe";
}

function attemptsOf(step: PlanStep | undefined): number {
  return step?.kind === "tool" || step?.kind === "flow" ? step.retry.attempts : 1;
}

export const unknownIsAsked: Oracle = {
  name: "unknown outcome is asked",
  judge: (view) => firstProblem(view.changed, (change) => judgeUnknown(view, change) ?? judgeUncertain(view, change)),
};

/** A write that may have happened is not called again without asking. */
function judgeUnknown(view: WriteView, { before, after }: ChangedRow): string | undefined {
  const wasCalled = before?.status === "running" && before.token !== null;
  if (!wasCalled || (after.role !== "step" && after.role !== "item") || after.status !== "failed") return undefined;
  const { message } = view.write;
  const isUnknown = message.kind === "alarm" || (message.kind === "lost" && message.row === after.id);
  if (!isUnknown || !isAsked(view, after)) return undefined;
  return `${describe(after)} may have happened, and failed by ${message.kind} without asking`;
}

/** Worked out anew from the plan: the step's word, the tool's, the careful guess. */
function isAsked({ plan, tools }: WriteView, row: Row): boolean {
  const step = stepOf(plan, row);
  if (step?.kind !== "tool") return false;
  const effect = step.effect ?? tools.effectOf(row.tool ?? "") ?? "write";
  return (step.onUnknown ?? (effect === "write" ? "ask" : "retry")) === "ask";
}

function judgeUncertain(view: WriteView, { before, after }: ChangedRow): string | undefined {
  if (before?.status !== "uncertain" || (after.status !== "done" && after.status !== "failed")) return undefined;
  const { message } = view.write;
  if (message.kind === "resolve" && message.row === after.id) return undefined;
  return isProbeAnswer(view, message) ? undefined : `${describe(before)} became ${after.status} by ${message.kind}`;
}

/** Of what is on disk and what was done outside: no more effects than calls that were recorded first. */
export function judgeLedger(ledger: ReadonlyMap<string, readonly unknown[]>, rows: Iterable<Row>): string | undefined {
  const started = new Map<string, number>();
  for (const { key, startedAt } of rows)
    if (key !== null && startedAt !== null) started.set(key, (started.get(key) ?? 0) + 1);
  return firstProblem(ledger, ([key, effects]) => {
    const calls = started.get(key) ?? 0;
    return effects.length > calls
      ? `${effects.length} effects under the key ${key}, ${calls} calls were recorded`
      : undefined;
  });
}
