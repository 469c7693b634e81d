// Over HTTP nothing stands between us and a client of 2025-11-25: each of its messages comes by itself, and is served by
// itself. What it has declared goes with each of them, in the id of its session, so that any process can go on with it,
// also after a restart; and what it says to something that is under way, an answer to a question or that it has given up
// on a call, finds its way here.

import { randomUUID } from "node:crypto";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCResponse,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { isObject, own } from "../../flow/json.ts";
import { NamedTransport } from "./named-transport.ts";

/** Who has sent a message. */
export type Sender = {
  readonly user: string;
  /** null: it has none, or none of ours. */
  readonly session: string | null;
};

const sessionShape = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\.elicitation)?$/u;

export function readSession(header: string | null): string | null {
  return header !== null && sessionShape.test(header) ? header : null;
}

/** Whether its client has declared that it can ask its user. Who lies about it is asked what it cannot show, and nobody
 *  else is. */
export function isAskable(session: string | null): boolean {
  return session?.endsWith(".elicitation") === true;
}

function createSession(capabilities: unknown): string {
  return `${randomUUID()}${declaresForms(capabilities) ? ".elicitation" : ""}`;
}

/** By `elicitation: {}` as well, which is older than the ways in which it can be done. */
export function declaresForms(capabilities: unknown): boolean {
  const declared = isObject(capabilities) ? own(capabilities, "elicitation") : undefined;
  if (!isObject(declared)) return false;
  return Object.hasOwn(declared, "form") || !Object.hasOwn(declared, "url");
}

export class Desk {
  /** One for each message that is being served: no more than there are connections. */
  readonly #open = new Set<StreamTransport>();

  route(inner: Transport, sender: Sender): StreamTransport {
    const transport: StreamTransport = new StreamTransport(inner, sender, {
      answer: (message) => void this.#listOf(sender).some((each) => each.answer(message)),
      giveUp: (message) =>
        this.#listOf(sender)
          .find((each) => each.hasBegun(message))
          ?.giveUp(message),
      leave: () => this.#open.delete(transport),
    });
    this.#open.add(transport);
    return transport;
  }

  /** Without a session nobody can tell two clients of one user apart. */
  #listOf({ user, session }: Sender): readonly StreamTransport[] {
    if (session === null) return [];
    return [...this.#open].filter(({ sender }) => sender.session === session && sender.user === user);
  }

  /** Whoever waits would keep the service from stopping. */
  close(): void {
    for (const transport of this.#open) void transport.close().catch(() => {});
  }
}

type Ways = {
  readonly answer: (message: JSONRPCResponse) => void;
  readonly giveUp: (message: JSONRPCNotification) => void;
  readonly leave: () => void;
};

/** The stream that one message of a client has opened. */
export class StreamTransport extends NamedTransport {
  readonly sender: Sender;
  readonly #ways: Ways;
  readonly #begun = new Set<unknown>();
  /** Of a client that has introduced itself with this message. */
  newSession: string | null = null;

  constructor(inner: Transport, sender: Sender, ways: Ways) {
    super(inner);
    this.sender = sender;
    this.#ways = ways;
  }

  hasBegun({ params }: JSONRPCNotification): boolean {
    return this.#begun.has(params?.["requestId"]);
  }

  /** Nobody waits for what it would bring; what was asked on it is withdrawn before it ends. */
  giveUp(message: JSONRPCNotification): void {
    this.onmessage?.(message);
    setImmediate(() => void this.close().catch(() => {}));
  }

  protected override leave(): void {
    this.#ways.leave();
    super.leave();
  }

  protected override receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCRequest(message)) {
      if (message.method === "initialize") this.newSession = createSession(message.params?.["capabilities"]);
      this.#begun.add(message.id);
      this.onmessage?.(message, extra);
    } else if (!isJSONRPCNotification(message)) this.#ways.answer(message);
    else if (message.method === "notifications/cancelled") this.#ways.giveUp(message);
    else this.onmessage?.(message, extra);
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message)) this.#begun.delete(message.id);
    await super.send(message, options);
  }
}
