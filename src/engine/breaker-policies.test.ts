import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import type { RunResult } from "./waiters.ts";
import { createDesk, createWorld, type Desk, type OpenedEngine, type World } from "../testing/engine.ts";

type Bench = AsyncDisposable & {
  readonly world: World;
  readonly opened: OpenedEngine;
  /** The calls of `backup`. */
  readonly desk: Desk;
  readonly run: (flow: Json, options?: { readonly as?: string; readonly input?: Json }) => Promise<RunResult>;
};

/** An engine in which the circuit of `line` is open; `backup` waits for the test, `echo` gives back its arguments. */
async function openBench(): Promise<Bench> {
  const world = createWorld("memory");
  const desk = createDesk();
  const fail = (): never => {
    throw new Error("the line is dead");
  };
  const echo = (input: Json): Json => input;
  const opened = await world.open({ tools: { line: fail, backup: desk.call, echo } });
  const { engine } = opened;
  const run: Bench["run"] = async (flow, options) => engine.result((await engine.start(flow, options)).id);
  for (let time = 0; time < 3; time++) await run({ start: { tool: "line", retry: false, done: true } });
  expect(await engine.breakers.list()).toMatchObject([{ tool: "line", state: "open", count: 3 }]);
  return { world, opened, desk, run, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const withFallback = { tool: "line", on_circuit_open: "fallback", fallback: "backup", args: { number: 7 }, done: true };

describe("a step whose tool's circuit is open", () => {
  test("AC-34: halts unless it says otherwise: it has failed, and is not tried again", async () => {
    await using bench = await openBench();
    const { status, error } = await bench.run({ start: { tool: "line", retry: { attempts: 5 }, done: true } });
    expect([status, error?.code]).toEqual(["failed", "circuit_open"]);
    expect(error?.message).toMatch(/^The tool "line" has failed 3 times in a row .* The last error: the line is dead$/);
  });

  test("AC-34: that halts takes its error route", async () => {
    await using bench = await openBench();
    const { output } = await bench.run({
      start: { tool: "line", on_circuit_open: "halt", on_error: "alert", done: true },
      alert: { tool: "echo", args: { code: "{{ previous.error.code }}", step: "{{ previous.step }}" }, done: true },
    });
    expect(output).toEqual({ code: "circuit_open", step: "start" });
  });

  test("AC-34, AC-35, AC-36: that is skipped gives its input to the next position, and its routes are not asked", async () => {
    await using bench = await openBench();
    const flow = {
      version: 1,
      workflow: { name: "calls" },
      steps: [
        { position: 1, skill: "echo", config: { args: { first: 1 } } },
        {
          position: 2,
          skill: "line",
          config: { on_circuit_open: "skip" },
          routes: [{ branch: "on_skipped", goto: 4 }],
        },
        { position: 3, skill: "echo" },
        { position: 4, skill: "echo" },
      ],
    };
    const { id } = await bench.opened.engine.start(flow, { input: { number: 7 } });
    expect((await bench.opened.engine.result(id)).status).toBe("completed");
    const { steps } = await bench.opened.engine.get(id);
    const [first, skipped, next] = steps;
    expect(steps.map(({ status }) => status)).toEqual(["done", "skipped", "done", "done"]);
    expect(skipped).toMatchObject({ outcome: "skipped", result: first?.result ?? null, error: null });
    expect(next?.args).toEqual({ input: first?.result });
  });

  test("AC-34, AC-35: that has a fallback calls it with the same arguments, under a key of its own", async () => {
    await using bench = await openBench();
    const { engine, row } = bench.opened;
    const { id } = await engine.start({ start: withFallback });
    await bench.world.settle();
    const { input, context } = bench.desk.last();
    expect(input).toEqual({ number: 7 });
    expect(context.idempotencyKey).toMatch(/:start:1:fallback$/);
    bench.desk.last().done("by hand");
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "by hand" });
    expect(await row(id, "start")).toMatchObject({ tool: "backup", attempt: 1 });
  });

  test("AC-35: says so in the seed's words as well", async () => {
    await using bench = await openBench();
    const config = { on_circuit_open: "fallback", fallback_skill: "echo", on_missing_skill: "halt" };
    const flow = { version: 1, workflow: { name: "calls" }, steps: [{ position: 1, skill: "line", config }] };
    expect((await bench.run(flow, { input: { number: 7 } })).output).toEqual({ input: { number: 7 } });
  });
});

describe("a fallback", () => {
  test("AC-34, AC-40: has a breaker of its own, which it opens and which stops it", async () => {
    await using bench = await openBench();
    const { engine } = bench.opened;
    for (let time = 0; time < 3; time++) {
      const { id } = await engine.start({ start: { ...withFallback, retry: false } });
      await bench.world.settle();
      bench.desk.last().fail(new Error("the backup is dead as well"));
      expect((await engine.result(id)).error?.code).toBe("tool_failed");
    }
    const { error } = await bench.run({ start: withFallback });
    expect(error?.code).toBe("circuit_open");
    expect(error?.message).toMatch(/^The tool "backup" has failed 3 times .* the backup is dead as well$/);
    expect(bench.desk.calls).toHaveLength(3);
    expect(await engine.breakers.list()).toMatchObject([
      { tool: "backup", state: "open", count: 3 },
      { tool: "line", state: "open", count: 3 },
    ]);
  });

  test("AC-34: has the time that its step has, and running out of it counts for itself", async () => {
    await using bench = await openBench();
    const { engine } = bench.opened;
    const { id } = await engine.start({
      start: { ...withFallback, effect: "read", timeout: "1s", retry: false },
    });
    await bench.world.clock.advance(1000);
    expect(bench.desk.last().context.signal.aborted).toBe(true);
    expect((await engine.result(id)).error?.code).toBe("timeout");
    expect(await engine.breakers.list()).toMatchObject([
      { tool: "backup", state: "closed", count: 1 },
      { tool: "line", count: 3 },
    ]);
  });

  test("AC-34: is not called for somebody who may not call it", async () => {
    await using bench = await openBench();
    await bench.opened.engine.access.save("ann", { keys: ["130001", "tool:line"] });
    const { error } = await bench.run({ start: withFallback }, { as: "ann" });
    expect(error?.code).toBe("not_allowed");
    expect(error?.message).toContain("backup");
    expect(bench.desk.calls).toHaveLength(0);
  });

  test("AC-37: that is not there fails the step with fallback_not_found and its name, which an error route can take", async () => {
    await using bench = await openBench();
    const lost = { ...withFallback, fallback: "nowhere" };
    const { error } = await bench.run({ start: lost });
    expect(error?.code).toBe("fallback_not_found");
    expect(error?.message).toContain("nowhere");
    const alert = { tool: "echo", args: { code: "{{ previous.error.code }}" }, done: true };
    expect((await bench.run({ start: { ...lost, on_error: "alert" }, alert })).output).toEqual({
      code: "fallback_not_found",
    });
  });
});

describe("a step whose tool is not there", () => {
  test("AC-37: halts with unknown_tool and its name, which an error route can take", async () => {
    await using bench = await openBench();
    const { error } = await bench.run({ start: { tool: "nowhere", done: true } });
    expect(error?.code).toBe("unknown_tool");
    expect(error?.message).toContain("nowhere");
    const alert = { tool: "echo", args: { code: "{{ previous.error.code }}" }, done: true };
    const { output } = await bench.run({ start: { tool: "nowhere", on_error: "alert", done: true }, alert });
    expect(output).toEqual({ code: "unknown_tool" });
  });

  test("AC-34, AC-36: that is skipped gives its input to the next", async () => {
    await using bench = await openBench();
    const flow = { steps: [{ tool: "nowhere", on_missing_skill: "skip" }, { tool: "echo" }] };
    expect((await bench.run(flow, { input: { number: 7 } })).output).toEqual({ input: { number: 7 } });
  });
});
