import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createDesk, createWorld, type Desk } from "../testing/engine.ts";
import { Dispatcher, defaultCallLimits, type Claimant } from "./dispatcher.ts";

const oneStep = { start: { tool: "work", done: true } };

function fork(width: number): Json {
  const names = Array.from({ length: width }, (_name, at) => `b${at}`);
  const branches = Object.fromEntries(names.map((name) => [name, { tool: "work" }]));
  return { start: { set: {}, parallel: names, join: "all" }, ...branches, all: { set: {}, done: true } };
}

/** Answers calls one after the other until there are none; says how many were under way at most. */
async function workOff(desk: Desk, settle: () => Promise<void>): Promise<number> {
  let most = 0;
  for (let answered = 0; ; answered++) {
    await settle();
    most = Math.max(most, desk.calls.length - answered);
    const call = desk.calls[answered];
    if (call === undefined) return most;
    call.done();
  }
}

describe("limits of calls under way", () => {
  test.each([
    ["in all", { calls: 3 }],
    ["per tool", { callsPerTool: { work: 3 } }],
    ["per workflow", { callsPerWorkflow: 3 }],
    ["per user", { callsPerUser: 3 }],
  ])("hold exactly: %s", async (_name, limits) => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits });
    const runs = await Promise.all(Array.from({ length: 8 }, () => engine.start(oneStep, { name: "same", as: "ann" })));
    const joined = await engine.start(fork(8), { name: "same", as: "ann" });
    expect(await workOff(desk, world.settle)).toBe(3);
    expect(desk.calls).toHaveLength(16);
    const ended = await Promise.all([...runs, joined].map(({ id }) => engine.result(id)));
    expect(ended.every(({ status }) => status === "completed")).toBe(true);
  });

  test("count only against those they are for", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({
      tools: { work: desk.call, other: desk.call },
      limits: { callsPerTool: { work: 1 }, callsPerUser: 2 },
    });
    const other = { start: { tool: "other", done: true } };
    for (const flow of [oneStep, oneStep, other, other]) await engine.start(flow, { as: "ann" });
    await engine.start(other, { as: "bob" });
    await world.settle();
    expect(desk.calls.map(({ context }) => context.user)).toEqual(["ann", "ann", "bob"]);
    expect(await workOff(desk, world.settle)).toBe(3);
    expect(desk.calls).toHaveLength(5);
  });

  test("give the room of a call that was cancelled or took too long to the next one", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { calls: 1 } });
    const first = await engine.start(oneStep);
    await engine.start({ start: { ...oneStep.start, timeout: "5s" } });
    const third = await engine.start(oneStep);
    await world.settle();
    await engine.cancel(first.id);
    await world.settle();
    expect(desk.calls).toHaveLength(2);
    await world.clock.advance(5000);
    expect(desk.calls.map(({ context }) => context.run).at(-1)).toBe(third.id);
    // The cancelled one answers all the same: that makes no room a second time.
    await engine.start(oneStep);
    desk.calls[0]?.done();
    await world.settle();
    expect(desk.calls).toHaveLength(3);
  });

  test("hold after memory was lost, with calls under way", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call }, limits: { calls: 3 } });
    await Promise.all(Array.from({ length: 10 }, () => engine.start(oneStep)));
    await world.settle();
    let isFirst = true;
    store.faults.beforeCommit = () => {
      const refused = isFirst ? ({ kind: "refused", reason: "stale", message: "lost" } as const) : undefined;
      isFirst = false;
      return refused;
    };
    expect(await workOff(desk, world.settle)).toBe(3);
    expect(desk.calls).toHaveLength(10);
    expect(await engine.list({ status: "completed" })).toHaveLength(10);
  });

  test("leave a row that is parked to be cancelled, and give its room to others", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { callsPerTool: { work: 1 } } });
    const runs = [await engine.start(oneStep), await engine.start(oneStep), await engine.start(oneStep)];
    await world.settle();
    await engine.cancel(runs[1]?.id ?? 0);
    expect(await workOff(desk, world.settle)).toBe(1);
    expect(desk.calls.map(({ context }) => context.run)).toEqual([runs[0]?.id, runs[2]?.id]);
  });
});

describe("fairness", () => {
  test("a run of one step is not kept waiting by a fork of 5,000", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { calls: 4 } });
    await engine.start(fork(5000));
    await world.settle();
    const { id } = await engine.start(oneStep);
    await world.settle();
    for (const call of desk.calls.slice(0, 2)) call.done();
    await world.settle();
    expect(desk.calls).toHaveLength(6);
    expect(desk.calls.slice(4).map(({ context }) => context.run)).toContain(id);
  });

  test("of two large forks both go on in turn", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { calls: 2 } });
    const one = await engine.start(fork(20));
    const other = await engine.start(fork(20));
    await world.settle();
    for (let answered = 0; answered < 20; answered++) {
      desk.calls[answered]?.done();
      await world.settle();
    }
    const turns = desk.calls.slice(2, 20).map(({ context }) => context.run);
    const expected = Array.from({ length: 18 }, (_turn, at) => (at % 2 === 0 ? one.id : other.id));
    expect([expected, [...expected.slice(1), one.id]]).toContainEqual(turns);
  });
});

describe("a dispatcher", () => {
  const claimant: Claimant = { row: 11, tool: "work", workflow: "flow", user: "ann" };

  test("looks at a parked row again only when there is room under the limit that stopped it", () => {
    const dispatcher = new Dispatcher({ ...defaultCallLimits, callsPerUser: 1 });
    const other = { ...claimant, row: 12, user: "bob" };
    expect(dispatcher.take({ run: 1, row: 11 }, claimant)).toBe(true);
    expect(dispatcher.take({ run: 2, row: 12 }, other)).toBe(true);
    expect(dispatcher.take({ run: 3, row: 13 }, { ...claimant, row: 13 })).toBe(false);
    dispatcher.add(3, 13);
    expect(dispatcher.next()).toBeUndefined();
    dispatcher.release(other);
    expect(dispatcher.next()).toBeUndefined();
    dispatcher.release(claimant);
    expect(dispatcher.next()).toEqual({ run: 3, row: 13 });
    expect(dispatcher.underWay).toBe(0);
  });

  test("gives the room that a row cannot use to the one that is parked behind it", () => {
    const dispatcher = new Dispatcher({ ...defaultCallLimits, callsPerTool: { work: 1 }, callsPerUser: 1 });
    const bob = { ...claimant, user: "bob" };
    expect(dispatcher.take({ run: 1, row: 11 }, claimant)).toBe(true);
    expect(dispatcher.take({ run: 2, row: 12 }, { ...bob, row: 12, tool: "other" })).toBe(true);
    for (const row of [13, 14]) expect(dispatcher.take({ run: row - 10, row }, { ...bob, row })).toBe(false);
    expect(dispatcher.take({ run: 5, row: 15 }, { ...claimant, row: 15 })).toBe(false);
    dispatcher.release(claimant);
    // Both of bob's find that there is room for the tool and none for bob.
    for (const row of [13, 14]) {
      expect(dispatcher.next()).toEqual({ run: row - 10, row });
      expect(dispatcher.take({ run: row - 10, row }, { ...bob, row })).toBe(false);
    }
    expect(dispatcher.next()).toEqual({ run: 5, row: 15 });
    expect(dispatcher.take({ run: 5, row: 15 }, { ...claimant, row: 15 })).toBe(true);
  });

  test("hears of a row as often as it likes and gives it out once", () => {
    const dispatcher = new Dispatcher(defaultCallLimits);
    dispatcher.add(1, 11);
    dispatcher.add(1, 11);
    expect(dispatcher.next()).toEqual({ run: 1, row: 11 });
    expect(dispatcher.next()).toBeUndefined();
  });
});
