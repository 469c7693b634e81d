import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };

/** Every kind of memory that a run has: a fork, an earlier result, a signal that came early, a loop, items. */
const long: Json = {
  start: { tool: "echo", args: { say: "{{input.name}}" }, next: "split" },
  split: { set: {}, parallel: ["left", "right"], join: "ask" },
  left: { tool: "echo", args: { say: "left of {{steps.start.result.say}}" } },
  right: { wait: "5s" },
  ask: { gate: {}, next: "paid" },
  paid: { wait: { event: "paid" }, next: "items" },
  items: { tool: "echo", each: { items: "{{input.list}}" }, args: { say: "{{item}}" }, next: "last" },
  last: {
    tool: "echo",
    args: { first: "{{steps.start.result.say}}", sum: "{{steps.paid.result.sum}}", items: "{{steps.items.result}}" },
    done: true,
  },
};

describe("runs in memory", () => {
  test("may be given up at any time: with room for one of them all runs end as with room for all", async () => {
    const live = async (
      runsHeld: number,
    ): Promise<{ readonly outputs: readonly unknown[]; readonly loads: number }> => {
      await using world = createWorld("memory");
      const { engine, store, row } = await world.open({ tools: { echo: (input) => input }, memory: { runsHeld } });
      const names = Array.from({ length: 12 }, (_name, at) => `n${at}`);
      const runs = await Promise.all(
        names.map((name) => engine.start(long, { input: { name, list: [name, "x", "y"] } })),
      );
      await world.settle();
      await Promise.all(runs.map(({ id }, at) => engine.signal(id, "paid", { sum: at })));
      await world.clock.advance(5000);
      for (const { id } of runs) await engine.approve((await row(id, "ask")).id);
      const ended = await Promise.all(runs.map(({ id }) => engine.result(id)));
      return { outputs: ended.map(({ status, output }) => [status, output]), loads: store.counts.get("load") ?? 0 };
    };
    const [roomy, tight] = [await live(1000), await live(1)];
    expect(tight.outputs).toEqual(roomy.outputs);
    expect(tight.outputs[3]).toEqual([
      "completed",
      { first: "n3", sum: 3, items: [{ say: "n3" }, { say: "x" }, { say: "y" }] },
    ]);
    expect(roomy.loads).toBe(0);
    expect(tight.loads).toBeGreaterThanOrEqual(12);
  });

  test("ids are given out once, though a decision waits for the store while others are made", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store, row } = await world.open({ tools: { work: desk.call }, memory: { runsHeld: 0 } });
    const { id } = await engine.start({
      start: { tool: "work", next: "ask" },
      ask: { gate: {}, next: "then" },
      then: { tool: "work", args: { of: "{{steps.start.result}}" }, done: true },
    });
    await world.settle();
    desk.last().done("one");
    await world.settle();
    const asking = createGate();
    store.faults.beforeVerb = (verb) => (verb === "bring" ? asking.opened : undefined);
    const approved = engine.approve((await row(id, "ask")).id);
    await world.settle();
    const others = [engine.start(oneStep), engine.start(oneStep)];
    await world.settle();
    asking.open();
    await approved;
    const runs = [id, ...(await Promise.all(others)).map((started) => started.id), (await engine.start(oneStep)).id];
    await world.settle();
    const rows = (await Promise.all(runs.map((run) => engine.get(run)))).flatMap(({ steps }) =>
      steps.map((step) => step.id),
    );
    const ids = [...runs, ...rows];
    expect(ids.filter((one, at) => ids.indexOf(one) !== at)).toEqual([]);
    expect(desk.calls.at(1)?.input).toEqual({ of: "one" });
  });

  test("E0-05, E1-03: ids are the milliseconds of their making and only ever rise, whatever the clock does", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools: { work: () => null } });
    const ids: number[] = [];
    const start = async (engine: typeof first.engine): Promise<void> => {
      const { id } = await engine.start(oneStep);
      ids.push(id, ...(await engine.get(id)).steps.map((step) => step.id));
    };
    await start(first.engine);
    expect(ids[0]).toBe(world.clock.now());
    await world.clock.advance(5000);
    await start(first.engine);
    expect(ids[2]).toBe(world.clock.now());
    world.clock.jump(-3_600_000);
    await start(first.engine);
    await first.crash();
    world.clock.jump(-3_600_000);
    const second = await world.open({ tools: { work: () => null } });
    await start(second.engine);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });
});

describe("a mailbox that is full", () => {
  test("counts what messages carry, not how many there are", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ memory: { mailboxBytes: 1_000_000 } });
    const gate = createGate();
    const { id } = await engine.start({ start: { gate: {}, next: "end" } });
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const accepted: Promise<unknown>[] = [];
    for (let count = 0; count < 2; count++) {
      accepted.push(engine.signal(id, "news"));
      await world.settle();
    }
    accepted.push(engine.signal(id, "news", "x".repeat(600_000)));
    accepted.push(engine.start({ start: { set: {}, done: true } }, { input: { text: "x".repeat(600_000) } }));
    await world.settle();
    expect(await codeOfRejection(engine.signal(id, "news"))).toBe("OVERLOADED");
    gate.open();
    await Promise.all(accepted);
    await engine.signal(id, "news");
  });

  test("turns away what is new and takes what must not be lost", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call }, memory: { mailboxBytes: 4096 } });
    const running = await engine.start(oneStep);
    const other = await engine.start(oneStep);
    await world.settle();
    const gate = createGate();
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const accepted: Promise<unknown>[] = [];
    // Two batches are in flight; what comes now waits.
    for (let count = 0; count < 2; count++) {
      accepted.push(engine.start(oneStep));
      await world.settle();
    }
    for (let count = 0; count < 4; count++) accepted.push(engine.start(oneStep));
    await world.settle();
    expect(await codeOfRejection(engine.start(oneStep))).toBe("OVERLOADED");
    expect(await codeOfRejection(engine.signal(running.id, "news"))).toBe("OVERLOADED");
    expect(await codeOfRejection(engine.emit("news"))).toBe("OVERLOADED");
    desk.calls[0]?.done("kept");
    const cancelled = engine.cancel(other.id);
    await world.settle();
    gate.open();
    await cancelled;
    await Promise.all(accepted);
    expect((await engine.result(running.id)).output).toBe("kept");
    expect((await engine.get(other.id)).status).toBe("cancelled");
    await engine.signal((await engine.start(oneStep)).id, "news");
  });
});
