import { describe, expect, test } from "vitest";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";
import { defineTool } from "../../tool/function.ts";
import { systemClock } from "../../engine/clock.ts";

let isBroken = false;

const tools = {
  greet: defineTool({
    name: "greet",
    description: "Says hello",
    effect: "read",
    input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    call: ({ name }: { readonly name?: string }) => `Hello ${name ?? ""}`,
  }),
  fetch: () => {
    if (isBroken) throw new Error('no "answer"\nfrom there');
    return "fetched";
  },
};

async function openService(): Promise<Service> {
  isBroken = false;
  return createService(createWorld("memory"), { tools, clock: systemClock, breaker: { failures: 2 } });
}

describe("tools", () => {
  test("are listed by name with what they take, and shown one by one", async () => {
    await using service = await openService();
    const { list } = await service.get("/api/tools");
    expect(list.map(({ name }) => name)).toEqual(["fetch", "greet"]);
    const { body } = await service.get("/api/tools/greet");
    expect(body).toMatchObject({ name: "greet", description: "Says hello", effect: "read", outcomes: [] });
    expect(body).toEqual(list[1]);
    const { status, body: problem } = await service.get("/api/tools/greeet");
    expect([status, problem["code"]]).toEqual([404, "TOOL_NOT_FOUND"]);
    expect(problem["detail"]).toContain("greet");
  });

  test("E3-44, E3-45: are called through the engine, as a run of one step, with checked arguments", async () => {
    await using service = await openService();
    const { status, body } = await service.post("/api/tools/greet/call", { args: { name: "Ada" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ tool: "greet", ok: true, result: "Hello Ada", error: null });
    const { body: run } = await service.get(`/api/workflow/${Number(body["workflow_id"])}`);
    expect(run).toMatchObject({ name: "call greet", status: "completed" });
    const wrong = await service.post("/api/tools/greet/call", { args: { nam: "Ada" } });
    expect([wrong.status, wrong.body["code"]]).toEqual([422, "INPUT_INVALID"]);
    expect(wrong.body["detail"]).toMatch(/name.*nam/su);
    const unknown = await service.post("/api/tools/Greet/call", { args: {} });
    expect([unknown.status, unknown.body["detail"]]).toEqual([422, expect.stringContaining("Unknown tool: Greet")]);
  });

  test("tell what they failed with as part of the answer", async () => {
    await using service = await openService();
    isBroken = true;
    const { status, body } = await service.post("/api/tools/fetch/call", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: false, result: null, error: { message: 'no "answer"\nfrom there' } });
  });
});

describe("breakers", () => {
  test("AC-41: are listed with state, count and last error, and reset by hand", async () => {
    await using service = await openService();
    expect((await service.get("/api/breakers")).list).toEqual([]);
    isBroken = true;
    for (let times = 0; times < 2; times++) await service.post("/api/tools/fetch/call", {});
    const { list } = await service.get("/api/breakers");
    expect(list).toMatchObject([{ tool: "fetch", state: "open", count: 2, last_error: 'no "answer"\nfrom there' }]);
    expect(list[0]?.["open_until"]).toBeGreaterThan(Date.now());
    isBroken = false;
    expect((await service.post("/api/tools/fetch/call", {})).body).toMatchObject({ ok: false });
    expect((await service.post("/api/breakers/fetch/reset")).body).toEqual({ tool: "fetch", reset: true });
    expect((await service.post("/api/breakers/greet/reset")).body).toEqual({ tool: "greet", reset: false });
    expect((await service.post("/api/tools/fetch/call", {})).body).toMatchObject({ ok: true, result: "fetched" });
  });
});

describe("/metrics and /health", () => {
  test("AC-41, AC-72: show runs of today by status, breakers with their last error, tools and requests", async () => {
    await using service = await openService();
    isBroken = true;
    for (let times = 0; times < 2; times++) await service.post("/api/tools/fetch/call", {});
    await service.post("/api/tools/greet/call", { args: { name: "Ada" } });
    await service.get("/api/workflow/17");
    await service.get("/nowhere/secret-in-the-path?token=hidden");
    const response = await service.fetch(new Request("http://localhost/metrics"));
    const { status, headers } = response;
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const lines = (await response.text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "# TYPE stepwell_runs_today gauge",
        'stepwell_runs_today{status="completed"} 1',
        'stepwell_runs_today{status="failed"} 2',
        'stepwell_runs_live{status="running"} 0',
        'stepwell_calls_total{tool="fetch",outcome="failed"} 2',
        'stepwell_calls_total{tool="greet",outcome="done"} 1',
        'stepwell_breaker_state{tool="fetch"} 2',
        'stepwell_breaker_failures{tool="fetch"} 2',
        String.raw`stepwell_breaker_info{tool="fetch",last_error="no \"answer\"\nfrom there"} 1`,
        "stepwell_tools 2",
        'stepwell_http_requests_total{method="POST",route="/api/tools/:id/call",status="200"} 3',
        'stepwell_http_requests_total{method="GET",route="/api/workflow/:id",status="404"} 1',
        'stepwell_http_requests_total{method="GET",route="none",status="404"} 1',
        'stepwell_http_request_seconds_bucket{method="POST",route="/api/tools/:id/call",le="+Inf"} 3',
        'stepwell_http_request_seconds_count{method="POST",route="/api/tools/:id/call"} 3',
      ]),
    );
    expect(lines.join("\n")).not.toMatch(/secret-in-the-path|hidden/);
    // As the format wants it: a comment, or a name, labels and a number.
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]+(\{.*\})? -?[\d.e+-]+)$/u);
  });

  test("AC-72: say 200 and ok, and warn of open breakers without naming them", async () => {
    await using service = await openService();
    expect(await service.get("/health")).toMatchObject({
      status: 200,
      body: { status: "ok", reasons: [], warnings: [] },
    });
    isBroken = true;
    for (let times = 0; times < 2; times++) await service.post("/api/tools/fetch/call", {});
    const { status, body } = await service.get("/health");
    expect([status, body["warnings"]]).toEqual([200, ["A breaker is open: tools fail."]]);
    expect(body["version"]).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("AC-72: say 503 and degraded, with the reason, when the store does not answer", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools });
    const { createApp } = await import("../app.ts");
    const app = createApp(engine, { isLoopback: true });
    store.faults.beforeVerb = (verb) => (verb === "lastCommit" ? Promise.reject(new Error("It is gone.")) : undefined);
    const response = await app.request("http://localhost/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "degraded", reasons: ["It is gone."] });
  });

  test("are for whoever may see all runs, once users are known", async () => {
    await using service = await openService();
    await service.engine.access.save("ann", { keys: ["130001.read"] });
    await service.engine.access.save("bob", { keys: ["130001.read.own"] });
    const bearer = async (user: string): Promise<Record<string, string>> => {
      const { text: token } = await service.engine.access.tokens.create({ user, name: "t", scopes: ["130001"] });
      return { authorization: `Bearer ${token}` };
    };
    expect((await service.get("/metrics")).status).toBe(401);
    expect((await service.get("/metrics", await bearer("ann"))).status).toBe(200);
    expect((await service.get("/metrics", await bearer("bob"))).status).toBe(403);
    expect((await service.get("/health")).status).toBe(200);
  });

  test("say to whoever is not known how it is, and nothing of where", async () => {
    await using service = await openService();
    expect((await service.get("/health")).body).toMatchObject({ store: expect.any(String), is_owner: true });
    await service.engine.access.save("ann", { keys: ["130001.read"] });
    const { text: token } = await service.engine.access.tokens.create({ user: "ann", name: "t" });
    const { body } = await service.get("/health", { authorization: `Bearer ${token}` });
    expect(body).toMatchObject({ store: expect.any(String), durability: expect.any(String) });
    for (const headers of [{}, { authorization: "Bearer nonsense" }])
      expect((await service.get("/health", headers)).body).toEqual({
        status: "ok",
        reasons: [],
        now: expect.any(Number),
      });
  });

  test("do not name the store in the reasons either", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools });
    const { createApp } = await import("../app.ts");
    const app = createApp(engine, { isLoopback: false });
    const gone = new Error(`${(await engine.health()).store} is gone from 10.0.0.7:5432.`);
    store.faults.beforeVerb = (verb) => (verb === "lastCommit" ? Promise.reject(gone) : undefined);
    const response = await app.request("http://localhost/health", { headers: { host: "localhost" } });
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { reasons: ["The store is gone from its address."] },
    ]);
  });
});
