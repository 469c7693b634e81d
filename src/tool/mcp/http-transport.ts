// A server at an address: the SDK's Streamable HTTP transport, with limits on what comes in, and with an end for requests
// whose stream has ended without an answer: the SDK would wait for them for ever. What a server may send unasked is
// limited as over a pipe; whoever sends more on the stream of an answer loses that stream, and its call is in doubt.

import { AsyncLocalStorage } from "node:async_hooks";
import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { createCappedFetch, pieceBytes, type FetchParts } from "./capped-fetch.ts";
import type { HttpTarget } from "./contract.ts";
import { pause, within, type LinkClock } from "./link-clock.ts";
import { answerInstead, LinkProblem } from "./link-problem.ts";
import { RateCap, unaskedMax } from "./rate-cap.ts";
import { admit, readMessage, type Incoming } from "./wire.ts";

/** For saying goodbye. */
const goodbyeMs = 1000;
/** Requests of the server on the stream of one answer that have none yet: each of them is a request of ours. */
const openMax = 100;
/** The same on the stream that belongs to no answer, where all calls may ask: more than people are asked at once, and so few
 *  that as many requests of ours do not fill the memory. */
const openInCommonMax = 250;

/** Of a flood a quarter of a megabyte is read a second, twice what is let through of the smallest messages: what the SDK
 *  makes of each of them is a hundred times its length, and would fill the heap before anybody tidies it up. */
const floodBytesPerMs = 250;

/** Where messages come in: the stream of an answer, or the one that the server has for itself. */
type Stream = {
  /** Of the request that is answered on it; null: it is of none. */
  readonly id: RequestId | null;
  readonly stop: AbortController;
  /** Requests of the server that have no answer yet. */
  open: number;
};

function createStream(id: RequestId | null): Stream {
  return { id, stop: new AbortController(), open: 0 };
}

/** On which one something comes in, and to which one an answer belongs. */
const streams = new AsyncLocalStorage<Stream>();

export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly hasPerRequestStream: boolean = true;
  readonly strayLines: number = 0;
  readonly #inner: StreamableHTTPClientTransport;
  /** The same, as the contract has it. */
  readonly #wire: Transport;
  readonly #clock: LinkClock;
  readonly #pending = new Map<RequestId, Stream>();
  readonly #common = createStream(null);
  readonly #cap: RateCap;
  #droppedBefore = 0;
  #problem: LinkProblem | null = null;
  #isOver = false;

  constructor({ url, headers }: HttpTarget, clock: LinkClock) {
    this.#clock = clock;
    this.#cap = new RateCap(unaskedMax, clock);
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: createCappedFetch({
        onProblem: (problem) => void (this.#problem = problem),
        watch: (init) => this.#watch(init),
      }),
    });
    this.#wire = this.#inner;
    Object.assign(this.#inner, {
      onmessage: (message: JSONRPCMessage) => this.#take(message),
      onerror: (error: Error) => this.onerror?.(error),
      onclose: () => this.#end(),
    });
  }

  /** The last trouble with reaching it. */
  get problem(): LinkProblem | null {
    return this.#problem;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#isOver) throw this.#problem ?? new LinkProblem("tool_server_unavailable", "The connection is closed.");
    if (!("method" in message)) return await this.#reply(message, options);
    if (!("id" in message)) return await this.#notify(message, options);
    const { id } = message;
    const stream = createStream(id);
    this.#pending.set(id, stream);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      this.#fail(stream, new LinkProblem("cut_off", "The stream of its answer has ended without one."));
    };
    const leave = (): void => void this.#leave(stream);
    options.requestSignal?.addEventListener("abort", leave, { once: true });
    if (options.requestSignal?.aborted === true) leave();
    const requestSignal = stream.stop.signal;
    try {
      await streams.run(stream, () => this.#wire.send(message, { ...options, requestSignal, onRequestStreamEnd }));
    } catch (error) {
      this.#settle(id);
      throw error;
    }
  }

  async #reply(message: JSONRPCMessage, options: TransportSendOptions): Promise<void> {
    const stream = streams.getStore() ?? this.#common;
    try {
      await streams.run(this.#common, () => this.#wire.send(message, options));
    } finally {
      stream.open = Math.max(0, stream.open - 1);
    }
  }

  async #notify(message: JSONRPCNotification, options: TransportSendOptions): Promise<void> {
    const left = message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    const stream = typeof left === "number" || typeof left === "string" ? this.#pending.get(left) : undefined;
    // What else is said to a request that is not wanted any more is not read.
    if (stream !== undefined) this.#leave(stream);
    await streams.run(this.#common, () => this.#wire.send(message, options));
  }

  async close(): Promise<void> {
    const { sessionId } = this.#inner;
    this.#end();
    if (sessionId !== undefined) {
      // Best effort: it may be gone, or not know what a session is.
      const said = this.#inner.terminateSession().catch(() => {});
      await within(this.#clock, goodbyeMs, said);
    }
    await this.#inner.close();
  }

  kill(problem: LinkProblem): void {
    this.#problem = problem;
    this.#end();
    void this.#inner.close();
  }

  #take(message: JSONRPCMessage): void {
    if (this.#isOver) return;
    const incoming = readMessage(message);
    if (incoming === undefined) return;
    const admitted = admit(incoming, Number.POSITIVE_INFINITY);
    if (admitted === undefined) return;
    if (incoming.kind !== "response") return this.#takeUnasked(incoming, admitted);
    // To what was not asked, or was answered already, nobody listens.
    if (this.#settle(incoming.id)) this.onmessage?.(admitted);
  }

  #takeUnasked(incoming: Exclude<Incoming, { kind: "response" }>, message: JSONRPCMessage): void {
    const stream = streams.getStore() ?? this.#common;
    const isRequest = incoming.kind === "request";
    if (isRequest && stream.open >= (stream.id === null ? openInCommonMax : openMax)) return this.#breakOff(stream);
    const isListChange = !isRequest && incoming.method === "notifications/tools/list_changed";
    const hasPassed = this.#cap.pass(
      () => {
        if (this.#isOver) return;
        if (isRequest) stream.open += 1;
        this.onmessage?.(message);
      },
      isListChange ? "at_last" : "never",
    );
    // A stream whose answer is there has no reason to go on like that.
    if (!hasPassed && stream.id !== null && !this.#pending.has(stream.id)) stream.stop.abort();
  }

  #breakOff(stream: Stream): void {
    const said = `It asked ${stream.open} things at once.`;
    if (stream.id !== null) this.#fail(stream, new LinkProblem("cut_off", `${said} The stream was ended.`));
    else this.kill(new LinkProblem("tool_server_unavailable", `${said} The connection was ended.`));
  }

  /** Whose answer it is is known by the request that is being made. */
  #watch(init: RequestInit | undefined): ReturnType<FetchParts["watch"]> {
    const stream = streams.getStore() ?? this.#common;
    const onTooLarge = (problem: LinkProblem): void => {
      if (stream.id !== null) return this.#fail(stream, problem);
      // What is said to an answer or a notification of ours is not read anyhow.
      if (init?.method === "GET") this.kill(new LinkProblem("tool_server_unavailable", problem.message));
    };
    return { onTooLarge, rest: (bytes) => this.#rest(bytes) };
  }

  /** Where there is more, everybody else has a turn in between; who sends more than is let through is read slowly. */
  #rest(bytes: number): Promise<void> | undefined {
    const isFlood = this.#cap.dropped > this.#droppedBefore;
    this.#droppedBefore = this.#cap.dropped;
    if (isFlood) return pause(this.#clock, bytes / floodBytesPerMs);
    return bytes < pieceBytes ? undefined : new Promise((resolve) => void setImmediate(resolve));
  }

  #fail(stream: Stream, problem: LinkProblem): void {
    const isWaitedFor = this.#leave(stream);
    if (isWaitedFor && stream.id !== null && !this.#isOver) this.onmessage?.(answerInstead(stream.id, problem));
  }

  /** Its stream is not opened again, either: the same would come once more. False: it has its answer. */
  #leave(stream: Stream): boolean {
    stream.stop.abort();
    return stream.id !== null && this.#settle(stream.id);
  }

  #settle(id: RequestId): boolean {
    const wasPending = this.#pending.delete(id);
    // Nobody is left who could be asked: questions that were withdrawn stay without an answer.
    if (this.#pending.size === 0) this.#common.open = 0;
    return wasPending;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cap.stop();
    this.onclose?.();
  }
}
