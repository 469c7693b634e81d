// Why a server cannot be used, or what became of a request: found on this side of the wire, so that nothing a server says
// can be taken for it.

import type { JSONRPCErrorResponse, RequestId } from "@modelcontextprotocol/client";

export type LinkCode =
  /** It cannot be started or reached, or it refused; nothing was asked of it. */
  | "tool_server_unavailable"
  /** It refused this request, and did nothing; the connection is as good as before. */
  | "request_refused"
  /** A gateway answers so also after it has handed the request on: nobody knows what became of it. The connection is as
   *  good as before. */
  | "in_doubt"
  /** On this side nobody waits for it any more. */
  | "left"
  /** The same, before it was sent. */
  | "not_sent"
  /** Its program has ended. */
  | "tool_server_exited"
  /** It is not to be used: the configuration is incomplete, or it is ourselves. */
  | "tool_server_refused"
  /** The request was sent; nobody knows what became of it. */
  | "cut_off"
  /** The same; the connection is still there, and others may be using it. */
  | "too_slow"
  /** It has answered, with what cannot be read. */
  | "bad_result"
  | "result_too_large";

export class LinkProblem extends Error {
  override readonly name: string = "LinkProblem";
  readonly code: LinkCode;

  constructor(code: LinkCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** The server, or a gateway before it, wants to be left alone for now. */
export class RefusedForNow extends LinkProblem {
  /** For so long it wants to be left alone; undefined: it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: Extract<LinkCode, "request_refused" | "in_doubt">,
    message: string,
    retryAfterMs: number | undefined,
  ) {
    super(code, message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** An answer in the server's place. The problem itself is its `data`: what comes from a server is never an object of this
 *  class. */
export function answerInstead(id: RequestId, problem: LinkProblem): JSONRPCErrorResponse {
  return { jsonrpc: "2.0", id, error: { code: -32_000, message: problem.message, data: problem } };
}

/** The handshake was understood, and refused. */
export function refusesEra(error: unknown): boolean {
  return error instanceof LinkProblem && error.code === "tool_server_unavailable" && error.cause !== undefined;
}
