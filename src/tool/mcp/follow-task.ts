// A call that goes on at its server as a task: asked after until it ends, through lost connections and restarts of this
// process. Its id is all that is needed.

import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { cut } from "../flaws.ts";
import { engineStops, type CallContext, type ToolAnswer } from "../tool.ts";
import type { Connection } from "./connection.ts";
import type { Era } from "./contract.ts";
import { askPeople, keyOfQuestion, plainKey, QuestionCount, type Asking, type ElicitAnswer } from "./elicitation.ts";
import { breaksConnection, endedBy, isAnswer, isUnknownTask } from "./failure.ts";
import { pause } from "./link-clock.ts";
import { readResult } from "./result.ts";
import type { ServerCall } from "./server-call.ts";
import { withoutInvisible } from "./shown-text.ts";
import { TaskAnswers } from "./task-answers.ts";

export type TaskHandle = {
  readonly kind: "mcp_task";
  readonly server: string;
  readonly task: string;
  readonly era: Era;
};

/** As which it has ended, by the word of its server. */
type Ending = "completed" | "failed";

/** How often it is asked after, whatever the server wishes. */
const pollMinMs = 100;
const pollMaxMs = 30_000;
const pollUsualMs = 1000;
/** For one answer about it. */
const answerMs = 30_000;
const goodbyeMs = 2000;

/** null: there is none, or nobody could follow it. */
export function parseHandle(value: Json | undefined): TaskHandle | null {
  if (value === undefined || !isObject(value) || own(value, "kind") !== "mcp_task") return null;
  const { server, task, era } = value;
  if (typeof server !== "string" || typeof task !== "string") return null;
  return { kind: "mcp_task", server, task, era: era === "modern" ? "modern" : "legacy" };
}

export async function followTask(call: ServerCall, context: CallContext, handle: TaskHandle): Promise<ToolAnswer> {
  const following = new Following(call, context, handle);
  try {
    return await following.run();
  } finally {
    following.stop();
  }
}

/** For as long as the task is followed. */
class Following {
  readonly #call: ServerCall;
  readonly #context: CallContext;
  readonly #task: string;
  readonly #asking: Asking;
  readonly #answers: TaskAnswers;
  /** Ends the pause between two questions about it. */
  #wake = new AbortController();
  #quiet: { readonly connection: Connection; readonly stop: () => void } | null = null;
  /** 2025-11-25: the result is waited for while it asks, since that is where it asks. */
  #result: { readonly connection: Connection; readonly promise: Promise<ToolAnswer | null> } | null = null;
  #ended: ToolAnswer | null = null;
  #intervalMs = pollUsualMs;

  constructor(call: ServerCall, context: CallContext, { task }: TaskHandle) {
    this.#call = call;
    this.#context = context;
    this.#task = task;
    const { server } = call;
    // As it is then: there may be another connection, with other values.
    const hide = (text: string): string => server.hide(text);
    this.#asking = { context, clock: server.clock, hide, count: new QuestionCount() };
    this.#answers = new TaskAnswers({ task, asking: this.#asking, onAnswer: () => this.#wakeUp() });
    context.signal.addEventListener("abort", this.#wakeUp, { once: true });
  }

  async run(): Promise<ToolAnswer> {
    const { signal } = this.#context;
    const { clock } = this.#call.server;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const answer = await this.#look();
      if (answer !== null) return answer;
      await pause(clock, this.#intervalMs, this.#wake.signal);
      if (this.#ended !== null) return this.#ended;
    }
    return this.#leave();
  }

  stop(): void {
    this.#quiet?.stop();
    this.#context.signal.removeEventListener("abort", this.#wakeUp);
  }

  readonly #wakeUp = (): void => this.#wake.abort();

  /** null: it goes on. */
  async #look(): Promise<ToolAnswer | null> {
    const { server } = this.#call;
    const { signal } = this.#context;
    let connection: Connection;
    try {
      connection = await server.connected(signal);
    } catch {
      // Nobody says that it is alive: the call's own time decides for how long that may go on.
      return null;
    }
    try {
      this.#listen(connection);
      const state = await connection.request("tasks/get", { taskId: this.#task }, { ms: answerMs, signal });
      server.proved();
      return await this.#judge(connection, state);
    } catch (error) {
      if (signal.aborted) return null;
      if (isUnknownTask(error)) return this.#lose(`The server "${server.key}" does not know the task any more.`);
      if (breaksConnection(error, connection)) server.drop(connection, error);
      return null;
    }
  }

  async #judge(connection: Connection, state: JsonObject): Promise<ToolAnswer | null> {
    this.#context.extend?.();
    const said = own(state, "statusMessage");
    const { hide } = this.#call.server;
    const message = typeof said === "string" ? hide(withoutInvisible(said)) : "";
    if (message !== "") this.#context.progress(null, message);
    this.#intervalMs = intervalOf(state);
    const status = own(state, "status");
    if (status === "input_required") return await this.#help(connection, state);
    if (status === "cancelled") {
      return failure("task_cancelled", message === "" ? "The task was cancelled at its server." : message);
    }
    if (status === "failed" && connection.era === "modern") return failedWith(state, message, hide);
    return status === "completed" || status === "failed" ? await this.#finish(connection, state, status) : null;
  }

  /** Today the result stands in the answer; before, it was asked for. */
  async #finish(connection: Connection, state: JsonObject, status: Ending): Promise<ToolAnswer | null> {
    if (connection.era === "legacy") return await this.#awaitResult(connection, status);
    const result = own(state, "result");
    return this.#read(isObject(result) ? result : {});
  }

  /** null: it goes on. */
  async #help(connection: Connection, state: JsonObject): Promise<ToolAnswer | null> {
    if (connection.era === "legacy") {
      // Its answer ends the next pause.
      void this.#awaitResult(connection, null).then((answer) => this.#endWith(answer));
      return null;
    }
    const { signal } = this.#context;
    const update = (params: JsonObject): Promise<JsonObject> =>
      connection.request("tasks/update", params, { ms: answerMs, signal });
    const problem = await this.#answers.bring(own(state, "inputRequests"), update);
    if (this.#answers.takeNews()) this.#intervalMs = pollMinMs;
    // It would ask for ever.
    if (problem !== null) void this.#cancel();
    return problem;
  }

  #endWith(answer: ToolAnswer | null): void {
    if (answer === null) return;
    this.#ended = answer;
    this.#wakeUp();
  }

  #awaitResult(connection: Connection, status: Ending | null): Promise<ToolAnswer | null> {
    if (this.#result?.connection !== connection) {
      this.#result = { connection, promise: this.#fetchResult(connection, status) };
    }
    return this.#result.promise;
  }

  /** null: it was not to be had. The task is asked after as before. */
  async #fetchResult(connection: Connection, status: Ending | null): Promise<ToolAnswer | null> {
    const { signal } = this.#context;
    try {
      const limit = { ms: 2_147_483_647, signal };
      const result = await connection.request("tasks/result", { taskId: this.#task }, limit);
      return this.#read(result);
    } catch (error) {
      this.#result = null;
      // Of one that still asks, an error is about the waiting alone: the task goes on, and done again it is done twice.
      return status === null ? null : this.#endedWith(error, status);
    }
  }

  /** What its call has ended with, as an error too; null: nobody has said that. */
  #endedWith(error: unknown, status: Ending): ToolAnswer | null {
    const { server } = this.#call;
    // Of one that has failed, the error that its call would have been answered with, whatever its code.
    if (status === "completed" && isUnknownTask(error))
      return this.#lose(`The server "${server.key}" does not know the task any more.`);
    if (!isAnswer(error)) return null;
    const { answer } = endedBy(error, server);
    return answer.kind === "lost" ? null : answer;
  }

  /** Questions in the old way come by themselves. */
  #listen(connection: Connection): void {
    if (this.#quiet?.connection === connection) return;
    this.#quiet?.stop();
    this.#asking.count.renew();
    const task = this.#task;
    const ask = (params: JsonObject): Promise<ElicitAnswer> =>
      askPeople(this.#asking, plainKey(task, keyOfQuestion(params)), params);
    const asker = { task, ask };
    connection.listen(asker);
    this.#quiet = { connection, stop: () => connection.leave(asker) };
  }

  #read(result: JsonObject): ToolAnswer {
    const { tool, server } = this.#call;
    const log = (line: string): void => this.#context.log(line);
    return readResult(tool, result, { hide: server.hide, hideSecrets: server.hideSecrets, log });
  }

  #lose(reason: string): ToolAnswer {
    this.#context.log(reason);
    return { kind: "lost" };
  }

  /** When the engine stops, the task goes on, and the next process follows it; else nobody wants it any more. */
  #leave(): ToolAnswer {
    if (this.#context.signal.reason !== engineStops) void this.#cancel();
    return { kind: "lost" };
  }

  /** Nobody waits for it. A server that is away is told when it is back, if it is at the next try. */
  async #cancel(): Promise<void> {
    try {
      const connection = await this.#call.server.connected();
      await connection.request("tasks/cancel", { taskId: this.#task }, { ms: goodbyeMs });
    } catch {
      // The task goes on there for as long as the server likes.
    }
  }
}

function intervalOf(state: JsonObject): number {
  const wished = own(state, "pollIntervalMs") ?? own(state, "pollInterval");
  if (typeof wished !== "number" || Number.isNaN(wished)) return pollUsualMs;
  return Math.min(Math.max(wished, pollMinMs), pollMaxMs);
}

function failedWith(state: JsonObject, said: string, hide: (text: string) => string): ToolAnswer {
  const error = own(state, "error");
  const message = isObject(error) ? own(error, "message") : undefined;
  const text = typeof message === "string" ? hide(withoutInvisible(message)) : said;
  return failure("tool_failed", text === "" ? "The task failed without a word." : text);
}

function failure(code: string, message: string): ToolAnswer {
  return { kind: "failed", code, message: cut(message.toWellFormed(), 4096), isFinal: false };
}
