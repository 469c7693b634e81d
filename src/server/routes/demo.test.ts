import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";
import { saveDemos } from "../demo-workflows.ts";

const greet: Json = { start: { tool: "greet", done: true } };
const gated: Json = { start: { gate: {}, done: true } };
const all = ["hello", "flaky", "fan-out", "publish", "publish-digest", "survivor"];

let service: Service;
const pull = vi.fn<() => void>();

beforeEach(async () => {
  pull.mockClear();
  service = await createService(createWorld("memory"), { tools: { greet: () => "hello" }, app: { plug: { pull } } });
});

afterEach(() => service[Symbol.asyncDispose]());

describe("the demo workflows", () => {
  test("come into an empty store, each with a description, and are told", async () => {
    expect((await service.get("/api/demo")).body).toEqual({ can_crash: true, demos: [] });
    expect(await saveDemos(service.engine)).toBe(6);
    expect((await service.get("/api/demo")).body).toEqual({ can_crash: true, demos: all });
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

describe("the plug", () => {
  test("is pulled for a run that is under way; one that has ended, or never was, is refused", async () => {
    const { id } = await service.engine.start(greet);
    await service.settle();
    expect(await service.post("/api/demo/crash", { run: id })).toMatchObject({
      status: 409,
      body: { code: "REFUSED", details: { code: "not_running" } },
    });
    expect((await service.post("/api/demo/crash", { run: 17 })).status).toBe(404);
    const waiting = await service.engine.start(gated);
    const { status, body } = await service.post("/api/demo/crash", { run: waiting.id });
    expect([status, body]).toEqual([202, { run: { id: waiting.id, uid: waiting.uid } }]);
    // No step of it runs.
    expect(pull).not.toHaveBeenCalled();
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
