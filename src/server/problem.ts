// How the service says that something went wrong: a problem of RFC 9457 with a code from docs/errors.md, the same that
// the library throws and the command line prints.

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Door } from "./door.ts";
import { errorCodes, StepwellError } from "../error.ts";

export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly details?: object;
  /** Of the request that it answers. */
  readonly request_id?: string;
};

/** What is meant by each status, in a word or two. */
const titles: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Not logged in",
  403: "Not allowed",
  404: "Not found",
  405: "Not done here",
  409: "Conflict",
  410: "Gone",
  413: "Too large",
  415: "Not JSON",
  422: "Not understood",
  429: "Too many requests",
  500: "Unexpected",
  503: "Not available",
  504: "Timed out",
  507: "No room left",
};

/** Seconds after which it may be worth trying again. */
const retryAfter: Readonly<Record<number, string>> = { 429: "1", 503: "1" };

export function toProblem(error: unknown): Problem {
  if (!(error instanceof StepwellError)) {
    // What it says may be about things that are nobody's business; the log has it.
    const detail = "Something went wrong that nobody has foreseen; the log of the service says what.";
    return { type: "about:blank", title: "Unexpected", status: 500, code: "UNEXPECTED", detail };
  }
  const { code, message, hint, details } = error;
  const { status } = errorCodes[code];
  return {
    type: `/docs/errors#${code.toLowerCase()}`,
    title: titles[status] ?? "Failed",
    status,
    code,
    detail: message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  };
}

export function answerProblem(context: Context<Door>, error: unknown): Response {
  const problem = { ...toProblem(error), request_id: context.get("requestId") };
  const after = secondsIn(problem.details) ?? retryAfter[problem.status];
  if (after !== undefined) context.header("retry-after", after);
  return context.json(problem, problem.status as ContentfulStatusCode, { "content-type": "application/problem+json" });
}

function secondsIn(details: object | undefined): string | undefined {
  return details !== undefined && "retry_after_seconds" in details ? String(details.retry_after_seconds) : undefined;
}
