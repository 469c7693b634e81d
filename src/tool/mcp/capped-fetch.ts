// `fetch` towards a server that nobody here knows: a message may have so many bytes and values and no more, what cannot be
// reached is told apart from what was cut off, and whoever asks for patience is told so.

import type { FetchLike } from "@modelcontextprotocol/client";
import { LinkProblem, RefusedForNow } from "./link-problem.ts";
import { ValueCount } from "./value-count.ts";
import { messageBytesMax, tooLarge } from "./wire.ts";

const newline = 10;
const carriageReturn = 13;
/** Of a stream, at once: it may hold a hundred messages, and each of them takes the SDK some forty microseconds. */
export const pieceBytes: number = 16 * 1024;
export type FetchParts = {
  /** It cannot be reached, was cut off, or refuses. */
  readonly onProblem: Tell;
  /** Of each request. */
  readonly watch: (init: RequestInit | undefined) => Watch;
};

type Watch = {
  /** Its answer, or a message on its stream. */
  readonly onTooLarge: Tell;
  /** After each piece of a stream. */
  readonly rest: (bytes: number) => Promise<void> | undefined;
};

export function createCappedFetch({ onProblem, watch }: FetchParts): FetchLike {
  const fail = (problem: LinkProblem): never => {
    onProblem(problem);
    throw problem;
  };
  return async (url, init) => {
    const watching = watch(init);
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
    return capped(response, watching);
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

function capped(response: Response, watch: Watch): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
  const body = response.body.pipeThrough(isStream ? countEvents(watch) : countAll(watch));
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

type Cap = TransformStream<Uint8Array, Uint8Array>;

function countAll({ onTooLarge }: Watch): Cap {
  let total = 0;
  const values = new ValueCount();
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.length;
      values.add(chunk);
      if (total > messageBytesMax) return refuse(controller, onTooLarge, "bytes");
      if (values.isTooMany) return refuse(controller, onTooLarge, "values");
      controller.enqueue(chunk);
    },
  });
}

/** Since the last empty line, which ends an event: a stream may go on for as long as it likes. */
function countEvents({ onTooLarge, rest }: Watch): Cap {
  const event = new EventCount();
  return new TransformStream({
    async transform(chunk, controller) {
      for (let from = 0; from < chunk.length; from += pieceBytes) {
        const piece = chunk.subarray(from, from + pieceBytes);
        const excess = event.add(piece);
        if (excess !== null) return refuse(controller, onTooLarge, excess);
        controller.enqueue(piece);
        await rest(piece.length);
      }
    },
  });
}

class EventCount {
  readonly #values = new ValueCount();
  #bytes = 0;
  #isLineEmpty = true;

  /** What an event in it has too much of. */
  add(chunk: Uint8Array): Excess | null {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== newline && byte !== carriageReturn) continue;
      this.#addTo(chunk.subarray(from, at + 1), at - from);
      from = at + 1;
      this.#values.endLine();
      if (byte === carriageReturn) continue;
      const excess = this.#isLineEmpty ? this.#excess() : null;
      if (excess !== null) return excess;
      if (this.#isLineEmpty) this.#restart();
      this.#isLineEmpty = true;
    }
    this.#addTo(chunk.subarray(from), chunk.length - from);
    return this.#excess();
  }

  #addTo(bytes: Uint8Array, length: number): void {
    if (length > 0) this.#isLineEmpty = false;
    this.#bytes += bytes.length;
    this.#values.add(bytes);
  }

  #excess(): Excess | null {
    if (this.#bytes > messageBytesMax) return "bytes";
    return this.#values.isTooMany ? "values" : null;
  }

  #restart(): void {
    this.#bytes = 0;
    this.#values.restart();
  }
}

type Excess = "bytes" | "values";

function refuse(controller: TransformStreamDefaultController<Uint8Array>, tell: Tell, excess: Excess): void {
  const problem = tooLarge(excess);
  tell(problem);
  controller.error(problem);
}
