// Requests to a server, each until it is answered or the time is up. A request whose answer was lost is sent again where
// that does no harm: what is only read, and what the server carries out once under its key.

import { randomUUID } from "node:crypto";
import type { Clock } from "../engine/clock.ts";
import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import { toUrl, type Query, type ServerAddress } from "./address.ts";
import { describeAnswer, failureOfAnswer, failureOfFetch, notOurs, parseMaybe, type Failure } from "./failure.ts";

export type WireParts = {
  readonly address: ServerAddress;
  readonly token: string | undefined;
  /** How long an answer may take, and how long a server may be away. */
  readonly patienceMs: number;
  readonly clock: Clock;
};

export type Ask = {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly body?: Json;
  /** The caller's own; else each request has a new one. */
  readonly key?: string | null;
  /** `once`: twice would be something else than once, or be refused; a lost answer is told as such. */
  readonly repeat?: "once";
  /** It may take as long as it takes. */
  readonly isLong?: true;
  /** What says in words how it stands is an answer, also when it does not stand well. */
  readonly tellsStatus?: true;
};

export type Reply = {
  readonly body: Json;
  readonly text: string;
  /** Where to go on; null: there is no more. */
  readonly cursor: string | null;
  /** The same where it is a number. */
  readonly next: number | null;
};

export type StreamWish = { readonly path: string; readonly query: Query; readonly after: string | null };

const firstPauseMs = 100;
const pauseMaxMs = 5000;

export class Wire {
  readonly #parts: WireParts;
  readonly #closing = new AbortController();

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  get url(): string {
    return this.#parts.address.url;
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  get patienceMs(): number {
    return this.#parts.patienceMs;
  }

  /** Aborted when nobody wants anything any more. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  stop(): void {
    this.#closing.abort();
  }

  read(path: string, query: Query = {}): Promise<Reply> {
    return this.send({ method: "GET", path, query });
  }

  async send(ask: Ask): Promise<Reply> {
    // One key for all tries.
    const key = ask.method === "GET" ? null : checkKey(ask.key ?? randomUUID());
    return this.#persist(ask, () => this.#try(ask, key));
  }

  /** Once: whether anybody is there at all. */
  async knock(path: string): Promise<Reply> {
    const tried = await this.#try({ method: "GET", path }, null);
    if (tried.ok) return tried.reply;
    throw tried.failure.error;
  }

  /** An answer that goes on and on; `signal` ends it. */
  async open({ path, query, after }: StreamWish, signal: AbortSignal): Promise<Response> {
    const headers = { accept: "text/event-stream", ...(after === null ? {} : { "last-event-id": after }) };
    const answer = await this.#fetch(toUrl(this.#parts.address, path, query), { headers, signal });
    if (!answer.ok) throw new StreamFailure(answer.failure);
    const type = answer.response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) return answer.response;
    throw new StreamFailure({ kind: "refused", error: notOurs(this.#where, describeAnswer(answer.response)) });
  }

  /** Tries again for as long as it is worth it; what it gives up with is the last failure. */
  async #persist<Result>(ask: Ask, attempt: () => Promise<Tried<Result>>): Promise<Result> {
    const { clock, patienceMs } = this.#parts;
    let lastGood = clock.elapsed();
    for (let tries = 0; ; tries++) {
      const began = clock.elapsed();
      const tried = await attempt();
      if (tried.ok) return tried.reply;
      const { failure } = tried;
      // What may take long was listened to for longer than anybody waits for a server: only what comes now counts.
      if (ask.isLong === true && clock.elapsed() - began > patienceMs) lastGood = clock.elapsed();
      const waitMs = failure.waitMs ?? pauseAfter(tries);
      if (this.closing.aborted) throw stopped();
      if (!isRepeatable(ask, failure)) throw tellLost(failure);
      if (clock.elapsed() + waitMs - lastGood > patienceMs) throw failure.error;
      await this.pause(waitMs);
    }
  }

  /** Resolves early when everything ends. */
  async pause(delayMs: number, signal: AbortSignal = this.closing): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Whoever waits for an answer keeps the process alive.
    const alive = setInterval(() => {}, aliveMs);
    const timer = this.#parts.clock.after(delayMs, resolve);
    const wake = (): void => resolve();
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) resolve();
    await promise;
    signal.removeEventListener("abort", wake);
    timer.cancel();
    clearInterval(alive);
  }

  /** Of what breaks off while it is listened to. */
  failureOf(error: unknown): Failure {
    return failureOfFetch(error, this.#where);
  }

  async #try(ask: Ask, key: string | null): Promise<Tried<Reply>> {
    const { method, path, query, body, isLong, tellsStatus } = ask;
    const headers = {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === null ? {} : { "idempotency-key": key }),
    };
    const limit = isLong === true ? [] : [AbortSignal.timeout(this.#parts.patienceMs)];
    const answer = await this.#fetch(toUrl(this.#parts.address, path, query), {
      method,
      headers,
      signal: AbortSignal.any([this.closing, ...limit]),
      ...(tellsStatus === true ? { isAnswer: tellsHowItStands } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.ok ? this.#readReply(answer.response) : answer;
  }

  async #fetch(url: string, { headers, isAnswer = isFine, ...init }: Sent): Promise<Fetched> {
    const { token } = this.#parts;
    try {
      const response = await fetch(url, {
        ...init,
        // A token is for who was named, not for where they point to.
        redirect: "manual",
        headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      });
      if (await isAnswer(response)) return { ok: true, response };
      return { ok: false, failure: await failureOfAnswer(response, this.#where) };
    } catch (error) {
      if (this.closing.aborted) return { ok: false, failure: { kind: "refused", error: stopped() } };
      return { ok: false, failure: failureOfFetch(error, this.#where) };
    }
  }

  async #readReply(response: Response): Promise<Tried<Reply>> {
    try {
      const text = await response.text();
      const body = parseMaybe(text);
      if (body === undefined)
        return { ok: false, failure: { kind: "refused", error: notOurs(this.#where, describeAnswer(response)) } };
      const cursor = response.headers.get("x-next-cursor");
      const next = Number(cursor ?? 0);
      return { ok: true, reply: { body, text, cursor, next: next > 0 ? next : null } };
    } catch (error) {
      // It broke off.
      return { ok: false, failure: failureOfFetch(error, this.#where) };
    }
  }

  get #where(): { readonly url: string; readonly hasToken: boolean } {
    return { url: this.url, hasToken: this.#parts.token !== undefined };
  }
}

/** What a timer of the system can wait at most. */
const aliveMs = 2_147_483_647;

type Tried<Result> = { readonly ok: true; readonly reply: Result } | { readonly ok: false; readonly failure: Failure };

type Sent = Omit<RequestInit, "headers"> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly isAnswer?: (response: Response) => Promise<boolean>;
};

async function isFine({ ok }: Response): Promise<boolean> {
  return ok;
}

async function tellsHowItStands(response: Response): Promise<boolean> {
  if (response.ok) return true;
  const body = parseMaybe(await response.clone().text());
  return body !== undefined && isObject(body) && typeof own(body, "status") === "string";
}

/** A header holds no other letters. */
function checkKey(key: string): string {
  if (/^[\u0020-\u007E\u0080-\u00FF]+$/u.test(key)) return key;
  throw new StepwellError(
    "INPUT_INVALID",
    "A key has a character at least, and here none beyond those of Western Europe.",
    {
      hint: "Through a server only a start may have a key of any letters.",
    },
  );
}

type Fetched = { readonly ok: true; readonly response: Response } | { readonly ok: false; readonly failure: Failure };

/** Carries what is known of it to whoever may open the stream again. */
export class StreamFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message, { cause: failure.error });
    this.failure = failure;
  }
}

/** Longer each time, and not all clients at the same instant. */
export function pauseAfter(tries: number): number {
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** tries) * (0.75 + Math.random() / 2);
}

function isRepeatable({ repeat }: Ask, { kind }: Failure): boolean {
  return kind === "unsent" || (kind === "lost" && repeat !== "once");
}

/** Of what must not be sent twice. */
function tellLost({ kind, error }: Failure): StepwellError {
  if (kind !== "lost") return error;
  return new StepwellError(
    "OUTCOME_UNKNOWN",
    `The answer was lost, and nobody knows whether it was done: ${error.message}`,
    {
      hint: "Look how it stands, and then decide whether to ask again.",
      cause: error,
    },
  );
}

export function stopped(): StepwellError {
  return new StepwellError("ENGINE_STOPPED", "The client has been stopped.");
}
