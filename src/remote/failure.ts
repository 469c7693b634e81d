// What goes wrong between a client and its server, in the words in which it would be told of a file. Whether it is worth
// asking again depends on whether the request can have been carried out.

import { errorCodes, StepwellError, type ErrorCode } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";

/** `unsent`: nobody has seen the request. `lost`: it may have been carried out, and the answer is missing. `refused`: it
 *  was answered, and asking again changes nothing. */
export type Failure = {
  readonly kind: "unsent" | "lost" | "refused";
  readonly error: StepwellError;
  /** Said by the server. */
  readonly waitMs?: number;
};

/** The server, as people know it. */
export type Where = { readonly url: string; readonly hasToken: boolean };

/** Nobody was there to be asked; a moment later somebody may be. */
const unsentCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const lostCodes: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Of what `fetch` throws: its reason is one level below. */
export function failureOfFetch(error: unknown, { url }: Where): Failure {
  const { code, message, cause } = reasonOf(error);
  const told = new StepwellError("SERVER_UNREACHABLE", `${url} does not answer: ${message}.`, {
    hint: "Is it running, and is the URL right? stepwell doctor --url looks.",
    ...(cause === undefined ? {} : { cause }),
  });
  if (unsentCodes.has(code)) return { kind: "unsent", error: told };
  return { kind: lostCodes.has(code) || isTimeout(error) ? "lost" : "refused", error: told };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

type Reason = { readonly code: unknown; readonly message: string; readonly cause?: Error };

function reasonOf(error: unknown): Reason {
  if (!(error instanceof Error)) return { code: undefined, message: "it broke off" };
  if (isTimeout(error)) return { code: undefined, message: "nothing came in time", cause: error };
  const reason = error.cause instanceof Error ? error.cause : error;
  const code = "code" in reason ? reason.code : undefined;
  // Not of the network: it may say what was to be sent, and with it the token.
  if (code === undefined && reason instanceof TypeError) return { code, message: "the request cannot be sent" };
  return { code, message: reason.message === "" ? String(code) : reason.message, cause: error };
}

/** Of an answer that says no. */
export async function failureOfAnswer(response: Response, where: Where): Promise<Failure> {
  const text = await response.text().catch(() => "");
  const problem = parseMaybe(text);
  const code = isObject(problem) ? own(problem, "code") : undefined;
  if (typeof code !== "string" || !isObject(problem)) return failureOfStranger(response, where);
  const error = toError(problem, code, where);
  const waitMs = readWait(response);
  const wait = waitMs === undefined ? {} : { waitMs };
  if (error.code === "TOO_MANY_REQUESTS") return { kind: "unsent", error, ...wait };
  return passing.has(error.code) ? { kind: "lost", error, ...wait } : { kind: "refused", error };
}

/** A moment later it may be otherwise. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ENGINE_STOPPED", "OVERLOADED", "OUTCOME_UNKNOWN"]);

/** Something else stands there, or in between. */
function failureOfStranger(response: Response, where: Where): Failure {
  const { status } = response;
  // A proxy whose server is away for a while.
  if (status >= 502 && status <= 504) {
    const message = `${where.url} answers with status ${status}: nothing works behind it.`;
    return { kind: "lost", error: new StepwellError("SERVER_UNREACHABLE", message) };
  }
  return { kind: "refused", error: notOurs(where, describeAnswer(response)) };
}

export function describeAnswer({ status, headers }: Response): string {
  if (status >= 300 && status < 400) return `it points to ${headers.get("location")?.slice(0, 200) ?? "another place"}`;
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "nothing";
  return `status ${status}, ${type}`;
}

export function notOurs({ url }: Pick<Where, "url">, what: string): StepwellError {
  return new StepwellError("SERVER_UNUSABLE", `${url} answers, but not as Stepwell does (${what}).`, {
    hint: "Is the URL right, with the path below which it is mounted?",
  });
}

type Problem = { readonly [name: string]: Json };

function toError(problem: Problem, code: string, { url, hasToken }: Where): StepwellError {
  const message = textIn(problem, "detail") ?? "No reason was given.";
  if (!isCode(code)) return new StepwellError("SERVER_UNUSABLE", `${url} failed: ${message}`);
  const details = own(problem, "details");
  const hint =
    code === "NOT_LOGGED_IN" && !hasToken
      ? "Give a token: --token, STEPWELL_TOKEN or connect({ url, token }); stepwell token create makes one."
      : textIn(problem, "hint");
  return new StepwellError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details !== undefined && isObject(details) ? { details } : {}),
  });
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

function textIn(problem: Problem, name: string): string | undefined {
  const value = own(problem, name);
  return typeof value === "string" ? value : undefined;
}

/** undefined: it is no JSON. */
export function parseMaybe(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function readWait({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** For what only the process with the store can do. */
export function notThere(what: string): StepwellError {
  return new StepwellError(
    "USAGE",
    `${what} cannot be done through a server; do it on the machine where the store is.`,
  );
}
