import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { checkRates } from "./call-rates.ts";

const oneStep = { start: { tool: "work", done: true } };
const otherStep = { start: { tool: "other", done: true } };

describe("how often a tool may be called", () => {
  test("M11: so many at once, and then one for every part of the time; whoever waits has its turn in order", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { ratePerTool: { work: "3/m" } } });
    const runs = [];
    for (let made = 0; made < 6; made++) runs.push((await engine.start(oneStep)).id);
    await world.settle();
    expect(desk.calls).toHaveLength(3);
    // That a call is over makes no room.
    for (const call of desk.calls) call.done();
    await world.clock.advance(19_000);
    expect(desk.calls).toHaveLength(3);
    await world.clock.advance(1000);
    expect(desk.calls).toHaveLength(4);
    await world.clock.advance(40_000);
    expect(desk.calls.map(({ context }) => context.run)).toEqual(runs);
    for (const call of desk.calls.slice(3)) call.done();
    const ended = await Promise.all(runs.map((id) => engine.result(id)));
    expect(ended.every(({ status }) => status === "completed")).toBe(true);
  });

  test("M11: of each user apart, and of all tools of a server together", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const tools = { "files.read": desk.call, "files.write": desk.call, work: desk.call };
    const { engine } = await world.open({ tools, limits: { ratePerTool: { "files.*": "2/h" }, ratePerUser: "2/m" } });
    const start = (tool: string, as: string) => engine.start({ start: { tool, done: true } }, { as });
    for (const as of ["ann", "ann", "ann", "bob"]) await start("work", as);
    await world.settle();
    expect(desk.calls.map(({ context }) => context.user)).toEqual(["ann", "ann", "bob"]);
    for (const tool of ["files.read", "files.write", "files.read"]) await start(tool, `of ${tool}`);
    await world.settle();
    expect(desk.calls).toHaveLength(5);
    await world.clock.advance(30_000);
    expect(desk.calls.map(({ context }) => context.user).slice(5)).toEqual(["ann"]);
    await world.clock.advance(1_800_000);
    expect(desk.calls).toHaveLength(7);
  });

  test("M11: is remembered by the next process", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const limits = { ratePerTool: { work: "2/m" } };
    const first = await world.open({ tools: { work: desk.call }, limits });
    for (let made = 0; made < 2; made++) await first.engine.start(oneStep);
    await world.settle();
    for (const call of desk.calls) call.done();
    await world.settle();
    await first.crash();
    const { engine } = await world.open({ tools: { work: desk.call }, limits });
    await engine.start(oneStep);
    await world.settle();
    expect(desk.calls).toHaveLength(2);
    await world.clock.advance(30_000);
    expect(desk.calls).toHaveLength(3);
  });

  test("leaves other tools alone, and the place of a run that was cancelled to the next one", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({
      tools: { work: desk.call, other: desk.call },
      limits: { ratePerTool: { work: "1/m" }, callsPerTool: { other: 1 } },
    });
    const runs = [];
    for (let made = 0; made < 3; made++) runs.push((await engine.start(oneStep)).id);
    await engine.start(otherStep);
    await world.settle();
    expect(desk.calls).toHaveLength(2);
    await engine.cancel(runs[1] ?? 0);
    await world.clock.advance(60_000);
    expect(desk.calls.map(({ context }) => context.run).at(-1)).toBe(runs[2]);
    expect(desk.calls).toHaveLength(3);
  });

  test("counts no call that was not made: not for who may not call it, and not while its circuit is open", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({
      tools: { work: desk.call, other: desk.call },
      limits: { ratePerTool: { work: "2/h", other: "2/h" } },
      breaker: { failures: 1 },
    });
    await engine.access.save("eve", { keys: ["130001.start", "130001.read"] });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    for (let made = 0; made < 3; made++) await engine.start(oneStep, { as: "eve" });
    await world.settle();
    expect(desk.calls).toHaveLength(0);
    await engine.start(oneStep, { as: "ann" });
    const failing = { start: { ...otherStep.start, retry: false } };
    const runs = [];
    for (let made = 0; made < 5; made++) {
      runs.push((await engine.start(failing, { as: "ann" })).id);
      await world.settle();
      desk.calls.at(-1)?.fail(new Error("down"));
      await world.settle();
    }
    expect(desk.calls.map(({ context }) => context.user)).toEqual(["ann", "ann"]);
    const ended = await Promise.all(runs.map((id) => engine.result(id)));
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill("failed"));
  });

  test("holds for a tool by whatever name it is called, and a star alone for all of them", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const tools = { "github.search": desk.call, work: desk.call };
    const { engine } = await world.open({ tools, limits: { ratePerTool: { "github.search": "1/h", "*": "2/h" } } });
    for (const tool of ["search", "github.search", "work", "work"]) await engine.start({ start: { tool, done: true } });
    await world.settle();
    expect(desk.calls).toHaveLength(2);
  });

  test("wakes nobody once the engine has stopped", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { ratePerTool: { work: "1/m" } } });
    for (let made = 0; made < 3; made++) await engine.start(oneStep);
    await world.settle();
    for (const call of desk.calls) call.done();
    await engine.stop();
    expect(world.clock.nextInMs).toBeNull();
    await world.clock.advance(120_000);
    expect(desk.calls).toHaveLength(1);
  });

  test("a bucket that is full again is not kept", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const limits = { ratePerUser: "1/s" };
    const { engine, store } = await world.open({ tools: { work: desk.call }, limits });
    await engine.start(oneStep, { as: "ann" });
    await world.settle();
    expect((await store.store.listEntries("rate")).map(({ key }) => key)).toEqual(["rate:user:ann"]);
    await world.clock.advance(2000);
    await engine.start(oneStep, { as: "bob" });
    await world.settle();
    expect((await store.store.listEntries("rate")).map(({ key }) => key)).toEqual(["rate:user:bob"]);
  });

  test.each(["", "60", "0/m", "60/", "60/month", "-1/m", "1e9/s", "60 per minute"])('"%s" is refused', (text) => {
    expect(() => checkRates({ ratePerTool: { work: text }, ratePerUser: null })).toThrow(
      /ratePerTool\["work"\].*no rate/,
    );
    expect(() => checkRates({ ratePerTool: {}, ratePerUser: text })).toThrow(/ratePerUser.*no rate/);
  });

  test.each(["60/m", "100/15m", "5000 / 1h", "10/s", "7/week"])('"%s" is one', (text) => {
    expect(() => checkRates({ ratePerTool: { work: text }, ratePerUser: text })).not.toThrow();
  });
});
