// A server at an address that answers a call with more than anybody wants, with bare HTTP: `node badhttp.ts SWITCH`. It
// says its port in a line, and then one more whenever a stream that it was pouring into is closed. Into a stream of its own
// it pours from SIGUSR2 on.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const [, , mode] = process.argv;

type Message = { readonly id?: number; readonly method?: string };

let poured = 0;
const next = (): string => `q${(poured += 1)}`;
const again: Readonly<Record<string, () => object>> = {
  notifications: () => ({ method: "notifications/message", params: { level: "info", data: "again and again" } }),
  sampling: () => ({ id: next(), method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }),
  questions: () => {
    const id = next();
    const params = { message: `Sure about ${id}?`, requestedSchema: { type: "object", properties: {} } };
    return { id, method: "elicitation/create", params };
  },
};

const event = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

/** As fast as it is read, without an end. */
function pour(response: ServerResponse, make: () => object): void {
  let hasRoom = true;
  while (hasRoom && !response.destroyed) {
    hasRoom = response.write(Array.from({ length: 500 }, () => event(make())).join(""));
  }
  if (!response.destroyed) response.once("drain", () => pour(response, make));
}

/** A message that is just not too long. */
function manyValues(id: unknown): string {
  const bytes = 10 * 1024 * 1024 - 200;
  const list = `${"{},".repeat(Math.floor(bytes / 3))}{}`;
  return `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"structuredContent":{"list":[${list}]}}}`;
}

function call(id: unknown, response: ServerResponse): void {
  if (mode === "own-stream") return answer(response, id, { content: [] });
  if (mode === "values-json") {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(manyValues(id));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.on("close", () => process.stdout.write("closed\n"));
  if (mode === "values") return void response.end(`id: "\ndata: ${manyValues(id)}\n\n`);
  const make = again[mode ?? ""];
  // Also when it has answered: nothing may come behind that.
  if (mode === "after-answer") response.write(event({ id, result: { content: [] } }));
  pour(response, make ?? again["notifications"] ?? ((): object => ({})));
}

const tool = { name: "go", inputSchema: { type: "object" } };

function answer(response: ServerResponse, id: unknown, result: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function take({ id, method }: Message, response: ServerResponse): void {
  if (id === undefined || method === undefined) return void response.writeHead(202).end();
  if (method === "tools/call") return call(id, response);
  if (method === "tools/list") return answer(response, id, { tools: [tool] });
  if (method !== "initialize") {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } }));
  }
  const serverInfo = { name: "badhttp", version: "1" };
  answer(response, id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
}

const server = createServer((request, response) => {
  if (request.method === "GET" && mode === "own-stream") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.on("close", () => process.stdout.write("closed\n"));
    response.flushHeaders();
    return void process.once("SIGUSR2", () => {
      process.stdout.write("pouring\n");
      pour(response, again["sampling"] ?? ((): object => ({})));
    });
  }
  if (request.method !== "POST") return void response.writeHead(405).end();
  let body = "";
  request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
  request.on("end", () => take(JSON.parse(body) as Message, response));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
