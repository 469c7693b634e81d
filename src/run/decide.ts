// The kernel: one message, one decision. Pure and total: no I/O, no clock, no randomness, and no message in any state
// makes it throw.

import type { Plan } from "../flow/plan.ts";
import { fireAlarms } from "./alarm.ts";
import { reviewAttention } from "./attention.ts";
import { cancel } from "./cancel.ts";
import type { Decision, Needing } from "./decision.ts";
import { closeDraft, findRow, openDraft, patchRun, refuse, type Draft } from "./draft.ts";
import { openReady } from "./enter.ts";
import type { Env } from "./env.ts";
import { failForGood, failTry } from "./fail.ts";
import { complete, succeed, succeedItem } from "./finish.ts";
import { answerGate, makeRowReady } from "./gate.ts";
import { fire } from "./machine.ts";
import type { Message, MessageOf } from "./message.ts";
import { hasEnded, type Frontier } from "./model.ts";
import { holdPoisoned, pause, resume } from "./pause.ts";
import { goOnCalling, holdCall } from "./follow.ts";
import { settle } from "./settle.ts";
import { emptyFrontier, startRun } from "./start.ts";
import { childEnded } from "./subflow.ts";
import { admit, findCall, isCall, loseCall } from "./tool.ts";
import { choose, finishProbe, resolve, skip } from "./uncertain.ts";
import { finishUndo } from "./undo.ts";
import { takeEvent, takeSignal } from "./wait.ts";

/** What follows from `message`; or the old rows that must be brought before it can be decided. */
export function decide(plan: Plan, frontier: Frontier | null, message: Message, env: Env): Decision | Needing {
  const base = frontier ?? emptyFrontier(message, env);
  const draft = openDraft(plan, base, env, message.id);
  if (isAgain(draft, message)) return closeDraft(draft);
  take(draft, message);
  noteRefusal(draft, message);
  settle(draft);
  reviewAttention(draft);
  return closeDraft(draft);
}

function take(draft: Draft, message: Message): void {
  switch (message.kind) {
    case "start":
      return startRun(draft, message);
    case "admit":
      return takeAdmit(draft, message);
    case "done":
      return takeDone(draft, message);
    case "failed":
      return takeFailed(draft, message);
    case "lost":
      return takeLost(draft, message);
    case "alive":
      return takeAlive(draft, message);
    case "held":
      return takeHeld(draft, message);
    case "ready":
      return makeRowReady(draft, message);
    case "answer":
      return answerGate(draft, message);
    case "signal":
      return takeSignal(draft, message);
    case "event":
      return takeEvent(draft, message);
    case "alarm":
      return fireAlarms(draft);
    case "cancel":
      return cancel(draft, message);
    case "pause":
      return pause(draft, message);
    case "resume":
      return resume(draft, message) ? fireAlarms(draft) : undefined;
    case "resolve":
      return resolve(draft, message);
    case "skip":
      return skip(draft, message);
    case "choose":
      return choose(draft, message);
    case "fire":
      return fire(draft, message);
    case "child":
      return childEnded(draft, message);
    case "poison":
      return holdPoisoned(draft, message);
  }
}

const seenMax = 256;

const toldApart: ReadonlySet<Message["kind"]> = new Set([
  "admit",
  "done",
  "failed",
  "lost",
  "alive",
  "held",
  "alarm",
  "start",
]);

/** Messages of people and programs are remembered by id; results are told apart by their tokens. */
function isAgain(draft: Draft, message: Message): boolean {
  if (toldApart.has(message.kind)) return false;
  // Also the one that has ended the run, when its answer was lost on the way.
  if (draft.run.seen.includes(message.id)) return true;
  const refusal = draft.run.seen.find((each) => each.startsWith(`${message.id}!`));
  if (refusal !== undefined) {
    refuse(
      draft,
      refusal.slice(message.id.length + 1),
      "It was refused before, and is refused again under the same id.",
    );
    return true;
  }
  if (isReused(draft.run.seen, message.id)) {
    refuse(draft, "key_reused", "The key was used for something else in this run. Use a new one.");
    return true;
  }
  // What has ended takes nothing more, and need not remember it.
  if (hasEnded(draft.run)) return false;
  patchRun(draft, { seen: [...draft.run.seen, message.id].slice(-seenMax) });
  return false;
}

/** `ID!CODE`: whoever asks again is told the same. */
function noteRefusal(draft: Draft, message: Message): void {
  const { reply, run } = draft;
  if (reply.kind !== "refused" || run.seen.at(-1) !== message.id) return;
  patchRun(draft, { seen: [...run.seen.slice(0, -1), `${message.id}!${reply.code}`] });
}

/** `KEY#DIGEST`: one who asks again under a key of their own says with it what they ask for. */
function isReused(seen: readonly string[], id: string): boolean {
  const end = id.lastIndexOf("#");
  return end > 0 && seen.some((each) => each.startsWith(id.slice(0, end + 1)));
}

function takeAdmit(draft: Draft, message: MessageOf<"admit">): void {
  const row = findRow(draft, message.row);
  if (row === undefined || row.status !== "ready" || draft.run.status !== "running") return;
  if (row.tool === null) openReady(draft, row);
  else admit(draft, row, message);
}

function takeDone(draft: Draft, message: MessageOf<"done">): void {
  const row = findCall(draft, message);
  if (row === undefined) return;
  const { result, outcome } = message;
  switch (row.role) {
    case "undo":
      return finishUndo(draft, row, result);
    case "probe":
      return finishProbe(draft, row, result);
    case "item":
      return succeedItem(draft, row, result);
    case "notify":
      complete(draft, row, { result, errors: null, outcome: "success" });
      return;
    case "items":
    case "step":
      return succeed(draft, row, { result, outcome });
  }
}

function takeFailed(draft: Draft, message: MessageOf<"failed">): void {
  const row = findCall(draft, message);
  if (row === undefined) return;
  if (message.isFinal) failForGood(draft, row, message.error);
  else failTry(draft, row, message.error, message.retryAfterMs);
}

function takeAlive(draft: Draft, message: MessageOf<"alive">): void {
  const row = findRow(draft, message.row);
  // What is over needs no more time.
  if (row !== undefined && isCall(row, message)) goOnCalling(draft, row, message);
}

function takeHeld(draft: Draft, message: MessageOf<"held">): void {
  const row = findCall(draft, message);
  if (row !== undefined) holdCall(draft, row, message.error);
}

function takeLost(draft: Draft, message: MessageOf<"lost">): void {
  const row = findCall(draft, message);
  if (row !== undefined) loseCall(draft, row, message);
}
