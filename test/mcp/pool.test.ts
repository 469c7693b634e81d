import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/flow/json.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { ServerEntry, ToolDefinition } from "../../src/tool/mcp/contract.ts";
import { listen, stopServers } from "../local-servers.ts";
import { complete, serveModern, tool, type ModernServer } from "./modern-server.ts";
import { badEntry, call, createPins, createServers, done, entryOf, resultOf } from "./servers.ts";

const definition: ToolDefinition = {
  name: "one",
  title: null,
  description: "Says\u200B one\u001B[2J",
  input: { type: "object" },
  output: null,
  annotations: {},
  taskSupport: "forbidden",
};

function webEntry({ url }: ModernServer, more: Partial<ServerEntry> = {}): ServerEntry {
  return entryOf("web", { kind: "http", url, headers: {} }, { era: "modern", ...more });
}

test("tools that are known are there at once; their server is reached when one is called, by all callers together", async () => {
  await using server = await serveModern([tool("one", { description: definition.description })], {
    one: () => complete({ structuredContent: { ok: true } }),
  });
  const pins = createPins();
  await pins.compare("web", [definition]);
  await using servers = createServers([webEntry(server, { effects: { one: "idempotent" } })], { pins });
  await servers.open();
  expect(server.asked).toEqual([]);
  expect(servers.health()).toMatchObject([{ status: "idle", toolCount: 1 }]);
  expect(servers.tools()).toMatchObject([{ name: "web.one", description: "Says one", effect: "idempotent" }]);
  const answers = await Promise.all([1, 2, 3].map(() => call(servers, "web.one")));
  expect(answers.map(resultOf)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  expect(server.asked.filter(({ method }) => method === "server/discover")).toHaveLength(1);
});

test("no more calls are at work at a server than its configuration says; the others have their turn", async () => {
  const held: (() => void)[] = [];
  await using server = await serveModern([tool("one")], {
    one: ({ id }, response) => {
      held.push(() => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: complete({ structuredContent: 1 }) }));
      });
      return undefined;
    },
  });
  await using servers = createServers([webEntry(server, { callsMax: 2 })]);
  await servers.open();
  const answers = Promise.all([1, 2, 3, 4, 5].map(() => call(servers, "web.one")));
  for (const expected of [2, 2, 1]) {
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(expected);
    // What was sent together with these would be here as well by the time that something sent later is answered.
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    await (await fetch(server.url, { method: "POST", body })).text();
    expect(held).toHaveLength(expected);
    for (const answer of held.splice(0)) answer();
  }
  expect((await answers).map(resultOf)).toEqual([1, 1, 1, 1, 1]);
});

test("what was found after the tool was agreed on holds the call before it is sent", async () => {
  await using server = await serveModern([tool("one", { description: "Something else" })], {});
  const pins = createPins();
  await pins.compare("web", [definition]);
  await using servers = createServers([webEntry(server)], { pins });
  await servers.open();
  expect(await call(servers, "web.one")).toMatchObject({ kind: "held", code: "tool_changed" });
  expect(server.methods).toEqual([]);
  // It is offered as it was agreed on, until somebody agrees to more.
  expect(servers.tools()).toMatchObject([{ description: "Says one" }]);
});

test("a server whose configuration is incomplete is refused alone, and is there when that is mended", async () => {
  await using server = await serveModern([tool("one")], { one: () => complete({ structuredContent: 1 }) });
  let isMended = false;
  const entries = [webEntry(server), webEntry(server, { key: "off", isDisabled: true })];
  await using servers = createServers(entries, {
    resolve: ({ target }) =>
      Promise.resolve(isMended ? { ok: true, target } : { ok: false, problem: "TOKEN is not set." }),
  });
  await servers.open();
  expect(servers.problems).toEqual(["web: TOKEN is not set."]);
  expect(servers.health()).toMatchObject([{ status: "refused", problem: "TOKEN is not set." }, { status: "disabled" }]);
  isMended = true;
  expect(await servers.test("web")).toMatchObject({ status: "ready", problem: null, toolCount: 1 });
  expect(await call(servers, "web.one")).toEqual(done(1));
  await expect(servers.test("none")).rejects.toThrow('There is no server "none" in the configuration.');
});

test("a server that cannot be reached is tried later and later, up to a minute, and at once when somebody says so", async () => {
  const server = await serveModern([tool("one")], {});
  await server[Symbol.asyncDispose]();
  const clock = createFakeClock({ now: 0 });
  await using servers = createServers([webEntry(server)], { clock, random: () => 0.999_999 });
  await servers.open();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    const testing = servers.test("web");
    const waitMs = clock.nextInMs ?? 0;
    waits.push(Math.round(waitMs));
    await clock.advance(waitMs);
    await testing;
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  const [health] = servers.health();
  expect(health).toMatchObject({ status: "waiting", problem: "It cannot be reached (ECONNREFUSED).", restarts: 8 });
  expect(await servers.restart("web")).toMatchObject({ status: "waiting", restarts: 9 });
});

test("a server may take as long to begin to speak as its configuration says, and the engine opens without it", async () => {
  const clock = createFakeClock({ now: 0 });
  const entry = { ...badEntry("bad", "never-initialises"), timeoutMs: 60_000 };
  await using servers = createServers([entry], { clock });
  const opening = servers.open();
  await clock.advance(10_500);
  await opening;
  expect(servers.health()).toMatchObject([{ status: "starting", problem: null }]);
  await expect.poll(() => clock.nextInMs).toBeGreaterThan(40_000);
  await clock.advance(clock.nextInMs ?? 0);
  await expect.poll(() => servers.problems).toEqual(["bad: It did not answer within 60 s."]);
});

test("a call that nobody wants any more does not wait for its server", async () => {
  const clock = createFakeClock({ now: 0 });
  const pins = createPins();
  await pins.compare("bad", [definition]);
  await using servers = createServers([badEntry("bad", "never-initialises")], { clock, pins });
  await servers.open();
  const controller = new AbortController();
  const calling = call(servers, "bad.one", { signal: controller.signal });
  controller.abort();
  expect(await calling).toMatchObject({ kind: "failed", code: "tool_server_unavailable", isFinal: false });
  await clock.advance(10_000);
});

test("values that were filled in are not shown, whoever repeats them", async () => {
  const entry = badEntry("bad", "says-env");
  const filled = { ...entry.target, env: { TOKEN: "s3cret-token" } } as ServerEntry["target"];
  await using servers = createServers([entry], {
    resolve: () => Promise.resolve({ ok: true, target: filled, filled: ["s3cret-token"] }),
  });
  await servers.open();
  expect(servers.problems).toEqual(["bad: Its program has ended with code 6. Its last words: my token is [hidden]"]);
});

test("an engine that stops does not wait for a server that does not begin to speak", async () => {
  const clock = createFakeClock({ now: 0 });
  const servers = createServers([badEntry("bad", "never-initialises")], { clock });
  const opening = servers.open();
  await expect.poll(() => servers.health()[0]?.status).toBe("starting");
  await servers.stop();
  await opening;
  expect(servers.problems).toEqual(["bad: The engine stops."]);
});

test("a server that tells of changes without an end keeps no call waiting for ever", async () => {
  const clock = createFakeClock({ now: 0 });
  await using servers = createServers([badEntry("bad", "changes-forever")], { clock });
  await servers.open();
  expect(await call(servers, "bad.pid")).toMatchObject({ kind: "done" });
  // From now on it tells of one after the other.
  const calling = call(servers, "bad.pid");
  const state = { isOver: false };
  void calling.finally(() => void (state.isOver = true));
  for (let second = 0; second < 20 && !state.isOver; second++) await clock.advance(1000);
  expect(await calling).toMatchObject({ kind: "done" });
});

test("a session that the server has forgotten is begun anew, and the call is made once", async () => {
  const calls: (string | undefined)[] = [];
  let sessions = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      const session = request.headers["mcp-session-id"]?.toString();
      const { id, method } = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string };
      const answer = (result: JsonObject): void => {
        response.writeHead(200, { "content-type": "application/json", "mcp-session-id": `session-${sessions}` });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      };
      if (method === "initialize") {
        sessions += 1;
        const serverInfo = { name: "old", version: "1" };
        return answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
      }
      if (method === "tools/list") return answer({ tools: [tool("one")] });
      if (method !== "tools/call") return void response.writeHead(method === undefined ? 405 : 202).end();
      calls.push(session);
      if (session === "session-1") return void response.writeHead(404).end();
      answer({ content: [{ type: "text", text: "1" }] });
    });
  });
  const port = await listen(server);
  await using servers = createServers([
    entryOf("old", { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} }, { era: "legacy" }),
  ]);
  await servers.open();
  expect(await call(servers, "old.one")).toEqual(done(1));
  expect(calls).toEqual(["session-1", "session-2"]);
  expect(servers.health()).toMatchObject([{ status: "ready", problem: null }]);
  stopServers();
});

test("a second server of one key is refused, and the first goes on; one that is added is started when it is told to", async () => {
  await using servers = createServers([badEntry("bad")]);
  await servers.open();
  const pid = resultOf(await call(servers, "bad.pid"));
  expect(() => servers.add(badEntry("bad", "modern-only"))).toThrow(/There is a server "bad" already/);
  expect(resultOf(await call(servers, "bad.pid"))).toBe(pid);
  servers.add(badEntry("more"));
  expect(servers.health()).toMatchObject([{ key: "bad" }, { key: "more", status: "idle" }]);
  await servers.begin("more");
  expect(resultOf(await call(servers, "more.echo", { input: { a: 1 } }))).toEqual({ a: 1 });
});
