import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };

describe("a start", () => {
  test("with a key gives one run, however often and however soon it comes again", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const { engine, crash } = await world.open({ tools: { work: desk.call } });
    const start = (): Promise<{ readonly id: number }> => engine.start(oneStep, { idempotencyKey: "order-7" });
    const runs = await Promise.all([start(), start(), start()]);
    runs.push(await start());
    await world.settle();
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(desk.calls).toHaveLength(1);
    await crash();
    const second = await world.open({ tools: { work: desk.call } });
    const again = await second.engine.start(oneStep, { idempotencyKey: "order-7" });
    expect(again.id).toBe(runs[0]?.id);
    expect((await second.engine.start(oneStep, { idempotencyKey: "order-8" })).id).not.toBe(again.id);
  });

  test("with a key gives one run although the store is slow to say whether there is one", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const slow = createGate();
    let looks = 0;
    store.faults.afterVerb = (verb) => (verb === "findRunByKey" && ++looks === 1 ? slow.opened : undefined);
    const first = engine.start(oneStep, { idempotencyKey: "order-7" });
    await world.settle();
    const second = engine.start(oneStep, { idempotencyKey: "order-7" });
    await world.settle();
    slow.open();
    expect((await first).id).toBe((await second).id);
    expect(await engine.list()).toHaveLength(1);
  });

  test("with a key that failed may be tried again", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    store.faults.beforeCommit = () => ({ kind: "refused", reason: "full", message: "no room" });
    const both = [1, 2].map(() => codeOfRejection(engine.start(oneStep, { idempotencyKey: "order-7" })));
    expect(await Promise.all(both)).toEqual(["STORE_FULL", "STORE_FULL"]);
    store.faults.beforeCommit = null;
    await world.clock.advance(1000);
    expect((await engine.start(oneStep, { idempotencyKey: "order-7" })).status).toBe("running");
  });

  test("E0-06, E0-42, E1-01: stores the whole flow with the run; a changed flow is another version, and a run keeps its own", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const flow = { start: { gate: {}, next: "say" }, say: { tool: "work", args: { what: "old" }, done: true } };
    const old = await first.engine.start(flow);
    await first.crash();
    const { engine, row, store } = await world.open({ tools: { work: desk.call } });
    const changed = await engine.start({ ...flow, say: { ...flow.say, args: { what: "new" } } });
    for (const { id } of [old, changed]) await engine.approve((await row(id, "start")).id);
    await world.settle();
    expect(desk.calls.map(({ input }) => input)).toEqual([{ what: "old" }, { what: "new" }]);
    const record = await store.store.findFlow((await engine.get(old.id)).flow);
    expect(record?.source).toEqual(flow);
  });

  test.each([
    ["nothing", undefined, {}],
    ["null", null, {}],
    ["an object", { a: 1 }, { a: 1 }],
  ])("E3-15: takes %s as input", async (_name, input, stored) => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const { id } = await engine.start(oneStep, input === undefined ? {} : { input });
    expect((await engine.get(id)).input).toEqual(stored);
  });

  test("takes a flow as text, says what to be careful about, and refuses what cannot be used", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => "done" } });
    const { id } = await engine.start("name: greet\nsteps:\n  start:\n    tool: work\n    done: true\n");
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "done" });
    expect((await engine.get(id)).name).toBe("greet");
    expect(await codeOfRejection(engine.start({ start: { tool: "work", next: "nowhere" } }))).toBe("FLOW_INVALID");
    expect(await codeOfRejection(engine.start(oneStep, { at: "soon" }))).toBe("INPUT_INVALID");
    expect(await engine.list({ status: "all" })).toHaveLength(1);
  });
});

describe("a scheduled start", () => {
  test("is checked when it is scheduled, and all that is wrong is said at once", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const properties = { to: { type: "string" }, count: { type: "number" } };
    const input = { type: "object", required: ["to", "count"], properties };
    const flow = { input, steps: oneStep };
    const at = world.clock.now() + 60_000;
    await expect(engine.start(flow, { at, input: { count: "many" } })).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringContaining('"to" is missing'),
      details: { problems: [{ message: '"to" is missing.' }, { message: expect.stringContaining('"count"') }] },
    });
    expect(await engine.list({ status: "all" })).toEqual([]);
    expect((await engine.start(flow, { at, input: { to: "ann", count: 2 } })).status).toBe("scheduled");
  });
});

describe("a step that runs another workflow", () => {
  const parent = {
    start: { flow: "child", input: { of: "{{input.name}}" }, next: "then" },
    then: { tool: "work", done: true },
  };
  const child = { start: { tool: "work", args: { for: "{{input.of}}" }, done: true } };

  test("finds it by name, in the same commit, and goes on with its output", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call }, flows: { child } });
    const { id } = await engine.start(parent, { input: { name: "ann" } });
    await world.settle();
    expect(store.batches[0]?.runs.map(({ run }) => run.name)).toEqual(["flow", "child"]);
    expect(desk.last().input).toEqual({ for: "ann" });
    desk.last().done("of the child");
    await world.settle();
    expect((await engine.get(id)).steps[0]).toMatchObject({ status: "done", result: "of the child" });
    desk.last().done("over");
    expect((await engine.result(id)).output).toBe("over");
  });

  test("goes on after a crash in between", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const flows = { child: { start: { gate: {}, next: "say" }, say: child.start } };
    const first = await world.open({ tools: { work: desk.call }, flows });
    const { id } = await first.engine.start(parent, { input: { name: "ann" } });
    await first.crash();
    const { engine, row } = await world.open({ tools: { work: desk.call }, flows });
    const inner = (await row(id, "start")).childRun ?? 0;
    await engine.approve((await row(inner, "start")).id);
    await world.settle();
    desk.last().done("inner");
    await world.settle();
    desk.last().done("outer");
    expect((await engine.result(id)).output).toBe("outer");
    expect((await engine.result(inner)).output).toBe("inner");
  });

  test("fails when there is no such workflow, and takes its child along when it is cancelled", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open({ tools: { work: createDesk().call }, flows: { child } });
    const missing = await engine.start({ start: { flow: "nobody", retry: { attempts: 1 }, done: true } });
    expect(await engine.result(missing.id)).toMatchObject({ status: "failed", error: { code: "unknown_workflow" } });
    const { id } = await engine.start(parent, { input: { name: "ann" } });
    await world.settle();
    const inner = (await row(id, "start")).childRun ?? 0;
    await engine.cancel(id);
    expect((await engine.get(inner)).status).toBe("cancelled");
  });
});
