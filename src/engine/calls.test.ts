import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createDesk, createWorld, type World } from "../testing/engine.ts";
import { defineTool } from "../tool/function.ts";
import type { Clock } from "./clock.ts";

const oneStep = { start: { tool: "work", done: true } };
const twoSteps = { start: { tool: "work", next: "then" }, then: { tool: "work", done: true } };
const writing = { start: { tool: "work", effect: "write", done: true } };
const reading = { start: { tool: "work", effect: "read", done: true } };

describe("a call", () => {
  test("E0-28, E1-06, E3-17: that is done is on record with its result, and the next step is called at once", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row, steps } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps, { as: "ann" });
    await world.settle();
    const { context } = desk.last();
    expect(context).toMatchObject({ user: "ann", run: id, step: (await row(id, "start")).id, attempt: 1 });
    desk.last().done({ answer: 42 });
    await world.settle();
    expect(await row(id, "start")).toMatchObject({
      status: "done",
      result: { answer: 42 },
      completedAt: world.clock.now(),
    });
    // No poll was needed.
    expect(desk.calls).toHaveLength(2);
    expect(await steps(id)).toBe("start done, then running");
    desk.last().done("over");
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "over" });
  });

  test("E0-26: does not keep the engine from anything else", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call, quick: () => "quick" } });
    await engine.start(oneStep);
    const { id } = await engine.start({ start: { tool: "quick", done: true } });
    expect((await engine.result(id)).output).toBe("quick");
    expect(desk.calls).toHaveLength(1);
  });

  test("that answers at once, throws or returns what is no JSON ends its step all the same", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({
      tools: {
        now: () => 1,
        broken: () => {
          throw new Error("broken");
        },
        odd: () => 12n,
      },
    });
    const run = async (tool: string): Promise<unknown> => {
      const { id } = await engine.start({ start: { tool, retry: { attempts: 1 }, done: true } });
      const { status, output, error } = await engine.result(id);
      return [status, output, error?.code];
    };
    expect(await run("now")).toEqual(["completed", 1, undefined]);
    expect(await run("broken")).toMatchObject(["failed", null, "tool_failed"]);
    expect(await run("odd")).toMatchObject(["failed", null, "bad_result"]);
    expect(await run("missing")).toMatchObject(["failed", null, "unknown_tool"]);
  });

  test("that is cancelled is told to stop, and its answer is kept as a late one", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, events } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(oneStep);
    await world.settle();
    const { context, done } = desk.last();
    expect(context.signal.aborted).toBe(false);
    await engine.cancel(id, { by: "ann", reason: "enough" });
    expect(context.signal.aborted).toBe(true);
    done("too late");
    await world.settle();
    expect(await engine.get(id)).toMatchObject({ status: "cancelled", output: null });
    expect(await events(id)).toContain("late_result");
  });
});

describe("the arguments of a call", () => {
  const input = {
    type: "object",
    properties: { title: { type: "string" }, score: { type: "number" } },
    required: ["title"],
    additionalProperties: false,
  };

  test("E3-45: that do not fit the tool's schema fail the step for good, and nothing is called", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: [defineTool({ name: "work", input, call: desk.call })] });
    const flow = {
      start: { tool: "work", args: { title: "{{ input.title }}", score: "{{ input.score }}" }, done: true },
    };
    const { id } = await engine.start(flow, { input: { title: "Tides", score: "high" } });
    const { status, error } = await engine.result(id);
    expect([status, error]).toEqual([
      "failed",
      {
        code: "bad_args",
        message:
          'The tool "work" does not take these arguments: score: expected number, got text "high". ' +
          "Expected title, score (optional); given title, score.",
      },
    ]);
    expect([desk.calls.length, (await engine.get(id)).steps.length]).toEqual([0, 1]);
  });

  test("E3-45: that are wrong in the flow itself are told before it starts", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: [defineTool({ name: "work", input, call: () => 1 })] });
    const flow = { start: { tool: "work", args: { titel: "Tides" }, done: true } };
    await expect(engine.start(flow)).rejects.toMatchObject({
      code: "FLOW_INVALID",
      message: expect.stringContaining("Expected title, score; given titel.") as unknown,
    });
    expect(await engine.list()).toEqual([]);
    // Whoever brings the flow along with the tools is told at once.
    await expect(
      world.open({ tools: [defineTool({ name: "work", input, call: () => 1 })], flows: { flow } }),
    ).rejects.toThrow("Expected title");
  });

  test("E0-32, E0-33, E0-34: are an empty object when there are none, keep their types, and pass unchanged otherwise", async () => {
    await using world = createWorld("memory");
    const seen: Json[] = [];
    const { engine } = await world.open({ tools: { work: (given) => seen.push(given) } });
    const run = async (args: Json | undefined, given?: Json): Promise<void> => {
      const start = { tool: "work", ...(args === undefined ? {} : { args }), done: true };
      const { id } = await engine.start({ start }, given === undefined ? {} : { input: given });
      await engine.result(id);
    };
    await run(undefined);
    await run({ list: "{{input.list}}", gone: "{{input.gone}}" }, { list: [1, { a: null }] });
    await run({ gone: "{{input.gone}}" });
    await run({ text: "as it is", n: 1.5, deep: { list: [true, null] } });
    expect(seen).toEqual([
      {},
      { list: [1, { a: null }], gone: "" },
      { gone: "" },
      { text: "as it is", n: 1.5, deep: { list: [true, null] } },
    ]);
  });

  test("E3-44: a tool that is not there is named, with the nearest one, at the start and when its step comes", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => 1 } });
    const told = 'Unknown tool: Work. Did you mean "work"?';
    const { id, warnings } = await engine.start({ start: { tool: "Work", done: true } });
    expect(warnings).toEqual([told]);
    expect(await engine.result(id)).toMatchObject({ status: "failed", error: { code: "unknown_tool", message: told } });
  });
});

describe("a call that takes too long", () => {
  test("is told to stop; it is tried again where that does no harm, and its late result changes nothing", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps, events } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({
      start: { ...reading.start, timeout: "7s", retry: { attempts: 2, backoff: ["5s"] } },
    });
    await world.settle();
    const first = desk.last();
    const { signal } = first.context;
    await world.clock.advance(6999);
    expect(signal.aborted).toBe(false);
    await world.clock.advance(1);
    expect(signal.aborted).toBe(true);
    expect(await steps(id)).toBe("start failed, start pending");
    first.done("late");
    await world.clock.advance(5000);
    expect(desk.calls).toHaveLength(2);
    desk.last().done("in time");
    expect((await engine.result(id)).output).toBe("in time");
    expect((await events(id)).filter((kind) => kind === "late_result")).toHaveLength(1);
  });

  test("and may have written something asks a person", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(writing);
    await world.clock.advance(120_000);
    const { id: step, status } = await row(id, "start");
    expect(status).toBe("uncertain");
    expect((await engine.get(id)).attention).toMatchObject({ code: "uncertain", row: step });
    await engine.resolve(step, { by: "ann", how: "done", result: "it is there" });
    expect((await engine.result(id)).output).toBe("it is there");
    expect(desk.calls).toHaveLength(1);
  });

  /** A clock that forgets the timer of the call itself. */
  function forgetful(world: World, forgottenMs: number): Clock {
    const { clock } = world;
    return {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (delayMs, act) => (delayMs === forgottenMs ? { cancel: () => {} } : clock.after(delayMs, act)),
      turn: () => clock.turn(),
    };
  }

  test("E0-36, E3-05, E3-46: the watchdog, every 30 seconds, finds one that nobody watches", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call }, clock: forgetful(world, 120_000) });
    const { id } = await engine.start(reading);
    await world.clock.advance(119_999);
    expect((await row(id, "start")).status).toBe("running");
    // The fourth round of the watchdog.
    await world.clock.advance(1);
    const failed = (await engine.get(id)).steps[0];
    expect([failed?.status, failed?.error?.code]).toEqual(["failed", "timeout"]);
    expect(desk.last().context.signal.aborted).toBe(true);
    await world.clock.advance(5000);
    expect(desk.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
  });

  test("is found at once although the wall clock is a little behind what has elapsed", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { ...writing.start, timeout: "7s" } });
    await world.settle();
    world.clock.jump(-5);
    await world.clock.advance(7000);
    expect((await row(id, "start")).status).toBe("running");
    await world.clock.advance(50);
    expect((await row(id, "start")).status).toBe("uncertain");
    expect(desk.last().context.signal.aborted).toBe(true);
  });

  test("is found although it was paused meanwhile, as soon as the run goes on", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { ...writing.start, timeout: "7s" } });
    await world.settle();
    await engine.pause(id);
    await world.clock.advance(10_000);
    expect((await row(id, "start")).status).toBe("running");
    await engine.resume(id);
    await world.settle();
    expect((await row(id, "start")).status).toBe("uncertain");
  });
});

describe("the poll", () => {
  test("E0-35, E0-37: finds, every second, the 50 oldest ready rows that nobody was told of, and none twice", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const work = defineTool({ name: "work", call: desk.call });
    const first = await world.open({ tools: [work] });
    await Promise.all(Array.from({ length: 120 }, () => first.engine.start(twoSteps)));
    await world.settle();
    // While it drains, results are taken and nothing new is called: 120 rows stay ready.
    const stopped = first.engine.stop();
    for (const [at, call] of desk.calls.entries()) {
      call.done();
      if (at % 20 === 19) await world.clock.advance(1);
    }
    await stopped;
    expect(desk.calls).toHaveLength(120);
    let [commits, looks] = [0, 0];
    const second = await world.open({
      tools: [work],
      prepare: ({ faults }) => {
        // Memory is lost with the first batch, and the look that follows fails: only the poll is left.
        faults.beforeCommit = () => {
          commits += 1;
          return commits === 1 ? { kind: "refused", reason: "stale", message: "lost" } : undefined;
        };
        faults.beforeVerb = (verb) => {
          if (verb === "listReady") looks += 1;
          return verb === "listReady" && looks === 2 ? Promise.reject(new Error("no look")) : undefined;
        };
      },
    });
    await world.clock.advance(999);
    expect([desk.calls.length, second.problems.length]).toEqual([120, 1]);
    const counts: number[] = [];
    for (let tick = 0; tick < 4; tick++) {
      await world.clock.advance(tick === 0 ? 1 : 1000);
      counts.push(desk.calls.length - 120);
    }
    expect(counts).toEqual([50, 100, 120, 120]);
    const order = desk.calls.map(({ context }) => context.run);
    expect(order.slice(120)).toEqual(order.slice(0, 120));
  });
});

test("AC-38: the timeout_ms of a skill's config ends its call, and the error route takes it", async () => {
  await using world = createWorld("memory");
  const desk = createDesk();
  const { engine, steps } = await world.open({ tools: { slow: desk.call, tell: () => "told" } });
  const { id } = await engine.start({
    steps: [
      { name: "fetch", skill: "slow", config: { timeout_ms: 30_000 }, routes: [{ branch: "on_error", goto: 2 }] },
      { name: "alert", skill: "tell", config: {} },
    ],
  });
  await world.settle();
  await world.clock.advance(29_999);
  expect(await steps(id)).toBe("fetch running");
  await world.clock.advance(1);
  expect(await engine.result(id)).toMatchObject({ status: "completed", output: "told" });
  expect(desk.last().context.signal.aborted).toBe(true);
});
