// What becomes of one call is no matter of the others that share its connection.

import { createServer } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/flow/json.ts";
import type { McpServers } from "../../src/tool/mcp/server-pool.ts";
import type { Question, QuestionAnswer } from "../../src/tool/tool.ts";
import { listen, stopServers } from "../local-servers.ts";
import { complete, serveModern, tool, type ModernServer, type Script } from "./modern-server.ts";
import { badEntry, call, createServers, done, entryOf } from "./servers.ts";

afterAll(stopServers);

async function connect({ url }: ModernServer): Promise<McpServers> {
  const servers = createServers([entryOf("web", { kind: "http", url, headers: {} }, { era: "modern" })]);
  await servers.open();
  return servers;
}

const tools = [tool("one"), tool("slow")];
const ok = complete({ structuredContent: { ok: true } });
const question = { method: "elicitation/create", params: { message: "Sure?" } };
const asking = { resultType: "input_required", inputRequests: { sure: question }, requestState: "opaque" };

/** A call of `slow` is under way, and answered when the test says so. */
function createSlow(): { readonly slow: Script[string]; readonly isAsked: Promise<void>; readonly answer: () => void } {
  const asked = Promise.withResolvers<void>();
  let answer = (): void => {};
  return {
    slow: ({ id }, response) => {
      answer = () => void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: ok }));
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      asked.resolve();
      return undefined;
    },
    isAsked: asked.promise,
    answer: () => answer(),
  };
}

describe("a call that is refused or broken leaves the others alone", () => {
  test.each([400, 403, 429, 500, 503])("status %i", async (status) => {
    const { slow, isAsked, answer } = createSlow();
    const one: Script[string] = (_, response) => void response.writeHead(status).end();
    await using server = await serveModern(tools, { slow, one });
    await using servers = await connect(server);
    const calling = call(servers, "web.slow");
    await isAsked;
    expect((await call(servers, "web.one")).kind).toBe(status >= 500 ? "lost" : "failed");
    expect(servers.health()).toMatchObject([{ status: "ready", restarts: 0, problem: null }]);
    answer();
    expect(await calling).toEqual(done({ ok: true }));
  });

  test("a connection that was cut off: new calls have a new one", async () => {
    const { slow, isAsked, answer } = createSlow();
    let isCut = false;
    const one: Script[string] = (_, response) => {
      if (isCut) return ok;
      isCut = true;
      response.destroy();
      return undefined;
    };
    await using server = await serveModern(tools, { slow, one });
    await using servers = await connect(server);
    const calling = call(servers, "web.slow");
    await isAsked;
    expect(await call(servers, "web.one")).toEqual({ kind: "lost" });
    expect(await call(servers, "web.one")).toEqual(done({ ok: true }));
    expect(servers.health()).toMatchObject([{ status: "ready", restarts: 1 }]);
    answer();
    expect(await calling).toEqual(done({ ok: true }));
  });

  test("an answer that is too large: a later one that is cut off is still in doubt", async () => {
    const large: Script[string] = (_, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(" ".repeat(17_000_000));
    const one: Script[string] = (_, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
    await using server = await serveModern([...tools, tool("large")], { large, one });
    await using servers = await connect(server);
    expect(await call(servers, "web.large")).toMatchObject({ kind: "failed", code: "result_too_large" });
    expect(await call(servers, "web.one")).toEqual({ kind: "lost" });
  });

  test("a session that is forgotten: what is under way ends on the old one", async () => {
    const sessions = createSessions();
    const port = await listen(sessions.server);
    const target = { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
    await using servers = createServers([entryOf("old", target, { era: "legacy" })]);
    await servers.open();
    const calling = call(servers, "old.slow");
    await sessions.isAsked;
    expect(await call(servers, "old.one")).toEqual(done("session-2"));
    expect(sessions.ended).toEqual([]);
    sessions.answer();
    expect(await calling).toEqual(done("session-1"));
    await expect.poll(() => sessions.ended).toEqual(["session-1"]);
  });

  test("a run that is cancelled while people are asked", async () => {
    const { slow, isAsked, answer } = createSlow();
    await using server = await serveModern(tools, { slow, one: () => asking });
    await using servers = await connect(server);
    const calling = call(servers, "web.slow");
    await isAsked;
    const controller = new AbortController();
    const ask = (): Promise<QuestionAnswer> => {
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    };
    expect(await call(servers, "web.one", { ask, signal: controller.signal })).toEqual({ kind: "lost" });
    expect(servers.health()).toMatchObject([{ status: "ready", restarts: 0, problem: null }]);
    answer();
    expect(await calling).toEqual(done({ ok: true }));
  });
});

/** A server of the older revision that forgets its first session when `one` is called, but still ends what it began. */
function createSessions(): {
  readonly server: ReturnType<typeof createServer>;
  readonly ended: readonly (string | undefined)[];
  readonly isAsked: Promise<void>;
  readonly answer: () => void;
} {
  const asked = Promise.withResolvers<void>();
  const ended: (string | undefined)[] = [];
  let count = 0;
  let answerSlow = (): void => {};
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      const session = request.headers["mcp-session-id"]?.toString();
      if (request.method === "DELETE") ended.push(session);
      const { id, method, params } = JSON.parse(body === "" ? "{}" : body) as {
        id?: number;
        method?: string;
        params?: JsonObject;
      };
      const answer = (result: JsonObject, more = {}): void => {
        response.writeHead(200, { "content-type": "application/json", ...more });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      };
      if (method === "initialize") {
        count += 1;
        const serverInfo = { name: "old", version: "1" };
        const said = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
        return answer(said, { "mcp-session-id": `session-${count}` });
      }
      if (method === "tools/list") return answer({ tools });
      if (method !== "tools/call") return void response.writeHead(method === undefined ? 405 : 202).end();
      const result = { content: [{ type: "text", text: session ?? "none" }] };
      if (params?.["name"] === "slow") {
        answerSlow = () => answer(result);
        return asked.resolve();
      }
      if (session === "session-1") return void response.writeHead(404).end();
      answer(result);
    });
  });
  return { server, ended, isAsked: asked.promise, answer: () => answerSlow() };
}

test("a server may be silent for longer than fetch waits by itself", async () => {
  const key = Symbol.for("undici.globalDispatcher.1");
  const { slow, isAsked, answer } = createSlow();
  await using server = await serveModern(tools, { slow, silent: () => undefined });
  await using servers = await connect(server);
  const usual: unknown = Reflect.get(globalThis, key);
  const { constructor } = usual as { constructor: new (options: object) => unknown };
  Reflect.set(globalThis, key, new constructor({ headersTimeout: 1, bodyTimeout: 1 }));
  try {
    const calling = call(servers, "web.slow");
    await isAsked;
    // Somebody who asks as usual has given up by now, and so would the call have.
    const body = JSON.stringify({ id: 1, method: "tools/call", params: { name: "silent" } });
    for (let time = 0; time < 2; time++)
      await expect(fetch(server.url, { method: "POST", body })).rejects.toMatchObject({
        cause: { code: "UND_ERR_HEADERS_TIMEOUT" },
      });
    answer();
    expect(await calling).toEqual(done({ ok: true }));
  } finally {
    Reflect.set(globalThis, key, usual);
  }
});

describe("a question with the same words", () => {
  /** Asks so many times before it answers. */
  async function askTimes(times: number): Promise<readonly string[]> {
    let asked = 0;
    const one: Script[string] = () => (asked++ < times ? asking : ok);
    await using server = await serveModern(tools, { one });
    await using servers = await connect(server);
    const keys: string[] = [];
    const ask = ({ key }: Question): Promise<QuestionAnswer> => {
      keys.push(key);
      return Promise.resolve({ kind: "accepted", content: {} });
    };
    expect(await call(servers, "web.one", { ask })).toEqual(done({ ok: true }));
    return keys;
  }

  test("is another question each time that it is asked, and the same ones after a restart", async () => {
    const keys = await askTimes(3);
    expect(new Set(keys).size).toBe(3);
    expect(await askTimes(3)).toEqual(keys);
  });

  test("is another one, too, when a server asks in the old way", async () => {
    await using servers = createServers([badEntry("bad")]);
    await servers.open();
    const keys: string[] = [];
    const ask = ({ key }: Question): Promise<QuestionAnswer> => {
      keys.push(key);
      return Promise.resolve({ kind: keys.length === 1 ? "accepted" : "declined", content: {} });
    };
    const answer = await call(servers, "bad.echo", { input: { switch: "asks-twice" }, ask });
    expect(answer).toEqual(done(["accept", "decline"]));
    expect(new Set(keys).size).toBe(2);
  });
});

test("a task whose name is longer than anybody would keep is no task", async () => {
  const created = { resultType: "task", taskId: "t".repeat(1025), status: "working", ttlMs: null };
  await using server = await serveModern(tools, { one: () => created });
  await using servers = await connect(server);
  const kept: unknown[] = [];
  const keep = (handle: unknown): Promise<void> => Promise.resolve(void kept.push(handle));
  const answer = await call(servers, "web.one", { keep });
  expect(answer).toMatchObject({ kind: "failed", code: "bad_result", isFinal: true });
  expect(kept).toEqual([]);
});

describe("a value that was filled in is not shown", () => {
  const filled = ["s3cret-value"];

  test.each<[string, JsonObject]>([
    ["an error of the protocol", { error: { code: -32603, message: "no s3cret-value" } }],
    ["isError", complete({ isError: true, content: [{ type: "text", text: "no s3cret-\u200Bvalue" }] })],
    [
      "isError at its very end",
      complete({ isError: true, content: [{ type: "text", text: `${"x".repeat(4090)}s3cret-value` }] }),
    ],
  ])("in %s", async (_, result) => {
    await using server = await serveModern(tools, { one: () => result });
    const entry = entryOf("web", { kind: "http", url: server.url, headers: { a: "Bearer ${T}" } }, { era: "modern" });
    const target = { kind: "http", url: server.url, headers: { a: "Bearer s3cret-value" } } as const;
    await using servers = createServers([entry], { resolve: () => Promise.resolve({ ok: true, target, filled }) });
    await servers.open();
    const answer = await call(servers, "web.one");
    expect(answer).toMatchObject({ kind: "failed", code: expect.stringMatching(/^(?:tool_failed|protocol_error)$/) });
    expect(JSON.stringify(answer)).not.toContain("s3cr");
  });

  test.each(["says-secret", "says-secret-late"])("in lines and last words: %s", async (name) => {
    const entry = badEntry("bad");
    const { target } = entry;
    await using servers = createServers([entry], { resolve: () => Promise.resolve({ ok: true, target, filled }) });
    await servers.open();
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const input = { switch: name, secret: "s3cret-value" };
    expect(await call(servers, "bad.echo", { input, log })).toEqual({ kind: "lost" });
    expect(lines).toHaveLength(1);
    const shown = JSON.stringify([lines, servers.problems, servers.health()]);
    expect(shown).toContain("[hidden]");
    expect(shown).not.toMatch(/s3cr|value/);
  });
});
