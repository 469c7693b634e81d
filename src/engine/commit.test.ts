import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { createGate, type Gate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };

describe("commit, then act", () => {
  test("E0-26: a tool is called only when its row is on disk as running", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const gate = createGate();
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const started = engine.start(oneStep);
    await world.settle();
    expect(store.batches).toHaveLength(1);
    expect(desk.calls).toHaveLength(0);
    gate.open();
    const { id } = await started;
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    const { steps } = await engine.get(id);
    expect(steps.map(({ status, startedAt }) => [status, startedAt])).toEqual([["running", world.clock.now()]]);
  });

  test("while a batch is written few messages wait for the next one, as many as the store says begin a second", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const gate = createGate();
    store.faults.secondBatchMin = 3;
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const started = [engine.start(oneStep)];
    await world.settle();
    for (let count = 0; count < 2; count++) started.push(engine.start(oneStep));
    await world.settle();
    expect(store.batches).toHaveLength(1);
    started.push(engine.start(oneStep));
    await world.settle();
    expect(store.batches).toHaveLength(2);
    expect(store.batches[1]?.runs).toHaveLength(3);
    gate.open();
    const ids = (await Promise.all(started)).map(({ id }) => id);
    const ended = await Promise.all(ids.map((id) => engine.result(id)));
    expect(ended.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
  });

  test("of a hundred messages no more than 32 are decided before others have their turn", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const turnsBefore = world.clock.turns;
    await Promise.all(Array.from({ length: 100 }, () => engine.start(oneStep)));
    // A batch may end earlier than that, when its time is over.
    expect(world.clock.turns - turnsBefore + store.batches.length).toBeGreaterThanOrEqual(Math.ceil(100 / 32));
    expect(store.batches.flatMap(({ runs }) => runs)).toHaveLength(100);
  });

  test("nobody is answered before the commit has answered", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const gate = createGate();
    let answers = 0;
    // On disk, but nobody knows yet.
    store.faults.afterCommit = async (committed) => {
      await gate.opened;
      return committed;
    };
    const started = engine.start(oneStep).then(() => (answers += 1));
    await world.settle();
    expect(store.batches).toHaveLength(1);
    expect(answers).toBe(0);
    gate.open();
    await started;
    expect(answers).toBe(1);
  });

  test("two batches are in flight at most, and they are handed over in order", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const gates: Gate[] = [];
    store.faults.beforeCommit = async () => {
      const gate = createGate();
      gates.push(gate);
      await gate.opened;
      return undefined;
    };
    const started: Promise<unknown>[] = [];
    for (let count = 0; count < 4; count++) {
      started.push(engine.start(oneStep));
      await world.settle();
    }
    expect(gates).toHaveLength(2);
    for (let opened = 0; opened < gates.length; opened++) {
      gates[opened]?.open();
      await world.settle();
      const waiting = gates.length - opened - 1;
      expect(waiting).toBeLessThanOrEqual(2);
    }
    await Promise.all(started);
    expect(store.batches.map(({ no }) => no)).toEqual(store.batches.map((_batch, at) => at + 1));
  });

  test("who waits for a run hears of its end when the end is on disk, not when it is decided", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { tool: "work", next: "ask" }, ask: { gate: {}, next: "end" } });
    await world.settle();
    let ended: string | null = null;
    const result = engine.result(id).then(({ status }) => (ended = status));
    const gates = [createGate(), createGate()];
    let handed = 0;
    store.faults.beforeCommit = async () => {
      await gates[handed++]?.opened;
      return undefined;
    };
    // The first batch brings the run to its gate; the second, decided meanwhile, cancels it.
    desk.last().done();
    await world.settle();
    const cancelled = engine.cancel(id);
    await world.settle();
    expect(handed).toBe(2);
    gates[0]?.open();
    await world.settle();
    expect(ended).toBeNull();
    expect((await engine.get(id)).status).toBe("running");
    gates[1]?.open();
    await cancelled;
    await result;
    expect(ended).toBe("cancelled");
  });

  test("a request that changes nothing is answered only after what it rests on is on disk", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const { id } = await engine.start(oneStep);
    await world.settle();
    const gate = createGate();
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const answers: string[] = [];
    const first = engine.pause(id).then(() => answers.push("paused"));
    await world.settle();
    const second = engine.pause(id).catch(() => answers.push("refused"));
    await world.settle();
    expect(answers).toEqual([]);
    gate.open();
    await Promise.all([first, second]);
    expect(answers).toEqual(["paused", "refused"]);
  });

  test("E3-13, E0-08, E3-16: run and first step are made in one transaction, and the id is the millisecond", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const started = await engine.start(oneStep, { as: "ann", name: "notify", input: { topic: "tea" } });
    expect(started).toMatchObject({ id: world.clock.now(), status: "running", warnings: [] });
    const batch = store.batches[0];
    expect(batch?.runs.map(({ run, isNew }) => [run.id, run.status, run.createdBy, isNew])).toEqual([
      [started.id, "running", "ann", true],
    ]);
    expect(batch?.rows.map(({ run, row }) => [run, row.step, row.status, row.attempt, row.readyAt])).toEqual([
      [started.id, "start", "running", 1, world.clock.now()],
    ]);
    const { steps, ...run } = await engine.get(started.id);
    expect(run).toMatchObject({ name: "notify", status: "running", createdBy: "ann", input: { topic: "tea" } });
    expect(steps).toHaveLength(1);
  });
});
