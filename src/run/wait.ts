// Waiting: for a time, or for an event by name. A signal that comes before its wait is kept for it.

import type { Json } from "../flow/json.ts";
import type { Wait, WaitStep } from "../flow/plan.ts";
import { findRow, liveRows, putRow, refuse, refuseIfEnded, stepOf, type Draft } from "./draft.ts";
import { rest } from "./enter.ts";
import type { ResolvedTime } from "./env.ts";
import { failForGood } from "./fail.ts";
import { succeed } from "./finish.ts";
import type { MessageOf } from "./message.ts";
import { hasBegun, type Alarm, type Row, type Signal } from "./model.ts";
import { computeTemplate, holds, previousOf } from "./values.ts";

export function openWait(draft: Draft, row: Row, step: WaitStep): void {
  const { wait } = step;
  switch (wait.kind) {
    case "sleep":
      return sleepUntil(draft, row, draft.env.now + wait.ms);
    case "until":
      return resolveUntil(draft, row, wait);
    case "event":
      return awaitEvent(draft, row, wait);
  }
}

/** The words are turned into an instant once; later changes of zones or values move nothing. */
function resolveUntil(draft: Draft, row: Row, { until, zone }: Extract<Wait, { kind: "until" }>): void {
  const { value, warnings, error } = computeTemplate(draft, row, until);
  const written = putRow(draft, { ...row, warnings: [...row.warnings, ...warnings] });
  if (error !== null) return failForGood(draft, written, error);
  const time = resolveTime(draft, value, zone);
  if (time.ok) return sleepUntil(draft, written, time.at);
  failForGood(draft, written, { code: "bad_time", message: `"${row.name}" cannot wait: ${time.problem}` });
}

function resolveTime({ env }: Draft, value: Json, zone: string | null): ResolvedTime {
  if (typeof value === "string" || typeof value === "number") return env.resolveTime(value, zone, env.now);
  return { ok: false, problem: `${JSON.stringify(value)} is no time.` };
}

function sleepUntil(draft: Draft, row: Row, at: number): void {
  const asleep = pend(draft, row, [{ kind: "sleep", at }]);
  if (at <= draft.env.now) endSleep(draft, asleep);
}

function pend(draft: Draft, row: Row, alarms: readonly Alarm[]): Row {
  const { now } = draft.env;
  const { timeoutMs } = stepOf(draft, row);
  const timeout = timeoutMs === null ? [] : [{ kind: "timeout", at: now + timeoutMs } as const];
  return putRow(draft, { ...row, status: "pending", readyAt: null, startedAt: now, alarms: [...alarms, ...timeout] });
}

/** A sleep hands on what led to it. */
export function endSleep(draft: Draft, row: Row): void {
  endWait(draft, row, previousOf(draft, row));
}

function endWait(draft: Draft, row: Row, result: Json): void {
  rest(draft);
  succeed(draft, row, { result, outcome: null });
}

type EventWait = Extract<Wait, { kind: "event" }>;

function awaitEvent(draft: Draft, row: Row, wait: EventWait): void {
  let waiting = pend(draft, row, []);
  for (const signal of signalsOf(draft)) {
    const offered = offer(draft, waiting, wait, signal);
    waiting = offered.row;
    if (!offered.isWanted) continue;
    draft.signals = signalsOf(draft).filter((other) => other !== signal);
    return endWait(draft, waiting, signal.data);
  }
}

function signalsOf(draft: Draft): readonly Signal[] {
  return draft.signals ?? draft.base.signals;
}

type Happening = { readonly name: string; readonly data: Json };

/** Whether the row waits for just this. A condition that cannot be evaluated is false, and the row says why, once. */
function offer(
  draft: Draft,
  row: Row,
  { event, match }: EventWait,
  { name, data }: Happening,
): { readonly row: Row; readonly isWanted: boolean } {
  if (event !== name) return { row, isWanted: false };
  if (match === null) return { row, isWanted: true };
  const verdict = holds(draft, row, match, { event: data, data });
  const news = verdict.warnings.filter((warning) => !row.warnings.includes(warning));
  const warned = news.length === 0 ? row : putRow(draft, { ...row, warnings: [...row.warnings, ...news] });
  return { row: warned, isWanted: verdict.holds };
}

/** The waits that are open and want this, oldest first. */
function* waitsFor(draft: Draft, happening: Happening): Generator<Row> {
  for (const row of liveRows(draft)) {
    const step = stepOf(draft, row);
    const isWaiting = row.status === "pending" && hasBegun(draft.run);
    if (step.kind !== "wait" || step.wait.kind !== "event" || !isWaiting) continue;
    const offered = offer(draft, row, step.wait, happening);
    if (offered.isWanted) yield offered.row;
  }
}

/** For this run: taken by the wait that has been open longest, or kept for one to come. */
export function takeSignal(draft: Draft, { name, data }: MessageOf<"signal">): void {
  if (refuseIfEnded(draft)) return;
  const [row] = waitsFor(draft, { name, data });
  if (row !== undefined) {
    draft.reply = { kind: "ok", value: { kept: false } };
    return endWait(draft, row, data);
  }
  const kept = signalsOf(draft);
  if (kept.length >= draft.env.limits.signals) {
    return refuse(
      draft,
      "too_many_signals",
      `The run keeps ${kept.length} signals that no wait has taken, and takes no more.`,
    );
  }
  draft.signals = [...kept, { id: draft.messageId, name, data }];
  draft.reply = { kind: "ok", value: { kept: true } };
}

/** For all waits that are open now; nothing is kept. */
export function takeEvent(draft: Draft, { name, data }: MessageOf<"event">): void {
  const rows = [...waitsFor(draft, { name, data })];
  // One that ends badly may have stopped the others.
  for (const row of rows) if (findRow(draft, row.id)?.status === "pending") endWait(draft, row, data);
  draft.reply = { kind: "ok", value: { taken: rows.length } };
}
