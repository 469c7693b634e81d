import { describe, expect, test } from "vitest";
import type { Committed } from "../store/store.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };
const full: Committed = { kind: "refused", reason: "full", message: "no room" };
const busy: Committed = { kind: "refused", reason: "busy", message: "locked" };
const unknown: Committed = { kind: "unknown", message: "the disk does not say" };

describe("while the disk is full", () => {
  test("nothing new starts, and it goes on alone when there is room", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => "done" } });
    store.faults.beforeCommit = () => full;
    // The one whose own batch finds no room, and one that comes after it.
    expect(await codeOfRejection(engine.start(oneStep))).toBe("STORE_FULL");
    expect(await codeOfRejection(engine.start(oneStep))).toBe("STORE_FULL");
    await world.clock.advance(10_000);
    expect(await codeOfRejection(engine.start(oneStep))).toBe("STORE_FULL");
    expect(await engine.list({ status: "all" })).toEqual([]);
    store.faults.beforeCommit = null;
    await world.clock.advance(10_000);
    const { id } = await engine.start(oneStep);
    expect((await engine.result(id)).status).toBe("completed");
  });

  test("calls that answer are kept, and what follows from them is done when there is room", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const runs = await Promise.all([engine.start(oneStep), engine.start(oneStep), engine.start(oneStep)]);
    await world.settle();
    store.faults.beforeCommit = () => full;
    for (const [at, call] of desk.calls.entries()) {
      call.done(at);
      await world.clock.advance(400);
    }
    expect((await engine.list({ status: "running" })).length).toBe(3);
    store.faults.beforeCommit = null;
    await world.clock.advance(1000);
    const outputs = await Promise.all(runs.map(({ id }) => engine.result(id)));
    expect(outputs.map(({ output }) => output)).toEqual([0, 1, 2]);
    expect(desk.calls).toHaveLength(3);
  });

  test("whoever answers, signals or cancels waits, and is answered when there is room", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open();
    const { id } = await engine.start({ start: { gate: {}, next: "end" } });
    store.faults.beforeCommit = () => full;
    let isAnswered = false;
    const cancelled = engine.cancel(id).then(() => (isAnswered = true));
    await world.clock.advance(2000);
    expect(isAnswered).toBe(false);
    store.faults.beforeCommit = null;
    await world.clock.advance(1000);
    await cancelled;
    expect((await engine.get(id)).status).toBe("cancelled");
  });

  test("it can be stopped all the same", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start({ start: { ...oneStep.start, effect: "write" } });
    await world.settle();
    first.store.faults.beforeCommit = () => full;
    desk.last().done("lost");
    await world.settle();
    const stopped = first.engine.stop();
    await world.clock.advance(60_000);
    await stopped;
    const second = await world.open({ tools: { work: () => "again" } });
    await world.settle();
    // Its answer never got onto the disk: as after a crash, nobody knows what became of a write.
    expect(await second.steps(id)).toBe("start uncertain");
  });
});

describe("a file that is locked for a moment", () => {
  test("is tried again, and nobody notices", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => "done" } });
    let refusals = 0;
    store.faults.beforeCommit = () => (++refusals <= 3 ? busy : undefined);
    const started = engine.start(oneStep);
    await world.settle();
    const other = engine.start(oneStep);
    other.catch(() => {});
    await world.clock.advance(2000);
    expect((await engine.result((await started).id)).status).toBe("completed");
    expect((await engine.result((await other).id)).status).toBe("completed");
  });
});

describe("a run that cannot be read", () => {
  test.each(["start pending", "start ready"])("is held for a person, and all others go on (%s)", async (state) => {
    await using world = createWorld("file");
    const desk = createDesk();
    const waiting = { start: { gate: {}, next: "then" }, then: { set: {}, done: true } };
    const flow = state === "start ready" ? { start: { ...oneStep.start, effect: "read" } } : waiting;
    const first = await world.open({ tools: { work: desk.call }, limits: { calls: 0 } });
    const bad = await first.engine.start({ ...flow, "x-note": {} });
    const good = await first.engine.start(waiting);
    await world.settle();
    expect(await first.steps(bad.id)).toBe(state);
    await first.crash();
    let reads = 0;
    const { engine, row } = await world.open({
      tools: { work: desk.call },
      prepare: ({ faults }) => {
        faults.beforeVerb = (verb) =>
          verb === "findFlow" && ++reads === 1 ? Promise.reject(new Error("a page is damaged")) : undefined;
      },
    });
    const answered = codeOfRejection(engine.approve((await row(bad.id, "start")).id));
    await world.settle();
    expect(await answered).toBe("REFUSED");
    expect((await engine.get(bad.id)).attention).toMatchObject({ code: "poison" });
    await engine.approve((await row(good.id, "start")).id);
    expect((await engine.result(good.id)).status).toBe("completed");
  });
});

describe("when nobody knows whether a commit is on disk", () => {
  test.each([
    { wasWritten: true, after: "completed" },
    { wasWritten: false, after: "running" },
  ])(
    "the engine stops, all who wait are told, and the rows decide (written: $wasWritten)",
    async ({ wasWritten, after }) => {
      await using world = createWorld("file");
      const desk = createDesk();
      const first = await world.open({ tools: { work: desk.call } });
      const { id } = await first.engine.start({ start: { tool: "work", effect: "read", done: true } });
      await world.settle();
      const waiting = [first.engine.result(id), first.engine.result(id)].map(codeOfRejection);
      if (wasWritten) first.store.faults.afterCommit = () => unknown;
      else first.store.faults.beforeCommit = () => unknown;
      desk.last().done("one");
      await world.settle();
      expect(await Promise.all(waiting)).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
      expect(await codeOfRejection(first.engine.start(oneStep))).toBe("OUTCOME_UNKNOWN");
      expect(await codeOfRejection(first.engine.cancel(id))).toBe("OUTCOME_UNKNOWN");
      expect(first.problems.map(({ code }) => code)).toEqual(["OUTCOME_UNKNOWN"]);
      // Nothing more is tried by one that does not know where it stands.
      const handed = first.store.batches.length;
      await world.clock.advance(60_000);
      expect(first.store.batches).toHaveLength(handed);
      await first.engine.stop();
      const second = await world.open({ tools: { work: desk.call } });
      await world.settle();
      expect((await second.engine.get(id)).status).toBe(after);
      expect(desk.calls).toHaveLength(wasWritten ? 1 : 2);
    },
  );

  test("whoever starts is told so as well, and the same key tells later what became of it", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools: { work: createDesk().call } });
    first.store.faults.afterCommit = () => unknown;
    const start = first.engine.start(oneStep, { idempotencyKey: "order-7" });
    expect(await codeOfRejection(start)).toBe("OUTCOME_UNKNOWN");
    await first.engine.stop();
    const second = await world.open({ tools: { work: createDesk().call } });
    const again = await second.engine.start(oneStep, { idempotencyKey: "order-7" });
    expect((await second.engine.list({ status: "all" })).map(({ run }) => run.id)).toEqual([again.id]);
  });

  test("so is whoever waits for what was being decided meanwhile", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const asleep = await engine.start(oneStep, { at: world.clock.now() + 60_000 });
    const [commits, loads] = [createGate(), createGate()];
    store.faults.beforeCommit = () => commits.opened.then(() => unknown);
    store.faults.beforeVerb = (verb) => (verb === "load" ? loads.opened : undefined);
    const asked = [codeOfRejection(engine.start(oneStep))];
    await world.settle();
    asked.push(codeOfRejection(engine.cancel(asleep.id)), codeOfRejection(engine.start(oneStep)));
    await world.settle();
    commits.open();
    await world.settle();
    loads.open();
    expect(await Promise.all(asked)).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
    expect(store.batches).toHaveLength(2);
  });

  test("calls under way are told to stop", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    await engine.start(oneStep);
    await world.settle();
    const { signal } = desk.last().context;
    const gate = createGate();
    store.faults.beforeCommit = () => gate.opened.then(() => Promise.reject(new Error("the writer has died")));
    const start = codeOfRejection(engine.start(oneStep));
    await world.settle();
    expect(signal.aborted).toBe(false);
    gate.open();
    expect(await start).toBe("OUTCOME_UNKNOWN");
    expect(signal.aborted).toBe(true);
  });
});
