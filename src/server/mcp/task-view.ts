// A run as a task: the run is the task, its uid the task's id, and there is no second list of them. Pure.

import type { JsonObject } from "../../flow/json.ts";
import { hasEnded, type RunRow } from "../../run/model.ts";
import type { Caller } from "./caller.ts";
import type { House, SeenRun } from "./house.ts";
import { toElicitation, type OpenQuestion } from "./questions.ts";
import { kindKey, tellEnd, toEndResult } from "./run-answer.ts";

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

export type Looker = {
  readonly user: string;
  /** Whoever may not answer is not asked. */
  readonly mayAnswer: boolean;
  /** Whether questions are pushed to its client: of 2025-11-25 only then something is required of it. */
  readonly isPushed?: boolean;
  readonly now: number;
};

export function lookerOf({ user, rights }: Caller, { clock }: House): Looker {
  return { user, mayAnswer: rights.has("answer"), now: clock.now() };
}

const pollMinMs = 500;
const pollMaxMs = 30_000;
/** A run that has rested for so long may as well rest for a tenth of it more. */
const restShare = 10;

const internalError = -32_603;

/** Fields that both eras share, under the names of the newer one. */
type TaskHead = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: null;
  readonly pollIntervalMs: number;
};

export function toTaskHead({ run, questions }: SeenRun, looker: Looker): TaskHead {
  const asked = askedOf(questions, looker);
  return {
    taskId: run.uid,
    status: statusOf(run, asked),
    statusMessage: tellStatus({ run, questions }, looker),
    createdAt: new Date(run.createdAt).toISOString(),
    lastUpdatedAt: new Date(run.updatedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs: pollIntervalOf(run.updatedAt, looker.now),
  };
}

export function pollIntervalOf(updatedAt: number, now: number): number {
  return Math.min(Math.max(Math.round((now - updatedAt) / restShare), pollMinMs), pollMaxMs);
}

/** Gates and states are questions to people; what is uncertain or held is for whoever operates the engine. */
export function askedOf(questions: readonly OpenQuestion[], looker: Looker): readonly OpenQuestion[] {
  if (!looker.mayAnswer) return [];
  return questions.filter((question) => isAskedOf(question, looker.user));
}

/** A task is its user's own run. Who is in which group only the engine knows: it refuses whom it does not take. */
function isAskedOf({ kind, row, isForOthers, approvers }: OpenQuestion, user: string): boolean {
  if (kind === "state") return true;
  if (kind !== "gate" || isForOthers || row?.gate?.answers.some(({ by }) => by === user) === true) return false;
  return approvers === null || approvers.some((each) => each === `user:${user}` || each.startsWith("group:"));
}

function statusOf(run: RunRow, asked: readonly OpenQuestion[]): TaskStatus {
  if (!hasEnded(run)) return asked.length > 0 ? "input_required" : "working";
  if (isProtocolError(run)) return "failed";
  return run.terminalKind === "cancel" ? "cancelled" : "completed";
}

/** A tool server answered with an error of the protocol, and the run failed by it: no tool has said anything. */
export function isProtocolError({ error }: RunRow): boolean {
  return error?.code === "protocol_error";
}

type TaskError = { readonly code: number; readonly message: string; readonly data: JsonObject };

export function toTaskError({ error }: RunRow): TaskError {
  return { code: internalError, message: error?.message ?? "", data: { code: error?.code ?? null } };
}

function tellStatus({ run, questions }: SeenRun, { mayAnswer }: Looker): string {
  if (hasEnded(run)) return `The run ${tellEnd(run.terminalKind)}${run.error === null ? "" : `: ${run.error.message}`}`;
  const refusal = findRefusedCancel(run);
  const told = refusal === undefined ? "" : ` A cancel was refused: ${refusal}.`;
  const [first] = questions;
  if (first !== undefined) {
    const who = mayAnswer ? "" : " (a person answers it: stepwell inbox)";
    return `It waits: ${first.title}${who}${told}`;
  }
  if (run.ending !== null) return `It is on its way to its end (${run.ending.kind}).${told}`;
  if (run.status === "scheduled") return `It begins later.${told}`;
  return `It is ${run.status}.${told}`;
}

/** With which our own cancels are known among what a run was told lately. */
export const cancelMark = "mcp-cancel-";

/** Why the newest cancel that came over MCP was refused. What a run remembers of a refusal is `ID!CODE`. */
function findRefusedCancel({ seen }: RunRow): string | undefined {
  const newest = seen.findLast((each) => each.includes(`:${cancelMark}`));
  return newest === undefined ? undefined : /!([^!]*)$/u.exec(newest)?.[1];
}

/** As `tasks/get` of 2026-07-28 answers. */
export function toDetailedTask(seen: SeenRun, looker: Looker): JsonObject {
  const head = toTaskHead(seen, looker);
  const { run } = seen;
  const meta = { _meta: { [kindKey]: run.terminalKind } };
  switch (head.status) {
    case "working":
    case "cancelled":
      return { ...head, ...meta };
    case "input_required": {
      const asked = askedOf(seen.questions, looker).map((question) => [question.key, toElicitation(question)]);
      return { ...head, ...meta, inputRequests: Object.fromEntries(asked) as JsonObject };
    }
    case "completed":
      // Clients take what is in it for a result of its own, which says that it is whole.
      return { ...head, ...meta, result: { resultType: "complete", ...(toEndResult(run) as JsonObject) } };
    case "failed":
      return { ...head, ...meta, error: toTaskError(run) };
  }
}

/** In 2025-11-25 a cancel that is under way has happened: the task is over, and stays so, while its run is being undone.
 *  null: it goes on. */
export function findLegacyEnd(run: RunRow): RunRow | null {
  if (hasEnded(run)) return run;
  return run.ending?.kind === "cancel" ? { ...run, status: "cancelled", terminalKind: "cancel" } : null;
}

export type LegacyTask = JsonObject & { readonly status: TaskStatus; readonly statusMessage: string };

/** As 2025-11-25 has it: a failure of the work is a failure of the task. */
export function toLegacyTask(seen: SeenRun, looker: Looker): LegacyTask {
  const { ttlMs, pollIntervalMs, status, statusMessage, ...head } = toTaskHead(seen, looker);
  const { run } = seen;
  const [asked] = askedOf(seen.questions, looker);
  const how =
    asked === undefined ? "" : ` (run_respond with run_id "${run.uid}" and step_id "${asked.key}" answers it)`;
  const isCancelled = run.ending?.kind === "cancel";
  const isFailed = run.terminalKind === "failure";
  // Of a client that is not asked nothing is required: it would wait for a question that never comes.
  const isIdle = status === "input_required" && looker.isPushed !== true;
  return {
    ...head,
    status: isCancelled ? "cancelled" : isFailed ? "failed" : isIdle ? "working" : status,
    statusMessage: `${statusMessage}${how}`,
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}
