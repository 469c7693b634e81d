// Our MCP server: one factory for both eras and both transports. It translates and nothing more: what is asked goes to the
// engine in the caller's name, and what it answers comes back.

import { Server, type CallToolResult, type ServerCapabilities, type ServerContext } from "@modelcontextprotocol/server";
import type { Tool, Transport } from "@modelcontextprotocol/server";
import { storeIdOf } from "../../access/store-id.ts";
import { StepwellError } from "../../error.ts";
import { withoutWrongMarks } from "../../flow/json-schema/header-marks.ts";
import { isObject, type JsonObject } from "../../flow/json.ts";
import { readVersion } from "../version.ts";
import { askWithin } from "./ask.ts";
import { callWorkflow, type Manner } from "./call-workflow.ts";
import { allow, type Caller } from "./caller.ts";
import { badParams, HeaderMismatch, refuseDeep, tasksExtension, toFailedResult, toProtocolError } from "./failure.ts";
import type { House, SeenRun } from "./house.ts";
import type { Connection } from "./connection.ts";
import { declaresForms } from "./desk.ts";
import { addResources } from "./resources.ts";
import { outputSchema } from "./run-answer.ts";
import { TaskNews, toStatusNews } from "./task-news.ts";
import { lookerOf, toLegacyTask, type LegacyTask } from "./task-view.ts";
import { addLegacyTasks, addTaskExtension, declaresTasks } from "./task-methods.ts";
import type { Hand } from "./tool.ts";
import { isWorkflowTool } from "./tool-name.ts";
import { findWorkflowTool, fixedTools, isFixed, listWorkflowTools, type WorkflowTool } from "./workflow-tools.ts";

export type Era = "modern" | "legacy";

/** How long what is listed may be taken for true; who wants to know at once listens. */
const freshMs = 10_000;

/** By which messages come and go. */
export type Line = {
  /** Whether the client can be asked, where it has said so to another server than this one; null: it says so here. */
  readonly isAskable: boolean | null;
  readonly route: (transport: Transport) => Transport;
};

class LineServer extends Server {
  readonly #line: Line | null;

  constructor(line: Line | null, ...rest: ConstructorParameters<typeof Server>) {
    super(...rest);
    this.#line = line;
  }

  override async connect(transport: Transport): Promise<void> {
    await super.connect(this.#line?.route(transport) ?? transport);
  }
}

/** How a server stands in front of its client. */
export type Stand = {
  /** null: messages come and go as the SDK has it. */
  readonly line?: Line | null;
  /** Over HTTP, in the new way: the headers of the call do not say what the call says. */
  readonly mismatched?: () => void;
};

export function createMcpServer(house: House, caller: Caller, era: Era, stand: Stand = {}): Server {
  const { line = null, mismatched } = stand;
  const fresh = { ttlMs: freshMs, cacheScope: "private" } as const;
  const server = new LineServer(
    line,
    { name: "stepwell", title: "Stepwell", version: readVersion() },
    {
      // In the old way over HTTP there is no stream on which it could be told.
      capabilities: capabilitiesOf(house, era, era === "modern" || line?.isAskable === null),
      instructions,
      cacheHints: { "tools/list": fresh, "resources/list": fresh, "resources/templates/list": fresh },
    },
  );
  Object.assign(server, { onerror: house.onProblem });
  const isAskable = (): boolean =>
    era === "legacy" && (line?.isAskable ?? declaresForms(server.getClientCapabilities()));
  const view = (seen: SeenRun): LegacyTask => toLegacyTask(seen, { ...lookerOf(caller, house), isPushed: isAskable() });
  const news = era === "legacy" && line?.isAskable === null ? openNews({ server, house, caller, view }) : null;
  const connection = { server, house, caller, isAskable, view, news };
  addTools(connection, era, mismatched);
  addResources(connection);
  if (era === "modern") addTaskExtension(connection);
  else addLegacyTasks(connection);
  return server;
}

function openNews({ server, ...rest }: Pick<Connection, "server" | "house" | "caller" | "view">): TaskNews {
  const news = new TaskNews({ ...rest, send: (task) => server.notification(toStatusNews(task)) });
  Object.assign(server, { onclose: () => news.close() });
  return news;
}

const instructions =
  "Workflows of Stepwell, a durable workflow engine. Each enabled workflow is a tool of its own (workflow_…); a call " +
  "starts a run, which goes on by itself, also after a restart. A run that takes longer is answered with its run_id: " +
  "run_get shows how it is and what it waits for, run_respond answers it, run_cancel stops it.";

function capabilitiesOf({ engine }: House, era: Era, tellsChanges: boolean): ServerCapabilities {
  return {
    tools: tellsChanges ? { listChanged: true } : {},
    resources: {},
    // By which an engine sees that it would become its own tool.
    experimental: { "stepwell/store": { id: storeIdOf(engine.store.name) } },
    ...(era === "modern"
      ? { extensions: { [tasksExtension]: {} } }
      : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
  };
}

function addTools(connection: Connection, era: Era, mismatched: Stand["mismatched"]): void {
  const { server, house, isAskable } = connection;
  server.setRequestHandler("tools/list", async ({ params }) => {
    try {
      return toPage(await listTools(connection), params?.cursor);
    } catch (error) {
      throw toProtocolError(error, house.onProblem);
    }
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: given = {}, _meta: meta } = params;
    const hand = handOf(connection, meta);
    const isTask = era === "modern" ? declaresTasks(context) : "task" in params && isObject(params.task);
    const manner: Manner = {
      task: isTask ? era : null,
      era,
      signal: context.mcpReq.signal,
      progress: progressOf(context),
      responses: context.mcpReq.inputResponses ?? {},
      begun: (seen) => connection.news?.follow(seen, "working"),
      ask: isAskable() ? askWithin(context, { task: null, timeoutMs: house.askMs }) : null,
      headers: mismatched === undefined ? null : (context.http?.req?.headers ?? null),
    };
    try {
      refuseDeep(given as JsonObject);
      return await callTool(name, given as JsonObject, { hand, manner });
    } catch (error) {
      if (error instanceof StepwellError) return toFailedResult(error);
      if (error instanceof HeaderMismatch) mismatched?.();
      throw toProtocolError(error, house.onProblem);
    }
  });
}

type Called = { readonly hand: Hand; readonly manner: Manner };

async function callTool(name: string, given: JsonObject, { hand, manner }: Called): Promise<CallToolResult> {
  const { house, caller } = hand;
  const fixed = fixedTools.find((tool) => tool.name === name);
  if (fixed !== undefined) {
    allow(caller, fixed.right);
    return fixed.call(given, hand);
  }
  allow(caller, "start");
  const tool = caller.rights.has("read") ? await findWorkflowTool(house, caller.engine, name) : undefined;
  if (tool === undefined) throw badParams(`Unknown tool: ${name.slice(0, 200)}`, { tool: name.slice(0, 200) });
  return callWorkflow(tool, given, { hand, manner });
}

/** The same key again is the same call: it gives the run that there is. */
const keyName = "stepwell/idempotency_key";

function handOf({ house, caller }: Connection, meta: Readonly<Record<string, unknown>> | undefined): Hand {
  const key = meta?.[keyName];
  if (key === undefined) return { house, caller, engine: caller.engine };
  if (typeof key !== "string" || key.length === 0 || key.length > 200)
    throw badParams(`${keyName} is a text of a character at least, and 200 at most.`);
  return { house, caller, engine: caller.engine.under(key) };
}

/** Nobody waits for it to be read, and whoever has left need not know. */
function progressOf({ mcpReq }: ServerContext): Manner["progress"] {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return null;
  let told = -1;
  return (ended, message) => {
    // It only ever rises, also where several things happen between two steps.
    told = Math.max(told + 0.001, ended);
    void mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress: told, message } })
      .catch(() => {});
  };
}

async function listTools({ house, caller }: Connection): Promise<readonly Tool[]> {
  const fixed = fixedTools
    .filter(({ right }) => caller.rights.has(right))
    .map(({ name, title, description, input, annotations }) =>
      toListed({ name, title, description, input, annotations }),
    );
  const mayStart = caller.rights.has("start") && caller.rights.has("read");
  const workflows = mayStart ? await listWorkflowTools(house, caller.engine) : [];
  return [...fixed, ...workflows.map(toListedWorkflow)];
}

type Described = Pick<WorkflowTool, "name" | "title" | "description" | "input" | "annotations">;

function toListed({ name, title, description, input, annotations }: Described): Tool {
  return { name, title, description, inputSchema: input as Tool["inputSchema"], annotations };
}

function toListedWorkflow(tool: WorkflowTool): Tool {
  const taskSupport = tool.exposure?.isTaskOnly === true ? "required" : "optional";
  // With a mark that is wrong no client would offer it.
  const input = withoutWrongMarks(tool.input);
  return { ...toListed({ ...tool, input }), outputSchema, execution: { taskSupport } };
}

/** So many tools are told at once. */
const pageMax = 100;

/** In a stable order; a cursor is the name of the last tool that was told. */
function toPage(tools: readonly Tool[], cursor: string | undefined): { tools: Tool[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : placeAfter(tools, cursor);
  const page = tools.slice(from, from + pageMax);
  const last = page.at(-1);
  const isMore = from + pageMax < tools.length;
  return { tools: page, ...(isMore && last !== undefined ? { nextCursor: last.name } : {}) };
}

function placeAfter(tools: readonly Tool[], cursor: string): number {
  const at = tools.findIndex(({ name }) => name === cursor);
  if (at !== -1) return at + 1;
  if (!isWorkflowTool(cursor)) throw badParams("The cursor is none of ours.");
  // It has gone meanwhile; those behind it are in the order of their names.
  const next = tools.findIndex(({ name }) => !isFixed(name) && name > cursor);
  return next === -1 ? tools.length : next;
}
