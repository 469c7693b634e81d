// `fetch` towards a server that nobody here knows: a message may have so many bytes and no more, what cannot be reached is
// told apart from what was cut off, and whoever asks for patience is told so.

import type { FetchLike } from "@modelcontextprotocol/client";
import { LinkProblem, RefusedForNow } from "./link-problem.ts";
import { messageBytesMax } from "./wire.ts";

const newline = 10;
const carriageReturn = 13;

export function createCappedFetch(onProblem: Tell): FetchLike {
  const fail = (problem: LinkProblem): never => {
    onProblem(problem);
    throw problem;
  };
  return async (url, init) => {
    let response: Response;
    try {
      response = await fetch(url, patient(init));
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      return fail(problemOf(error));
    }
    if (response.status === 429 || response.status === 503) {
      await response.body?.cancel();
      return fail(refusalOf(response));
    }
    return capped(response, onProblem);
  };
}

const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

type Dispatch = (options: object, handler: unknown) => boolean;

/** By itself `fetch` gives up after five minutes without a byte; how long a call may take, its step says. Whoever has
 *  set a way out for this process (a proxy, say) keeps it: it is only told to wait. Where there is none to be found,
 *  the five minutes stay. */
function patient(init: RequestInit | undefined): RequestInit | undefined {
  const usual: unknown = Reflect.get(globalThis, dispatcherKey);
  if (!isDispatcher(usual)) return init;
  const dispatch: Dispatch = (options, handler) =>
    usual.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return Object.assign({}, init, { dispatcher: { dispatch } });
}

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";
}

function refusalOf(response: Response): RefusedForNow {
  const asked = response.headers.get("retry-after");
  // Seconds or a date; anything else is not repeated.
  const isPlain = asked !== null && /^[\w ,:]{1,40}$/.test(asked);
  const until = isPlain ? ` It asks to wait: ${asked}${/^\d+$/.test(asked) ? " s" : ""}.` : "";
  const isRefused = response.status === 429;
  const reason = isRefused ? "too many requests" : "not available";
  const said = `It answered with status ${response.status} (${reason}).${until}`;
  const delayMs = isPlain ? delayIn(asked) : undefined;
  return new RefusedForNow(isRefused ? "request_refused" : "in_doubt", said, delayMs);
}

/** undefined: it says nothing that could be waited for. */
function delayIn(asked: string): number | undefined {
  const delayMs = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined;
}

/** Nothing was sent: nobody was there, or nobody to trust. */
const beforeSending =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT|ERR_TLS|ERR_SSL|CERT_|UNABLE_|DEPTH_ZERO|SELF_SIGNED|ERR_INVALID_URL)/;

/** The message of such an error may hold the address, and that a secret; its code does not. */
function problemOf(error: unknown): LinkProblem {
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  const shown = code === undefined ? "" : ` (${code})`;
  if (code !== undefined && beforeSending.test(code)) {
    return new LinkProblem("tool_server_unavailable", `It cannot be reached${shown}.`);
  }
  return new LinkProblem("cut_off", `The connection to it was cut off${shown}.`);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

type Tell = (problem: LinkProblem) => void;

function capped(response: Response, tell: Tell): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
  const body = response.body.pipeThrough(isStream ? countEvents(tell) : countAll(tell));
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function countAll(tell: Tell): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.length;
      if (total > messageBytesMax) return controller.error(tooLarge(tell));
      controller.enqueue(chunk);
    },
  });
}

/** Since the last empty line, which ends an event: a stream may go on for as long as it likes. */
function countEvents(tell: Tell): TransformStream<Uint8Array, Uint8Array> {
  let since = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        since += 1;
        if (byte === newline) {
          if (isLineEmpty) since = 0;
          isLineEmpty = true;
        } else if (byte !== carriageReturn) isLineEmpty = false;
      }
      if (since > messageBytesMax) return controller.error(tooLarge(tell));
      controller.enqueue(chunk);
    },
  });
}

function tooLarge(tell: Tell): LinkProblem {
  const problem = new LinkProblem("result_too_large", `It answered with more than ${messageBytesMax} bytes.`);
  tell(problem);
  return problem;
}
