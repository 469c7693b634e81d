import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const write = { start: { tool: "work", effect: "write", done: true } };
const read = { start: { tool: "work", effect: "read", done: true } };
const fan = {
  start: { set: {}, parallel: ["a", "b", "c"], join: "all" },
  a: { tool: "work", effect: "read" },
  b: { tool: "work", effect: "read" },
  c: { tool: "work", effect: "read" },
  all: { tool: "work", effect: "read", done: true },
};

describe("after a crash", () => {
  test("E1-15: a call that may be repeated is, under its key and at no cost of an attempt", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start(read);
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(desk.calls).toHaveLength(2);
    const [cut, again] = desk.calls.map(({ context }) => context);
    expect(again?.idempotencyKey).toBe(cut?.idempotencyKey);
    expect([cut?.attempt, again?.attempt]).toEqual([1, 1]);
    expect(await second.steps(id)).toBe("start failed, start running");
    expect((await second.engine.get(id)).steps[0]?.error?.code).toBe("interrupted");
    // The one that was cut off answers nobody any more.
    desk.calls[0]?.done("of a dead process");
    desk.calls[1]?.done("of a living one");
    expect((await second.engine.result(id)).output).toBe("of a living one");
  });

  test("E1-15: a call that may have written something is not repeated; a person says what became of it", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const asked = await first.engine.start(write);
    const again = await first.engine.start(write);
    await world.settle();
    await first.crash();
    const { engine, row } = await world.open({ tools: { work: desk.call } });
    await world.clock.advance(5000);
    expect(desk.calls).toHaveLength(2);
    expect((await engine.get(asked.id)).attention).toMatchObject({ code: "uncertain" });
    await engine.resolve((await row(asked.id, "start")).id, { by: "ann", how: "done", result: "was there" });
    await engine.resolve((await row(again.id, "start")).id, { by: "ann", how: "retry" });
    expect((await engine.result(asked.id)).output).toBe("was there");
    await world.settle();
    expect(desk.calls.at(-1)?.context).toMatchObject({ run: again.id, attempt: 2 });
  });

  test("E1-15, E1-02: what was ready is called, what is due fires, and what is pending stays as it is", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call }, limits: { calls: 1 } });
    await first.engine.start(read);
    const ready = await first.engine.start(write);
    const asleep = await first.engine.start({ start: { wait: "10s", next: "then" }, then: { set: {}, done: true } });
    const gate = await first.engine.start({ start: { gate: {}, next: "then" }, then: { set: {}, done: true } });
    const later = await first.engine.start(write, { at: world.clock.now() + 3_600_000 });
    await world.settle();
    expect(await first.steps(ready.id)).toBe("start ready");
    const pending = await Promise.all([first.row(gate.id, "start"), first.row(later.id, "start")]);
    await first.crash();
    world.clock.jump(60_000);
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(desk.calls.map(({ context }) => context.run)).toContain(ready.id);
    expect((await second.engine.get(asleep.id)).status).toBe("completed");
    expect(await Promise.all([second.row(gate.id, "start"), second.row(later.id, "start")])).toEqual(pending);
  });

  test("E0-41: a fan-out that was cut off goes on from its rows, and the join comes once, after the last branch", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start(fan);
    await world.settle();
    desk.calls[0]?.done("a");
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    const open = desk.calls.slice(3);
    expect(open).toHaveLength(2);
    open[0]?.done("b");
    await world.settle();
    expect(desk.calls).toHaveLength(5);
    open[1]?.done("c");
    await world.settle();
    expect(desk.calls).toHaveLength(6);
    desk.last().done("joined");
    expect((await second.engine.result(id)).output).toBe("joined");
    expect((await second.engine.get(id)).steps.filter(({ step }) => step === "all")).toHaveLength(1);
  });

  test("E1-16, E3-40: nothing has to be rebuilt: the second life does what the first would have done", async () => {
    const live = async (crashes: "none" | "always"): Promise<readonly unknown[]> => {
      await using world = createWorld("file");
      const told: unknown[] = [];
      const work = (input: object): null => {
        told.push(input);
        return null;
      };
      const tools = { work };
      let engine = await world.open({ tools });
      const say = (what: string, next: string): object => ({ tool: "work", args: { what }, next });
      const { id } = await engine.engine.start(
        {
          start: { ...say("hello {{input.name}}", "rest") },
          rest: { wait: "30s", next: "ask" },
          ask: { gate: {}, next: "say" },
          say: { ...say("{{steps.ask.result}}", "paid") },
          paid: { wait: { event: "paid" }, next: "thank" },
          thank: { tool: "work", args: { what: "{{steps.paid.result.sum}}" }, done: true },
        },
        { input: { name: "Ann" } },
      );
      const pass = async (): Promise<void> => {
        await world.settle();
        if (crashes === "none") return;
        await engine.crash();
        engine = await world.open({ tools });
        await world.settle();
      };
      await pass();
      await world.clock.advance(30_000);
      await pass();
      await engine.engine.approve((await engine.row(id, "ask")).id, { by: "bob" });
      await pass();
      await engine.engine.emit("paid", { sum: 12 });
      await world.settle();
      const { status, steps } = await engine.engine.get(id);
      return [status, told, steps.map(({ step, status: state, attempt }) => [step, state, attempt])];
    };
    expect(await live("always")).toEqual(await live("none"));
  });

  test("what cuts the engine off three times in a row is held for a person", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    let engine = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.engine.start(read);
    const other = await engine.engine.start({ start: { gate: {}, next: "end" } });
    for (let crash = 0; crash < 3; crash++) {
      await world.settle();
      await engine.crash();
      engine = await world.open({ tools: { work: desk.call } });
    }
    await world.clock.advance(2000);
    expect(desk.calls).toHaveLength(3);
    expect((await engine.engine.get(id)).attention).toMatchObject({ code: "poison" });
    expect((await engine.engine.get(other.id)).attention).toBeNull();
    await engine.engine.resolve((await engine.row(id, "start")).id, { how: "retry" });
    await world.settle();
    expect(desk.calls).toHaveLength(4);
  });
});

describe("a crash around a commit", () => {
  test("before it: nothing was called or answered, and nothing is there", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    first.store.faults.beforeCommit = () => createGate().opened.then(() => undefined);
    let isAnswered = false;
    void first.engine.start(read).then(() => (isAnswered = true));
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(await second.engine.list({ status: "all" })).toEqual([]);
    expect([isAnswered, desk.calls.length]).toEqual([false, 0]);
  });

  test("after it, before anything is done: the run is there, and its call is made in the second life", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    first.store.faults.afterCommit = (committed) => createGate().opened.then(() => committed);
    void first.engine.start(read);
    await world.settle();
    await first.crash();
    expect(desk.calls).toHaveLength(0);
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    desk.last().done();
    const [run] = await second.engine.list();
    expect((await second.engine.result(run?.run.id ?? 0)).status).toBe("completed");
  });

  test("before that of a result: the call is made again, since nobody else knew of it", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start({
      start: { tool: "work", effect: "read", next: "then" },
      then: write.start,
    });
    await world.settle();
    first.store.faults.beforeCommit = () => createGate().opened.then(() => undefined);
    desk.last().done("one");
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(await second.steps(id)).toBe("start failed, start running");
    expect(desk.calls).toHaveLength(2);
  });
});
