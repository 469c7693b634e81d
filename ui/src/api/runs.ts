// Runs and their steps, as the server tells them and as the page holds them.

import type {
  BriefRunDocument,
  BriefStepDocument,
  GraphDocument,
  InboxItemDocument,
  ListedRunDocument,
  NumberedHistoryDocument,
  OutlineDocument,
  OutlineStepDocument,
  RunDocument,
  StartedDocument,
} from "../../../src/server/contract.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Graph, HistoryEntry, InboxItem, Outline, Run, Step, WholeStep } from "../model/run.ts";
import { ask, askForPage } from "./request.ts";

export type RunQuery = {
  readonly status?: string;
  readonly workflow?: string;
  readonly createdBy?: string;
  readonly trigger?: string;
  readonly id?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
  readonly field?: string;
  readonly limit?: number;
  readonly cursor?: string;
};

export type RunPage = { readonly runs: readonly Run[]; readonly next: string | null };

export async function listRuns({ createdBy, ...query }: RunQuery, signal?: AbortSignal): Promise<RunPage> {
  const { document, next } = await askForPage<readonly ListedRunDocument[]>("/api/workflow", {
    query: { status: "all", ...query, ...(createdBy === undefined ? {} : { created_by: createdBy }), with: "steps" },
    ...(signal === undefined ? {} : { signal }),
  });
  return { runs: document.map(toRun), next };
}

export async function readOutline(id: number, signal?: AbortSignal): Promise<Outline> {
  return toOutline(await ask<OutlineDocument>(`/api/workflow/${id}/outline`, signal === undefined ? {} : { signal }));
}

export async function readStep(run: number, step: number, signal?: AbortSignal): Promise<WholeStep> {
  const found = await ask<BriefStepDocument>(
    `/api/workflow/${run}/steps/${step}`,
    signal === undefined ? {} : { signal },
  );
  return { ...toStep(found), args: found.args, result: found.result, errors: found.errors };
}

/** All of a value that was too large to be sent along. */
/** `previous`: what led to it; of a gate, what is approved. */
export type StepPart = "args" | "result" | "error" | "errors" | "previous";

export function readStepPart(run: number, step: number, part: StepPart): Promise<Json> {
  return ask<Json>(`/api/workflow/${run}/steps/${step}`, { query: { part } });
}

export function addressOfStepPart(run: number, step: number, part: StepPart): string {
  return `/api/workflow/${run}/steps/${step}?part=${part}`;
}

export function readRunPart(run: number, part: "input" | "output" | "error" | "data"): Promise<Json> {
  return ask<Json>(`/api/workflow/${run}/value`, { query: { part } });
}

export type ItemPage = { readonly steps: readonly Step[]; readonly next: string | null };

export async function listItems(
  run: number,
  each: number,
  query: { readonly status?: string; readonly cursor?: string },
): Promise<ItemPage> {
  const { document, next } = await askForPage<readonly OutlineStepDocument[]>(`/api/workflow/${run}/steps`, {
    query: { serves: each, limit: 100, ...query },
  });
  return { steps: document.map(toStep), next };
}

export async function readHistory(run: number, after: number, limit: number): Promise<readonly HistoryEntry[]> {
  const found = await ask<readonly NumberedHistoryDocument[]>(`/api/workflow/${run}/history`, {
    query: { after, limit },
  });
  return found.map(toHistoryEntry);
}

export type StartWish = {
  readonly name?: string;
  readonly flow?: Json;
  readonly input?: Json;
  readonly schedule?: string;
  readonly tz?: string;
  readonly key?: string;
};

export type Started = {
  readonly id: number;
  readonly uid: string;
  readonly scheduledAt: number | null;
  readonly warnings: readonly string[];
};

export async function startRun({ key, ...wish }: StartWish): Promise<Started> {
  return toStarted(
    await ask<StartedDocument>("/api/workflow", { method: "POST", body: wish, ...(key === undefined ? {} : { key }) }),
  );
}

export async function startAgain(
  run: number,
  verb: "retry" | "rerun" | "fork",
  wish: { readonly from?: string | number; readonly input?: Json } = {},
): Promise<Started> {
  return toStarted(await ask<StartedDocument>(`/api/workflow/${run}/${verb}`, { method: "POST", body: wish }));
}

export function cancelRun(run: number, reason?: string): Promise<unknown> {
  return ask(`/api/workflow/${run}`, { method: "DELETE", query: { reason } });
}

/** With all that is known of it. */
export function removeRun(run: number): Promise<unknown> {
  return ask(`/api/workflow/${run}/remove`, { method: "POST" });
}

export function pauseRun(run: number, verb: "pause" | "resume"): Promise<unknown> {
  return ask(`/api/workflow/${run}/${verb}`, { method: "POST" });
}

export function fireTransition(
  run: number,
  transition: string,
  told: { readonly reason?: string; readonly data?: JsonObject },
): Promise<unknown> {
  return ask(`/api/workflow/${run}/fire`, { method: "POST", body: { transition, ...told } });
}

/** Lets a step that waits go on now: the next try, a schedule. */
export function makeReady(step: number): Promise<unknown> {
  return ask(`/api/workflow/${step}/ready`, { method: "POST", body: {} });
}

/** Which run is meant by an id, the beginning of one, or a uid. */
export async function findRuns(id: string): Promise<readonly Found[]> {
  const { runs, steps } = await ask<FoundDocument>("/api/find", { query: { id } });
  return [
    ...runs.map((run) => ({ run, step: null })),
    ...steps.map(({ workflow_id: run, id: step }) => ({ run, step })),
  ];
}

export type Found = { readonly run: number; readonly step: number | null };

type FoundDocument = {
  readonly runs: readonly number[];
  readonly steps: readonly { readonly id: number; readonly workflow_id: number }[];
};

function toStarted({ id, uid, scheduled_at: scheduledAt, warnings }: StartedDocument): Started {
  return { id, uid, scheduledAt, warnings };
}

export function toRun(found: RunDocument | BriefRunDocument | ListedRunDocument): Run {
  return {
    id: found.id,
    uid: found.uid,
    name: found.name,
    status: found.status,
    terminalKind: found.terminal_kind,
    attention: found.attention === null ? null : { code: found.attention.code, step: found.attention.step_id },
    ending:
      found.ending === null ? null : { kind: found.ending.kind, by: found.ending.by, reason: found.ending.reason },
    flow: found.flow,
    input: found.input,
    output: found.output,
    error:
      found.error === null || "code" in found.error
        ? found.error
        : { code: "too_large", message: "The error is too large to be shown here." },
    data: found.data,
    createdBy: found.created_by,
    createdVia: found.created_via,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    scheduledAt: found.scheduled_at,
    startedAt: found.started_at,
    completedAt: found.completed_at ?? found.cancelled_at,
    parent: found.parent_id,
    origin: found.origin,
    steps: "steps" in found ? found.steps : null,
    doing: "doing" in found ? found.doing : null,
  };
}

function toStep(found: OutlineStepDocument | BriefStepDocument): Step {
  return {
    id: found.id,
    key: found.key,
    name: found.name,
    role: found.role as Step["role"],
    tool: found.tool,
    status: found.status,
    outcome: found.outcome,
    error: found.error,
    warnings: found.warnings,
    attempt: found.attempt,
    attemptsMax: found.attempts_max,
    visit: found.visit,
    item: found.item,
    causedBy: found.caused_by,
    child: found.child_id,
    serves: found.serves,
    isHeld: found.is_held,
    mayHaveHappened: found.may_have_happened,
    interruptions: found.interruptions,
    transition: found.transition,
    open: found.open,
    gate: found.gate,
    alarms: found.alarms,
    nextTryAt: found.next_try_at,
    progress: null,
    idempotencyKey: found.key_of_idempotency,
    argsBytes: "args_bytes" in found ? found.args_bytes : 0,
    resultBytes: "result_bytes" in found ? found.result_bytes : 0,
    createdAt: found.created_at,
    readyAt: found.ready_at,
    startedAt: found.started_at,
    completedAt: found.completed_at,
  };
}

function toOutline(found: OutlineDocument): Outline {
  return {
    run: toRun(found.run),
    version: found.version,
    steps: found.steps.map((step) => ({ ...toStep(step), progress: found.progress[String(step.id)] ?? null })),
    items: found.items,
    children: found.children.map(({ id, name, status, step_id: step }) => ({ id, name, status, step })),
    parent: found.parent,
    graph: found.graph === null ? null : toGraph(found.graph),
    waiting: found.waiting.map(toInboxItem),
    transitions: found.transitions.map((each) => ({
      name: each.name,
      to: each.to,
      requiresReason: each.requires_reason,
      isOpen: each.is_open,
      isTimed: each.is_timed,
      step: each.step_id,
    })),
    state: found.state,
    can: toCan(found.can),
  };
}

function toCan({ cancel_refused: cancelRefused, ...can }: OutlineDocument["can"]): Outline["can"] {
  return { ...can, cancelRefused };
}

export function toGraph(found: GraphDocument): Graph {
  return {
    title: found.title,
    notation: found.notation,
    start: found.start,
    nodes: found.nodes.map((node) => ({
      key: node.key,
      name: node.name,
      kind: node.kind,
      detail: node.detail,
      tool: node.tool,
      ending: node.ending,
      isFork: node.is_fork,
      isJoin: node.is_join,
      join: node.join,
      isEach: node.is_each,
      attemptsMax: node.attempts_max,
      pointer: node.pointer,
    })),
    links: found.links.map((link) => ({
      id: link.id,
      from: link.from,
      to: link.to,
      kind: link.kind,
      label: link.label,
      isFailure: link.is_failure,
      isBack: link.is_back,
      isSide: link.is_side,
    })),
  };
}

export function toInboxItem(found: InboxItemDocument): InboxItem {
  const { gate } = found;
  return {
    kind: found.kind,
    run: found.workflow_id,
    workflow: found.workflow,
    step: found.step_id,
    stepName: found.step,
    title: found.title,
    message: found.message,
    hash: found.hash,
    createdBy: found.created_by,
    about: found.about,
    since: found.since,
    gate:
      gate === null
        ? null
        : {
            form: gate.form,
            choices: gate.choices.map(({ outcome, label, leads_to: leadsTo, tool, ends_as: endsAs }) => ({
              outcome,
              label,
              leadsTo,
              tool,
              endsAs,
            })),
            need: gate.need,
            approvers: gate.approvers,
            mayAnswerOwn: gate.self_approval,
            answers: gate.answers,
            escalatesAt: gate.escalates_at,
            expiresAt: gate.expires_at,
            data: gate.data,
          },
    actions: found.actions,
    call: found.call,
    crossroads: found.crossroads,
    change: found.change,
  };
}

function toHistoryEntry(found: NumberedHistoryDocument): HistoryEntry {
  return {
    n: found.n,
    kind: found.kind,
    at: found.at,
    step: found.step_id,
    name: found.kind === "entered" ? found.name : null,
    via: found.kind === "entered" ? found.via : null,
    attempt: found.kind === "entered" ? found.attempt : null,
    event: found.kind === "event" ? found.event : null,
    by: found.kind === "event" ? found.by : null,
    data: found.kind === "event" ? found.data : null,
    status: found.kind === "ended" ? found.status : null,
    outcome: found.kind === "ended" ? found.outcome : null,
    error: found.kind === "ended" ? found.error : null,
    item: found.kind === "entered" ? found.item : null,
    raw: found,
  };
}
