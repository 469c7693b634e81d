// Calls that take longer than a call: those that go on elsewhere and are followed from a handle, also by the next process,
// and those that wait until a person has looked.

import { canonicalText, type Json } from "../flow/json.ts";
import { raiseAttention } from "./attention.ts";
import { putRow, type Draft } from "./draft.ts";
import { effectOf } from "./effect.ts";
import { failForGood } from "./fail.ts";
import type { MessageOf } from "./message.ts";
import type { Failure, Row } from "./model.ts";

/** So often in a row may our own crash cut off one call before a person is asked. */
export const interruptionsMax = 3;

/** It has been heard of: its time begins anew, and what was cut off before did no harm to what goes on elsewhere. */
export function goOnCalling(draft: Draft, row: Row, { handle: told, until }: MessageOf<"alive">): void {
  const handle = told ?? row.handle;
  const isKnown = row.alarms.some(({ at }) => at === until) && isSame(handle, row.handle);
  if (isKnown) return;
  const interruptions = handle === null ? row.interruptions : 0;
  putRow(draft, { ...row, handle, interruptions, alarms: [{ kind: "timeout", at: until }] });
}

/** Told twice, it changes nothing. */
function isSame(one: Json, other: Json): boolean {
  return canonicalText(one) === canonicalText(other);
}

/** Our own process ended, and the call went on without us: this very row is admitted again and goes on following. */
export function followOn(draft: Draft, row: Row): void {
  const interruptions = row.interruptions + 1;
  const mayHaveHappened = effectOf(draft, row) === "write";
  const left = { ...row, token: null, alarms: [], interruptions, mayHaveHappened };
  if (interruptions < interruptionsMax) return void putRow(draft, { ...left, status: "ready", readyAt: draft.env.now });
  if (isService(row)) return failForGood(draft, { ...row, mayHaveHappened }, cutOff);
  raiseAttention(draft, putRow(draft, { ...left, status: "pending", isHeld: true, readyAt: null }));
}

const cutOff: Failure = { code: "interrupted", message: "It was cut off too often: the engine stopped." };

/** Nobody waits for a notice or a probe: the flow goes on without it, or asks a person anyhow. */
function isService({ role }: Row): boolean {
  return role === "probe" || role === "notify";
}

/** Nothing was done: it waits, and another row takes its place when somebody says so. */
export function holdCall(draft: Draft, row: Row, error: Failure): void {
  if (isService(row)) return failForGood(draft, row, error);
  const held = { status: "pending", isHeld: true, readyAt: null, token: null, alarms: [], error } as const;
  raiseAttention(draft, putRow(draft, { ...row, ...held }));
}
