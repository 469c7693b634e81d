// A server of the newest revision over HTTP, as bare as it can be, so that a test can make it say anything.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json, type JsonObject } from "../../src/flow/json.ts";

type Asked = {
  readonly id: Json;
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: IncomingHttpHeaders;
};

/** What it answers to a method, or to a call of the tool of that name; with a response at hand it may answer by itself. */
export type Script = { readonly [name: string]: (asked: Asked, response: ServerResponse) => JsonObject | undefined };

export type ModernServer = AsyncDisposable & {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Methods in order, without what every connection begins with. */
  readonly methods: readonly string[];
};

const fresh = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

export async function serveModern(tools: readonly JsonObject[], script: Script): Promise<ModernServer> {
  const asked: Asked[] = [];
  const usual: Script = {
    "server/discover": () => ({ ...fresh, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }),
    "tools/list": () => ({ ...fresh, tools }),
    "tasks/cancel": () => ({ resultType: "complete" }),
    "tasks/update": () => ({ resultType: "complete" }),
    ...script,
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body) as { id: Json; method: string; params: JsonObject };
      const one = { id, method, params, headers: request.headers };
      asked.push(one);
      const answer = usual[method === "tools/call" ? (params["name"] as string) : method];
      // A connection that is used again may break under the next request, and then nobody knows whether it was read.
      response.setHeader("connection", "close");
      const said = answer?.(one, response);
      if (said === undefined) return;
      response.setHeader("content-type", "application/json");
      const outcome =
        isObject(said["error"]) && said["resultType"] === undefined ? { error: said["error"] } : { result: said };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    get methods() {
      return asked
        .map(({ method }) => method)
        .filter((method) => method !== "server/discover" && method !== "tools/list");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});

export const complete = (more: JsonObject): JsonObject => ({ resultType: "complete", content: [], ...more });

export const task = (status: string, more: JsonObject = {}): JsonObject => ({
  resultType: "complete",
  taskId: "task-1",
  status,
  createdAt: "2026-11-16T12:00:00Z",
  lastUpdatedAt: "2026-11-16T12:00:00Z",
  ttlMs: null,
  pollIntervalMs: 1,
  ...more,
});
