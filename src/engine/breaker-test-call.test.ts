import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createDesk, createWorld, type Desk, type OpenedEngine, type World } from "../testing/engine.ts";
import { ToolError } from "../tool/function.ts";

const minute = 60_000;
const call = { tool: "line", effect: "read", retry: false, done: true };
const once = { start: call };

/** One failure opens the circuit, and five minutes later it is half-open. */
async function openHalf(place: "file" | "memory"): Promise<
  AsyncDisposable & {
    readonly world: World;
    readonly desk: Desk;
    readonly opened: OpenedEngine;
  }
> {
  const world = createWorld(place);
  const desk = createDesk();
  const opened = await world.open({ tools: { line: desk.call }, breaker: { failures: 1 } });
  await opened.engine.start(once);
  await world.settle();
  desk.last().fail(new Error("the line is dead"));
  await world.clock.advance(5 * minute);
  expect(await opened.engine.breakers.list()).toMatchObject([{ state: "half_open", isTesting: false }]);
  desk.calls.length = 0;
  return { world, desk, opened, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function begin(world: World, { engine }: OpenedEngine, flow: Json = once): Promise<number> {
  const { id } = await engine.start(flow);
  await world.settle();
  return id;
}

const isTesting = async ({ engine }: OpenedEngine): Promise<boolean | undefined> =>
  (await engine.breakers.list())[0]?.isTesting;

describe("the one test call", () => {
  test("that is cancelled leaves its place to the next", async () => {
    await using half = await openHalf("memory");
    const { world, desk, opened } = half;
    await opened.engine.cancel(await begin(world, opened));
    desk.last().fail(new Error("stopped"));
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "half_open", isTesting: false, count: 1 }]);
    await begin(world, opened);
    expect(desk.calls).toHaveLength(2);
    desk.last().done("alive");
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "closed", count: 0 }]);
  });

  test("that was asked wrongly leaves its place to the next", async () => {
    await using half = await openHalf("memory");
    const { world, desk, opened } = half;
    await begin(world, opened);
    desk.last().fail(new ToolError({ code: "bad_args", message: "no such number", isFinal: true }));
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "half_open", isTesting: false }]);
    await begin(world, opened);
    expect(desk.calls).toHaveLength(2);
  });

  test("that runs into its time limit opens the circuit again", async () => {
    await using half = await openHalf("memory");
    const { world, desk, opened } = half;
    await begin(world, opened, { start: { ...call, timeout: "10s" } });
    await world.clock.advance(10_000);
    expect(await opened.engine.breakers.list()).toMatchObject([
      { state: "open", count: 1, openedAt: world.clock.now(), lastError: "It took longer than 10000 ms." },
    ]);
    desk.last().done("late");
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "open" }]);
  });

  test("that is never made, since another branch ends its run in the same moment, leaves its place to the next", async () => {
    await using half = await openHalf("memory");
    const { world, desk, opened } = half;
    const id = await begin(world, opened, {
      start: { set: {}, parallel: ["calls", "fails"] },
      calls: call,
      fails: { tool: "nothing", done: true },
    });
    expect(await opened.steps(id)).toBe("start done, calls cancelled, fails failed");
    expect((await opened.row(id, "calls")).startedAt).not.toBeNull();
    expect(desk.calls).toHaveLength(0);
    expect(await isTesting(opened)).toBe(false);
    await begin(world, opened);
    expect(desk.calls).toHaveLength(1);
  });

  test("of a write that a crash cuts off leaves its place to the next, since nobody knows what became of it", async () => {
    await using half = await openHalf("file");
    const { world, desk, opened } = half;
    const id = await begin(world, opened, { start: { ...call, effect: "write" } });
    expect(desk.calls).toHaveLength(1);
    await opened.crash();
    const second = await world.open({ tools: { line: desk.call }, breaker: { failures: 1 } });
    await world.settle();
    expect((await second.row(id, "start")).status).toBe("uncertain");
    expect(await isTesting(second)).toBe(false);
    await begin(world, second);
    await begin(world, second);
    expect(desk.calls).toHaveLength(2);
  });

  test("is not taken by who may not call the tool", async () => {
    await using half = await openHalf("memory");
    const { world, desk, opened } = half;
    await opened.engine.access.save("bob", { keys: ["130001"] });
    const { id } = await opened.engine.start(once, { as: "bob" });
    expect((await opened.engine.result(id)).error?.code).toBe("not_allowed");
    expect(await isTesting(opened)).toBe(false);
    await begin(world, opened);
    expect(desk.calls).toHaveLength(1);
  });

  test("alone decides: calls that began before the circuit opened say nothing any more", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    for (let time = 0; time < 6; time++) await opened.engine.start(once);
    await world.settle();
    const [one, two, three, four, five, six] = desk.calls;
    for (const failing of [one, two, three]) failing?.fail(new Error("the line is dead"));
    await world.settle();
    four?.done("alive");
    five?.fail(new Error("dead"));
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([
      { state: "open", count: 3, lastError: "the line is dead" },
    ]);
    // Their limits of time pass in the meantime.
    await world.clock.advance(5 * minute);
    await begin(world, opened);
    six?.done("late");
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "half_open", isTesting: true }]);
  });
});

describe("a call whose time is over by the wall clock alone", () => {
  test("counts when another alarm of its run finds it", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    const id = await begin(world, opened, {
      start: { set: {}, parallel: ["calls", "waits"] },
      calls: { ...call, timeout: "10s" },
      waits: { wait: "1s" },
    });
    world.clock.jump(10_000);
    await world.clock.advance(1000);
    expect((await opened.row(id, "calls")).error?.code).toBe("timeout");
    expect(await opened.engine.breakers.list()).toMatchObject([{ count: 1 }]);
    await world.clock.advance(20_000);
    expect(await opened.engine.breakers.list()).toMatchObject([{ count: 1 }]);
  });
});
