// One call of a tool of a server, from its arguments to its result.

import { hash } from "node:crypto";
import type { Progress } from "@modelcontextprotocol/client";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { messageOfThrown } from "../thrown.ts";
import { engineStops, type InnerContext, type ToolAnswer } from "../tool.ts";
import type { Connection } from "./connection.ts";
import type { ToolChange, ToolDefinition } from "./contract.ts";
import {
  askPeople,
  keyOfQuestion,
  paramsOfQuestion,
  plainKey,
  QuestionCount,
  type Asking,
  type ElicitAnswer,
} from "./elicitation.ts";
import { breaksConnection, endedBy, isSessionGone, refusedBy } from "./failure.ts";
import { followTask, parseHandle, type TaskHandle } from "./follow-task.ts";
import { pause } from "./link-clock.ts";
import { LinkProblem } from "./link-problem.ts";
import { LinkCall, type CallParams } from "./link-call.ts";
import { readResult } from "./result.ts";
import type { ServerCall } from "./server-call.ts";
import { withoutInvisible } from "./shown-text.ts";
import { taskHandleKey } from "./wire.ts";

/** How often a server may ask before it answers. */
const roundsMax = 100;
/** Before it is asked again when it only wants to be asked again. */
const againMs = 250;
/** Of the name of a task, which is kept. */
const taskLengthMax = 1024;

export async function callServer(call: ServerCall, context: InnerContext): Promise<ToolAnswer> {
  const { server } = call;
  server.begin();
  try {
    const handle = parseHandle(context.handle);
    return handle === null ? await callAnew(call, context) : await followTask(call, context, handle);
  } catch (error) {
    // A fault of our own, which nobody has foreseen: how far the call has come, nobody knows.
    context.log(`unexpected: ${server.hide(messageOfThrown(error))}`);
    return { kind: "lost" };
  } finally {
    server.end();
  }
}

async function callAnew(call: ServerCall, context: InnerContext, isAgain = false): Promise<ToolAnswer> {
  const { server, definition } = call;
  let connection: Connection;
  try {
    connection = server.ready ?? (await server.connected(context.signal));
  } catch (error) {
    return refusedBy(error, server);
  }
  const change = server.changeOf(definition.name);
  if (change !== undefined) return held(call, change);
  const sent = new SentCall(call, context);
  connection.listen(sent);
  try {
    const first = await connection.call(paramsOf(definition, context, connection), definition, sent);
    const answered = isQuestion(first) ? await askAgain(call, { sent, connection }, first) : first;
    server.proved();
    const handle = handleOf(answered, connection, call);
    if (handle === null) return read(call, context, answered);
    connection.leave(sent);
    return await begin(call, context, handle);
  } catch (error) {
    if (isSessionGone(error, connection) && !isAgain) {
      connection.leave(sent);
      server.drop(connection, null);
      return await callAnew(call, context, true);
    }
    if (error instanceof ChangedMeanwhile && error.code === "not_sent") return held(call, error.change);
    return end(call, context, { connection, error: unlessStopped(error, context) });
  } finally {
    connection.leave(sent);
    sent.stop();
  }
}

function read({ tool, server }: ServerCall, context: InnerContext, answered: JsonObject): ToolAnswer {
  return readResult(tool, answered, {
    hide: server.hide,
    hideSecrets: server.hideSecrets,
    log: (line) => context.log(line),
  });
}

/** A call on a connection: who waits for it, is told of its progress, and is asked. One object, not one for each of them:
 *  there are as many as calls. */
class SentCall extends LinkCall {
  readonly context: InnerContext;
  readonly #call: ServerCall;
  #asking: Asking | undefined;

  constructor(call: ServerCall, context: InnerContext) {
    super();
    this.context = context;
    this.#call = call;
    if (context.onAbort !== undefined) context.onAbort(this.#leave);
    else if (context.signal.aborted) this.#leave();
    else context.signal.addEventListener("abort", this.#leave, { once: true });
  }

  readonly #leave = (): void => this.leave();

  /** A signal may be that of many calls. */
  stop(): void {
    if (this.context.onAbort === undefined) this.context.signal.removeEventListener("abort", this.#leave);
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }

  get leftFor(): unknown {
    return this.context.signal.reason;
  }

  recheck(): Promise<void> | undefined {
    const { server } = this.#call;
    // Where its tools are being listed again, that is waited for.
    if (server.ready === null) return server.connected(this.signal).then(() => this.#refuseChanged());
    this.#refuseChanged();
    return undefined;
  }

  #refuseChanged(): void {
    const { server, definition } = this.#call;
    const change = server.changeOf(definition.name);
    if (change !== undefined) throw new ChangedMeanwhile(change, sayChanged(this.#call, change));
  }

  /** Most calls never ask. */
  get asking(): Asking {
    const { clock, hide } = this.#call.server;
    this.#asking ??= { context: this.context, clock, hide, count: new QuestionCount() };
    return this.#asking;
  }

  ask(params: JsonObject): Promise<ElicitAnswer> {
    return askPeople(this.asking, keyOfQuestion(params), params);
  }

  prolong(isBeginning?: boolean): void {
    this.context.extend?.(isBeginning);
  }

  onprogress({ progress, total, message }: Progress): void {
    this.prolong();
    const told = message === undefined ? undefined : this.#call.server.hide(withoutInvisible(message));
    this.context.progress(total === undefined || total <= 0 ? null : progress / total, told);
  }
}

function end(
  { server }: ServerCall,
  context: InnerContext,
  { connection, error }: { readonly connection: Connection; readonly error: unknown },
): ToolAnswer {
  // Why the connection has ended says more than that it has.
  const why = connection.isOver ? connection.problem : null;
  if (!context.signal.aborted && breaksConnection(error, connection)) server.drop(connection, error);
  const { answer, reason } = endedBy(error, server);
  if (reason !== null && !context.signal.aborted) context.log(why === null ? reason : `${why.code}: ${why.message}`);
  return answer;
}

/** It is not sent. */
class ChangedMeanwhile extends LinkProblem {
  readonly change: ToolChange;

  constructor(change: ToolChange, message: string) {
    super("not_sent", message);
    this.change = change;
  }
}

function held(call: ServerCall, change: ToolChange): ToolAnswer {
  return { kind: "held", code: "tool_changed", message: sayChanged(call, change) };
}

function sayChanged({ tool }: ServerCall, change: ToolChange): string {
  const what = words[change.kind];
  const lines = change.lines.slice(0, 5).join("; ");
  const cure = `Look at it with "stepwell lock diff", and agree with "stepwell lock approve ${tool.name}".`;
  const message = `The tool "${tool.name}" is not what was agreed on: ${what}${lines === "" ? "" : ` (${lines})`}. ${cure}`;
  return message.slice(0, 4000);
}

const words = {
  description: "its description has changed",
  additive: "it takes or gives more than before",
  narrowing: "it takes or gives less than before",
  new_required: "it needs an argument that it did not need before",
  gone: "its server has it no more",
  server: "its server is another program or address than before",
} as const;

/** It wants to know something from people first. */
function isQuestion(answered: JsonObject): boolean {
  return own(answered, "resultType") === "input_required";
}

/** Until there is a result. */
async function askAgain(
  { server, definition }: ServerCall,
  { sent, connection }: { readonly sent: SentCall; readonly connection: Connection },
  first: JsonObject,
): Promise<JsonObject> {
  const { context, asking } = sent;
  let answered = first;
  for (let round = 1; round < roundsMax; round++) {
    context.extend?.();
    const inputResponses = await answerAll(own(answered, "inputRequests"), asking);
    if (Object.keys(inputResponses).length === 0) await pause(server.clock, againMs, context.signal);
    const requestState = own(answered, "requestState");
    const params = {
      ...paramsOf(definition, context, connection),
      inputResponses,
      ...(typeof requestState === "string" ? { requestState } : {}),
    };
    try {
      await sent.recheck();
      answered = await connection.call(params, definition, sent);
    } catch (error) {
      throw asLeft(error);
    }
    if (!isQuestion(answered)) return answered;
  }
  throw new LinkProblem("bad_result", `It has asked ${roundsMax} times without an answer.`);
}

/** What waited when the engine stops is still wanted: the next process takes it up, by the tool's effect. */
function unlessStopped(error: unknown, { signal }: InnerContext): unknown {
  return signal.reason === engineStops ? asLeft(error) : error;
}

/** Before it was sent once more: nobody knows what the server did when it was sent before. */
function asLeft(error: unknown): unknown {
  return error instanceof LinkProblem && error.code === "not_sent" ? new LinkProblem("left", error.message) : error;
}

async function answerAll(
  requests: Json | undefined,
  asking: Asking,
): Promise<{ readonly [key: string]: ElicitAnswer }> {
  const entries = Object.entries(isObject(requests) ? requests : {});
  const answers = await Promise.all(
    entries.map(async ([key, request]): Promise<readonly [string, ElicitAnswer]> => {
      const params = paramsOfQuestion(request);
      return [key, await askPeople(asking, plainKey(key, keyOfQuestion(params)), params)];
    }),
  );
  return Object.fromEntries(answers);
}

function paramsOf({ name, taskSupport }: ToolDefinition, context: InnerContext, connection: Connection): CallParams {
  const input = context.lent ?? context.input;
  const wantsTask =
    connection.era === "legacy" &&
    (taskSupport === "required" || (taskSupport === "optional" && connection.takesTasks && context.keep !== undefined));
  const meta = { "stepwell/idempotency_key": context.idempotencyKey, traceparent: traceOf(context) };
  const params = { name, arguments: isObject(input) ? input : {}, _meta: meta };
  return wantsTask ? { ...params, task: {} } : params;
}

/** A run is a trace, and a row of it a span, which its number names. */
function traceOf({ run, step }: InnerContext): string {
  const high = Math.floor(step / 2 ** lowBits);
  if (run !== newest.run || high !== newest.high) {
    const trace = hash("sha256", `run:${run}`, "hex").slice(0, 32);
    newest = { run, high, head: `00-${trace}-${toHex(high, 16 - lowBits / 4)}` };
  }
  return `${newest.head}${toHex(step % 2 ** lowBits, lowBits / 4)}-01`;
}

function toHex(part: number, digits: number): string {
  return part.toString(16).padStart(digits, "0");
}

/** Few enough for a small number, of which a text is made several times as fast. */
const lowBits = 24;
/** Many calls of one run come one after another, and the numbers of their rows begin alike. */
let newest: { readonly run: number | null; readonly high: number; readonly head: string } = {
  run: null,
  high: 0,
  head: "",
};

function handleOf(result: JsonObject, { era }: Connection, { server }: ServerCall): TaskHandle | null {
  const meta = own(result, "_meta");
  const said = isObject(meta) ? own(meta, taskHandleKey) : undefined;
  const task = isObject(said) ? own(said, "taskId") : undefined;
  if (typeof task !== "string") return null;
  if (task.length > taskLengthMax)
    throw new LinkProblem("bad_result", `It named a task with more than ${taskLengthMax} characters.`);
  return { kind: "mcp_task", server: server.key, task, era };
}

/** On disk first: from here on another process could follow it. */
async function begin(call: ServerCall, context: InnerContext, handle: TaskHandle): Promise<ToolAnswer> {
  await context.keep?.(handle);
  return await followTask(call, context, handle);
}
