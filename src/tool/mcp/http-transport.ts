// A server at an address: the SDK's Streamable HTTP transport, with limits on what comes in, and with an end for requests
// whose stream has ended without an answer: the SDK would wait for them for ever.

import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { createCappedFetch } from "./capped-fetch.ts";
import type { HttpTarget } from "./contract.ts";
import { within, type LinkClock } from "./link-clock.ts";
import { answerInstead, LinkProblem } from "./link-problem.ts";
import { admit, readMessage } from "./wire.ts";

/** For saying goodbye. */
const goodbyeMs = 1000;

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
  readonly #pending = new Set<RequestId>();
  #problem: LinkProblem | null = null;
  #isOver = false;

  constructor({ url, headers }: HttpTarget, clock: LinkClock) {
    this.#clock = clock;
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: createCappedFetch((problem) => void (this.#problem = problem)),
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
    if (!("method" in message && "id" in message)) return await this.#wire.send(message, options);
    const { id } = message;
    this.#pending.add(id);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      this.#lose(id);
    };
    try {
      await this.#wire.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#pending.delete(id);
      this.#takeTooLarge();
      throw error;
    }
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
    if (incoming.kind === "response") this.#pending.delete(incoming.id);
    const admitted = admit(incoming, Number.POSITIVE_INFINITY);
    if (admitted !== undefined) this.onmessage?.(admitted);
  }

  #lose(id: RequestId): void {
    if (!this.#pending.delete(id) || this.#isOver) return;
    const said = "The stream of its answer has ended without one.";
    this.onmessage?.(answerInstead(id, this.#takeTooLarge() ?? new LinkProblem("cut_off", said)));
  }

  /** It is told of one request: another that is cut off later is in doubt. */
  #takeTooLarge(): LinkProblem | null {
    const problem = this.#problem;
    if (problem?.code !== "result_too_large") return null;
    this.#problem = null;
    return problem;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.();
  }
}
