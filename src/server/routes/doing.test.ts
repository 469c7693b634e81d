import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { createDesk, createWorld } from "../../testing/engine.ts";
import { createService } from "../../testing/service.ts";

const tools = {
  say: () => ({ text: "x" }),
  fail: () => {
    throw new Error("out of order");
  },
};
const machine = {
  format: "stepwell/v1",
  states: { draft: { initial: true }, published: { terminal: "success" } },
  transitions: [{ name: "publish", from: "draft", to: "published" }],
};
const crossroads = {
  format: "stepwell/v1",
  start: "ask",
  steps: { ask: { tool: "say", branch: [{ if: "result.text == 'y'", then: "end" }] }, end: { done: true } },
};

describe("a run that goes on", () => {
  test("is told by what it waits for, and so are its steps", async () => {
    await using service = await createService(createWorld("memory"), { tools });
    const { engine } = service;
    await engine.start({ start: { wait: "30m", done: true } }, { name: "asleep" });
    await engine.start({ start: { wait: { event: "paid" }, done: true } }, { name: "awaiting" });
    const failing = { tool: "fail", retry: { attempts: 3, backoff: ["20m"] }, done: true };
    await engine.start({ start: failing }, { name: "backing-off" });
    await engine.start({ start: { gate: {}, done: true } }, { name: "asking" });
    await engine.start(crossroads, { name: "lost" });
    await engine.start(machine, { name: "resting" });
    await service.settle();
    const { list } = await service.get("/api/workflow?with=steps");
    const told = list.map(({ name, doing, steps }) => [name, doing, (steps as JsonObject)["waits"]]);
    expect(told.toReversed()).toEqual([
      ["asleep", "sleep", { sleep: 1 }],
      ["awaiting", "event", { event: 1 }],
      ["backing-off", "retry", { retry: 1 }],
      ["asking", "person", { person: 1 }],
      ["lost", "person", { choice: 1 }],
      ["resting", "rest", { rest: 1 }],
    ]);
    const { body: overview } = await service.get("/api/overview");
    const hours = overview["hours"] as readonly JsonObject[];
    expect(hours.at(-1)?.["doing"]).toEqual({ sleep: 1, event: 1, retry: 1, person: 2, rest: 1 });
    const workflows = overview["workflows"] as readonly {
      readonly name: string;
      readonly last: readonly JsonObject[];
    }[];
    expect(workflows.find(({ name }) => name === "asleep")?.last[0]).toMatchObject({
      status: "running",
      doing: "sleep",
    });
    expect(overview["running"]).toHaveLength(6);
  });

  test("works only while a call of it does: sub-runs, items and what is behind many others are looked into", async () => {
    await using service = await createService(createWorld("memory"), { tools: { ...tools, work: createDesk().call } });
    const { engine } = service;
    const failing = { tool: "fail", retry: { attempts: 3, backoff: ["20m"] } };
    await engine.save({ start: { gate: {}, done: true } }, { name: "ask" });
    await engine.save({ start: { wait: "30m", done: true } }, { name: "sleep" });
    await engine.save({ start: { ...failing, done: true } }, { name: "fail" });
    await engine.save({ start: { tool: "work", done: true } }, { name: "toil" });
    await engine.save({ start: { flow: "sleep", done: true } }, { name: "deep" });
    for (const name of ["ask", "sleep", "fail", "toil", "deep"])
      await engine.start({ start: { flow: name, done: true } }, { name: `over ${name}` });
    await engine.start({ start: { ...failing, each: { items: [1, 2, 3] }, done: true } }, { name: "items back off" });
    await engine.start({ start: { tool: "work", each: { items: [1, 2] }, done: true } }, { name: "items work" });
    await engine.start({ start: { flow: "ask", each: { items: [1, 2] }, done: true } }, { name: "items ask" });
    const sleeping = Array.from({ length: 60 }, (_, at) => [`s${at}`, { wait: "30m", done: true }]);
    const steps = { start: { tool: "say", parallel: [...sleeping.map(([key]) => key), "ask"] } };
    await engine.start(
      { ...steps, ...Object.fromEntries(sleeping), ask: { gate: {}, done: true } },
      { name: "behind" },
    );
    await service.settle();
    const { list } = await service.get("/api/workflow?with=steps&limit=1000");
    const doing = Object.fromEntries(list.map(({ name, doing: what }) => [name, what]));
    const expected = {
      "over ask": "event",
      "over sleep": "sleep",
      "over fail": "retry",
      "over toil": "work",
      "over deep": "work",
      "items back off": "retry",
      "items work": "work",
      "items ask": "event",
      behind: "person",
    };
    expect(doing).toMatchObject(expected);
    const { body } = await service.get("/api/overview");
    const workflows = body["workflows"] as readonly { readonly name: string; readonly last: readonly JsonObject[] }[];
    const seen = Object.fromEntries(workflows.map(({ name, last }) => [name, last[0]?.["doing"]]));
    expect(seen).toMatchObject(expected);
    await engine.pause(Number(list.findLast(({ name }) => name === "sleep")?.["id"]));
    await service.settle();
    const { list: again } = await service.get("/api/workflow?with=steps&limit=1000");
    expect(again.find(({ name }) => name === "over sleep")).toMatchObject({ doing: "event" });
  });

  test("needs a person only where the inbox asks for something: a machine that rests is not counted", async () => {
    await using service = await createService(createWorld("memory"), { tools });
    await service.engine.start(machine, { name: "resting" });
    await service.engine.start(crossroads, { name: "lost" });
    await service.settle();
    const { body } = await service.get("/api/overview");
    expect(body["today"]).toMatchObject({ waiting: 1 });
  });
});
