// A call from the moment its row is ready: admitted, running under a token, done, failed or lost.

import type { ToolStep } from "../flow/plan.ts";
import { raiseAttention } from "./attention.ts";
import { findRow, putRow, stepOf, tell, type Draft } from "./draft.ts";
import { openEach } from "./each.ts";
import { effectOf, onUnknownOf } from "./effect.ts";
import { followOn, interruptionsMax } from "./follow.ts";
import { failForGood, failTry } from "./fail.ts";
import type { AdmitMessage, MessageOf } from "./message.ts";
import type { Failure, Row } from "./model.ts";
import { givenKey, keyFor, keyOf, makeNextTry } from "./row.ts";
import { computeTemplate, itemOf, previousOf } from "./values.ts";

/** The arguments are computed once, when the visit begins; every try gets the same. */
export function prepareTool(draft: Draft, row: Row, step: ToolStep): void {
  if (step.each === null) fillCall(draft, row, step);
  else openEach(draft, row, step.each);
}

export function fillCall(draft: Draft, row: Row, step: ToolStep): void {
  const args = computeTemplate(draft, row, step.args);
  const given = step.idempotencyKey === null ? null : computeTemplate(draft, row, step.idempotencyKey);
  const key = typeof given?.value === "string" ? givenKey(draft, row, given.value) : keyOf(draft, row);
  const filled = putRow(draft, {
    ...row,
    args: args.value,
    secrets: args.secrets,
    key,
    warnings: args.warnings.length === 0 ? row.warnings : [...row.warnings, ...args.warnings],
  });
  const error = args.error ?? given?.error ?? null;
  if (error !== null) failForGood(draft, filled, error);
}

/** The dispatcher has looked: is the tool there, its circuit closed, the starter allowed? What goes on elsewhere was called
 *  already: an open circuit keeps nobody from hearing how it ends; without its tool nobody can. */
export function admit(draft: Draft, row: Row, { verdict, reason }: Pick<AdmitMessage, "verdict" | "reason">): void {
  switch (verdict) {
    case "go":
      return call(draft, row);
    case "refused":
      return failForGood(draft, row, refusal(row, "not_allowed", reason));
    case "tool_missing":
      if (row.handle !== null) return loseCall(draft, row, { reason: "gone" });
      return withoutTool(draft, row, refusal(row, "unknown_tool", reason));
    case "circuit_open":
      if (row.handle !== null) return call(draft, row);
      return withOpenCircuit(draft, row, refusal(row, "circuit_open", reason));
  }
}

function refusal(row: Row, code: keyof typeof claims, reason: string | undefined): Failure {
  return { code, message: reason ?? claims[code](row.tool ?? "") };
}

const claims = {
  not_allowed: (tool: string) => `The tool "${tool}" is not allowed for who started the run.`,
  unknown_tool: (tool: string) => `Unknown tool: ${tool}.`,
  circuit_open: (tool: string) => `The tool "${tool}" has failed too often and is not called for now.`,
} as const;

/** What a call may take that no step of its own stands for: the language's default. */
const callTimeoutMs = 120_000;

function call(draft: Draft, row: Row): void {
  const { env } = draft;
  const step = stepOf(draft, row);
  // A gate's timeout is for the answer, not for telling people that it is open; a sub-flow's not for undoing it.
  const timeoutMs = (step.kind === "tool" ? step.timeoutMs : null) ?? callTimeoutMs;
  const token = `${row.id}.${env.epoch}`;
  const alarms = [{ kind: "timeout", at: env.now + timeoutMs } as const];
  // One that is followed began when it was made.
  const startedAt = row.handle === null ? env.now : (row.startedAt ?? env.now);
  const running = putRow(draft, { ...row, status: "running", token, startedAt, alarms });
  draft.calls.push({
    row: row.id,
    token,
    tool: running.tool ?? "",
    args: running.args,
    secrets: running.secrets,
    key: running.key ?? "",
    handle: running.handle,
    timeoutMs,
    effect: effectOf(draft, running),
  });
}

function withoutTool(draft: Draft, row: Row, error: Failure): void {
  const step = stepOf(draft, row);
  const isOwn = step.kind === "tool" && isOwnCall(row);
  if (isOwn && step.onMissingTool === "skip") return skipStep(draft, row);
  failForGood(draft, row, isOwn && row.tool !== step.tool ? { ...error, code: "fallback_not_found" } : error);
}

function withOpenCircuit(draft: Draft, row: Row, error: Failure): void {
  const step = stepOf(draft, row);
  const isOwn = step.kind === "tool" && row.tool === step.tool && isOwnCall(row);
  if (isOwn && step.onCircuitOpen === "skip") return skipStep(draft, row);
  // Its own tool is no way around itself.
  if (isOwn && step.onCircuitOpen === "fallback" && step.fallback !== null && step.fallback !== step.tool) {
    // The same path as the tool itself: admitted, timed, recorded, under a key of its own.
    putRow(draft, { ...row, tool: step.fallback, key: keyFor(row, "fallback") });
    return;
  }
  failForGood(draft, row, error);
}

/** What the step is there for, not a call that serves it. */
function isOwnCall({ role }: Row): boolean {
  return role === "step" || role === "item";
}

/** The step's own input becomes its result, and routes are not asked; an item's input is the item. */
export function skipStep(draft: Draft, row: Row): void {
  const result = row.role === "item" ? (itemOf(draft, row) ?? null) : previousOf(draft, row);
  const skipped = putRow(draft, { ...row, status: "skipped", outcome: "skipped", result, isHeld: false, error: null });
  draft.todo.push({ kind: "skipped", row: skipped.id });
}

/** The row that a result belongs to; a result for any other try is recorded and changes nothing. */
export function findCall(
  draft: Draft,
  message: MessageOf<"done"> | MessageOf<"failed"> | MessageOf<"lost"> | MessageOf<"held">,
): Row | undefined {
  const row = findRow(draft, message.row);
  if (row !== undefined && isCall(row, message)) return row;
  tell(draft, "late_result", { row: message.row, data: { kind: message.kind, token: message.token } });
  return undefined;
}

/** The very try that is under way. */
export function isCall({ status, token }: Row, message: { readonly token: string }): boolean {
  return status === "running" && token === message.token;
}

type Loss = { readonly reason: keyof typeof losses; readonly retryAfterMs?: number | undefined };

/** Nobody knows whether the call happened. */
export function loseCall(draft: Draft, row: Row, { reason, retryAfterMs }: Loss): void {
  if (reason === "crash" && row.handle !== null) return followOn(draft, row);
  const { code, told } = losses[reason];
  const error = { code, message: `"${row.name}" may or may not have happened: ${told}.` };
  const lost = { ...row, mayHaveHappened: effectOf(draft, row) === "write" };
  switch (onUnknownOf(draft, row)) {
    case "retry":
      return tryLostAgain(draft, lost, error, retryAfterMs);
    case "fail":
      return failForGood(draft, lost, error);
    case "ask":
      return becomeUncertain(draft, row, error);
  }
}

const losses = {
  crash: { code: "interrupted", told: "the engine stopped" },
  connection: { code: "unknown_outcome", told: "the connection broke" },
  timeout: { code: "timeout", told: "it took too long" },
  gone: { code: "unknown_outcome", told: "its tool is not there any more" },
} as const;

/** Another try of a call whose answer was lost: a crash of our own does not count against the attempts. */
export function tryLostAgain(draft: Draft, row: Row, error: Failure, retryAfterMs?: number): void {
  if (error.code === losses.crash.code) interrupt(draft, row, error);
  else failTry(draft, row, error, retryAfterMs);
}

/** Cut off by our own crash: a new row at once, which counts as no attempt; three in a row look like poison. */
function interrupt(draft: Draft, row: Row, error: Failure): void {
  const isService = row.role === "probe" || row.role === "notify";
  if (isService && row.interruptions + 1 >= interruptionsMax) return failForGood(draft, row, error);
  const cut = putRow(draft, {
    ...row,
    status: "failed",
    error,
    outcome: "error",
    token: null,
    alarms: [],
    completedAt: draft.env.now,
  });
  const interruptions = row.interruptions + 1;
  const next = makeNextTry(draft, cut, { interruptions, via: "interrupted" });
  if (interruptions < interruptionsMax) return;
  raiseAttention(draft, putRow(draft, { ...next, status: "pending", isHeld: true, readyAt: null }));
}

function becomeUncertain(draft: Draft, row: Row, error: Failure): void {
  const uncertain = putRow(draft, { ...row, status: "uncertain", error, token: null, alarms: [] });
  draft.todo.push({ kind: "uncertain", row: uncertain.id });
}
