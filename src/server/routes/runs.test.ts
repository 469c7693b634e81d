import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createService, type Service } from "../../testing/service.ts";
import { createWorld } from "../../testing/engine.ts";
import { systemClock } from "../../engine/clock.ts";

const tools = {
  pushover_send: ({ message }: { message?: string }) => `sent ${message ?? ""}`,
  get_greeting: ({ name }: { name: string }) => `Hello ${name}`,
  get_counter: () => 42,
  fail: () => {
    throw new Error("out of order");
  },
};

const notify: Json = {
  start: { name: "send", tool: "pushover_send", args: { message: "Hello from workflow" }, done: true },
};
const greetThenCount: Json = {
  start: { name: "greet", tool: "get_greeting", args: { name: "World" }, next: "count" },
  count: { name: "count", tool: "get_counter", args: {}, done: true },
};
const gated: Json = { start: { name: "ask", tool: null, next: "send" }, send: { tool: "get_counter", done: true } };

async function openService(kind: "file" | "memory" = "memory"): Promise<Service> {
  return createService(createWorld(kind), { tools, clock: systemClock });
}

async function startAndEnd({ post, engine }: Service, body: Json): Promise<number> {
  const { body: started } = await post("/api/workflow", body);
  const id = Number(started["id"]);
  await engine.result(id);
  return id;
}

describe("POST /api/workflow", () => {
  test("E3-16, E3-28: starts the seeds' first example, and says that it has started", async () => {
    await using service = await openService();
    const { status, body, headers } = await service.post("/api/workflow", { name: "notify", flow: notify });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "started", scheduled_at: null, warnings: [] });
    expect(`${Number(body["id"])}`).toMatch(/^\d{13}$/);
    expect(headers.get("location")).toBe(`/api/workflow/${Number(body["id"])}`);
    expect(await service.engine.result(Number(body["id"]))).toMatchObject({ status: "completed" });
  });

  test.each([
    ["a value", { flow: greetThenCount }],
    ["a text", { flow: JSON.stringify(greetThenCount) }],
    ["flow_json as a value", { flow_json: greetThenCount }],
    ["flow_json as a text", { flow_json: JSON.stringify(greetThenCount), input_json: '{"a":1}' }],
  ])("E3-17: takes a flow as %s", async (_how, given) => {
    await using service = await openService();
    const id = await startAndEnd(service, { name: "greet-then-count", ...given });
    const { body } = await service.get(`/api/workflow/${id}`);
    expect(body).toMatchObject({ id, name: "greet-then-count", status: "completed" });
    expect(body["steps"]).toMatchObject([
      { name: "greet", status: "done", result_json: '"Hello World"', args_json: '{"name":"World"}', attempt: 1 },
      { name: "count", status: "done", result_json: "42" },
    ]);
    expect(JSON.parse(body["flow_json"] as string)).toEqual(greetThenCount);
    expect(body["input_json"]).toBe("input_json" in given ? '{"a":1}' : "{}");
  });

  test("E3-14, E3-38: takes a schedule in words, and tells the instant that it understood", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { name: "later", flow: notify, schedule: "in 30 minutes" });
    expect(body["status"]).toBe("scheduled");
    const inMs = Number(body["scheduled_at"]) - Date.now();
    expect(inMs).toBeGreaterThan(29 * 60_000);
    expect(inMs).toBeLessThanOrEqual(30 * 60_000);
    const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
    expect(run).toMatchObject({ status: "scheduled", scheduled_at: body["scheduled_at"] });
    expect(run["steps"]).toMatchObject([{ status: "pending" }]);
  });

  test("E3-38: refuses a time that is past or half understood, and starts nothing", async () => {
    await using service = await openService();
    for (const schedule of ["yesterday at 9am", "day after tomorrow at 6 or so", "every monday at 9am"]) {
      const { status, body } = await service.post("/api/workflow", { name: "n", flow: notify, schedule });
      expect([status, body["code"]]).toEqual([422, "INPUT_INVALID"]);
    }
    expect((await service.get("/api/workflow?status=all")).list).toEqual([]);
  });

  test("starts a saved workflow by its name alone", async () => {
    await using service = await openService();
    await service.post("/api/workflow/templates", { name: "greetings", flow_json: greetThenCount });
    const id = await startAndEnd(service, { name: "greetings" });
    expect((await service.get(`/api/workflow/${id}`)).body).toMatchObject({ name: "greetings", status: "completed" });
  });

  test("says everything that is wrong with a flow, and keeps nothing of it", async () => {
    await using service = await openService();
    const { status, body } = await service.post("/api/workflow", {
      name: "n",
      flow: { start: { tool: "log", next: "nowhere" } },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "FLOW_INVALID", status: 422 });
    expect(JSON.stringify(body["details"])).toContain("nowhere");
    expect((await service.get("/api/workflow?status=all")).list).toEqual([]);
  });

  test("each of 50 keys starts one run, however often and however fast it is sent", async () => {
    await using service = await openService("file");
    const keys = Array.from({ length: 50 }, (_none, at) => `k${at}`);
    const send = async (key: string): Promise<unknown> =>
      (await service.post("/api/workflow", { name: key, flow: notify }, { "idempotency-key": key })).body["id"];
    // A hundred of each, all at once, and no two of a key one after the other.
    const ids = await Promise.all(
      Array.from({ length: 100 }, () => keys)
        .flat()
        .map(send),
    );
    expect(new Set(ids).size).toBe(50);
    const { list } = await service.get("/api/workflow?status=all&limit=100");
    expect(new Set(list.map(({ name }) => name))).toEqual(new Set(keys));
    expect(list).toHaveLength(50);
  });

  test("a key that has started something else is refused", async () => {
    await using service = await openService();
    const key = { "idempotency-key": "k1" };
    await service.post("/api/workflow", { name: "n", flow: notify, input: { a: 1 } }, key);
    const other = await service.post("/api/workflow", { name: "n", flow: notify, input: { a: 2 } }, key);
    expect([other.status, other.body["code"]]).toEqual([422, "KEY_REUSED"]);
    const flow = await service.post("/api/workflow", { name: "n", flow: greetThenCount, input: { a: 1 } }, key);
    expect([flow.status, flow.body["code"]]).toEqual([422, "KEY_REUSED"]);
  });

  test("a key makes a signal, a decision and a new run happen once, and refuses another request", async () => {
    await using service = await openService();
    const flow = {
      start: { tool: null, next: "wait" },
      wait: { wait: { event: "paid" }, next: "again" },
      again: { wait: { event: "paid" }, done: true },
    };
    const { body } = await service.post("/api/workflow", { flow });
    const path = `/api/workflow/${Number(body["id"])}`;
    await service.settle();
    const [step] = (await service.get(path)).body["steps"] as readonly { readonly id: number }[];
    const key = { "idempotency-key": "decided" };
    for (let time = 0; time < 3; time++)
      expect((await service.post(`/api/workflow/${step?.id ?? 0}/approve`, { comment: "go" }, key)).status).toBe(200);
    const other = await service.post(`/api/workflow/${step?.id ?? 0}/reject`, {}, key);
    expect([other.status, other.body["code"]]).toEqual([422, "KEY_REUSED"]);
    for (let time = 0; time < 3; time++)
      await service.post(`${path}/signal`, { name: "paid", data: 1 }, { "idempotency-key": "paid" });
    await service.settle();
    expect((await service.get(path)).body["steps"]).toMatchObject([
      { status: "done" },
      { status: "done" },
      { status: "pending" },
    ]);
    const again = await Promise.all(
      Array.from({ length: 10 }, () => service.post(`${path}/rerun`, {}, { "idempotency-key": "again" })),
    );
    expect(new Set(again.map((answer) => answer.body["id"])).size).toBe(1);
    // Another one under the same key is another run, and never taken for the first.
    const fork = (v: number): Promise<number> =>
      service
        .post(`${path}/fork`, { input: { v } }, { "idempotency-key": "again" })
        .then((answer) => Number(answer.body["id"]));
    expect(new Set([await fork(1), await fork(2), await fork(1), Number(again[0]?.body["id"])]).size).toBe(3);
  });

  test("what was refused under a key is refused alike when it comes again", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { flow: gated });
    const path = `/api/workflow/${Number(body["id"])}`;
    const resume = async (key: string): Promise<number> =>
      (await service.post(`${path}/resume`, {}, { "idempotency-key": key })).status;
    expect(await resume("on")).toBe(409);
    await service.post(`${path}/pause`);
    expect([await resume("on"), await resume("other")]).toEqual([409, 200]);
  });

  test("a key holds for a batch and for times in words, and an empty one is refused", async () => {
    await using service = await openService();
    const key = { "idempotency-key": "many" };
    const send = async (): Promise<unknown> =>
      (await service.post("/api/workflow/batch", { runs: [{ flow: notify }, { flow: notify }] }, key)).body["runs"];
    expect(await send()).toEqual(await send());
    const later = Array.from({ length: 10 }, () =>
      service.post("/api/workflow", { flow: notify, schedule: "in 30 minutes" }, { "idempotency-key": "later" }),
    );
    expect(new Set((await Promise.all(later)).map((answer) => answer.body["id"])).size).toBe(1);
    expect((await service.post("/api/workflow", { flow: notify }, { "idempotency-key": "" })).status).toBe(422);
    expect((await service.get("/api/workflow?status=all")).list).toHaveLength(3);
  });

  test("many at once: each is started or refused by itself", async () => {
    await using service = await openService();
    const runs = [{ flow: notify }, { flow: { start: { next: "nowhere" } } }, { flow: greetThenCount }];
    const { status, body } = await service.post("/api/workflow/batch", { runs });
    expect(status).toBe(200);
    expect(body["runs"]).toMatchObject([
      { status: "started" },
      { problem: { code: "FLOW_INVALID" } },
      { status: "started" },
    ]);
  });
});

describe("GET /api/workflow", () => {
  test("E3-19: newest first, fifty unless said otherwise, cancelled ones only when asked for", async () => {
    await using service = await openService();
    const ids: number[] = [];
    for (let count = 0; count < 52; count++)
      ids.unshift(Number((await service.post("/api/workflow", { flow: gated })).body["id"]));
    await service.delete(`/api/workflow/${ids[0] ?? 0}`);
    const idsAt = async (path: string): Promise<readonly unknown[]> =>
      (await service.get(path)).list.map((run) => run["id"]);
    expect(await idsAt("/api/workflow")).toEqual(ids.slice(1, 51));
    expect(await idsAt("/api/workflow?status=all&limit=2")).toEqual(ids.slice(0, 2));
    expect(await idsAt("/api/workflow?status=cancelled")).toEqual(ids.slice(0, 1));
    expect(await idsAt(`/api/workflow?limit=2&cursor=${ids[49] ?? 0}`)).toEqual(ids.slice(50, 52));
  });

  test("E3-18: a run that is not there is 404, whatever stands in the address", async () => {
    await using service = await openService();
    for (const id of ["1774093092892", "no-number", "-1", "1e3", "99999999999999999999"]) {
      const { status, body, headers } = await service.get(`/api/workflow/${id}`);
      expect([status, body["code"]]).toEqual([404, "RUN_NOT_FOUND"]);
      expect(headers.get("content-type")).toBe("application/problem+json");
    }
  });

  test("a page of large runs ends before its limit, and says where to go on", async () => {
    await using service = await openService();
    const input = { text: "x".repeat(1_000_000) };
    for (let count = 0; count < 18; count++) await service.engine.start(gated, { input });
    const { status, list, headers } = await service.get("/api/workflow?limit=1000");
    expect([status, list.length, headers.get("x-next-cursor")]).toEqual([200, 17, `${Number(list.at(-1)?.["id"])}`]);
    const rest = await service.get(`/api/workflow?limit=1000&cursor=${headers.get("x-next-cursor")}`);
    expect([rest.list.length, rest.headers.get("x-next-cursor")]).toEqual([1, null]);
  });

  test("refuses a query that means nothing", async () => {
    await using service = await openService();
    for (const query of ["limit=0", "limit=x", "status=open", "limit=5000"]) {
      const { status, body } = await service.get(`/api/workflow?${query}`);
      expect([query, status, body["code"]]).toEqual([query, 422, "INPUT_INVALID"]);
    }
  });
});

describe("one run", () => {
  test("E3-20, E3-28: DELETE cancels it; once it has ended that is a conflict", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { flow: gated });
    const path = `/api/workflow/${Number(body["id"])}`;
    const { body: seen } = await service.get(path);
    const stale = await service.delete(`${path}?updated_at=${Number(seen["updated_at"]) - 1}`);
    expect([stale.status, stale.body["details"]]).toMatchObject([
      409,
      { code: "version_changed", actual: seen["updated_at"] },
    ]);
    const gone = await service.delete(`${path}?updated_at=${Number(seen["updated_at"])}&reason=enough`);
    expect([gone.status, gone.body["status"]]).toEqual([200, "cancelled"]);
    const ended = await startAndEnd(service, { flow: notify });
    expect((await service.delete(`/api/workflow/${ended}`)).status).toBe(409);
    const { list } = await service.get(`${path}/history`);
    expect(JSON.stringify(list)).toContain("enough");
  });

  test("E3-28, E0-38: POST /:step_id/ready lets a gate go on", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { flow: gated });
    const path = `/api/workflow/${Number(body["id"])}`;
    await service.settle();
    const { body: run } = await service.get(path);
    const [step] = run["steps"] as readonly { readonly id: number }[];
    expect((await service.post(`/api/workflow/${step?.id ?? 0}/ready`)).body).toEqual({
      id: step?.id,
      status: "ready",
    });
    await service.engine.result(Number(body["id"]));
    expect((await service.get(path)).body["steps"]).toMatchObject([
      { name: "ask", status: "done", result_json: '"approved"' },
      { name: "send", status: "done" },
    ]);
    expect((await service.post("/api/workflow/17/ready")).body["code"]).toBe("STEP_NOT_FOUND");
  });

  test("is paused, resumed, asked what cancelling would do, and run again from a step", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { flow: gated });
    const path = `/api/workflow/${Number(body["id"])}`;
    expect((await service.post(`${path}/pause`)).body["status"]).toBe("paused");
    expect((await service.post(`${path}/resume`)).body["status"]).toBe("running");
    expect((await service.get(`${path}/preview`)).status).toBe(200);
    const ended = await startAndEnd(service, { flow: greetThenCount });
    const again = await service.post(`/api/workflow/${ended}/rerun`, { from: "count" });
    expect(again.status).toBe(201);
    await service.engine.result(Number(again.body["id"]));
    const { body: second } = await service.get(`/api/workflow/${Number(again.body["id"])}`);
    expect(second).toMatchObject({ status: "completed", origin: { kind: "rerun", id: ended } });
    const failed = await service.post("/api/workflow", {
      flow: { start: { tool: "fail", retry: { attempts: 1 }, done: true } },
    });
    await service.engine.result(Number(failed.body["id"]));
    expect((await service.post(`/api/workflow/${Number(failed.body["id"])}/retry`)).status).toBe(201);
    const forked = await service.post(`/api/workflow/${ended}/fork`, { input: { name: "Ada" } });
    expect((await service.get(`/api/workflow/${Number(forked.body["id"])}`)).body["input"]).toEqual({ name: "Ada" });
  });
});

describe("a request that is not right", () => {
  test("JSON that breaks off is a 400 with its place", async () => {
    await using service = await openService();
    const { status, body } = await service.send("POST", "/api/workflow", '{\n  "name": "n",\n  "flow": }');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "BODY_UNREADABLE", details: { line: 3, column: 11 } });
  });

  test("names that are not known are told, and nothing is started", async () => {
    await using service = await openService();
    const { status, body } = await service.post("/api/workflow", { flow: notify, shedule: "in 5 minutes" });
    expect([status, body["code"]]).toEqual([422, "INPUT_INVALID"]);
    expect(JSON.stringify(body)).toContain("shedule");
  });

  test("an address that is none of ours is 404, with where to look", async () => {
    await using service = await openService();
    expect((await service.get("/api/nothing")).body).toMatchObject({
      code: "NO_SUCH_ROUTE",
      hint: "GET /api/openapi.json",
    });
  });

  test("what is nested too deep is refused, wherever it stands", async () => {
    await using service = await openService();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const [path, text] of [
      ["/api/workflow", `{"flow": ${deep}}`],
      ["/api/workflow", `{"flow": "x", "input": ${deep}}`],
      ["/api/workflow/emit", `{"event": "x", "data": ${deep}}`],
      ["/api/workflow/templates/import", deep],
    ] as const) {
      const { status, body } = await service.send("POST", path, text, { "idempotency-key": "deep" });
      expect([path, status, body["code"]]).toEqual([path, 422, "INPUT_INVALID"]);
    }
  });

  test("more than fits is 413", async () => {
    await using service = await openService();
    const { status, body } = await service.post("/api/workflow", { flow: notify, input: "x".repeat(5_000_000) });
    expect([status, body["code"]]).toEqual([413, "TOO_LARGE"]);
  });
});
