import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { whileTimePasses } from "../testing/fake-clock.ts";
import type { Tool } from "../tool/tool.ts";

// Those who call and those who are called may do what their types forbid. Nobody else may suffer for it.

const oneStep = { start: { tool: "work", retry: false, done: true } };

/** A tool written without types: it answers whatever it likes. */
function rudeTool(answer: () => unknown): Tool {
  const described = { description: null, effect: "idempotent", input: null, output: null, outcomes: [] } as const;
  return { name: "rude", ...described, call: answer as Tool["call"] };
}

describe("a tool that is careless", () => {
  test("changes neither its arguments on disk nor what the next try is called with", async () => {
    await using world = createWorld("memory");
    const seen: Json[] = [];
    const spoil = (input: JsonObject): never => {
      seen.push(JSON.stringify(input));
      (input["list"] as Json[]).pop();
      throw new Error("again");
    };
    const { engine } = await world.open({ tools: { spoil } });
    const flow = {
      start: { set: { list: [1, 2, 3] }, next: "then" },
      then: { tool: "spoil", args: { list: "{{ steps.start.result.list }}" }, retry: { attempts: 2, backoff: ["1s"] } },
    };
    const { id } = await engine.start(flow);
    await world.settle();
    await world.clock.advance(2000);
    expect(seen).toEqual(['{"list":[1,2,3]}', '{"list":[1,2,3]}']);
    const { steps } = await engine.get(id);
    expect(steps.filter(({ step }) => step === "then").map(({ args }) => args)).toEqual([
      { list: [1, 2, 3] },
      { list: [1, 2, 3] },
    ]);
  });

  test.each([
    ["nothing", () => undefined],
    ["nothing, later", async () => undefined],
    ["a word", () => "done"],
    ["a kind that is none", () => ({ kind: "maybe" })],
  ])("that answers with %s fails its step, and others are called and answered", async (_, answer) => {
    await using world = createWorld("memory");
    const { engine, problems } = await world.open({ tools: { rude: rudeTool(answer), work: () => "good" } });
    const bad = engine.start({ start: { tool: "rude", done: true } });
    const good = Array.from({ length: 5 }, () => engine.start(oneStep));
    const ended = await engine.result((await bad).id);
    expect(ended).toMatchObject({ status: "failed", error: { code: "bad_result" } });
    for (const run of good) expect((await engine.result((await run).id)).output).toBe("good");
    expect(problems).toEqual([]);
  });

  test("whose result has no text stops its own run and no other, also while a batch is being written", async () => {
    await using world = createWorld("file");
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const rude = rudeTool(() => ({ kind: "done", result: circle, outcome: null }));
    const { engine } = await world.open({ tools: { rude, work: () => "good" } });
    const starts = Array.from({ length: 60 }, (_, index) =>
      engine.start(index === 30 ? { start: { tool: "rude", done: true } } : oneStep),
    );
    const runs = await Promise.all(starts);
    for (const { id } of runs.filter((_, index) => index !== 30))
      expect((await engine.result(id)).status).toBe("completed");
    await world.settle();
    expect(await engine.get(runs[30]?.id ?? 0)).toMatchObject({ status: "failed", error: { code: "bad_result" } });
  });
});

describe("a caller that is careless", () => {
  test.each([1e17, -1e17, Number.NaN, Number.POSITIVE_INFINITY, "tomorrow"])(
    "cannot schedule a run at %s",
    async (at) => {
      await using world = createWorld("memory");
      const { engine } = await world.open();
      expect(await codeOfRejection(engine.start(oneStep, { at }))).toBe("INPUT_INVALID");
    },
  );

  test("is told that its data is no JSON, and may change it later without harm", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.start({ start: { wait: { event: "paid" }, done: true } });
    const circle: { [key: string]: Json } = {};
    circle["self"] = circle;
    expect(await codeOfRejection(engine.signal(id, "paid", circle))).toBe("INPUT_INVALID");
    const data = { amount: 1 };
    const told = engine.signal(id, "paid", data);
    data.amount = 2;
    await told;
    expect((await engine.result(id)).output).toEqual({ amount: 1 });
  });

  test("that uses a key for another start is refused, under way and afterwards; the same start gets the same run", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const first = engine.start(oneStep, { idempotencyKey: "k", input: { n: 1 } });
    const clash = codeOfRejection(engine.start(oneStep, { idempotencyKey: "k", input: { n: 2 } }));
    expect([await clash, (await first).id > 0]).toEqual(["KEY_REUSED", true]);
    const again = await engine.start(oneStep, { idempotencyKey: "k", input: { n: 1 } });
    expect(again.id).toBe((await first).id);
    expect(await codeOfRejection(engine.start(oneStep, { idempotencyKey: "k", input: { n: 3 } }))).toBe("KEY_REUSED");
    expect(await engine.list({ status: "all" })).toHaveLength(1);
  });

  test("hears of a flow that steps name, and that is wrong, when the engine opens", async () => {
    await using world = createWorld("memory");
    const flows = { kid: { start: { tool: "work", next: "nowhere" } } };
    expect(await codeOfRejection(world.open({ flows }))).toBe("FLOW_INVALID");
  });
});

test("every reminder of a gate is on record, not only the first", async () => {
  await using world = createWorld("memory");
  const { engine, events } = await world.open({ tools: { tell: () => null } });
  const ask = { gate: { title: "Go?", remind_after: "1h", notify: { tool: "tell", args: {} } }, next: "end" };
  const { id } = await engine.start({ start: ask });
  await world.settle();
  for (let hour = 0; hour < 3; hour++) await world.clock.advance(3_600_000);
  expect((await events(id)).filter((kind) => kind === "gate_reminded")).toHaveLength(3);
});

describe("a command that owns the file for a moment", () => {
  test("leaves runs whose tools it does not have to the process that has them", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const app = await world.open({ tools: { work: desk.call } });
    const runs = [await app.engine.start(oneStep), await app.engine.start(oneStep)];
    await world.settle();
    await app.crash();
    const command = await world.open({ role: "command" });
    await command.engine.cancel(runs[0]?.id ?? 0);
    await world.settle();
    expect(await command.steps(runs[1]?.id ?? 0)).toBe("start running");
    const own = await command.engine.start(oneStep);
    expect(await command.engine.result(own.id)).toMatchObject({ status: "failed", error: { code: "unknown_tool" } });
    await command.crash();
    const back = await world.open({ tools: { work: () => "done" } });
    expect((await back.engine.result(runs[1]?.id ?? 0)).status).toBe("completed");
    expect((await back.engine.get(runs[0]?.id ?? 0)).status).toBe("cancelled");
  });

  test("leaves what a guest starts, and has the tools for, to that guest", async () => {
    await using world = createWorld("file");
    const command = await world.open({ role: "command" });
    const app = await world.open({ tools: { work: () => "done" } });
    const { id } = await whileTimePasses(world.clock, app.engine.start(oneStep));
    await world.settle();
    expect(await command.steps(id)).toBe("start ready");
    await command.crash();
    expect(await whileTimePasses(world.clock, app.engine.result(id))).toMatchObject({
      status: "completed",
      output: "done",
    });
  });
});
