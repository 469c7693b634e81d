// What we ask a client carries an id that is ours alone. The numbers that a server counts begin with 0 on each stream: a
// client has several, and those of the 1.x line take back nothing whose number is 0.

import { randomUUID } from "node:crypto";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";

export class NamedTransport implements Transport {
  readonly #inner: Transport;
  /** What was asked and is not answered: the number of the server, by our id. */
  readonly #asked = new Map<string, string | number>();
  onclose?: NonNullable<Transport["onclose"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  onmessage?: NonNullable<Transport["onmessage"]>;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  async start(): Promise<void> {
    const ends: Pick<Transport, "onclose" | "onerror" | "onmessage"> = {
      onclose: () => this.leave(),
      onerror: (error) => this.onerror?.(error),
      onmessage: (message, extra) => this.receive(message, extra),
    };
    await Object.assign(this.#inner, ends).start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  protected leave(): void {
    this.#asked.clear();
    this.onclose?.();
  }

  protected receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) this.onmessage?.(message, extra);
    else this.answer(message);
  }

  /** Whether it was asked here; what was not, or is withdrawn, is passed over. */
  answer(message: JSONRPCResponse): boolean {
    const name = String(message.id);
    const id = this.#asked.get(name);
    if (id === undefined) return false;
    this.#asked.delete(name);
    this.onmessage?.({ ...message, id });
    return true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    await this.#inner.send(this.#rename(message), options);
  }

  #rename(message: JSONRPCMessage): JSONRPCMessage {
    if (isJSONRPCRequest(message)) return this.#ask(message);
    return isJSONRPCNotification(message) && message.method === "notifications/cancelled"
      ? this.#withdraw(message)
      : message;
  }

  #ask(message: JSONRPCRequest): JSONRPCRequest {
    const name = randomUUID();
    this.#asked.set(name, message.id);
    return { ...message, id: name };
  }

  #withdraw(message: JSONRPCNotification): JSONRPCNotification {
    const [name] = [...this.#asked].find(([, id]) => id === message.params?.["requestId"]) ?? [];
    if (name === undefined) return message;
    this.#asked.delete(name);
    return { ...message, params: { ...message.params, requestId: name } };
  }
}
