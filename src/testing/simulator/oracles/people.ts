// What people decide is decided by people: gates are approved by answers, signals wait for their waits, an each tells of
// every item.

import { isArray, isObject, type Json } from "../../../flow/json.ts";
import type { Row, Signal } from "../../../run/model.ts";
import { describe, firstProblem, stepOf, type ChangedRow, type Oracle, type WriteView } from "./oracle.ts";

/** What the kernel may say of a gate by itself; none of it means yes. */
const silent: ReadonlySet<string> = new Set(["rejected", "expired", "timeout", "cancelled", "error"]);

export const peopleDecide: Oracle = {
  name: "people decide",
  judge: (view) => {
    noteAnswer(view);
    return firstProblem(view.changed, (change) => judgeGate(view, change) ?? judgeHeld(view, change));
  },
};

function noteAnswer({ write, memory }: WriteView): void {
  const { message, decision } = write;
  if ((message.kind !== "answer" && message.kind !== "ready") || decision.reply.kind !== "ok") return;
  const answer = `${message.row} ${message.kind === "ready" ? "approved" : message.outcome}`;
  memory.answers.set(answer, (memory.answers.get(answer) ?? new Set()).add(message.by));
}

function judgeGate(view: WriteView, { before, after }: ChangedRow): string | undefined {
  const step = stepOf(view.plan, after);
  if (after.role !== "step" || step?.kind !== "gate") return undefined;
  if ((after.gate?.reminders ?? 0) > 10) return `${describe(after)} reminds for the ${after.gate?.reminders}th time`;
  // People have decided it in the run before.
  if (after.copiedFrom !== null && before === undefined) return undefined;
  if (after.status !== "done" || before?.status === "done" || silent.has(after.outcome ?? "")) return undefined;
  const { message } = view.write;
  if (message.kind !== "answer" && message.kind !== "ready")
    return `${describe(after)} is ${after.outcome} by ${message.kind}`;
  const people = view.memory.answers.get(`${after.id} ${after.outcome}`)?.size ?? 0;
  return people < step.need ? `${describe(after)} is ${after.outcome} by ${people} of ${step.need} people` : undefined;
}

/** What is held goes on only by a person's word, or ends with its branch or run. */
function judgeHeld(view: WriteView, { before, after }: ChangedRow): string | undefined {
  if (before?.isHeld !== true || after.isHeld || after.status === "cancelled") return undefined;
  const { kind } = view.write.message;
  const isPersonal = kind === "choose" || kind === "skip" || kind === "resolve" || kind === "ready";
  const isAborted = view.runAfter?.ending !== null || kind === "cancel";
  return isPersonal || isAborted || before.scope !== ""
    ? undefined
    : `${describe(before)} was held and goes on by ${kind}`;
}

export const signalsAreKept: Oracle = {
  name: "signals are kept",
  judge: (view) => judgeSignal(view) ?? judgeWaits(view),
};

/** A signal that was accepted is kept or is the result of just one wait. */
function judgeSignal(view: WriteView): string | undefined {
  const { message, decision } = view.write;
  const { memory, stored } = view;
  if (message.kind === "signal" && decision.reply.kind === "ok" && !memory.messages.has(message.id)) {
    memory.signals.add(numberOf(message.data));
  }
  if (memory.signals.size === 0) return undefined;
  const kept = (decision.changes.signals ?? stored?.signals ?? []).map(({ data }) => numberOf(data));
  const rows = new Map(stored?.rows);
  for (const { after } of view.changed) rows.set(after.id, after);
  const taken = [...rows.values()]
    .filter((row) => isEventWait(view, row) && row.status === "done")
    .map(({ result }) => numberOf(result));
  return firstProblem(memory.signals, (number) => {
    const count = [...kept, ...taken].filter((other) => other === number).length;
    return count === 1 ? undefined : `the signal ${number} is there ${count} times`;
  });
}

function numberOf(value: Json): string {
  const number = isObject(value) ? value["signal"] : null;
  return typeof number === "string" ? number : "";
}

function isEventWait({ plan }: Pick<WriteView, "plan">, row: Row): boolean {
  const step = stepOf(plan, row);
  return row.role === "step" && step?.kind === "wait" && step.wait.kind === "event";
}

/** No wait stays open for what has been kept for it. */
function judgeWaits(view: WriteView): string | undefined {
  const kept = view.write.decision.changes.signals ?? view.stored?.signals ?? [];
  if (kept.length === 0) return undefined;
  return firstProblem(view.changed, ({ after }) => {
    const isOpen = isEventWait(view, after) && after.status === "pending";
    return isOpen && kept.some((signal) => isWanted(view, after, signal))
      ? `${describe(after)} leaves a signal that is kept for it`
      : undefined;
  });
}

function isWanted({ plan }: WriteView, row: Row, signal: Signal): boolean {
  const step = stepOf(plan, row);
  return (
    step?.kind === "wait" && step.wait.kind === "event" && step.wait.match === null && step.wait.event === signal.name
  );
}

export const eachIsWhole: Oracle = {
  name: "each is whole",
  judge: (view) => firstProblem(view.changed, (change) => judgeEach(view, change)),
};

/** An each that is done has one finished row for each item, and tells of all of them. */
function judgeEach(view: WriteView, { before, after }: ChangedRow): string | undefined {
  const step = stepOf(view.plan, after);
  const each = step?.kind === "tool" || step?.kind === "flow" ? step.each : null;
  const isNew = after.status === "done" && before?.status !== "done" && after.copiedFrom === null;
  if (each === null || after.role !== "step" || !isNew) return undefined;
  const rows = new Map(view.stored?.rows);
  for (const { after: row } of view.changed) rows.set(row.id, row);
  const mine = [...rows.values()].filter((row) => row.serves === after.id);
  const list = mine.find((row) => row.role === "items")?.result;
  if (!isArray(list)) return `${describe(after)} has no list of items`;
  const ended = mine.filter((row) => row.role === "item" && row.finishedNo !== null && row.status !== "cancelled");
  const missing = list.findIndex((_, index) => ended.filter((row) => row.index === index).length !== 1);
  if (missing >= 0) return `${describe(after)} is done without just one end of item ${missing}`;
  const isTold = each.result === "none" || (isArray(after.result) && after.result.length === list.length);
  return isTold ? undefined : `${describe(after)} does not tell of all ${list.length} items`;
}
