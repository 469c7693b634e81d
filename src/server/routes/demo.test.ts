import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createDesk, createWorld, type World } from "../../testing/engine.ts";
import type { FaultyStore } from "../../testing/faulty-store.ts";
import { createService, type Service } from "../../testing/service.ts";
import { saveDemos } from "../demo-workflows.ts";

const greet: Json = { start: { tool: "greet", done: true } };
const all = ["hello", "flaky", "fan-out", "publish", "publish-digest", "survivor"];

const working: Json = { start: { gate: {}, next: "work" }, work: { tool: "work", done: true } };

let world: World;
let service: Service;
let desk: ReturnType<typeof createDesk>;
const pull = vi.fn<() => void>();

beforeEach(async () => {
  pull.mockClear();
  world = createWorld("memory");
  desk = createDesk();
  const tools = { greet: () => "hello", work: desk.call, "demo.echo": () => "", "demo.sleep": desk.call };
  service = await createService(world, { tools, app: { plug: { pull, clock: world.clock } } });
});

afterEach(() => service[Symbol.asyncDispose]());

describe("the demo workflows", () => {
  test("come into an empty store, each with a description, and are told", async () => {
    expect((await service.get("/api/demo")).body).toEqual({ can_crash: true, has_survived: false, demos: [] });
    expect(await saveDemos(service.engine)).toBe(6);
    expect((await service.get("/api/demo")).body).toEqual({ can_crash: true, has_survived: false, demos: all });
    for (const { description } of await service.engine.workflows.list()) expect(description).toMatch(/^\S.{10,}/);
  });

  test("never come into a store in which somebody keeps something, nor back again", async () => {
    await service.engine.save(greet, { name: "mine" });
    expect(await saveDemos(service.engine)).toBe(0);
    expect((await service.get("/api/demo")).body).toMatchObject({ demos: [] });
  });

  test("go as far as nobody has changed them, once", async () => {
    await saveDemos(service.engine);
    await service.engine.save(greet, { name: "publish" });
    const removed = all.filter((name) => name !== "publish");
    expect((await service.post("/api/demo/clean")).body).toEqual({ removed, kept: ["publish"] });
    expect((await service.post("/api/demo/clean")).body).toEqual({ removed: [], kept: ["publish"] });
    expect((await service.engine.workflows.list()).map(({ name }) => name)).toEqual(["publish"]);
    expect(await saveDemos(service.engine)).toBe(1);
  });
});

test("a run that is removed while it is looked at has survived nothing, and the demo is told all the same", async () => {
  const stores: FaultyStore[] = [];
  const setup = { tools: { greet: () => "hello" }, prepare: (store: FaultyStore) => void stores.push(store) };
  await using other = await createService(createWorld("memory"), setup);
  const { id } = await other.engine.start(greet, { name: "survivor" });
  await other.engine.result(id);
  let removed = 0;
  for (const { faults } of stores)
    faults.afterVerb = (verb) => {
      if (verb !== "listRuns") return undefined;
      faults.afterVerb = null;
      return other.engine.prune({ name: "survivor" }).then(({ runs }) => void (removed = runs));
    };
  const { status, body } = await other.get("/api/demo");
  expect([removed, status, body["has_survived"]]).toEqual([1, 200, false]);
});

describe("the plug", () => {
  test("is pulled for a run that is under way; one that has ended, or never was, is refused", async () => {
    const { id } = await service.engine.start(greet);
    await service.settle();
    expect(await service.post("/api/demo/crash", { run: id })).toMatchObject({
      status: 409,
      body: { code: "REFUSED", details: { code: "not_running" } },
    });
    expect((await service.post("/api/demo/crash", { run: 17 })).status).toBe(404);
    const { id: begun } = await service.engine.start({ start: { tool: "work", done: true } });
    await service.settle();
    expect(await service.post("/api/demo/crash", { run: begun })).toMatchObject({
      status: 202,
      body: { run: { id: begun } },
    });
    await world.clock.advance(399);
    expect(pull).not.toHaveBeenCalled();
    await world.clock.advance(1);
    expect(pull).toHaveBeenCalledOnce();
  });

  test("is not pulled for a run that waits for somebody: that may take days", async () => {
    const { id } = await service.engine.start(working);
    await service.settle();
    expect(await service.post("/api/demo/crash", { run: id })).toMatchObject({
      status: 409,
      body: { code: "REFUSED", detail: expect.stringContaining("No step of run"), details: { code: "not_running" } },
    });
    await service.engine.approve((await service.engine.get(id)).steps[0]?.id ?? 0);
    await service.settle();
    expect(desk.calls).toHaveLength(1);
    await world.clock.advance(20_000);
    expect(pull).not.toHaveBeenCalled();
  });

  test("waits for a try that comes soon, and gives up when nothing runs for ten seconds", async () => {
    const retried: Json = {
      start: { tool: "work", retry: { attempts: 2, backoff: ["2s"] }, next: "ask" },
      ask: { gate: {}, next: "more" },
      more: { tool: "work", done: true },
    };
    const { id } = await service.engine.start(retried);
    await service.settle();
    desk.last().fail(new Error("not yet"));
    await service.settle();
    expect((await service.post("/api/demo/crash", { run: id })).status).toBe(202);
    await world.clock.advance(2000);
    // So quick that nobody would see it run.
    desk.last().done();
    await world.clock.advance(7999);
    expect(await service.post("/api/demo/crash")).toMatchObject({
      status: 409,
      body: { code: "REFUSED", details: { code: "already_pulling" } },
    });
    await world.clock.advance(1);
    const gate = (await service.engine.get(id)).steps.find((step) => step.gate !== null);
    await service.engine.approve(gate?.id ?? 0);
    await service.settle();
    expect(desk.calls).toHaveLength(3);
    await world.clock.advance(1000);
    expect(pull).not.toHaveBeenCalled();
    expect((await service.post("/api/demo/crash", { run: id })).status).toBe(202);
    await world.clock.advance(400);
    expect(pull).toHaveBeenCalledOnce();
  });

  test("is pulled once for one process, and free again when nothing has come of it", async () => {
    expect((await service.post("/api/demo/crash", { run: 17 })).status).toBe(404);
    const [one, other] = await Promise.all([service.post("/api/demo/crash"), service.post("/api/demo/crash")]);
    expect(new Set([one.status, other.status])).toEqual(new Set([202, 409]));
    await service.settle();
    await world.clock.advance(400);
    expect(pull).toHaveBeenCalledOnce();
  });

  test("is for those who may operate, and whoever starts a run for it must be allowed to", async () => {
    const { engine } = service;
    await engine.access.save("ann", { keys: ["130001.read", "130001.start"] });
    await engine.access.save("bob", { keys: ["130001.read", "130001.operate"] });
    for (const user of ["ann", "bob"]) {
      const { text } = await engine.access.tokens.create({ user, name: "t" });
      const { status, body } = await service.post("/api/demo/crash", {}, { authorization: `Bearer ${text}` });
      expect([user, status, body["code"]]).toEqual([user, 403, "NOT_ALLOWED"]);
    }
  });
});
