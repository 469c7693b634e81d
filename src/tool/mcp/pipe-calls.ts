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
import { isObject, own, type JsonObject } from "../../flow/json.ts";
import { LiveMap } from "../../live-map.ts";

/** The SDK counts its own requests from 0, and has a few of them. */
const firstId = 1_000_000_000;

/** Who waits for a call. */
type PipeCaller = { readonly signal?: AbortSignal; onprogress?(progress: Progress): void };

type PipeParts<Caller> = {
  /** A promise only when it has to wait, or cannot be said. */
  readonly say: (message: JSONRPCMessage) => Promise<void> | undefined;
  /** Nobody wants the result any more, and the server has been told so of this request. */
  readonly onLeft?: (id: number, caller: Caller) => void;
  /** An answer came that nobody waits for any more. */
  readonly onLate?: (id: number) => void;
};

type Waiting<Caller> = {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
  readonly caller: Caller;
  readonly leave: () => void;
};

export class PipeCalls<Caller extends PipeCaller = PipeCaller> {
  readonly #parts: PipeParts<Caller>;
  readonly #waiting = new LiveMap<number, Waiting<Caller>>();
  #nextId = firstId;
  #isOver = false;

  constructor(parts: PipeParts<Caller>) {
    this.#parts = parts;
  }

  call(params: CallToolRequest["params"], caller: Caller): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const { signal } = caller;
      if (this.#isOver) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
      if (signal?.aborted === true) throw leftFor(signal.reason);
      const id = this.#nextId;
      this.#nextId += 1;
      const leave = (): void => this.#leave(id);
      this.#waiting.set(id, { resolve, reject, caller, leave });
      signal?.addEventListener("abort", leave, { once: true });
      const { _meta: meta } = params;
      const asked = { ...params, _meta: { ...meta, progressToken: id } };
      this.#parts
        .say({ jsonrpc: "2.0", id, method: "tools/call", params: asked })
        ?.catch((error: unknown) => this.#remove(id)?.reject(error));
    });
  }

  /** False: it is not about a call that was made here. */
  take(message: JSONRPCMessage): boolean {
    if ("method" in message) return message.method === "notifications/progress" && this.#tell(message.params);
    const { id } = message;
    if (typeof id !== "number" || id < firstId) return false;
    const waiting = this.#remove(id);
    if (waiting === undefined) this.#parts.onLate?.(id);
    if ("error" in message) {
      const { code, message: said, data } = message.error;
      waiting?.reject(ProtocolError.fromError(code, said, data));
    } else waiting?.resolve(completed(message.result));
    return true;
  }

  /** The connection is over: of what was sent nobody knows what became. */
  end(): void {
    this.#isOver = true;
    const error = new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
    for (const id of this.#waiting.keys()) this.#remove(id)?.reject(error);
  }

  #remove(id: number): Waiting<Caller> | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    waiting.caller.signal?.removeEventListener("abort", waiting.leave);
    return waiting;
  }

  /** Nobody wants the result any more; the server is told. */
  #leave(requestId: number): void {
    const waiting = this.#remove(requestId);
    const reason: unknown = waiting?.caller.signal?.reason;
    const params = { requestId, reason: String(reason) };
    this.#parts.say({ jsonrpc: "2.0", method: "notifications/cancelled", params })?.catch(() => {});
    if (waiting === undefined) return;
    this.#parts.onLeft?.(requestId, waiting.caller);
    waiting.reject(leftFor(reason));
  }

  #tell(params: unknown): boolean {
    const token = isObject(params) ? own(params, "progressToken") : undefined;
    if (!isObject(params) || typeof token !== "number" || token < firstId) return false;
    const progress = own(params, "progress");
    const total = own(params, "total");
    const message = own(params, "message");
    const caller = this.#waiting.get(token)?.caller;
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

/** In this way of speaking results have no types; one that has some all the same is taken for what else it is. */
function completed(result: unknown): JsonObject {
  if (!isObject(result)) return {};
  if (!Object.hasOwn(result, "resultType")) return result;
  const { resultType: _type, ...rest } = result;
  return rest;
}

function leftFor(reason: unknown): SdkError {
  return reason instanceof SdkError ? reason : new SdkError(SdkErrorCode.RequestTimeout, String(reason));
}
