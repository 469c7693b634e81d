import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";

let service: Service;
let token: string;
const gated = { start: { tool: null, next: "end" }, end: { set: {}, done: { output: "went on" } } };

beforeAll(async () => {
  service = await createService(createWorld("memory"), {
    clock: systemClock,
    app: { mcp: { quickMs: 5, lookEveryMs: 5 } },
  });
  await service.engine.save(gated, { name: "gated" });
  token = await mint("ann", ["read", "run"]);
});

afterAll(() => service[Symbol.asyncDispose]());

async function mint(user: string, scopes?: readonly string[]): Promise<string> {
  const wish = { user, name: "test", ...(scopes === undefined ? {} : { scopes }) };
  return (await service.engine.access.tokens.create(wish)).text;
}

const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };

type Asked = {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly deep?: string;
};

async function ask(
  method: string,
  params: JsonObject,
  { token: text = token, headers = {}, name, deep = "" }: Asked = {},
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly result: JsonObject;
  readonly error: unknown;
}> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": tasks,
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const answer = await service.send("POST", "/mcp", JSON.stringify(body).replace('"DEEP"', deep), {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
    ...(text === "" ? {} : { authorization: `Bearer ${text}` }),
    ...headers,
  });
  const { result, error } = answer.body as { readonly result?: JsonObject; readonly error?: unknown };
  return { status: answer.status, headers: answer.headers, result: result ?? {}, error: error ?? answer.body };
}

/** Resolves when it listens, with a function that tells the first run that is heard of from then on. */
async function listenForRun(engine: Service["engine"]): Promise<() => Promise<number>> {
  const news = engine.changes({ workflow: "long" });
  // All that was before has been told.
  await news.next();
  return async () => {
    const { value } = await news.next();
    await news.return();
    return value?.kind === "changes" ? (value.changes[0]?.run ?? 0) : 0;
  };
}

describe("MCP over HTTP", () => {
  test("AC-26: nobody comes without a good token, on this machine neither", async () => {
    for (const bad of ["", "nonsense", `${token}x`]) {
      const { status, headers } = await ask("tools/list", {}, { token: bad });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
    const open = await ask("tools/list", {});
    expect(open.status).toBe(200);
    expect(open.headers.get("www-authenticate")).toBeNull();
    expect(open.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("W3: no foreign name, and no page of another site", async () => {
    expect((await ask("tools/list", {}, { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask("tools/list", {}, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await ask("tools/list", {}, { headers: { origin: "null" } })).status).toBe(403);
  });

  test("a token may what it was made for; one for everything reads and runs, and no more", async () => {
    const namesFor = async (text: string): Promise<readonly string[]> => {
      const { result } = await ask("tools/list", {}, { token: text });
      return (result["tools"] as readonly { readonly name: string }[]).map(({ name }) => name);
    };
    const whole = await mint("ann");
    for (const text of [token, whole]) {
      const names = await namesFor(text);
      expect(names).toContain("workflow_gated");
      expect(names).not.toContain("workflow_approve");
    }
    expect(await namesFor(await mint("ann", ["read"]))).not.toContain("workflow_gated");
    expect(await namesFor(await mint("ann", ["run", "approve"]))).toContain("workflow_approve");
    expect(await namesFor(await mint("ann", ["save"]))).toContain("workflow_template_save");
    const params = { name: "workflow_approve", arguments: { step_id: 1 } };
    const { result } = await ask("tools/call", params, { token: whole, name: "workflow_approve" });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { hint: expect.stringContaining("stepwell token create ann") } },
    });
  });

  test("SB-32: a run is its user's own: another's token finds no such task, and lists none of it", async () => {
    const { result } = await ask("tools/call", { name: "workflow_gated", arguments: {} }, { name: "workflow_gated" });
    const { taskId } = result as { readonly taskId: string };
    expect(result).toMatchObject({ resultType: "task" });
    expect((await ask("tasks/get", { taskId }, { name: taskId })).result).toMatchObject({ taskId, status: "working" });
    const bob = await mint("bob", ["run", "approve"]);
    const { error } = await ask("tasks/get", { taskId }, { token: bob, name: taskId });
    expect(error).toMatchObject({ code: -32602 });
    const alike = await ask("tasks/get", { taskId: "1-nothing" }, { token: bob, name: "1-nothing" });
    expect(alike.error).toMatchObject({ code: -32602 });
    const mine = await mint("ann", ["run", "approve"]);
    const asked = (await ask("tasks/get", { taskId }, { token: mine, name: taskId })).result;
    const [key = ""] = Object.keys(asked["inputRequests"] as JsonObject);
    const inputResponses = { [key]: { action: "accept", content: { choice: "approved" } } };
    expect((await ask("tasks/update", { taskId, inputResponses }, { name: taskId })).error).toMatchObject({
      code: 403,
    });
    await ask("tasks/update", { taskId, inputResponses }, { token: mine, name: taskId });
    const [run = 0] = (await service.engine.overview.find(taskId)).runs;
    expect(await service.engine.result(run)).toMatchObject({ output: "went on" });
  });

  test("2025-11-25 is served as well, each request by itself", async () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const headers = { accept: "application/json, text/event-stream", authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json", ...headers },
      body: text,
    });
    const answer = await (await service.fetch(request)).text();
    expect(answer).toContain('"protocolVersion":"2025-11-25"');
    expect(answer).toContain('"tasks"');
    // There is no stream on which it could be told.
    expect(answer).toContain('"tools":{}');
    expect((await service.send("GET", "/mcp", undefined, headers)).status).toBe(405);
  });

  test("whoever listens is told when workflows come and go, on the same stream", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const leaving = new AbortController();
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params }),
      signal: leaving.signal,
    });
    const { body } = await service.fetch(request);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    const hear = async (words: string): Promise<void> => {
      while (!heard.includes(words)) heard += (await reader?.read())?.value ?? "";
    };
    await hear("notifications/subscriptions/acknowledged");
    expect(heard).toContain('"toolsListChanged":true');
    const told = new AbortController();
    const hearing = hear("notifications/tools/list_changed").finally(() => told.abort());
    // What there is when it is looked at first is no news; so there is always something newer.
    for (let version = 0; !told.signal.aborted; version++)
      await service.engine.save({ start: { set: { version }, done: true } }, { name: "newer" });
    await hearing;
    leaving.abort();
    await reader?.cancel().catch(() => {});
  });

  test("a connection that breaks ends the wait, and not the run", async () => {
    const { engine } = service;
    await engine.save({ start: { wait: "1h", next: "end" }, end: { set: {}, done: true } }, { name: "long" });
    const before = (await engine.overview.figures()).followers;
    const begun = await listenForRun(engine);
    const leaving = new AbortController();
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "workflow_long", arguments: {} } };
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const answer = service.fetch(request).then(
      async (response) => response.text(),
      () => "",
    );
    const run = await begun();
    leaving.abort();
    await answer;
    while ((await engine.overview.figures()).followers > before) await Promise.resolve();
    expect(await engine.get(run)).toMatchObject({ name: "long", status: "running" });
    await engine.cancel(run);
  });

  test("arguments that are marked stand in the headers as they stand in the call, or nothing begins", async () => {
    const region = { type: "string", "x-mcp-header": "Region" };
    const shard = { type: "integer", "x-mcp-header": "a shard" };
    const steps = { start: { set: {}, done: { output: "in {{ input.region }}" } } };
    const input = { type: "object", properties: { region, shard } };
    const marked = { format: "stepwell/v1", steps };
    await service.engine.save({ ...marked, input }, { name: "marked" });
    await service.engine.save(
      { ...marked, input: { ...input, anyOf: [{ required: ["region"] }] } },
      { name: "packed" },
    );
    const { result } = await ask("tools/list", {});
    const listed = (result["tools"] as readonly JsonObject[]).find(({ name }) => name === "workflow_marked");
    // With a mark that is wrong clients would leave out the tool.
    expect(listed?.["inputSchema"]).toEqual({ ...input, properties: { region, shard: { type: "integer" } } });

    const call = (name: string, given: JsonObject, headers: Readonly<Record<string, string>>) =>
      ask("tools/call", { name, arguments: given }, { name, headers });
    const refused = { code: -32020, data: { mismatch: { header: "Mcp-Param-Region" } } };
    const begun = async (): Promise<number> => (await service.engine.list({})).length;
    const before = await begun();
    for (const headers of [{}, { "mcp-param-region": "us" }, { "mcp-param-region": "=?base64?ZXU?=" }]) {
      for (const name of ["workflow_marked", "workflow:marked"]) {
        expect(await call(name, { region: "eu" }, headers)).toMatchObject({ status: 400, error: refused });
      }
      for (const given of [{ input: { region: "eu" } }, { region: "eu" }])
        expect(await call("workflow_packed", given, headers)).toMatchObject({ status: 400, error: refused });
    }
    expect(await begun()).toBe(before);

    const done = { status: 200, result: { structuredContent: { output: "in eu" } } };
    const headers = { "mcp-param-region": "=?base64?ZXU=?=" };
    expect(await call("workflow_marked", { region: "eu", shard: 3 }, headers)).toMatchObject(done);
    expect(await call("workflow_packed", { input: { region: "eu" } }, headers)).toMatchObject(done);
    expect(await call("workflow_marked", {}, headers)).toMatchObject({ status: 200 });
  });

  test("is counted like every other route", async () => {
    const { body } = await service.get("/metrics");
    expect(body["text"]).toMatch(/route="\/mcp"/);
  });

  test("what is nested too deeply is refused, each time as what was sent", async () => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    for (const name of ["workflow_validate", "workflow_gated", "workflow_create"])
      expect((await ask("tools/call", { name, arguments: { flow: "DEEP" } }, { name, deep })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("levels deep"),
        data: { code: "INPUT_INVALID" },
      });
    const asked = await ask("tasks/update", { taskId: "1-a", inputResponses: { 1: "DEEP" } }, { name: "1-a", deep });
    expect(asked.error).toMatchObject({ code: -32602 });
  });

  // The last one: from here on there are users, who may do what they were granted.
  test("what users may not do themselves no token changes: the permission is named that they lack", async () => {
    const { access } = service.engine;
    await access.save("ann", { keys: ["130001"] });
    await access.save("bob", { keys: ["130001.read", "130001.start"] });
    const text = await mint("bob", ["run"]);
    const hintFor = async (name: string): Promise<unknown> => {
      const { result } = await ask("tools/call", { name, arguments: { step_id: 1 } }, { token: text, name });
      return (result["structuredContent"] as { readonly error: JsonObject }).error["hint"];
    };
    expect(await hintFor("workflow_approve")).toMatch(
      /bob lacks the permission 130001\.answer: stepwell user grant bob 130001\.answer$/,
    );
    await access.grant("bob", "130001.answer");
    expect(await hintFor("workflow_approve")).toContain("stepwell token create bob");
  });
});
