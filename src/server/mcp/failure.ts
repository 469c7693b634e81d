// What went wrong, in the two ways that MCP has for it: an answer that says so, for what the engine refuses and a model
// can mend; an error of the protocol for what was never a call.

import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import { errorCodes, StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { depthLimit } from "../../flow/source/limits.ts";
import { isTooDeep } from "../../flow/source/value.ts";
import type { Mismatch } from "./header-match.ts";
import { text } from "./run-answer.ts";

/** Of a tool that was called, and could not do it. */
export function toFailedResult(error: StepwellError): CallToolResult {
  const { code, message, hint, details } = error;
  const told = {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  };
  return {
    isError: true,
    content: [text(`${code}: ${message}${hint === undefined ? "" : `\n${hint}`}`)],
    structuredContent: { run_id: null, status: "refused", terminal_kind: null, error: told },
  };
}

/** Of all that is no call of a tool. What is not there, and what is another's, is answered alike. */
export function toProtocolError(error: unknown, onProblem: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof StepwellError)) {
    onProblem(error);
    // What it says may be about things that are nobody's business; the log has it.
    return new ProtocolError(
      ProtocolErrorCode.InternalError,
      "Something went wrong that nobody has foreseen; the log of the service says what.",
    );
  }
  const { code, message, hint } = error;
  const { status } = errorCodes[code];
  const isAboutParams = status === 404 || status === 422 || status === 400;
  const data = { code, ...(hint === undefined ? {} : { hint }) };
  return new ProtocolError(isAboutParams ? ProtocolErrorCode.InvalidParams : status, message, data);
}

/** So deep maps and lists may stand within each other: a flow, and what it stands in. */
const depthMax = depthLimit + 16;

/** Before anything walks through it: what is deeper would take more stack than there is. */
export function refuseDeep(given: Json): void {
  if (!isTooDeep(given, depthMax)) return;
  const message = `Maps and lists stand more than ${depthMax} levels deep within each other; flatten them.`;
  throw badParams(message, { code: "INPUT_INVALID" });
}

/** What was sent does not fit. */
export function badParams(message: string, data: object = {}): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** Of 2026-07-28; the SDK has no name for it. */
const headerMismatchCode = -32020;

/** What stands in the headers of a request is not what it asks. */
export class HeaderMismatch extends ProtocolError {
  constructor({ header, reason }: Mismatch) {
    const message = `The header ${header} does not fit: ${reason}. tools/list says which arguments are repeated in headers.`;
    super(headerMismatchCode, message, { mismatch: { header, body: reason } });
  }
}

/** Under which the tasks extension is declared by both sides. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

export function missingTasks(): ProtocolError {
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    `The client has not declared the extension ${tasksExtension}.`,
  );
}
