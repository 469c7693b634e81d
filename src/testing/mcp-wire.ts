// A client of our MCP server for tests that look at the wire itself: bare messages over the streams that a program has
// which was started by its client.

import { PassThrough, type Readable, type Writable } from "node:stream";
import type { Asker } from "../access/permission.ts";
import type { Engine } from "../engine/engine.ts";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { createCaller, remedyByFlag, type Grant } from "../server/mcp/caller.ts";
import { createHouse, type HouseOptions } from "../server/mcp/house.ts";
import { serveOverStdio } from "../server/mcp/stdio.ts";

type Reply = { readonly result: JsonObject; readonly error: JsonObject | null };

export interface Wire extends AsyncDisposable {
  readonly ask: (method: string, params?: JsonObject) => Promise<Reply>;
  /** The result of a tool. */
  readonly call: (name: string, args?: JsonObject, rest?: JsonObject) => Promise<JsonObject>;
  /** Resolves with the next one of this name, or one that has come and nobody has asked for. */
  readonly heard: (method: string) => Promise<JsonObject>;
  /** The same of what the server asks, with the id that an answer to it has. */
  readonly heardRequest: (method: string) => Promise<{ readonly id: Json; readonly params: JsonObject }>;
  readonly reply: (id: Json, result: JsonObject) => void;
  readonly notify: (method: string, params: JsonObject) => void;
  /** The number of the request that was sent last. */
  readonly lastId: () => number;
}

export type WireWish = HouseOptions & {
  readonly era?: "modern" | "legacy";
  readonly user?: string;
  readonly grants?: readonly Grant[];
  /** Of a modern client, declared with each request. */
  readonly capabilities?: JsonObject;
};

export const tasks: JsonObject = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const version = "2026-07-28";

export async function openWire(engine: Engine, wish: WireWish = {}): Promise<Wire> {
  const { era = "modern", user = "ann", grants = ["read", "run"], capabilities = {}, ...options } = wish;
  const asker: Asker = { user, via: "mcp", scopes: null };
  const caller = await createCaller(engine, { asker, source: "mcp stdio", grants, remedy: remedyByFlag });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  const serving = serveOverStdio(createHouse(engine, options), { caller, input, output, signal: ending.signal });
  const wire = await connectWire({ input, output }, { era, capabilities });
  return {
    ...wire,
    [Symbol.asyncDispose]: async () => {
      input.end();
      await serving;
    },
  };
}

type Streams = { readonly input: Writable; readonly output: Readable };

/** To a server behind these streams, such as those of a process. */
export async function connectWire(
  { input, output }: Streams,
  { era = "modern", capabilities = {} }: Pick<WireWish, "era" | "capabilities">,
): Promise<BareWire> {
  const wire = createWire({ input, output }, era === "modern" ? envelopeOf(capabilities) : null);
  if (era === "legacy") {
    const clientInfo = { name: "test", version: "1" };
    await wire.ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
    wire.notify("notifications/initialized", {});
  }
  return wire;
}

function envelopeOf(capabilities: JsonObject): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
}

export type BareWire = Omit<Wire, typeof Symbol.asyncDispose>;

function createWire({ input, output }: Streams, envelope: JsonObject | null): BareWire {
  const waiting = new Map<number, (reply: Reply) => void>();
  const { told, hear } = createNews();
  let id = 0;
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) receive(JSON.parse(line) as JsonObject);
  });
  output.on("close", () => {
    for (const answer of waiting.values()) answer({ result: {}, error: { code: 0, message: "The server has gone." } });
  });
  const receive = (message: JsonObject): void => {
    const answer = waiting.get(Number(own(message, "id")));
    if (own(message, "method") === undefined) {
      answer?.({ result: objectAt(message, "result") ?? {}, error: objectAt(message, "error") ?? null });
      return;
    }
    told(message);
  };
  const send = (message: JsonObject): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask: Wire["ask"] = (method, params = {}) => {
    id += 1;
    const meta = { ...envelope, ...objectAt(params, "_meta") };
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    send({ id, method, params: { ...params, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) } });
    return promise;
  };
  return {
    ask,
    notify: (method, params) => send({ method, params }),
    reply: (to, result) => send({ id: to, result }),
    lastId: () => id,
    call: async (name, args = {}, more = {}) => {
      const { result, error } = await ask("tools/call", { name, arguments: args, ...more });
      return error === null ? result : { protocolError: error };
    },
    heard: async (method) => objectAt(await hear(method), "params") ?? {},
    heardRequest: async (method) => {
      const message = await hear(method);
      return { id: own(message, "id") ?? null, params: objectAt(message, "params") ?? {} };
    },
  };
}

type News = {
  readonly told: (message: JsonObject) => void;
  /** The next one of this name, or one that has come and nobody has asked for. */
  readonly hear: (method: string) => Promise<JsonObject>;
};

function createNews(): News {
  const news: JsonObject[] = [];
  const listeners = new Set<() => void>();
  return {
    told: (message) => {
      news.push(message);
      for (const listener of listeners) listener();
    },
    hear: (method) => {
      const { promise, resolve } = Promise.withResolvers<JsonObject>();
      const look = (): void => {
        const at = news.findIndex((message) => own(message, "method") === method);
        const [found] = at < 0 ? [] : news.splice(at, 1);
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      return promise;
    },
  };
}

function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found: Json | undefined = own(value, key);
  return found !== undefined && isObject(found) ? found : undefined;
}
