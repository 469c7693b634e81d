import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import type { Era } from "../../src/tool/mcp/contract.ts";
import { engineStops, type Question, type QuestionAnswer } from "../../src/tool/tool.ts";
import { complete, serveModern, task, tool, type ModernServer, type Script } from "./modern-server.ts";
import { badEntry, call, createServers, done, entryOf, resultOf } from "./servers.ts";

const question = {
  method: "elicitation/create",
  params: { message: "Sure?", requestedSchema: { type: "object", properties: { sure: { type: "boolean" } } } },
};
const handle = { kind: "mcp_task", server: "web", task: "task-1", era: "modern" };

async function connect(server: ModernServer): Promise<ReturnType<typeof createServers>> {
  const servers = createServers([
    entryOf("web", { kind: "http", url: server.url, headers: { authorization: "Bearer s3cret-token" } }),
  ]);
  await servers.open();
  expect(servers.problems).toEqual([]);
  return servers;
}

/** Calls `web.one` of a server that follows the script. */
async function callOne(script: Script, more: Parameters<typeof call>[2] = {}, definition: JsonObject = tool("one")) {
  await using server = await serveModern([definition], script);
  await using servers = await connect(server);
  const answer = await call(servers, "web.one", more);
  return { answer, server, servers };
}

describe("a call", () => {
  test("carries its key and its trace, is answered with structure and names its outcome", async () => {
    const result = complete({ structuredContent: [1, { two: 2 }], _meta: { "stepwell/outcome": "empty" } });
    const { answer, server } = await callOne({ one: () => result }, { input: { word: "x" }, run: 7, step: 9 });
    expect(answer).toEqual({ kind: "done", result: [1, { two: 2 }], outcome: "empty" });
    const { params, headers } = server.asked.at(-1) ?? {};
    expect(params).toMatchObject({
      name: "one",
      arguments: { word: "x" },
      _meta: { "stepwell/idempotency_key": "u:start:1" },
    });
    expect(params).toMatchObject({
      _meta: { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) },
    });
    expect(headers).toMatchObject({ authorization: "Bearer s3cret-token", "mcp-name": "one" });
  });

  test("repeats marked arguments as headers, and tools with wrong marks are not offered", async () => {
    const marked = (name: string, mark: Json): JsonObject =>
      tool(name, { inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": mark } } } });
    await using server = await serveModern([marked("one", "Region"), marked("two", "no header")], {
      one: () => complete({}),
    });
    const servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })]);
    await servers.open();
    expect(servers.tools().map(({ name }) => name)).toEqual(["web.one"]);
    expect(servers.problems).toEqual(['web: The tool "two" asks for headers in a way that is not allowed.']);
    await call(servers, "web.one", { input: { region: "north" } });
    expect(server.asked.at(-1)?.headers).toMatchObject({ "mcp-param-region": "north" });
    await servers.stop();
  });

  test("that needs people first is made again with their answer", async () => {
    const script: Script = {
      one: ({ params }) =>
        params["inputResponses"] === undefined
          ? { resultType: "input_required", inputRequests: { sure: question }, requestState: "opaque" }
          : complete({ structuredContent: { told: params["inputResponses"], state: params["requestState"] ?? null } }),
    };
    const asked: Question[] = [];
    let extended = 0;
    const ask = (one: Question): Promise<QuestionAnswer> => {
      asked.push(one);
      return Promise.resolve({ kind: "accepted", content: { sure: true } });
    };
    const { answer } = await callOne(script, { ask, extend: () => void (extended += 1) });
    expect(resultOf(answer)).toEqual({
      told: { sure: { action: "accept", content: { sure: true } } },
      state: "opaque",
    });
    expect(asked).toMatchObject([{ message: "Sure?", form: { type: "object" } }]);
    expect(extended).toBeGreaterThan(0);
    const alone = await callOne(script);
    expect(resultOf(alone.answer)).toMatchObject({ told: { sure: { action: "decline" } } });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      "isError",
      complete({ isError: true, content: [{ type: "text", text: "no" }] }),
      { kind: "failed", code: "tool_failed", message: "no", isFinal: false },
    ],
    [
      "an error of the protocol",
      { error: { code: -32603, message: "no" } },
      { kind: "failed", code: "protocol_error", isFinal: false },
    ],
    [
      "an error about its arguments",
      { error: { code: -32602, message: "no" } },
      { kind: "failed", code: "protocol_error", isFinal: true },
    ],
    [
      "an error of no known meaning",
      { error: { code: -32000, message: "no" } },
      { kind: "failed", code: "protocol_error", isFinal: false },
    ],
    [
      "a result that is not what its schema says",
      complete({ structuredContent: { n: "x" } }),
      { kind: "failed", code: "bad_result", isFinal: true },
    ],
    ["what is no result", { resultType: "surprise" }, { kind: "failed", code: "bad_result", isFinal: true }],
  ])("M10: %s is a failure", async (_, result, expected) => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } } };
    const { answer } = await callOne({ one: () => result }, {}, tool("one", { outputSchema }));
    expect(answer).toMatchObject(expected);
  });

  test.each<[string, JsonObject]>([
    ["that its own request took too long", { error: { code: -32001, message: "Request timed out" } }],
    ["that a connection behind it has ended", { error: { code: -32000, message: "Connection closed" } }],
    [
      "the same in words of a tool",
      complete({ isError: true, content: [{ type: "text", text: "MCP error -32001: Request timed out" }] }),
    ],
  ])("M9: who answers %s does not know whether it happened", async (_, result) => {
    const lines: string[] = [];
    const { answer } = await callOne({ one: () => result }, { log: (line) => void lines.push(line) });
    expect(answer).toEqual({ kind: "lost" });
    expect(lines).toEqual([expect.stringMatching(/timed out|Connection closed/)]);
  });

  test.each<[string, Script["one"], JsonObject]>([
    [
      "429 with a time to wait",
      (_, response) => void response.writeHead(429, { "retry-after": "30" }).end(),
      {
        kind: "failed",
        code: "tool_server_unavailable",
        message: expect.stringContaining("wait: 30 s"),
        isFinal: false,
        retryAfterMs: 30_000,
      },
    ],
    [
      "503 until an instant that is long past",
      (_, response) => void response.writeHead(503, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }).end(),
      { kind: "lost", retryAfterMs: 0 },
    ],
    [
      "503 with a time to wait",
      (_, response) => void response.writeHead(503, { "retry-after": "30" }).end(),
      { kind: "lost", retryAfterMs: 30_000 },
    ],
    [
      "403",
      (_, response) => void response.writeHead(403).end("no Bearer s3cret-token"),
      { kind: "failed", code: "tool_server_unavailable", isFinal: false },
    ],
    ["502", (_, response) => void response.writeHead(502).end(), { kind: "lost" }],
    ["a connection that is cut off", (_, response) => void response.destroy(), { kind: "lost" }],
    [
      "a stream that ends without an answer",
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
      { kind: "lost" },
    ],
    [
      "a stream that is cut off",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write("data: {\n");
        response.destroy();
        return undefined;
      },
      { kind: "lost" },
    ],
    [
      "more than a message may have",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(" ".repeat(17_000_000)),
      { kind: "failed", code: "result_too_large", isFinal: true },
    ],
  ] as [string, Script["one"], JsonObject][])("M9, M11: %s", async (_, one, expected) => {
    const { answer } = await callOne({ one: one ?? (() => undefined) });
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toContain("s3cret");
  });

  test.each<[number, JsonObject]>([
    [
      429,
      {
        kind: "failed",
        code: "tool_server_unavailable",
        message: expect.stringContaining("wait: soon"),
        isFinal: false,
      },
    ],
    [503, { kind: "lost" }],
  ])("M11: %i with a time that is none asks for no more patience than the step has", async (status, expected) => {
    const soon: Script["one"] = (_, response) => void response.writeHead(status, { "retry-after": "soon" }).end();
    const { answer } = await callOne({ one: soon });
    expect(answer).toEqual(expected);
  });

  test("to a server that is gone has surely not happened", async () => {
    const server = await serveModern([tool("one")], {});
    await using servers = await connect(server);
    await server[Symbol.asyncDispose]();
    const answer = await call(servers, "web.one");
    expect(answer).toEqual({
      kind: "failed",
      code: "tool_server_unavailable",
      message: 'The server "web": It cannot be reached (ECONNREFUSED).',
      isFinal: false,
    });
    expect(servers.health()).toMatchObject([{ status: "waiting" }]);
  });
});

describe("a task", () => {
  const created = { ...task("working"), resultType: "task" };

  test("is kept before it is asked after, asks people, and ends with its result", async () => {
    const events: string[] = [];
    let updated: Json | undefined;
    const script: Script = {
      one: () => created,
      "tasks/get": () => {
        events.push("get");
        if (updated === undefined)
          return task("input_required", { inputRequests: { sure: question }, statusMessage: "waits" });
        return task("completed", { result: complete({ structuredContent: { updated } }) });
      },
      "tasks/update": ({ params }) => {
        updated = params["inputResponses"];
        return { resultType: "complete" };
      },
    };
    const { answer, server } = await callOne(script, {
      keep: (kept) => {
        events.push("keep");
        expect(kept).toEqual(handle);
        return Promise.resolve();
      },
      ask: (asked) => {
        events.push(`ask ${asked.key}`);
        return Promise.resolve({ kind: "accepted", content: { sure: true } });
      },
      extend: () => {},
      progress: (_, message) => void events.push(message ?? ""),
    });
    expect(resultOf(answer)).toEqual({ updated: { sure: { action: "accept", content: { sure: true } } } });
    expect(events.slice(0, 4)).toEqual(["keep", "get", "waits", "ask task-1:sure"]);
    expect(server.asked.find(({ method }) => method === "tasks/get")?.headers).toMatchObject({ "mcp-name": "task-1" });
  });

  test("of an earlier process is followed from its handle, and not begun again", async () => {
    const script = { "tasks/get": () => task("completed", { result: complete({ structuredContent: { n: 1 } }) }) };
    const { answer, server } = await callOne(script, { handle });
    expect(answer).toEqual(done({ n: 1 }));
    expect(server.methods).toEqual(["tasks/get"]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      "failed",
      task("failed", { error: { code: -32603, message: "broken" } }),
      { kind: "failed", code: "tool_failed", message: "broken" },
    ],
    ["was cancelled", task("cancelled"), { kind: "failed", code: "task_cancelled" }],
    [
      "failed as a tool",
      task("completed", { result: complete({ isError: true, content: [{ type: "text", text: "no" }] }) }),
      { kind: "failed", code: "tool_failed", message: "no" },
    ],
    ["is not known any more", { error: { code: -32602, message: "unknown task" } }, { kind: "lost" }],
  ])("that %s ends the call so", async (_, state, expected) => {
    const { answer } = await callOne({ "tasks/get": () => state }, { handle });
    expect(answer).toMatchObject(expected);
  });

  test("goes on through a connection that breaks", async () => {
    let asked = 0;
    const script: Script = {
      "tasks/get": (_, response) => {
        asked += 1;
        if (asked > 1) return task("completed", { result: complete({ structuredContent: { n: asked } }) });
        response.destroy();
        return undefined;
      },
    };
    const { answer, servers } = await callOne(script, { handle });
    expect(answer).toEqual(done({ n: 2 }));
    expect(servers.health()).toMatchObject([{ restarts: 1 }]);
  });

  test.each<[string, unknown, readonly string[]]>([
    ["the engine stops: it is left alone", engineStops, ["tasks/get"]],
    ["nobody wants it any more: it is cancelled", new Error("enough"), ["tasks/get", "tasks/cancel"]],
  ])("%s", async (_, reason, methods) => {
    await using server = await serveModern([tool("one")], {
      "tasks/get": () => task("working", { pollIntervalMs: 30_000 }),
    });
    await using servers = await connect(server);
    const controller = new AbortController();
    const calling = call(servers, "web.one", {
      handle,
      signal: controller.signal,
      extend: () => controller.abort(reason),
    });
    expect(await calling).toEqual({ kind: "lost" });
    await expect.poll(() => server.methods).toEqual(methods);
  });
});

test("a task that nobody wants any more while its server is away is cancelled when that is back", async () => {
  await using server = await serveModern([tool("one")], {
    "tasks/get": (_, response) => void response.destroy(),
  });
  await using servers = await connect(server);
  const controller = new AbortController();
  const calling = call(servers, "web.one", { handle, signal: controller.signal });
  await expect.poll(() => servers.health()[0]?.status).toBe("waiting");
  controller.abort(new Error("enough"));
  expect(await calling).toEqual({ kind: "lost" });
  await expect.poll(() => server.methods, { timeout: 5000 }).toEqual(["tasks/get", "tasks/cancel"]);
});

test("a program that knows the newest revision alone is found out once, and spoken to so from then on", async () => {
  const known = new Map<string, Era>();
  const eras = {
    recall: (key: string) => known.get(key),
    remember: (key: string, era: Era | undefined) => void (era === undefined ? known.delete(key) : known.set(key, era)),
  };
  await using servers = createServers([badEntry("new", "modern-only")], { eras });
  await servers.open();
  expect(servers.health()).toMatchObject([{ status: "ready", era: "modern", name: "modern" }]);
  expect([...known]).toEqual([["new", "modern"]]);
  expect(await call(servers, "new.echo", { input: { a: 1 } })).toEqual(done({ a: 1 }));
  expect(await servers.restart("new")).toMatchObject({ status: "ready", era: "modern" });
});
