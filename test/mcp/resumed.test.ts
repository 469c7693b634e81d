// A server of 2025-11-25 over HTTP whose stream is cut off before the answer: where it has numbered what it said, the stream
// is taken up behind that, and the call is made once.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { call, createServers, done, entryOf } from "./servers.ts";

type Asked = { readonly id: Json; readonly method: string };

type Script = {
  readonly onCall: (asked: Asked, response: ServerResponse) => void;
  /** With what it was told last. */
  readonly onResume: (last: string, response: ServerResponse) => void;
};

const stream = { "content-type": "text/event-stream" };

type Served = AsyncDisposable & { readonly url: string; readonly calls: number; readonly resumed: readonly string[] };

async function serveLegacy({ onCall, onResume }: Script): Promise<Served> {
  const resumed: string[] = [];
  let calls = 0;
  const results: Readonly<Record<string, JsonObject>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "old", version: "1" },
    },
    "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
  };
  const answer = (asked: Asked, response: ServerResponse): void => {
    const result = results[asked.method];
    if (asked.method === "tools/call") {
      calls += 1;
      onCall(asked, response);
    } else if (asked.id === undefined) response.writeHead(202).end();
    else if (result === undefined)
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, error: { code: -32601, message: "unknown" } }));
    else
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result }));
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("connection", "close");
    const last = request.headers["last-event-id"];
    if (request.method === "GET" && typeof last === "string") {
      resumed.push(last);
      return onResume(last, response);
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => answer(JSON.parse(body) as Asked, response));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    get calls() {
      return calls;
    },
    resumed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function callOne(server: Served): Promise<Json> {
  await using servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })]);
  await servers.open();
  return (await call(servers, "web.one")) as unknown as Json;
}

const eventOf = (id: string, data: Json | null): string =>
  `id: ${id}\nretry: 1\ndata: ${data === null ? "" : JSON.stringify(data)}\n\n`;

test.each(["ends", "is cut off"])("M9: a stream that %s is taken up where it was left", async (how) => {
  let asked: Asked | null = null;
  await using server = await serveLegacy({
    onCall: (one, response) => {
      asked = one;
      response
        .writeHead(200, stream)
        .write(eventOf("e1", null), () => setImmediate(() => (how === "ends" ? response.end() : response.destroy())));
    },
    onResume: (_, response) => {
      const result = { content: [{ type: "text", text: "after all" }] };
      response.writeHead(200, stream).end(eventOf("e2", { jsonrpc: "2.0", id: asked?.id ?? null, result }));
    },
  });
  expect(await callOne(server)).toEqual(done("after all"));
  expect([server.calls, server.resumed]).toEqual([1, ["e1"]]);
});

test("M9: one that numbers nothing leaves the call in doubt", async () => {
  await using server = await serveLegacy({
    onCall: (_, response) => void response.writeHead(200, stream).end(": nothing\n\n"),
    onResume: (_, response) => void response.writeHead(405).end(),
  });
  expect(await callOne(server)).toEqual({ kind: "lost" });
  expect([server.calls, server.resumed]).toEqual([1, []]);
});

test("M9: one that is not taken up again leaves it in doubt, too", async () => {
  await using server = await serveLegacy({
    onCall: (_, response) => void response.writeHead(200, stream).end(eventOf("e1", null)),
    onResume: (_, response) => void response.writeHead(404).end(),
  });
  expect(await callOne(server)).toEqual({ kind: "lost" });
  expect(server.calls).toBe(1);
});
