import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import type { Store } from "../../store/store.ts";
import { createWorld } from "../../testing/engine.ts";
import type { FaultyStore } from "../../testing/faulty-store.ts";
import { createService, type Service } from "../../testing/service.ts";
import { outlineSchema, outlineStepSchema, briefStepSchema } from "../contract/outline-schema.ts";

const large = "é".repeat(40_000);
const largeBytes = Buffer.byteLength(JSON.stringify(large));

const tools = {
  greet: ({ name }: { name?: string }) => `Hello ${name ?? ""}`,
  enlarge: () => large,
  count: () => 42,
  fail: () => {
    throw new Error("x".repeat(3000));
  },
};

async function openService(): Promise<Service> {
  return createService(createWorld("memory"), { tools, clock: systemClock });
}

/** With the store that it reads. */
async function openSpied(): Promise<{ readonly service: Service; readonly store: Store }> {
  const opened: Store[] = [];
  const prepare = ({ store }: FaultyStore): void => void opened.push(store);
  const service = await createService(createWorld("memory"), { tools, clock: systemClock, prepare });
  const [store] = opened;
  if (store === undefined) throw new Error("No store was opened.");
  return { service, store };
}

async function startAndEnd({ engine }: Service, flow: Json, input: Json = null): Promise<number> {
  const { id } = await engine.start(flow, { input, name: "looked-at" });
  await engine.result(id);
  return id;
}

async function outlineOf({ get }: Service, id: number): Promise<JsonObject> {
  const { status, body } = await get(`/api/workflow/${id}/outline`);
  expect(status).toBe(200);
  expect(outlineSchema.safeParse(body).error).toBeUndefined();
  return body;
}

describe("GET /api/workflow/{id}/outline", () => {
  test("has steps without their values, whose lengths it tells, and no large value of the run", async () => {
    await using service = await openService();
    const flow: Json = {
      start: { tool: "enlarge", args: { a: 1 }, retry: { attempts: 4 }, next: "tell" },
      tell: { tool: "greet", retry: { attempts: 1 }, done: true },
    };
    const id = await startAndEnd(service, flow, { text: large });
    const body = await outlineOf(service, id);
    expect(body["run"]).toMatchObject({
      id,
      status: "completed",
      input: { $omitted: largeBytes + 9 },
      output: "Hello ",
    });
    expect(body["steps"]).toMatchObject([
      { key: "start", status: "done", args_bytes: 7, result_bytes: largeBytes, has_error: false, attempts_max: 4 },
      { key: "tell", status: "done", attempts_max: null, next_try_at: null },
    ]);
    const [step] = body["steps"] as readonly JsonObject[];
    for (const name of ["args", "result", "errors", "args_json", "result_json"]) expect(step).not.toHaveProperty(name);
    expect(step?.["key_of_idempotency"]).toBe(`${(await service.engine.get(id)).uid}:start:1`);
    expect(body).toMatchObject({ is_complete: true, items: {}, children: [], parent: null, waiting: [], state: null });
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  test("has the graph that drawings are made from, each arrow with a name of its own", async () => {
    await using service = await openService();
    const flow: Json = {
      start: { tool: "count", branch: [{ if: "result > 1", then: "fork" }], else: "bad" },
      fork: { set: {}, parallel: ["one", "two"] },
      one: { tool: "count", join: "both" },
      two: { tool: "count", each: { items: "{{ [1, 2] }}" }, join: "both" },
      both: { set: {}, done: true },
      bad: { terminal: "failure" },
    };
    const body = await outlineOf(service, await startAndEnd(service, flow));
    const graph = body["graph"] as { readonly nodes: readonly JsonObject[]; readonly links: readonly JsonObject[] };
    expect(graph).toMatchObject({ notation: "flow", start: "start" });
    const node = (key: string): JsonObject | undefined => graph.nodes.find((one) => one["key"] === key);
    expect(node("start")).toMatchObject({ kind: "tool", tool: "count", is_fork: false, pointer: "/steps/start" });
    expect(node("fork")).toMatchObject({ kind: "set", is_fork: true, join: "both" });
    expect(node("two")).toMatchObject({ is_each: true });
    expect(node("both")).toMatchObject({ is_join: true, ending: "success" });
    expect(node("bad")).toMatchObject({ ending: "failure" });
    expect(new Set(graph.links.map(({ id }) => id)).size).toBe(graph.links.length);
    expect(graph.links).toContainEqual(
      expect.objectContaining({ from: "fork", to: "one", kind: "fork", is_back: false, is_side: false }),
    );
  });

  test("counts the items of an each, and leaves them to their own pages", async () => {
    await using service = await openService();
    const flow: Json = {
      start: { tool: "greet", args: { name: "{{ item }}" }, each: { items: "{{ input.names }}" }, done: true },
    };
    const id = await startAndEnd(service, flow, { names: ["a", "b", "c", "d", "e"] });
    const body = await outlineOf(service, id);
    const [each] = body["steps"] as readonly JsonObject[];
    expect(body["steps"]).toHaveLength(1);
    expect(body["items"]).toEqual({ [Number(each?.["id"])]: { count: 5, statuses: { done: 5 } } });
    const path = `/api/workflow/${id}/steps?serves=${Number(each?.["id"])}`;
    const first = await service.get(`${path}&limit=3`);
    expect(first.list.map(({ item }) => item)).toEqual([0, 1, 2]);
    expect(first.list.every((item) => outlineStepSchema.safeParse(item).success)).toBe(true);
    expect(first.headers.get("x-next-cursor")).toBe("2");
    const second = await service.get(`${path}&limit=3&cursor=2`);
    expect([second.list.map(({ item }) => item), second.headers.get("x-next-cursor")]).toEqual([[3, 4], null]);
    expect((await service.get(`${path}&status=failed`)).list).toEqual([]);
    expect((await service.get(`/api/workflow/${id}/steps`)).list.map((step) => step["id"])).toEqual([each?.["id"]]);
  });

  test("knows the saved version, who started it, and whom it has started", async () => {
    await using service = await openService();
    const { engine } = service;
    await engine.workflows.save({ start: { tool: "count", done: true } }, { name: "inner" });
    await engine.workflows.save({ start: { set: {}, done: true } }, { name: "outer" });
    await engine.workflows.save({ start: { flow: "inner", done: true } }, { name: "outer" });
    const { id } = await engine.start("outer");
    await engine.result(id);
    const body = await outlineOf(service, id);
    const [step] = body["steps"] as readonly JsonObject[];
    expect(body["version"]).toEqual({ name: "outer", version: 2 });
    expect(body["children"]).toMatchObject([{ name: "inner", status: "completed", step_id: step?.["id"] }]);
    const [child] = body["children"] as readonly JsonObject[];
    const inner = await outlineOf(service, Number(child?.["id"]));
    expect([inner["parent"], inner["version"]]).toEqual([
      { id, name: "outer" },
      { name: "inner", version: 1 },
    ]);
    await engine.workflows.save({ start: { tool: "greet", done: true } }, { name: "outer" });
    expect((await outlineOf(service, id))["version"]).toEqual({ name: "outer", version: 2 });
  });

  test("says what a machine can do now, and why a run cannot be cancelled", async () => {
    await using service = await openService();
    const machine: Json = {
      name: "order",
      states: { open: { initial: true }, closed: { terminal: "success" }, stopped: { terminal: "failure" } },
      transitions: [
        { name: "pay", from: "open", to: "closed", guard: "has(data.paid)" },
        { name: "stop", from: "open", to: "stopped", requires_reason: true },
      ],
    };
    const { id } = await service.engine.start(machine);
    await service.settle();
    const body = await outlineOf(service, id);
    expect(body["state"]).toBe("open");
    expect(body["transitions"]).toMatchObject([
      { name: "pay", to: "closed", is_open: false, requires_reason: false },
      { name: "stop", to: "stopped", is_open: true, requires_reason: true },
    ]);
    expect(body["can"]).toMatchObject({
      cancel: false,
      cancel_refused: 'Nothing leads from "open" to an end of kind cancel.',
      pause: true,
      fire: true,
      retry: false,
    });
    expect(body["waiting"]).toMatchObject([{ kind: "state", workflow_id: id }]);
  });

  test("cuts what a step failed with, and offers what can be done with what has failed", async () => {
    await using service = await openService();
    const id = await startAndEnd(service, { start: { tool: "fail", retry: { attempts: 1 }, done: true } });
    const body = await outlineOf(service, id);
    const [step] = body["steps"] as readonly JsonObject[];
    expect(step).toMatchObject({ has_error: true, status: "failed" });
    expect(step?.["error"]).toMatchObject({ message: expect.stringMatching(/^.{2000}…$/u) });
    expect(body["can"]).toMatchObject({ cancel: false, pause: false, retry: true, rerun: true, fork: true });
    expect(body["can"]).toMatchObject({ cancel_refused: "The run has ended: failed." });
  });

  test("offers nobody what they may not do", async () => {
    await using service = await openService();
    const { engine } = service;
    await engine.access.save("ann", { keys: ["130001.read", "130001.cancel.own", "tool:*"] });
    const token = (await engine.access.tokens.create({ user: "ann", name: "x" })).text;
    const { id } = await engine.start({ start: { gate: {}, done: true } }, { name: "looked-at" });
    const { body } = await service.get(`/api/workflow/${id}/outline`, { authorization: `Bearer ${token}` });
    expect(body["can"]).toMatchObject({ cancel: false, pause: false, answer: false, operate: false });
  });

  test("of no run is a problem with a code", async () => {
    await using service = await openService();
    for (const path of ["outline", "steps", "steps/7", "value?part=input"]) {
      const { status, body } = await service.get(`/api/workflow/123/${path}`);
      expect([path, status, body["code"]]).toEqual([path, 404, "RUN_NOT_FOUND"]);
    }
  });
});

describe("one step, and one value", () => {
  test("come whole where they are small, and large ones by themselves", async () => {
    await using service = await openService();
    const id = await startAndEnd(service, { start: { tool: "enlarge", args: { a: 1 }, done: true } }, { b: 2 });
    const [row] = (await service.engine.get(id)).steps;
    const path = `/api/workflow/${id}/steps/${row?.id}`;
    const { body } = await service.get(path);
    expect(briefStepSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ id: row?.id, args: { a: 1 }, result: { $omitted: largeBytes } });
    const part = await service.fetch(
      new Request(`http://localhost${path}?part=result`, { headers: { host: "localhost" } }),
    );
    expect(await part.json()).toBe(large);
    expect(part.headers.get("content-type")).toBe("application/json");
    expect(part.headers.get("content-disposition")).toBe(`attachment; filename="step-${row?.id}-result.json"`);
    expect([part.headers.get("x-content-type-options"), part.headers.get("cache-control")]).toEqual([
      "nosniff",
      "no-store",
    ]);
    expect((await service.get(`/api/workflow/${id}/value?part=input`)).body).toEqual({ b: 2 });
    expect((await service.get(`/api/workflow/${id}/value?part=flow`)).status).toBe(422);
  });

  test("a step of another run is none of this one", async () => {
    await using service = await openService();
    const one = await startAndEnd(service, { start: { tool: "count", done: true } });
    const other = await startAndEnd(service, { start: { tool: "count", done: true } });
    const [row] = (await service.engine.get(other)).steps;
    const { status, body } = await service.get(`/api/workflow/${one}/steps/${row?.id}`);
    expect([status, body["code"]]).toEqual([404, "STEP_NOT_FOUND"]);
  });
});

describe("GET /api/workflow", () => {
  test("with=steps counts the steps of each run, and without it nothing is counted", async () => {
    await using service = await openService();
    const flow: Json = { start: { tool: "count", next: "ask" }, ask: { gate: {}, next: "end" }, end: { done: true } };
    const { id } = await service.engine.start(flow);
    await service.settle();
    const { list } = await service.get("/api/workflow?with=steps");
    expect(list).toMatchObject([{ id, steps: { total: 2, statuses: { done: 1, pending: 1 } } }]);
    expect((await service.get("/api/workflow")).list[0]).not.toHaveProperty("steps");
  });
});

describe("GET /api/workflow/{id}/history", () => {
  test("comes as a whole, or in pages, each entry with its number", async () => {
    await using service = await openService();
    const id = await startAndEnd(service, { start: { tool: "count", next: "b" }, b: { tool: "count", done: true } });
    const whole = (await service.get(`/api/workflow/${id}/history`)).list;
    expect(whole.map(({ n }) => n)).toEqual(whole.map((_, at) => at + 1));
    const page = (await service.get(`/api/workflow/${id}/history?after=2&limit=3`)).list;
    expect(page).toEqual(whole.slice(2, 5));
    expect((await service.get(`/api/workflow/${id}/history?after=${whole.length}`)).list).toEqual([]);
    expect((await service.get("/api/workflow/99/history?limit=3")).status).toBe(404);
  });

  test("in pages leaves out results that are large, and reads no others than it tells", async () => {
    const { service: opened, store } = await openSpied();
    await using service = opened;
    const long = { text: "x".repeat(70_000) };
    const id = await startAndEnd(service, { start: { set: long, next: "b" }, b: { tool: "count", done: true } });
    const whole = (await service.get(`/api/workflow/${id}/history`)).list;
    const results = whole.flatMap(({ kind, result }) => (kind === "ended" ? [result] : []));
    expect(results).toEqual([long, 42]);
    const all = vi.spyOn(store, "listRows");
    const some = vi.spyOn(store, "findShort");
    const page = (await service.get(`/api/workflow/${id}/history?limit=100`)).list;
    expect(page).toEqual(
      whole.map((entry) => (entry["result"] === results[0] ? { ...entry, result: { $omitted: 70_011 } } : entry)),
    );
    some.mockClear();
    const [last] = (await service.get(`/api/workflow/${id}/history?after=${whole.length - 1}&limit=5`)).list;
    expect(last).toEqual(whole.at(-1));
    expect(some.mock.calls).toEqual([[[last?.["step_id"]]]]);
    expect(all).not.toHaveBeenCalled();
  });
});
