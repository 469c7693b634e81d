import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
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

  test("needs a person only where the inbox asks for something: a machine that rests is not counted", async () => {
    await using service = await createService(createWorld("memory"), { tools });
    await service.engine.start(machine, { name: "resting" });
    await service.engine.start(crossroads, { name: "lost" });
    await service.settle();
    const { body } = await service.get("/api/overview");
    expect(body["today"]).toMatchObject({ waiting: 1 });
  });
});
