import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import { ToolError, type ToolFunction } from "../tool/function.ts";

const oneStep = { start: { tool: "work", done: true } };
const nap = { start: { wait: "10s", next: "then" }, then: { tool: "work", done: true } };

describe("what is due", () => {
  test("E0-39: is an instant in a row; the alarm says nothing but which run to look at", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const { id } = await engine.start(nap);
    const alarms = store.batches.flatMap(({ rows }) => rows.map(({ row }) => row.alarms));
    expect(alarms).toEqual([[{ kind: "sleep", at: world.clock.now() + 10_000 }]]);
    await world.clock.advance(9999);
    expect((await engine.get(id)).status).toBe("running");
    await world.clock.advance(1);
    expect((await engine.get(id)).status).toBe("completed");
  });

  test("E3-14, E3-39: a scheduled run waits with its first step pending, and starts at its time", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call } });
    const at = new Date(world.clock.now() + 3_600_000);
    const { id, status } = await engine.start(oneStep, { at });
    expect(status).toBe("scheduled");
    const first = await row(id, "start");
    expect([first.status, first.id]).toEqual(["pending", id + 1]);
    await world.clock.advance(3_599_999);
    expect(desk.calls).toHaveLength(0);
    await world.clock.advance(1);
    expect(desk.calls).toHaveLength(1);
    expect(await engine.get(id)).toMatchObject({ status: "running", startedAt: at.getTime() });
  });

  test("E0-29: a failed call is tried again by a new row when its time has come, under the same key", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({
      start: { tool: "work", retry: { attempts: 3, backoff: ["5s", "30s"] }, done: true },
    });
    await world.settle();
    desk.last().fail(new Error("not now"));
    await world.settle();
    expect(await steps(id)).toBe("start failed, start pending");
    await world.clock.advance(4999);
    expect(desk.calls).toHaveLength(1);
    await world.clock.advance(1);
    expect(desk.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
    expect(new Set(desk.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
    const [failed] = (await engine.get(id)).steps;
    expect(failed?.error).toMatchObject({ message: "not now" });
  });

  test("E0-31, E3-07: the third failure fails the step and the run", async () => {
    await using world = createWorld("memory");
    const { engine, steps } = await world.open({
      tools: { work: () => Promise.reject(new ToolError({ code: "broken", message: "no" })) },
    });
    const { id } = await engine.start(oneStep);
    await world.clock.advance(60_000);
    expect(await engine.result(id)).toMatchObject({ status: "failed", error: { code: "broken" } });
    expect(await steps(id)).toBe("start failed, start failed, start failed");
    expect((await engine.get(id)).steps.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test("the limit of a whole run ends it, whatever it waits for", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.start({ timeout: "1m", steps: { ask: { gate: {}, next: "end" } } });
    await world.clock.advance(59_999);
    expect((await engine.get(id)).status).toBe("running");
    await world.clock.advance(1);
    expect(await engine.result(id)).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
  });

  test("of more runs than one look takes, all are woken without waiting for the next poll", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const at = world.clock.now() + 500;
    await Promise.all(Array.from({ length: 3500 }, () => engine.start(oneStep, { at })));
    await world.clock.advance(500);
    await world.settle();
    expect(await engine.list({ status: "completed", limitMax: 5000 })).toHaveLength(3500);
  });

  test("is looked for again when something earlier was written while it was looked for", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    await engine.start(nap);
    const gate = createGate();
    store.faults.afterVerb = (verb) => (verb === "nextDueAt" ? gate.opened : undefined);
    await world.clock.advance(1000);
    const { id } = await engine.start({ start: { wait: "20ms", done: true } });
    await world.settle();
    store.faults.afterVerb = null;
    gate.open();
    await world.clock.advance(20);
    expect((await engine.get(id)).status).toBe("completed");
  });
});

describe("time that does not pass as it should", () => {
  test("E3-40: what fell due while no engine ran fires once at the next start", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const asleep = await first.engine.start(nap);
    const later = await first.engine.start(oneStep, { at: world.clock.now() + 60_000 });
    const failing = await first.engine.start({
      start: { tool: "work", retry: { attempts: 2, backoff: ["5s"] }, done: true },
    });
    await world.settle();
    desk.last().fail(new Error("once"));
    await world.settle();
    await first.crash();
    world.clock.jump(86_400_000);
    const second = await world.open({ tools: { work: desk.call } });
    await world.clock.advance(60_000);
    const called = [failing.id, failing.id, asleep.id, later.id];
    const byId = (one: number, other: number): number => one - other;
    expect(desk.calls.map(({ context }) => context.run).toSorted(byId)).toEqual(called.toSorted(byId));
    expect(await second.steps(failing.id)).toBe("start failed, start running");
  });

  test("a clock that is set forward makes things due at the next poll, each once", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    await engine.start({ start: { wait: "1d", next: "then" }, then: { tool: "work", done: true } });
    world.clock.jump(86_400_000);
    await world.clock.advance(1000);
    expect(desk.calls).toHaveLength(1);
    await world.clock.advance(5000);
    expect(desk.calls).toHaveLength(1);
  });

  test("a clock that is set back fires nothing early and nothing twice", async () => {
    await using world = createWorld("memory");
    const called: number[] = [];
    const work: ToolFunction = (_input, { run }) => {
      called.push(run);
      return null;
    };
    const { engine } = await world.open({ tools: { work } });
    const asleep = [await engine.start(nap), await engine.start(nap)].map(({ id }) => id);
    world.clock.jump(-3_600_000);
    await world.clock.advance(10_000);
    expect(called).toEqual([]);
    const { id } = await engine.start(oneStep);
    expect(id).toBeGreaterThan(Math.max(...asleep));
    await engine.result(id);
    await world.clock.advance(3_600_000);
    expect(called).toEqual([id, ...asleep]);
    world.clock.jump(-3_600_000);
    await world.clock.advance(3_700_000);
    expect(called).toHaveLength(3);
  });

  test("what comes due while a run is paused fires when it is resumed", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(nap);
    await engine.pause(id);
    await world.clock.advance(60_000);
    expect(desk.calls).toHaveLength(0);
    await engine.resume(id);
    await world.settle();
    expect(desk.calls).toHaveLength(1);
  });
});

describe("runs that only wait", () => {
  test("cost no memory: neither a timer nor a place in the cache", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const timers = world.clock.waiting;
    const at = world.clock.now() + 86_400_000;
    const started = await Promise.all(Array.from({ length: 10_000 }, () => engine.start(oneStep, { at })));
    await world.settle();
    expect(world.clock.waiting - timers).toBeLessThanOrEqual(1);
    const loads = store.counts.get("load") ?? 0;
    const some = started.filter((_run, index) => index % 1000 === 0);
    await Promise.all(some.map(({ id }) => engine.cancel(id)));
    // None of them was in memory; all are brought in one go.
    expect((store.counts.get("load") ?? 0) - loads).toBe(1);
  });
});
