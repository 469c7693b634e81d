// Messages as they come from a server: only what has the shape of one gets through, nested no deeper than anything here
// can walk; a handle of a task is shown in a form that the SDK lets pass.

import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { isObject, own } from "../../flow/json.ts";
import { answerInstead, LinkProblem } from "./link-problem.ts";
import { valuesMax } from "./value-count.ts";

/** Of one message, on any transport. */
export const messageBytesMax: number = 10 * 1024 * 1024;

/** Far above what a result may have, and far below what makes a recursive walk fail. */
const depthMax = 1000;

export type Incoming =
  | { readonly kind: "response"; readonly id: RequestId; readonly message: JSONRPCMessage }
  | { readonly kind: "request"; readonly message: JSONRPCMessage }
  | { readonly kind: "notification"; readonly method: string; readonly message: JSONRPCMessage };

/** undefined: it is no message. */
export function readMessage(value: unknown): Incoming | undefined {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method } = value;
  const message = value as unknown as JSONRPCMessage;
  const isNamed = typeof id === "string" || typeof id === "number";
  if (typeof method === "string") {
    if (isNamed) return { kind: "request", message };
    return id === undefined ? { kind: "notification", method, message } : undefined;
  }
  if (!isNamed || !hasOutcome(value)) return undefined;
  return { kind: "response", id, message };
}

function hasOutcome(value: { readonly [key: string]: unknown }): boolean {
  const { result, error } = value;
  if (isObject(result)) return error === undefined;
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}

/** The message, or what stands in its place when nobody could walk it; undefined: it is left out. */
export function admit(incoming: Incoming, textLength: number): JSONRPCMessage | undefined {
  // Each level takes two signs.
  const isFlat = textLength < depthMax * 2 || !isTooDeep(incoming.message);
  if (incoming.kind !== "response") return isFlat ? incoming.message : undefined;
  if (isFlat) return showTask(incoming.message);
  const said = `It answered with what is nested more than ${depthMax} levels deep.`;
  return answerInstead(incoming.id, new LinkProblem("bad_result", said));
}

/** It goes no further down than `depthMax`, and keeps nothing: there may be half a million values in it. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > depthMax) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) if (isTooDeep(member, depth + 1)) return true;
  return false;
}

/** Why an answer is not read. */
export function tooLarge(reason: "bytes" | "values"): LinkProblem {
  const most = reason === "bytes" ? `${messageBytesMax} bytes` : `${valuesMax} values`;
  return new LinkProblem("result_too_large", `It answered with more than ${most}.`);
}

/** Where a handle stands after `showTask`. */
export const taskHandleKey = "stepwell/task-handle";

/** The SDK refuses the result type `task` and what has no content. So a handle becomes a result that it knows. Whoever
 *  writes the same by hand has answered with a handle as well. */
function showTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { result } = message;
  const legacy: unknown = result["task"];
  const handle = result["resultType"] === "task" ? result : legacy;
  // The answer to `tasks/get` is a task too, but has neither mark.
  if (!isObject(handle) || typeof own(handle, "taskId") !== "string") return message;
  const shown = { resultType: "complete", content: [], isError: true, _meta: { [taskHandleKey]: handle } };
  return { ...message, result: shown };
}
