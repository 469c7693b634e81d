import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createWorld, type World } from "../testing/engine.ts";
import { engineStops, type CallContext, type QuestionAnswer, type Tool, type ToolAnswer } from "../tool/tool.ts";

type Call = { readonly context: CallContext; readonly answer: (answer: ToolAnswer) => void };

/** A tool whose calls the test answers. */
function createTool(): { readonly tool: Tool; readonly calls: Call[] } {
  const calls: Call[] = [];
  const tool: Tool = {
    name: "far.work",
    description: null,
    effect: "write",
    input: null,
    output: null,
    outcomes: [],
    call: (context) => {
      const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
      calls.push({ context, answer: resolve });
      return promise;
    },
  };
  return { tool, calls };
}

const flow = { steps: { work: { tool: "far.work", args: {}, done: true } } };
const done = (result: Json): ToolAnswer => ({ kind: "done", result, outcome: null });

function first(calls: readonly Call[]): Call {
  const [call] = calls;
  if (call === undefined) throw new Error("there was no call");
  return call;
}

async function startIn(world: World, tool: Tool): Promise<{ opened: Awaited<ReturnType<World["open"]>>; run: number }> {
  const opened = await world.open({ tools: [tool] });
  const { id: run } = await opened.engine.start(flow);
  await world.settle();
  return { opened, run };
}

describe("a call that goes on elsewhere", () => {
  test("is taken up where it was by the next process, and made only once", async () => {
    await using world = createWorld("file");
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    await first(calls).context.keep?.({ task: "t-7" });
    expect((await opened.row(run, "work")).handle).toEqual({ task: "t-7" });
    await opened.crash();
    const again = createTool();
    const { engine } = await world.open({ tools: [again.tool] });
    await world.settle();
    expect(first(again.calls).context.handle).toEqual({ task: "t-7" });
    first(again.calls).answer(done("far away"));
    expect(await engine.result(run)).toMatchObject({ status: "completed", output: "far away" });
    expect(calls).toHaveLength(1);
  });

  test("does not keep the engine from stopping, and is told that it is still wanted", async () => {
    await using world = createWorld("file");
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    await first(calls).context.keep?.("t-7");
    await opened.engine.stop();
    expect(first(calls).context.signal.reason).toBe(engineStops);
    const again = createTool();
    await world.open({ tools: [again.tool] });
    await world.settle();
    expect(first(again.calls).context).toMatchObject({ run, handle: "t-7" });
  });

  test("is told when nobody wants it any more", async () => {
    await using world = createWorld("memory");
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    await first(calls).context.keep?.("t-7");
    await opened.engine.cancel(run);
    expect(first(calls).context.signal).toMatchObject({ aborted: true });
    expect(first(calls).context.signal.reason).not.toBe(engineStops);
  });
});

describe("a call that says that it goes on", () => {
  test("M1: has its time anew each time, up to an hour in all", async () => {
    await using world = createWorld("memory", { duties: "once" });
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    const { context } = first(calls);
    for (let minutes = 0; minutes < 58; minutes += 1) {
      await world.clock.advance(60_000);
      context.extend?.();
    }
    expect((await opened.row(run, "work")).status).toBe("running");
    for (let more = 0; more < 3; more++) {
      context.extend?.();
      await world.clock.advance(60_000);
    }
    expect((await opened.row(run, "work")).status).toBe("uncertain");
  });

  test("has all of its time when it says that it only begins, however much was left", async () => {
    await using world = createWorld("memory", { duties: "once" });
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    const { context } = first(calls);
    await world.clock.advance(50_000);
    context.extend?.(true);
    await world.clock.advance(119_000);
    expect((await opened.row(run, "work")).status).toBe("running");
    await world.clock.advance(2000);
    expect((await opened.row(run, "work")).status).toBe("uncertain");
  });
});

describe("a call that asks people", () => {
  async function askIn(
    world: World,
    form: { type: "object" } | null,
  ): Promise<{
    readonly engine: Awaited<ReturnType<World["open"]>>["engine"];
    readonly run: number;
    readonly asked: Promise<QuestionAnswer>;
    readonly calls: readonly Call[];
  }> {
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    const asked = first(calls).context.ask?.({ key: "q1", message: "Really {{ input.title }}?", form });
    if (asked === undefined) throw new Error("nobody can be asked");
    await world.settle();
    return { engine: opened.engine, run, asked, calls };
  }

  async function gateOf(engine: Awaited<ReturnType<World["open"]>>["engine"]): Promise<number> {
    const [question] = await engine.list({ limitMax: 1 });
    const { steps } = await engine.get(question?.run.id ?? 0);
    return steps.find(({ gate }) => gate !== null)?.id ?? 0;
  }

  test("gets what they answer, however long they take; what it says is no template", async () => {
    await using world = createWorld("memory", { duties: "once" });
    const { engine, run, asked } = await askIn(world, { type: "object" });
    const gate = await gateOf(engine);
    const [question] = await engine.list({ limitMax: 1 });
    const { steps } = await engine.get(question?.run.id ?? 0);
    expect(steps[0]?.gate).toMatchObject({
      title: `far.work asks in run ${run}`,
      message: "Really {{ input.title }}?",
    });
    await world.clock.advance(2 * 86_400_000);
    await engine.approve(gate, { by: "ann", data: { sure: true } });
    expect(await asked).toEqual({ kind: "accepted", content: { sure: true } });
  });

  test("is told when they say no", async () => {
    await using world = createWorld("memory");
    const { engine, asked } = await askIn(world, null);
    await engine.reject(await gateOf(engine), { by: "ann" });
    expect(await asked).toEqual({ kind: "declined" });
  });

  test("takes its question back when nobody wants its result any more", async () => {
    await using world = createWorld("memory");
    const { engine, run, asked } = await askIn(world, null);
    await engine.cancel(run);
    expect(await asked).toEqual({ kind: "cancelled" });
    await world.settle();
    const runs = await engine.list({ status: "all" });
    expect(runs.map((each) => each.run.status)).toEqual(["cancelled", "cancelled"]);
  });

  test("takes its question back when it ends without the answer", async () => {
    await using world = createWorld("memory");
    const { engine, run, asked, calls } = await askIn(world, null);
    first(calls).answer(done("never mind"));
    expect(await engine.result(run)).toMatchObject({ output: "never mind" });
    expect(await asked).toEqual({ kind: "cancelled" });
  });

  test("is declined when it asks more than twenty times, whatever became of the others", async () => {
    await using world = createWorld("memory");
    const { tool, calls } = createTool();
    const { opened } = await startIn(world, tool);
    const ask = async (key: string): Promise<QuestionAnswer | undefined> =>
      await first(calls).context.ask?.({ key, message: "Really?", form: null });
    const asked = Array.from({ length: 20 }, (_, index) => ask(`q${index}`));
    await world.settle();
    await opened.engine.reject(await gateOf(opened.engine), { by: "ann" });
    expect(await Promise.race(asked)).toEqual({ kind: "declined" });
    expect(await ask("q20")).toEqual({ kind: "declined" });
    expect(await opened.engine.list({ status: "all", limitMax: 100 })).toHaveLength(21);
  });

  test("is declined when a hundred questions are open, until one of them is answered", async () => {
    await using world = createWorld("memory");
    const { tool, calls } = createTool();
    const { engine } = await world.open({ tools: [tool] });
    for (let run = 0; run < 6; run++) await engine.start(flow);
    await world.settle();
    expect(calls).toHaveLength(6);
    for (const { context } of calls.slice(0, 5))
      for (let index = 0; index < 20; index++) void context.ask?.({ key: `q${index}`, message: "Really?", form: null });
    await world.settle();
    const last = calls[5]?.context;
    expect(await last?.ask?.({ key: "one", message: "Really?", form: null })).toEqual({ kind: "declined" });
    await engine.approve(await gateOf(engine), { by: "ann" });
    await world.settle();
    const asked = last?.ask?.({ key: "two", message: "Really?", form: null });
    await world.settle();
    await engine.approve(await gateOf(engine), { by: "ann" });
    expect(await asked).toMatchObject({ kind: "accepted" });
  });

  test("asks the same question once, also through a restart", async () => {
    await using world = createWorld("file");
    const { tool, calls } = createTool();
    const { opened } = await startIn(world, tool);
    await first(calls).context.keep?.("t-7");
    const question = { key: "q1", message: "Really?", form: null };
    first(calls)
      .context.ask?.(question)
      .catch(() => {});
    await world.settle();
    await opened.crash();
    const again = createTool();
    const { engine } = await world.open({ tools: [again.tool] });
    await world.settle();
    const asked = first(again.calls).context.ask?.(question);
    await world.settle();
    expect(await engine.list({ status: "all" })).toHaveLength(2);
    await engine.approve(await gateOf(engine), { by: "ann" });
    expect(await asked).toEqual({ kind: "accepted", content: "approved" });
  });
});

describe("a call that a person has to look at first", () => {
  test("M8: waits, counts against no breaker, and goes on when somebody says so", async () => {
    await using world = createWorld("memory");
    const { tool, calls } = createTool();
    const { opened, run } = await startIn(world, tool);
    const { engine } = opened;
    first(calls).answer({ kind: "held", code: "tool_changed", message: "It has a new argument." });
    await world.settle();
    const { attention } = await engine.get(run);
    expect(attention).toMatchObject({ code: "tool_changed", value: "It has a new argument." });
    expect(await engine.breakers.list()).toEqual([]);
    await engine.resolve((await opened.row(run, "work")).id, { how: "retry", by: "ann" });
    await world.settle();
    calls[1]?.answer(done("as it is now"));
    expect(await engine.result(run)).toMatchObject({ status: "completed", output: "as it is now" });
  });
});
