// What can be asked about a task, in both eras. Each question is about the asker's own runs: another's is as if it were
// not there, whoever knows its id.

import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { StepwellError } from "../../error.ts";
import { isObject, own, type JsonObject } from "../../flow/json.ts";
import { hasEnded, type RunId, type RunRow } from "../../run/model.ts";
import { isTooLate } from "../answered.ts";
import { askWithin, waitAndAsk } from "./ask.ts";
import { allow, type Caller } from "./caller.ts";
import type { Connection } from "./connection.ts";
import { badParams, missingTasks, refuseDeep, tasksExtension, toProtocolError } from "./failure.ts";
import { lookAt, type SeenRun } from "./house.ts";
import { readResponse } from "./questions.ts";
import { toEndResult } from "./run-answer.ts";
import { give } from "./run-tools.ts";
import { TaskNews, toStatusNews } from "./task-news.ts";
import {
  askedOf,
  cancelMark,
  findLegacyEnd,
  isProtocolError,
  lookerOf,
  toDetailedTask,
  toTaskError,
  type LegacyTask,
} from "./task-view.ts";

const named = z.looseObject({ taskId: z.string().max(500) });

/** Whether the client of this request knows tasks, as it says with each. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope;
  const capabilities = isObject(envelope) ? own(envelope, CLIENT_CAPABILITIES_META_KEY) : undefined;
  const extensions = isObject(capabilities) ? own(capabilities, "extensions") : undefined;
  return isObject(extensions) && Object.hasOwn(extensions, tasksExtension);
}

/** The run, if it is the caller's own. */
async function findTask({ house, caller }: Connection, taskId: string): Promise<SeenRun> {
  const unknown = badParams(`There is no task "${taskId.slice(0, 100)}".`);
  allow(caller, "read");
  const [id] = /^\d+$/u.test(taskId) ? [] : (await caller.engine.overview.find(taskId)).runs;
  if (id === undefined) throw unknown;
  const seen = await lookAt(house, caller, id);
  if (seen.run.uid !== taskId || seen.run.createdBy !== caller.user) throw unknown;
  return seen;
}

type Method<Params> = (params: Params, context: ServerContext) => Promise<JsonObject>;

/** Whatever goes wrong is told in the words of the protocol. */
function guarded<Params>({ house }: Connection, method: Method<Params>): Method<Params> {
  return async (params, context) => {
    try {
      return await method(params, context);
    } catch (error) {
      throw toProtocolError(error, house.onProblem);
    }
  };
}

/** 2026-07-28: the extension. */
export function addTaskExtension(connection: Connection): void {
  const { server, house, caller } = connection;
  const define = (name: string, method: Method<z.output<typeof named>>): void => {
    const checked = guarded<z.output<typeof named>>(connection, (params, context) => {
      if (!declaresTasks(context)) throw missingTasks();
      return method(params, context);
    });
    server.setRequestHandler(name, { params: named }, checked);
  };
  define("tasks/get", async ({ taskId }) =>
    toDetailedTask(await findTask(connection, taskId), lookerOf(caller, house)),
  );
  define("tasks/update", async ({ taskId }, { mcpReq }) => {
    const seen = await findTask(connection, taskId);
    allow(caller, "answer");
    const responses = mcpReq.inputResponses ?? {};
    refuseDeep(responses as JsonObject);
    await answerAll(connection, seen, responses);
    return {};
  });
  define("tasks/cancel", async ({ taskId }) => {
    const { run } = await findTask(connection, taskId);
    allow(caller, "cancel");
    // Acknowledged in any case: that it was refused stands in the task's status.
    if (!hasEnded(run)) await cancel(caller, run.id).catch(ignoreRefusal);
    return {};
  });
}

/** What is not asked, or not any more, is nobody's business. All answers are read before one is given. */
async function answerAll(
  { caller, house }: Connection,
  { questions }: SeenRun,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  const decided = askedOf(questions, lookerOf(caller, house)).flatMap((question) => {
    if (!Object.hasOwn(responses, question.key)) return [];
    const read = readResponse(question, responses[question.key]);
    if (read.kind === "unclear") throw badParams(`The answer to ${question.key} is not understood: ${read.message}.`);
    return read.kind === "open" ? [] : [read];
  });
  for (const { answer, data, comment } of decided)
    await give(caller.engine, answer, { data, comment }).catch(ignoreTooLate);
}

/** It was open a moment ago: somebody was quicker, perhaps the same client that says it twice. */
function ignoreTooLate(error: unknown): void {
  if (!(error instanceof StepwellError && isTooLate(error))) throw error;
}

/** Under a key by which it is known afterwards that it came from here. */
async function cancel({ engine }: Caller, run: RunId): Promise<void> {
  await engine.under(`${cancelMark}${randomUUID()}`).cancel(run);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StepwellError && error.code === "REFUSED")) throw error;
}

/** So many tasks are told at once. */
const pageMax = 50;

const listParams = z
  .looseObject({ cursor: z.string().max(100).optional(), _meta: z.looseObject({}).optional() })
  .optional();

/** 2025-11-25: part of the protocol itself. */
export function addLegacyTasks(connection: Connection): void {
  const { server, caller, view } = connection;
  const define = (name: string, method: Method<z.output<typeof named>>): void => {
    server.setRequestHandler(name, { params: named }, guarded(connection, method));
  };
  const tell = (seen: SeenRun): JsonObject => {
    const task = view(seen);
    connection.news?.follow(seen, task.status);
    return task;
  };
  define("tasks/get", async ({ taskId }) => tell(await findTask(connection, taskId)));
  define("tasks/result", async ({ taskId }, context) => {
    const found = await findTask(connection, taskId);
    const run = findLegacyEnd(found.run) ?? findLegacyEnd((await waitForResult(connection, found, context)).run);
    if (run === null) throw new ProtocolError(ProtocolErrorCode.InternalError, "Nobody waits any more.");
    if (isProtocolError(run)) throw toThrown(run);
    const { _meta, ...result } = toEndResult(run);
    return { ...result, _meta: { ..._meta, [RELATED_TASK_META_KEY]: { taskId } } } as JsonObject;
  });
  define("tasks/cancel", async ({ taskId }) => {
    const { run } = await findTask(connection, taskId);
    allow(caller, "cancel");
    const ended = findLegacyEnd(run);
    if (ended !== null) throw badParams(`The task has ended: ${ended.status}.`);
    await cancel(caller, run.id).catch((error: unknown) => {
      if (!(error instanceof StepwellError && error.code === "REFUSED")) throw error;
      throw badParams(`The task cannot be cancelled: ${error.message}`, { ...error.details });
    });
    return tell(await findTask(connection, taskId));
  });
  const list = guarded<z.output<typeof listParams>>(connection, (params) => listTasks(connection, params));
  server.setRequestHandler("tasks/list", { params: listParams }, list);
}

/** Until it has ended, or nobody waits; what it asks meanwhile is asked, and how it is is told, on the same stream. */
async function waitForResult(connection: Connection, found: SeenRun, context: ServerContext): Promise<SeenRun> {
  const { isAskable, view } = connection;
  const { run } = found;
  const { mcpReq } = context;
  const send = (task: LegacyTask): Promise<void> => mcpReq.notify(toStatusNews(task));
  const news = connection.news ?? new TaskNews({ ...connection, send });
  news.follow(found, view(found).status);
  try {
    const { seen } = await waitAndAsk(connection, {
      run: run.id,
      timeoutMs: null,
      signal: mcpReq.signal,
      isForPeople: true,
      isOver: (looked) => findLegacyEnd(looked.run) !== null,
      ask: isAskable() ? askWithin(context, { task: run.uid, timeoutMs: null }) : null,
      onRemark: (remark) => void news.remark(run.id, remark).catch(connection.house.onProblem),
    });
    return seen;
  } finally {
    if (news !== connection.news) news.close();
  }
}

function toThrown(run: RunRow): ProtocolError {
  const { code, message, data } = toTaskError(run);
  return new ProtocolError(code, message, data);
}

/** Only for whoever asks with `_meta`: those that have not ended. */
const activeKey = "stepwell/active_only";

/** The caller's own runs, newest first; those that a run has started are part of it. */
async function listTasks(
  { house, caller, view }: Connection,
  params: z.output<typeof listParams>,
): Promise<JsonObject> {
  allow(caller, "read");
  const { cursor, _meta: meta } = params ?? {};
  if (cursor !== undefined && !/^\d{1,15}$/u.test(cursor)) throw badParams("The cursor is none of ours.");
  const { runs, next } = await caller.engine.overview.search({
    createdBy: caller.user,
    limitMax: pageMax,
    status: meta?.[activeKey] === true ? "live" : "all",
    ...(cursor === undefined ? {} : { before: Number(cursor) }),
  });
  const tasks = [];
  for (const { run } of runs.filter(({ run: { parent } }) => parent === null)) {
    const seen = await lookAt(house, caller, run.id).catch(ignoreAbsence);
    if (seen !== undefined) tasks.push(view(seen));
  }
  const isAll = cursor === undefined && next === null;
  return {
    tasks,
    ...(next === null ? {} : { nextCursor: String(next) }),
    ...(isAll ? { _meta: { "stepwell/total": tasks.length } } : {}),
  };
}

/** It was pruned meanwhile. */
function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof StepwellError && error.code === "RUN_NOT_FOUND")) throw error;
}
