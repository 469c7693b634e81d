// One connection to a server, from the handshake to its end. What a call means is not known here: requests go out, what
// comes back is JSON, and questions of the server find the call that they belong to.

import { AsyncLocalStorage } from "node:async_hooks";
import {
  Client,
  ProtocolError,
  RELATED_TASK_META_KEY,
  SdkHttpError,
  type ClientOptions,
  type Progress,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import { isObject, own, type JsonObject } from "../../flow/json.ts";
import { messageOfThrown } from "../thrown.ts";
import { Askers, type Asker } from "./askers.ts";
import type { Era, HttpTarget, StdioTarget, ToolDefinition } from "./contract.ts";
import type { ElicitAnswer } from "./elicitation.ts";
import { HttpTransport } from "./http-transport.ts";
import type { LinkClock } from "./link-clock.ts";
import type { CallParams, CallWay, LinkCall } from "./link-call.ts";
import { LinkProblem } from "./link-problem.ts";
import { PipeCalls } from "./pipe-calls.ts";
import { withoutInvisible } from "./shown-text.ts";
import { StdioTransport, type StdioParts } from "./stdio-transport.ts";
import { listTools, type ToolList } from "./tool-list.ts";
import type { Turnstile } from "./turnstile.ts";

/** The revision without a handshake. */
const modernVersion = "2026-07-28";
const tasksExtension = "io.modelcontextprotocol/tasks";
const storeCapability = "stepwell/store";

/** As long as a timer can wait: whoever asks says when it is enough. */
const neverMs = 2_147_483_647;

/** For so long a call that nobody waits for keeps its place: a server that heeds the cancellation never answers it. */
const leftMs = 20_000;

export type ConnectionParts = Pick<StdioParts, "clock" | "groups" | "hide" | "words" | "onStray"> & {
  readonly target: StdioTarget | HttpTarget;
  readonly era: Era | "auto";
  /** Of this program. */
  readonly version: string;
  /** In which it has to begin to speak. */
  readonly beginMs: number;
  /** It is not wanted any more. */
  readonly signal: AbortSignal;
  /** All calls of the server go through it. */
  readonly turnstile: Turnstile;
  readonly onListChanged: () => void;
  readonly onClosed: (problem: LinkProblem | null) => void;
  /** It has asked before without saying for whom: its calls take turns. */
  readonly takesTurns: boolean;
  /** It does so for the first time. */
  readonly onAsked: () => void;
};

/** Whose request it is on the stream of whose answer something comes in. */
const requesting = new AsyncLocalStorage<Asker | undefined>();

/** Whatever it is: what matters is read where it is needed. */
const anything: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": { version: 1, vendor: "stepwell", validate: (value) => ({ value: isObject(value) ? value : {} }) },
};

type AnyTransport = StdioTransport | HttpTransport;

export class Connection {
  readonly #client: Client;
  readonly #transport: AnyTransport;
  readonly #clock: LinkClock;
  readonly #hide: (text: string) => string;
  readonly #turnstile: Turnstile;
  readonly #askers: Askers;
  /** What frees the places of calls that nobody waits for, by their requests where these are known. */
  readonly #left = new Map<number | symbol, () => void>();
  /** Those calls. */
  readonly #kept = new Set<Asker>();
  /** null: calls go the way of all requests. */
  #pipe: PipeCalls<LinkCall> | null = null;
  #requests = 0;
  #latencyMs: number | null = null;
  /** What is the same for all calls. */
  readonly #way: CallWay = {
    begin: (call) => this.#askers.begin(call, this.#pipe !== null || this.era === "legacy"),
    send: (call, params, definition) => {
      if (this.#pipe !== null) return this.#pipe.send(params, call);
      this.#callThroughSdk(params, definition, call).then(
        (result) => call.done(result),
        (error: unknown) => call.failed(error),
      );
    },
    end: (call) => {
      this.#askers.end(call);
      if (!this.#kept.has(call)) this.#askers.makeRoom(call);
    },
  };
  #isRetired = false;
  #isOver = false;

  private constructor(client: Client, transport: AnyTransport, parts: ConnectionParts) {
    const { clock, hide, turnstile, takesTurns, onAsked } = parts;
    this.#client = client;
    this.#transport = transport;
    this.#clock = clock;
    this.#hide = hide;
    this.#turnstile = turnstile;
    this.#askers = new Askers({ clock, takesTurns, onAsked, turnstile });
  }

  /** Throws a `LinkProblem`; then nothing is left running. */
  static async open(parts: ConnectionParts): Promise<Connection> {
    const { target, clock, signal, beginMs } = parts;
    const unwanted = new LinkProblem("tool_server_refused", "The engine stops.");
    if (signal.aborted) throw unwanted;
    const transport = target.kind === "stdio" ? new StdioTransport({ ...parts, target }) : createHttp(target, clock);
    const client = new Client({ name: "stepwell", version: parts.version }, optionsOf(parts));
    const connection = new Connection(client, transport, parts);
    // Late answers, progress nobody waits for: of no use to anybody.
    Object.assign(client, { onerror: () => {} });
    client.setRequestHandler("elicitation/create", (request) => connection.#answer(request.params));
    const tooLong = new LinkProblem("tool_server_unavailable", `It did not answer within ${beginMs / 1000} s.`);
    const deadline = clock.after(beginMs, () => transport.kill(tooLong));
    const leave = (): void => transport.kill(unwanted);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await client.connect(transport, { timeout: neverMs });
    } catch (error) {
      const { problem } = transport;
      await transport.close();
      throw problem ?? connection.explain(error);
    } finally {
      deadline.cancel();
      signal.removeEventListener("abort", leave);
    }
    const onclose = (): void => {
      connection.#isOver = true;
      parts.onClosed(transport.problem);
      connection.#pipe?.end();
      for (const free of connection.#left.values()) free();
    };
    Object.assign(client, { onclose });
    if (connection.problem !== null && client.transport === undefined) throw connection.problem;
    if (transport instanceof StdioTransport && connection.era === "legacy") connection.#layPipe(transport);
    return connection;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get problem(): LinkProblem | null {
    return this.#transport.problem;
  }

  get era(): Era {
    return this.#client.getProtocolEra() ?? "legacy";
  }

  /** The revision that both have agreed on. */
  get protocol(): string | null {
    return this.#client.getNegotiatedProtocolVersion() ?? null;
  }

  get server(): { readonly name: string | null; readonly version: string | null } {
    const { name = null, version = null } = this.#client.getServerVersion() ?? {};
    return { name, version };
  }

  get strayLines(): number {
    return this.#transport.strayLines;
  }

  /** How long the newest answer took; of calls it is not taken, which take as long as their work. null: there was none. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  /** It is bound to a session that the server may forget. */
  get hasSession(): boolean {
    return this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined;
  }

  /** The store that it serves, if it is one of us. */
  get store(): string | null {
    const said: unknown = this.#client.getServerCapabilities()?.experimental?.[storeCapability];
    const id = isObject(said) ? own(said, "id") : undefined;
    return typeof id === "string" ? id : null;
  }

  /** 2025-11-25: it lets calls become tasks. */
  get takesTasks(): boolean {
    return this.#client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
  }

  /** Throws `not_sent` when nobody wants it any more before it was sent. */
  call(params: CallParams, definition: ToolDefinition, caller: LinkCall): Promise<JsonObject> {
    return caller.make(this.#way, params, definition);
  }

  /** Nobody waits for it, and the server may be at work on it: until it has answered, the connection ends, or a while is
   *  over. */
  #keepPlace(asker: Asker, request: number | symbol): void {
    if (!this.#turnstile.isLimited || this.#isOver) return;
    const free = (): void => {
      timer.cancel();
      this.#left.delete(request);
      this.#kept.delete(asker);
      this.#askers.makeRoom(asker);
    };
    const timer = this.#clock.after(leftMs, free);
    this.#left.set(request, free);
    this.#kept.add(asker);
  }

  #layPipe(transport: StdioTransport): void {
    const pipe = new PipeCalls<LinkCall>({
      say: (text) => transport.say(text),
      onLeft: (id, caller) => this.#keepPlace(caller, id),
      onLate: (id) => this.#left.get(id)?.(),
    });
    transport.aside = pipe;
    this.#pipe = pipe;
  }

  async #callThroughSdk(params: CallParams, definition: ToolDefinition, caller: LinkCall): Promise<JsonObject> {
    try {
      return await this.#requestCall(params, definition, caller);
    } catch (error) {
      // Which request it was the SDK does not say.
      if (caller.isLeft) this.#keepPlace(caller, Symbol("left"));
      throw error;
    }
  }

  async #requestCall(params: CallParams, definition: ToolDefinition, caller: LinkCall): Promise<JsonObject> {
    const { signal } = caller;
    const onprogress = (progress: Progress): void => caller.onprogress(progress);
    const chosen = {
      signal,
      onprogress,
      timeout: neverMs,
      allowInputRequired: true,
    };
    if (this.era === "legacy") {
      const request = { method: "tools/call", params };
      return await requesting.run(caller, () => this.#client.request(request, anything, chosen));
    }
    // By the schema of its arguments some become headers; its result is checked by ourselves.
    const { name, input } = definition;
    const toolDefinition = { name, inputSchema: { ...input, type: "object" as const } };
    return toJson(await this.#client.callTool(params, { ...chosen, toolDefinition }));
  }

  /** Anything else than a call, within a time of its own. */
  async request(
    method: string,
    params: JsonObject,
    limit: { readonly ms: number; readonly signal?: AbortSignal },
  ): Promise<JsonObject> {
    const controller = new AbortController();
    const stop = (): void => controller.abort(limit.signal?.reason);
    limit.signal?.addEventListener("abort", stop, { once: true });
    if (limit.signal?.aborted === true) stop();
    const late = new LinkProblem("too_slow", `It did not answer to ${method} within ${limit.ms / 1000} s.`);
    const timer = this.#clock.after(limit.ms, () => controller.abort(late));
    const from = this.#clock.elapsed();
    this.#requests += 1;
    try {
      const chosen = { signal: controller.signal, timeout: neverMs };
      const answer = await this.#client.request({ method, params }, anything, chosen);
      this.#latencyMs = Math.round((this.#clock.elapsed() - from) * 10) / 10;
      return answer;
    } catch (error) {
      throw controller.signal.reason === late ? late : error;
    } finally {
      timer.cancel();
      this.#requests -= 1;
      this.#closeIfUnused();
      limit.signal?.removeEventListener("abort", stop);
    }
  }

  async list(limitMs: number): Promise<ToolList> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { definitions: [], problems: [] };
    const kind = this.#transport instanceof StdioTransport ? "stdio" : "http";
    const ask = (cursor: string | null): Promise<JsonObject> =>
      this.request("tools/list", cursor === null ? {} : { cursor }, { ms: limitMs });
    return await listTools(ask, kind);
  }

  /** Until `leave`: questions may be for it. */
  listen(asker: Asker): void {
    this.#askers.listen(asker);
  }

  leave(asker: Asker): void {
    this.#askers.leave(asker);
    this.#closeIfUnused();
  }

  /** Nothing new will be asked of it. At an address each call has a stream of its own, and may end; a program is not kept
   *  beside the one that takes its place. */
  retire(): void {
    this.#isRetired = true;
    if (this.#transport instanceof StdioTransport) void this.close().catch(() => {});
    else this.#closeIfUnused();
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#transport.close();
  }

  #closeIfUnused(): void {
    if (this.#isRetired && !this.#isOver && this.#requests === 0 && this.#askers.size === 0)
      void this.close().catch(() => {});
  }

  /** What the SDK threw, in words without what was filled in. It has a cause when the server was there, and refused. */
  explain(error: unknown): LinkProblem {
    if (this.#isOver && this.problem !== null) return this.problem;
    if (error instanceof LinkProblem) return error;
    if (error instanceof ProtocolError && error.data instanceof LinkProblem) return error.data;
    if (error instanceof SdkHttpError) {
      const isDenied = error.status === 401 || error.status === 403;
      const cure = isDenied ? " Check the headers that are configured for it." : "";
      return new LinkProblem("tool_server_unavailable", `It answered with status ${error.status}.${cure}`, error);
    }
    const said = this.#hide(withoutInvisible(messageOfThrown(error))).slice(0, 500);
    return new LinkProblem("tool_server_unavailable", `It refused: ${said}`, error);
  }

  /** A server that is spoken to in the old way asks on its own; which call it is about it need not say. */
  async #answer(params: unknown): Promise<ElicitAnswer> {
    const asked = toJson(params);
    const meta = own(asked, "_meta");
    const related = isObject(meta) ? own(meta, RELATED_TASK_META_KEY) : undefined;
    const task = isObject(related) ? own(related, "taskId") : undefined;
    // Over a pipe everything comes on one stream.
    const known = task === undefined && this.#transport instanceof HttpTransport ? requesting.getStore() : undefined;
    return await unlessLeft(this.#askers.ask(asked, task, known));
  }
}

/** What nobody waits for any more is not answered: the server would take any answer for that of people. */
function unlessLeft(answering: Promise<ElicitAnswer>): Promise<ElicitAnswer> {
  return answering.catch((error: unknown) => {
    if (error instanceof LinkProblem) return new Promise<never>(() => {});
    throw error;
  });
}

function createHttp(target: HttpTarget, clock: LinkClock): HttpTransport {
  try {
    return new HttpTransport(target, clock);
  } catch {
    throw new LinkProblem("tool_server_refused", "Its address is none.");
  }
}

function optionsOf({ era, onListChanged }: ConnectionParts): ClientOptions {
  const mode = era === "modern" ? { pin: modernVersion } : era;
  return {
    capabilities: { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } },
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
  };
}

/** What the SDK gives came from a text. */
function toJson(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
