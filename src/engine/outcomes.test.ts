import { describe, expect, test } from "vitest";
import { createOutcomesTool } from "../tool/builtin/outcomes.ts";
import { createToolBox } from "../tool/registry.ts";
import { createWorld, type EngineSetup, type World } from "../testing/engine.ts";
import { findQuality } from "./rating.ts";

const greet = {
  name: "greet",
  steps: {
    start: { tool: "search", args: { topic: "{{ input.topic }}" }, next: "write" },
    write: { tool: "write", next: "check" },
    check: { tool: "check", done: true },
  },
};

function setup(world: World): EngineSetup {
  return {
    tools: {
      search: async ({ topic }) => {
        await world.clock.advance(250);
        return { topic };
      },
      write: () => "x".repeat(5000),
      check: () => {
        throw new Error("It is too long.");
      },
    },
  };
}

async function runGreet(
  world: World,
  by = "ann",
): Promise<{ readonly opened: Awaited<ReturnType<World["open"]>>; readonly id: number }> {
  const opened = await world.open(setup(world));
  const flow = { ...greet, steps: { ...greet.steps, check: { ...greet.steps.check, retry: false } } };
  await opened.engine.save(flow);
  const { id } = await opened.engine.start("greet", { input: { topic: "tides" }, as: by });
  await opened.engine.result(id);
  return { opened, id };
}

describe("outcomes", () => {
  test("AC-60, AC-61: every call is on record with its tool, time, snapshot and end", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const [checked, written, searched, ...more] = await opened.engine.outcomes.list();
    expect(more).toEqual([]);
    expect(searched).toMatchObject({
      run: id,
      workflow: "greet",
      name: "start",
      tool: "search",
      quality: "neutral",
      feedback: null,
      durationMs: 250,
      snapshot: '{"topic":"tides"}',
      status: "done",
      error: null,
    });
    expect(written?.snapshot).toHaveLength(2048);
    expect(checked).toMatchObject({ status: "failed", snapshot: null, error: { message: "It is too long." } });
  });

  test("AC-63: are found by tool, workflow and quality, twenty unless said otherwise", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { one: () => 1, two: () => 2 } });
    const flow = {
      start: { each: { items: "{{ input.items }}" }, tool: "one", next: "end" },
      end: { tool: "two", done: true },
    };
    const { id } = await engine.start(flow, { name: "many", input: { items: Array.from({ length: 25 }, () => 0) } });
    expect((await engine.result(id)).status).toBe("completed");
    const first = await engine.outcomes.list();
    expect([first.length, first[0]?.tool]).toEqual([20, "two"]);
    const rest = await engine.outcomes.list({ before: first.at(-1)?.step ?? 0 });
    expect(rest).toHaveLength(6);
    expect(await engine.outcomes.list({ tool: "one", limitMax: 100 })).toHaveLength(25);
    expect(await engine.outcomes.list({ workflow: "other" })).toEqual([]);
    await engine.outcomes.rate(id, { step: "end", quality: "👎", feedback: "no" });
    expect(await engine.outcomes.list({ quality: "down" })).toMatchObject([{ tool: "two", feedback: "no" }]);
    expect(await engine.outcomes.list({ quality: "up" })).toEqual([]);
    expect(await engine.outcomes.list({ quality: "neutral", limitMax: 100 })).toHaveLength(25);
  });

  test("AC-63: are counted by tool, workflow and version", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const { engine } = opened;
    await engine.outcomes.rate(id, { quality: "+" });
    await engine.outcomes.rate(id, { step: "check", quality: "bad" });
    const { groups, ...all } = await engine.outcomes.statistics();
    expect(all).toEqual({ total: 3, up: 2, down: 1, failed: 1, meanDurationMs: 83 });
    expect(
      groups.map(({ tool, workflow, version, total, up, down }) => [tool, workflow, version, total, up, down]),
    ).toEqual([
      ["check", "greet", 1, 1, 0, 1],
      ["search", "greet", 1, 1, 1, 0],
      ["write", "greet", 1, 1, 1, 0],
    ]);
    expect(await engine.outcomes.statistics({ tool: "search" })).toMatchObject({ total: 1, meanDurationMs: 250 });
    expect(await engine.outcomes.statistics({ tool: "none" })).toEqual({
      total: 0,
      up: 0,
      down: 0,
      failed: 0,
      meanDurationMs: null,
      groups: [],
    });
  });

  test("AC-73: a workflow that is deleted leaves its runs, and runs that go take their outcomes along", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const { engine, store } = opened;
    await engine.outcomes.rate(id, { quality: "up" });
    await engine.workflows.delete("greet");
    expect(await engine.outcomes.list({ workflow: "greet" })).toHaveLength(3);
    expect((await engine.get(id)).name).toBe("greet");
    await world.clock.advance(1000);
    await engine.prune({ endedBefore: world.clock.now() });
    expect(await engine.outcomes.list()).toEqual([]);
    expect(await engine.outcomes.list({ quality: "up" })).toEqual([]);
    expect(await store.store.listRatings(id)).toEqual([]);
  });

  test("tell somebody who sees only their own runs of no others", async () => {
    await using world = createWorld("memory");
    const { opened } = await runGreet(world);
    const { engine } = opened;
    await engine.access.save("ben", { keys: ["130001.read.own"] });
    await engine.access.save("zoe", { keys: ["130001.read"] });
    await engine.access.save("eve", {});
    expect(await engine.as("ben").outcomes.list()).toEqual([]);
    expect((await engine.as("ben").outcomes.statistics()).total).toBe(0);
    expect(await engine.as("zoe").outcomes.list()).toHaveLength(3);
    await expect(engine.as("eve").outcomes.list()).rejects.toThrow("130001.read");
  });
});

describe("a rating", () => {
  test("AC-62: is said in many words", () => {
    expect(["+", "up", "yes", "ok", "good", "👍", " OK ", "👍🏽"].map(findQuality)).toEqual(
      Array.from({ length: 8 }, () => "up"),
    );
    expect(["-", "down", "no", "bad", "nope", "👎"].map(findQuality)).toEqual(Array.from({ length: 6 }, () => "down"));
    expect(["", "maybe", "++", "constructor"].map(findQuality)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("AC-62: is of all steps of a run, or of one by its number, name or id; the next one takes its place", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const { engine, row } = opened;
    const look = async (): Promise<unknown> =>
      (await engine.outcomes.list()).map(({ tool, quality, feedback }) => [tool, quality, feedback]);
    expect(await engine.outcomes.rate(id, { quality: "+", feedback: " well done\0 ", by: "ann" })).toBeNull();
    expect(await look()).toEqual([
      ["check", "up", "well done"],
      ["write", "up", "well done"],
      ["search", "up", "well done"],
    ]);
    const search = (await row(id, "start")).id;
    await world.clock.advance(1);
    expect(await engine.outcomes.rate(id, { step: 1, quality: "-", by: "ann" })).toBe(search);
    await engine.outcomes.rate(id, { step: "write", quality: "no", feedback: "too long", by: "ann" });
    await engine.outcomes.rate(id, { step: String((await row(id, "check")).id), quality: "ok", by: "ann" });
    expect(await look()).toEqual([
      ["check", "up", null],
      ["write", "down", "too long"],
      ["search", "down", null],
    ]);
    await world.clock.advance(1);
    await engine.outcomes.rate(id, { quality: "up", by: "ann" });
    expect(await look()).toEqual([
      ["check", "up", null],
      ["write", "up", null],
      ["search", "up", null],
    ]);
    expect(await opened.store.store.listRatings(id)).toHaveLength(1);
    const [entry] = await engine.access.audit({ verb: "run.rate" });
    expect(entry).toMatchObject({ user: "ann", subject: String(id), details: { quality: "up" } });
  });

  test("AC-62: of something that is not there is refused, and so is one that is none", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const { outcomes } = opened.engine;
    await expect(outcomes.rate(id, { quality: "maybe" })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(outcomes.rate(17, { quality: "+" })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    for (const step of [0, 4, "none"])
      await expect(outcomes.rate(id, { step, quality: "+" })).rejects.toMatchObject({ code: "STEP_NOT_FOUND" });
    await expect(outcomes.rate(id, { quality: "+", feedback: "x".repeat(10_001) })).rejects.toThrow("longer than");
    expect(await outcomes.list({ quality: "up" })).toEqual([]);
  });

  test("is for those who may answer and see the run", async () => {
    await using world = createWorld("memory");
    const { opened, id } = await runGreet(world);
    const { engine } = opened;
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.answer.own"] });
    await engine.access.save("ben", { keys: ["130001.read.own", "130001.answer.own"] });
    await engine.access.save("zoe", { keys: ["130001.read"] });
    expect(await engine.as("ann").outcomes.rate(id, { quality: "+" })).toBeNull();
    await expect(engine.as("ben").outcomes.rate(id, { quality: "+" })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(engine.as("zoe").outcomes.rate(id, { quality: "+" })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });
});

describe("outcomes.query", () => {
  test("AC-60: lets a flow learn from the past, as far as who started it may see", async () => {
    await using world = createWorld("memory");
    const tools = createToolBox([createOutcomesTool()]);
    tools.load({ greet: () => "Hello" });
    const { engine } = await world.open({ toolBox: tools });
    const { id: first } = await engine.start({ start: { tool: "greet", done: true } }, { as: "ann" });
    await engine.result(first);
    await engine.outcomes.rate(first, { quality: "down", feedback: "too short" });
    const learn = { start: { tool: "outcomes.query", args: { tool: "greet", quality: "down" }, done: true } };
    const ask = async (as: string): Promise<unknown> => {
      const { id } = await engine.start(learn, { as });
      const { status, output, error } = await engine.result(id);
      return status === "completed" ? output : error?.code;
    };
    expect(await ask("zoe")).toMatchObject([
      { run_id: first, tool: "greet", quality: "down", feedback: "too short", snapshot: '"Hello"' },
    ]);
    await engine.access.save("zoe", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    await engine.access.save("eve", { keys: ["130001.start", "tool:*"] });
    expect(await ask("zoe")).toEqual([]);
    expect(await ask("eve")).toBe("not_allowed");
  });
});
