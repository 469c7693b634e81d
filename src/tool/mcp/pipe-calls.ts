// Calls of tools over a pipe, in the way of speaking that has a handshake. They do not go through the SDK, as everything
// else does: its general path takes as long as all else that is done for a call (docs/decisions/0026). What it would say of their
// ends is said here in the same words, so that nobody needs to know which way a call has gone.

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type CallToolRequest,
  type JSONRPCMessage,
  type Progress,
} from "@modelcontextprotocol/client";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { LiveMap, LiveSet } from "../../live-map.ts";

/** The SDK counts its own requests from 0, and has a few of them. */
const firstId = 1_000_000_000;
const leftMax = 10_000;

/** Who waits for a call. */
export interface PipeCaller {
  /** Nobody wants the result any more. */
  readonly isLeft?: boolean;
  /** Why. */
  readonly leftFor?: unknown;
  /** The request that has no answer yet, which is to be left when nobody wants it any more; set here. */
  request?: { readonly id: number; readonly pipe: { leave(id: number): void } } | null;
  onprogress?(progress: Progress): void;
  /** In the very moment in which the answer is read. */
  done(result: JsonObject): void;
  failed(error: unknown): void;
}

/** What is called, with what goes with it. */
export type PipeParams = CallToolRequest["params"] & {
  readonly _meta: { readonly [key: string]: Json };
  /** 2025-11-25: it may become a task. */
  readonly task?: { readonly ttl?: number };
};

type PipeParts<Caller> = {
  /** The text of a message. A promise only when it has to wait, or cannot be said. */
  readonly say: (text: string) => Promise<void> | undefined;
  /** Nobody wants the result any more, and the server has been told so of this request. */
  readonly onLeft?: (id: number, caller: Caller) => void;
  /** An answer came that nobody waits for any more. */
  readonly onLate?: (id: number) => void;
};

/** A class for the same reason as `Waiting` of the line in front. */
class Request {
  readonly id: number;
  readonly pipe: { leave(id: number): void };

  constructor(id: number, pipe: { leave(id: number): void }) {
    this.id = id;
    this.pipe = pipe;
  }
}

export class PipeCalls<Caller extends PipeCaller = PipeCaller> {
  readonly #parts: PipeParts<Caller>;
  readonly #waiting = new LiveMap<number, Caller>();
  /** Nobody waits for their answers any more. */
  readonly #left = new LiveSet<number>();
  #nextId = firstId;
  #isOver = false;

  constructor(parts: PipeParts<Caller>) {
    this.#parts = parts;
  }

  /** Throws when it cannot be sent at all. */
  send(params: PipeParams, caller: Caller): void {
    if (this.#isOver) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    if (caller.isLeft === true) throw toLeft(caller.leftFor);
    const id = this.#nextId;
    this.#nextId += 1;
    const text = textOf(id, params);
    this.#waiting.set(id, caller);
    caller.request = new Request(id, this);
    this.#parts.say(text)?.catch((error: unknown) => this.#remove(id)?.failed(error));
  }

  /** Those that have no answer, whether anybody waits for it or not. */
  get pending(): readonly number[] {
    return [...this.#waiting.keys(), ...this.#left];
  }

  take(message: JSONRPCMessage): "taken" | "stray" | "for_others" {
    if ("method" in message) {
      const isProgress = message.method === "notifications/progress" && this.#tell(message.params);
      return isProgress ? "taken" : "for_others";
    }
    const { id } = message;
    if (typeof id !== "number" || id < firstId) return "for_others";
    const caller = this.#remove(id);
    if (caller === undefined) return this.#takeLate(id);
    if ("error" in message) {
      const { code, message: said, data } = message.error;
      caller.failed(ProtocolError.fromError(code, said, data));
    } else caller.done(completed(message.result));
    return "taken";
  }

  /** Once, of what was left. */
  #takeLate(id: number): "taken" | "stray" {
    if (!this.#left.delete(id)) return "stray";
    this.#parts.onLate?.(id);
    return "taken";
  }

  /** The connection is over: of what was sent nobody knows what became. */
  end(): void {
    this.#isOver = true;
    const error = new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
    for (const id of this.#waiting.keys()) this.#remove(id)?.failed(error);
  }

  #remove(id: number): Caller | undefined {
    const caller = this.#waiting.get(id);
    if (caller === undefined) return undefined;
    this.#waiting.delete(id);
    caller.request = null;
    return caller;
  }

  /** Nobody wants the result any more; the server is told. */
  leave(requestId: number): void {
    const caller = this.#remove(requestId);
    if (caller === undefined) return;
    const { leftFor: reason } = caller;
    const params = { requestId, reason: String(reason) };
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    this.#parts.say(JSON.stringify(message))?.catch(() => {});
    this.#noteLeft(requestId);
    this.#parts.onLeft?.(requestId, caller);
    // Not at once: it would make room for another one that is left in the same breath.
    queueMicrotask(() => caller.failed(toLeft(reason)));
  }

  /** Servers that heed a cancellation never answer: the oldest are forgotten. */
  #noteLeft(id: number): void {
    const [oldest] = this.#left.size < leftMax ? [] : this.#left;
    if (oldest !== undefined) this.#left.delete(oldest);
    this.#left.add(id);
  }

  #tell(params: unknown): boolean {
    const token = isObject(params) ? own(params, "progressToken") : undefined;
    if (!isObject(params) || typeof token !== "number" || token < firstId) return false;
    const progress = own(params, "progress");
    const total = own(params, "total");
    const message = own(params, "message");
    const caller = this.#waiting.get(token);
    if (caller === undefined || typeof progress !== "number") return true;
    try {
      caller.onprogress?.({
        progress,
        ...(typeof total === "number" ? { total } : {}),
        ...(typeof message === "string" ? { message } : {}),
      });
    } catch {
      // Whoever listens to progress ends neither the call nor the connection by it.
    }
    return true;
  }
}

/** Put together by hand: to make one object of all of it and then its text takes half as long again. */
function textOf(id: number, { name, arguments: args, task, _meta: meta }: PipeParams): string {
  const head = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(name)}`;
  const wish = task === undefined ? "" : `,"task":${JSON.stringify(task)}`;
  const said = JSON.stringify(meta).slice(1, -1);
  const token = `"progressToken":${id}${said === "" ? "" : ","}`;
  return `${head},"arguments":${JSON.stringify(args ?? {})}${wish},"_meta":{${token}${said}}}}`;
}

/** In this way of speaking results have no types; one that has some all the same is taken for what else it is. */
function completed(result: unknown): JsonObject {
  if (!isObject(result)) return {};
  if (!Object.hasOwn(result, "resultType")) return result;
  const { resultType: _type, ...rest } = result;
  return rest;
}

function toLeft(reason: unknown): SdkError {
  return reason instanceof SdkError ? reason : new SdkError(SdkErrorCode.RequestTimeout, String(reason));
}
