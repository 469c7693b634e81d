// A server that repeats, wherever it can, a value that the environment has filled into its configuration.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openEngine, type ServedEngine } from "../../src/open-engine.ts";
import type { Question } from "../../src/tool/tool.ts";
import { complete, serveModern, tool, type ModernServer, type Script } from "./modern-server.ts";
import { createApp } from "../../src/server/app.ts";
import { call, configured, createServers, entryOf, resultOf } from "./servers.ts";

const secret = "postgres://app:hunter2@db/x";

const leakyTool = (said: string): JsonObject =>
  tool("query", {
    title: `SQL on ${said}`,
    description: `Run SQL on ${said}`,
    inputSchema: {
      type: "object",
      properties: { dsn: { type: "string", default: said, description: `not ${said}` } },
    },
    annotations: { title: `SQL on ${said}`, readOnlyHint: true },
  });

/** Its answers hold the header that it was sent. */
const leaky: Script = {
  "tools/list": ({ headers }) => ({
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    tools: [leakyTool(String(headers["x-dsn"]))],
  }),
  query: ({ id, params, headers }, response) => {
    const dsn = String(headers["x-dsn"]);
    const { progressToken } = params["_meta"] as { readonly progressToken: Json };
    const question = {
      method: "elicitation/create",
      params: {
        message: `Use ${dsn}?`,
        requestedSchema: { type: "object", properties: { sure: { type: "boolean", title: `\u001B[31m${dsn}\u200B` } } },
      },
    };
    const answer =
      params["inputResponses"] === undefined
        ? { resultType: "input_required", inputRequests: { sure: question } }
        : complete({
            structuredContent: {
              [`to ${dsn}`]: [`at ${dsn}`, 7],
              text: JSON.stringify({ dsn }),
              link: encodeURIComponent(dsn),
            },
          });
    const message = `\u001B[31mconnecting to ${dsn}`;
    const progress = { method: "notifications/progress", params: { progressToken, progress: 1, total: 2, message } };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const said of [progress, { id, result: answer }])
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...said })}\n\n`);
    response.end();
    return undefined;
  },
};

describe("what the environment has filled in stays with the server", () => {
  let folder: string;
  let server: ModernServer;
  let engine: ServedEngine;

  const open = async (value: string): Promise<ServedEngine> => {
    vi.stubEnv("STEPWELL_TEST_DSN", value);
    const headers = { "x-dsn": "${STEPWELL_TEST_DSN}" };
    return await openEngine({
      store: join(folder, "stepwell.db"),
      mcpServers: { db: { url: server.url, headers, era: "modern" } },
      onProblem: () => {},
    });
  };
  const lockFile = (): string => readFileSync(join(folder, "stepwell.lock.json"), "utf8");

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "stepwell-mcp-")));
    server = await serveModern([], leaky);
    engine = await open(secret);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await engine.stop({ now: true });
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test("in the lock file and the list of tools", async () => {
    expect(lockFile()).toContain("Run SQL on [hidden]");
    expect(lockFile()).not.toContain("hunter2");
    const listed = (await engine.tools.list()).filter(({ name }) => name === "db.query");
    expect(listed).toMatchObject([
      { description: "Run SQL on [hidden]", input: { properties: { dsn: { type: "string" } } } },
    ]);
    expect(JSON.stringify(listed)).not.toContain("hunter2");
  });

  test("in questions and results of a run", async () => {
    const { id } = await engine.start({ steps: { x: { tool: "db.query", args: {}, done: true } } });
    const asked = async (): Promise<number | undefined> =>
      (await engine.list()).find(({ run }) => run.id !== id)?.run.id;
    await expect.poll(asked).toBeDefined();
    const gate = await engine.get((await asked()) ?? 0);
    // JSON writes what moves the cursor as an escape.
    expect(JSON.stringify(gate)).not.toMatch(/hunter2|u001b|\u200B/);
    expect(JSON.stringify(gate)).toContain("Use [hidden]?");
    await engine.answer(gate.steps[0]?.id ?? 0, { outcome: "approved", data: { sure: true } });
    const { output } = await engine.result(id);
    expect(output).toEqual({ "to [hidden]": ["at [hidden]", 7], text: '{"dsn":"[hidden]"}', link: "[hidden]" });
  });

  test("another value is no change of the tool", async () => {
    const before = lockFile();
    await engine.stop();
    engine = await open("postgres://app:another1@db/y");
    expect(await engine.servers.test("db")).toMatchObject({ status: "ready", changedCount: 0 });
    expect(lockFile()).toBe(before);
  });
});

test("a value that was filled in is in no progress, nor is what moves the cursor", async () => {
  await using server = await serveModern([], leaky);
  const target = { kind: "http", url: server.url, headers: { "x-dsn": secret } } as const;
  const entry = entryOf("db", { ...target, headers: {} }, { era: "modern" });
  const resolve = () => Promise.resolve({ ok: true, target, filled: [secret], secrets: [secret] } as const);
  await using servers = createServers([entry], { resolve });
  await servers.open();
  const told: (string | undefined)[] = [];
  const asked: Question[] = [];
  const answer = await call(servers, "db.query", {
    progress: (_, message) => void told.push(message),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve({ kind: "accepted", content: { sure: true } });
    },
  });
  expect(told).toEqual(["connecting to [hidden]", "connecting to [hidden]"]);
  expect(asked).toMatchObject([{ message: "Use [hidden]?", form: { properties: { sure: { title: "[hidden]" } } } }]);
  expect(JSON.stringify(resultOf(answer))).not.toContain("hunter2");
});

test("a secret that a program writes down is seen by nobody, and what else it writes by administrators alone", async () => {
  await using engine = await openEngine({
    store: ":memory:",
    mcpServers: { bank: configured("logs-arguments") },
    onProblem: () => {},
  });
  await engine.secrets.set("CARD", "tok-4242-hush");
  const args = { to: "the clinic", card: "{{ secrets.CARD }}" };
  const { id } = await engine.start({ pay: { tool: "bank.echo", args, done: true } });
  expect(await engine.result(id)).toMatchObject({ status: "completed" });
  const app = createApp(engine, { isLoopback: true, rate: null });
  const wordsFor = async (user: string, keys: readonly string[]): Promise<unknown> => {
    await engine.access.save(user, { keys });
    const { text } = await engine.access.tokens.create({ user, name: "here" });
    const headers = { host: "localhost", authorization: `Bearer ${text}` };
    const [server] = (await (await app.request("http://localhost/api/servers", { headers })).json()) as [JsonObject];
    return server["last_words"];
  };
  expect(await wordsFor("ada", ["130001"])).toBe('called with {"to":"the clinic","card":"[secret CARD]"}');
  expect(await wordsFor("rob", ["130001.read"])).toBeNull();
});
