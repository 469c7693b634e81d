import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };
const twoSteps = { start: { tool: "work", next: "then" }, then: { tool: "work", done: true } };

/** Tells whether a promise has come to its end. */
function watchEnd(promise: Promise<unknown>): { isOver: boolean } {
  const seen = { isOver: false };
  void promise.finally(() => (seen.isOver = true));
  return seen;
}

async function readAll<One>(stream: AsyncIterable<One>): Promise<readonly One[]> {
  const all: One[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

describe("stopping", () => {
  test("lets calls finish, calls nothing new, and leaves the rest to the next start", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start(twoSteps);
    await world.settle();
    const stopped = first.engine.stop();
    const seen = watchEnd(stopped);
    await world.settle();
    expect(seen.isOver).toBe(false);
    desk.last().done("kept");
    await stopped;
    expect(desk.calls).toHaveLength(1);
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(await second.steps(id)).toBe("start done, then running");
    expect((await second.engine.get(id)).steps[0]?.result).toBe("kept");
    desk.last().done("over");
    expect((await second.engine.result(id)).output).toBe("over");
  });

  test("cuts off calls that take longer than ten seconds more", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const { id } = await first.engine.start({ start: { ...oneStep.start, effect: "write" } });
    await world.settle();
    const { signal } = desk.last().context;
    const stopped = first.engine.stop();
    await world.clock.advance(9999);
    expect(signal.aborted).toBe(false);
    await world.clock.advance(1);
    expect(signal.aborted).toBe(true);
    await stopped;
    const second = await world.open({ tools: { work: desk.call } });
    await world.settle();
    expect(await second.steps(id)).toBe("start uncertain");
  });

  test("is over when the last call is, though it was cut off by its own limit", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    await engine.start({ start: { ...oneStep.start, timeout: "5s" } });
    await world.settle();
    const seen = watchEnd(engine.stop());
    await world.clock.advance(5000);
    expect(desk.last().context.signal.aborted).toBe(true);
    expect(seen.isOver).toBe(true);
  });

  test("for the second time, or with `now`, waits for no call", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const [one, other] = [
      await world.open({ tools: { work: desk.call } }),
      await world.open({ tools: { work: desk.call } }),
    ];
    for (const { engine } of [one, other]) await engine.start(oneStep);
    await world.settle();
    const first = one.engine.stop();
    const seen = watchEnd(first);
    await world.settle();
    expect(seen.isOver).toBe(false);
    await one.engine.stop();
    await first;
    await other.engine.stop({ now: true });
    expect(desk.calls.map(({ context }) => context.signal.aborted)).toEqual([true, true]);
  });

  test("waits until what was decided is on disk, also with `now`", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools: { work: createDesk().call } });
    const gate = createGate();
    first.store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const started = first.engine.start(oneStep);
    await world.settle();
    const stopped = first.engine.stop({ now: true });
    const seen = watchEnd(stopped);
    await world.settle();
    expect(seen.isOver).toBe(false);
    gate.open();
    await stopped;
    const { id } = await started;
    const second = await world.open();
    expect((await second.engine.get(id)).id).toBe(id);
  });

  test("waits for a call, too, that goes out with the last commit", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { work: desk.call } });
    const gate = createGate();
    first.store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const started = first.engine.start(oneStep);
    await world.settle();
    const stopped = first.engine.stop();
    const seen = watchEnd(stopped);
    gate.open();
    const { id } = await started;
    await world.settle();
    expect(seen.isOver).toBe(false);
    desk.last().done("kept");
    await stopped;
    const second = await world.open();
    expect(await second.engine.result(id)).toMatchObject({ status: "completed", output: "kept" });
  });

  test("waits no longer than five seconds for a disk that does not answer, and says that it did not", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const asleep = await engine.start(oneStep, { at: world.clock.now() + 60_000 });
    store.faults.beforeCommit = () => createGate().opened.then(() => undefined);
    store.faults.beforeVerb = (verb) => (verb === "load" ? createGate().opened : undefined);
    const asked = [codeOfRejection(engine.start(oneStep))];
    await world.settle();
    asked.push(codeOfRejection(engine.cancel(asleep.id)), codeOfRejection(engine.start(oneStep)));
    await world.settle();
    const seen = watchEnd(engine.stop({ now: true }));
    await world.clock.advance(10_000);
    expect(seen.isOver).toBe(true);
    expect(await Promise.all(asked)).toEqual(["OUTCOME_UNKNOWN", "ENGINE_STOPPED", "ENGINE_STOPPED"]);
  });

  test("is not disturbed by what was looked at meanwhile", async () => {
    await using world = createWorld("file");
    const { engine, store, problems } = await world.open({
      tools: { work: () => null },
      retention: { bytesMax: 1e9, runsMax: 1 },
    });
    const gate = createGate();
    store.faults.beforeVerb = (verb) => (["measure", "listDue", "listReady"].includes(verb) ? gate.opened : undefined);
    await world.clock.advance(5000);
    await engine.stop();
    gate.open();
    await world.settle();
    expect(problems).toEqual([]);
  });

  test("tells all who wait, and whoever asks afterwards", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.start({ start: { gate: {}, next: "end" } });
    const waiting = codeOfRejection(engine.result(id));
    const watching = codeOfRejection(readAll(engine.watch(id)));
    await world.settle();
    await engine.stop();
    expect([await waiting, await watching]).toEqual(["ENGINE_STOPPED", "ENGINE_STOPPED"]);
    expect(await codeOfRejection(engine.start(oneStep))).toBe("ENGINE_STOPPED");
    expect(await codeOfRejection(engine.result(id))).toBe("ENGINE_STOPPED");
    await engine.stop();
  });

  test("leaves no timer behind, and its file free", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools: { work: () => null } });
    await first.engine.start({ start: { wait: "1h", next: "end" } });
    await first.engine.stop();
    const before = first.store.batches.length;
    await world.clock.advance(3_700_000);
    expect(first.store.batches).toHaveLength(before);
    const second = await world.open();
    expect(second.engine.isOwner).toBe(true);
    const [run] = await second.engine.list();
    await world.settle();
    expect((await second.engine.get(run?.run.id ?? 0)).status).toBe("completed");
  });
});
