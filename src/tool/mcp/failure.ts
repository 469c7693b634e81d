// What became of a call that has no result, by the error that ended it. After a request was sent, only what the server
// itself said ends the doubt about whether it happened.

import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { cut } from "../flaws.ts";
import { messageOfThrown } from "../thrown.ts";
import type { ToolAnswer } from "../tool.ts";
import { LinkProblem, RefusedForNow } from "./link-problem.ts";
import { withoutInvisible } from "./shown-text.ts";

const messageLengthMax = 4096;
const invalidParams = -32_602;
/** Of servers and gateways that have asked somebody else, and heard nothing: SDKs count their own errors so. */
const timedOut = -32_001;
const serverError = -32_000;

/** By these the SDK refuses to send. */
const beforeSending: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.NotConnected,
  SdkErrorCode.NotInitialized,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.MethodNotSupportedByProtocolVersion,
]);

/** The server has answered, and the SDK cannot read it. */
const afterAnswer: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
]);

export type Ended = {
  readonly answer: ToolAnswer;
  /** Of what is lost: why, for whoever looks at the run. */
  readonly reason: string | null;
};

/** Whose words they are, and how what was filled in is kept out of them. */
export type Speaker = { readonly key: string; readonly hide: (text: string) => string };

/** Before anything was sent. */
export function refusedBy(error: unknown, server: Speaker): ToolAnswer {
  const isExit = error instanceof LinkProblem && error.code === "tool_server_exited";
  const answer = failed(isExit ? error.code : "tool_server_unavailable", about(server, error), false);
  return { ...answer, ...patienceOf(error) };
}

function patienceOf(error: unknown): { readonly retryAfterMs?: number } {
  const after = error instanceof RefusedForNow ? error.retryAfterMs : undefined;
  return after === undefined ? {} : { retryAfterMs: after };
}

/** Of a request that may have been sent. */
export function endedBy(error: unknown, server: Speaker): Ended {
  const problem = error instanceof ProtocolError && error.data instanceof LinkProblem ? error.data : error;
  if (problem instanceof LinkProblem) return endedByLink(problem, server);
  if (problem instanceof ProtocolError) return endedByError(problem, server);
  if (problem instanceof SdkHttpError) return endedByStatus(problem.status, server);
  if (problem instanceof SdkError) return endedBySdk(problem, server);
  // The SDK says so before it writes anything.
  if (messageOfThrown(problem) === "Not connected") return known(refusedBy(problem, server));
  return lost(about(server, problem));
}

/** New calls need a new connection, whatever the transport thinks. What a server refuses is a matter of that call. */
export function breaksConnection(error: unknown, connection: { readonly hasSession: boolean }): boolean {
  if (error instanceof LinkProblem) return error.code === "cut_off" || error.code === "tool_server_unavailable";
  return isSessionGone(error, connection);
}

/** Nothing was done: the server does not know the session. */
export function isSessionGone(error: unknown, { hasSession }: { readonly hasSession: boolean }): boolean {
  return hasSession && error instanceof SdkHttpError && error.status === 404;
}

export function isUnknownTask(error: unknown): boolean {
  if (!(error instanceof ProtocolError) || error.data instanceof LinkProblem) return false;
  return error.code === invalidParams || error.code === -32_601 || error.code === -32_002;
}

/** Of one that was brought to a task: another one might be taken. */
export function isRefusedAnswer(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === invalidParams;
}

/** It is the server's own word, and no trouble on the way to it or back: asked again it would say the same. */
export function isAnswer(error: unknown): boolean {
  const problem = error instanceof ProtocolError && error.data instanceof LinkProblem ? error.data : error;
  if (problem instanceof LinkProblem) return problem.code === "bad_result" || problem.code === "result_too_large";
  return problem instanceof ProtocolError || (problem instanceof SdkError && afterAnswer.has(problem.code));
}

/** The same, or the word of a gateway before it. */
export function isReply(error: unknown): boolean {
  return isAnswer(error) || error instanceof SdkHttpError;
}

/** Not hidden yet: they may hold what was filled in. */
export function wordsOf(error: unknown): string {
  if (error instanceof SdkHttpError) return `status ${error.status}`;
  return isAnswer(error) && error instanceof ProtocolError
    ? `error ${error.code}: ${error.message}`
    : messageOfThrown(error);
}

function endedByError({ code, message }: ProtocolError, server: Speaker): Ended {
  const said = `The server "${server.key}" answered with error ${code}: ${shown(server, message)}`;
  // It is no word about the call: it has handed it on, and does not know itself what became of it.
  if (code === timedOut && /\btimed? ?-?out\b/i.test(message)) return lost(said);
  if (code === serverError && /\bconnection closed\b/i.test(message)) return lost(said);
  return known(failed("protocol_error", said, code === invalidParams));
}

function endedByLink(problem: LinkProblem, server: Speaker): Ended {
  switch (problem.code) {
    case "tool_server_unavailable":
    case "tool_server_refused":
    case "request_refused":
    case "not_sent":
      return known(refusedBy(problem, server));
    case "tool_server_exited":
    case "cut_off":
    case "too_slow":
    case "left":
    case "in_doubt":
      return lost(about(server, problem), patienceOf(problem));
    case "bad_result":
    case "result_too_large":
      // It has happened, and would happen again.
      return known(failed(problem.code, about(server, problem), true));
  }
}

/** What a server or a gateway refuses it has not done; what they fail at they may have. */
function endedByStatus(status: number, server: Speaker): Ended {
  const said = `The server "${server.key}" answered with status ${status}.`;
  return status >= 500 ? lost(said) : known(failed("tool_server_unavailable", said, false));
}

function endedBySdk(error: SdkError, server: Speaker): Ended {
  if (beforeSending.has(error.code)) return known(refusedBy(error, server));
  if (afterAnswer.has(error.code)) return known(failed("bad_result", about(server, error), true));
  return lost(about(server, error));
}

function about(server: Speaker, error: unknown): string {
  return `The server "${server.key}": ${shown(server, messageOfThrown(error))}`;
}

/** Hidden before it is cut: a part of a value is one too. */
function shown({ hide }: Speaker, said: string): string {
  return hide(withoutInvisible(said));
}

export function failed(code: string, message: string, isFinal: boolean): Extract<ToolAnswer, { kind: "failed" }> {
  return { kind: "failed", code, message: cut(message.toWellFormed(), messageLengthMax), isFinal };
}

function known(answer: ToolAnswer): Ended {
  return { answer, reason: null };
}

function lost(reason: string, patience: { readonly retryAfterMs?: number } = {}): Ended {
  return { answer: { kind: "lost", ...patience }, reason: cut(reason.toWellFormed(), messageLengthMax) };
}
