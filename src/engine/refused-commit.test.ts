import { describe, expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import type { Batch, Committed, RefusedReason } from "../store/store.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };
const twoSteps = { start: { tool: "work", next: "then" }, then: { tool: "work", done: true } };

function refuse(reason: RefusedReason): Committed {
  return { kind: "refused", reason, message: `said to be ${reason}` };
}

/** Refuses the first batches, each for its reason. */
function refuseFirst(...reasons: RefusedReason[]): () => Committed | undefined {
  return () => {
    const reason = reasons.shift();
    return reason === undefined ? undefined : refuse(reason);
  };
}

describe("a batch that is refused", () => {
  test.each(["constraint", "stale"] as const)(
    "(%s) is decided again: nothing is lost, nothing done twice",
    async (reason) => {
      await using world = createWorld("memory");
      const desk = createDesk();
      const { engine, store } = await world.open({ tools: { work: desk.call } });
      store.faults.beforeCommit = refuseFirst(reason);
      const { id } = await engine.start(twoSteps);
      await world.settle();
      expect(desk.calls).toHaveLength(1);
      store.faults.beforeCommit = refuseFirst(reason);
      desk.last().done("one");
      await world.settle();
      expect(desk.calls).toHaveLength(2);
      desk.last().done("two");
      expect(await engine.result(id)).toMatchObject({ status: "completed", output: "two" });
      expect(desk.calls.map(({ context }) => context.attempt)).toEqual([1, 1]);
      expect((await engine.get(id)).steps).toHaveLength(2);
    },
  );

  test("is not decided again before the one in front of it is on disk, though its answer comes first", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open();
    const waitFor = (event: string, next: string): object => ({ wait: { event }, next });
    const flow = { start: waitFor("go", "one"), one: waitFor("a", "two"), two: waitFor("b", "end") };
    const { id } = await engine.start(JSON.parse(JSON.stringify(flow)));
    const gate = createGate();
    let handed = 0;
    store.faults.beforeCommit = async () => {
      handed += 1;
      const no = handed;
      if (no === 1) await gate.opened;
      return no === 2 ? refuse("stale") : undefined;
    };
    const first = engine.signal(id, "a");
    await world.settle();
    const second = engine.signal(id, "b");
    await world.settle();
    gate.open();
    await Promise.all([first, second]);
    await engine.signal(id, "go");
    expect((await engine.get(id)).status).toBe("completed");
  });

  test("takes the one behind it along, and both are decided again in their order", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const gate = createGate();
    let handed = 0;
    store.faults.beforeCommit = async () => {
      handed += 1;
      if (handed > 2) return undefined;
      await gate.opened;
      return refuse(handed === 1 ? "constraint" : "behind");
    };
    const first = engine.start(oneStep, { name: "first" });
    await world.settle();
    const second = engine.start(oneStep, { name: "second" });
    await world.settle();
    expect(handed).toBe(2);
    gate.open();
    const ids = [(await first).id, (await second).id];
    await world.settle();
    expect(desk.calls.map(({ context }) => context.run)).toEqual(ids);
    expect(store.batches.slice(2).map(({ no }) => no)).toEqual(store.batches.slice(2).map((_batch, at) => at + 1));
  });

  test("takes the one along that is being decided, though the store keeps it waiting for a run", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const sleeping = await engine.start(oneStep, { at: world.clock.now() + 60_000 });
    await world.settle();
    const refused = createGate();
    const loading = createGate();
    let handed = 0;
    store.faults.beforeCommit = async () => {
      handed += 1;
      if (handed > 1) return undefined;
      await refused.opened;
      return refuse("constraint");
    };
    store.faults.beforeVerb = (verb) => (verb === "load" ? loading.opened : undefined);
    const started = engine.start(oneStep);
    await world.settle();
    const cancelled = engine.cancel(sleeping.id);
    await world.settle();
    // The cancel is being decided, on a run that must be read, when the batch before it is refused.
    refused.open();
    await world.settle();
    loading.open();
    const { id } = await started;
    await cancelled;
    await world.settle();
    expect(desk.calls.map(({ context }) => context.run)).toEqual([id]);
    expect((await engine.get(sleeping.id)).status).toBe("cancelled");
    expect((await engine.get(id)).attention).toBeNull();
  });
});

describe("a message that cannot be written", () => {
  test("is found by halving, its run is held for a person, and all others go on", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store, problems } = await world.open({ tools: { work: desk.call } });
    const started = await Promise.all(Array.from({ length: 9 }, () => engine.start(twoSteps)));
    await world.settle();
    const bad = started[4]?.id ?? 0;
    const touches = (batch: Batch): boolean => batch.rows.some(({ run }) => run === bad);
    store.faults.beforeCommit = (batch) => (touches(batch) ? refuse("constraint") : undefined);
    for (const call of desk.calls.slice(0, 9)) call.done();
    await world.settle();
    for (const call of desk.calls.slice(9)) call.done();
    await world.settle();
    for (const { id } of started) {
      const { status, attention } = await engine.get(id);
      const expected = id === bad ? ["paused", "poison"] : ["completed", undefined];
      expect([status, attention?.code]).toEqual(expected);
    }
    expect(desk.calls).toHaveLength(9 + 8);
    expect(problems).toEqual([]);
    expect(store.batches.filter(touches).length).toBeLessThan(9);
  });

  test("goes on when a person has looked and the cause is gone", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { gate: {}, next: "then" }, then: { tool: "work", done: true } });
    store.faults.beforeCommit = (batch) => (batch.rows.length > 0 ? refuse("constraint") : undefined);
    const [gate] = (await engine.get(id)).steps;
    const error: unknown = await engine.approve(gate?.id ?? 0).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "REFUSED", details: { code: "poison" } });
    await world.settle();
    expect(await engine.get(id)).toMatchObject({ status: "paused", attention: { code: "poison", row: null } });
    store.faults.beforeCommit = null;
    await engine.resume(id, { by: "ann" });
    await engine.approve(gate?.id ?? 0);
    await world.settle();
    desk.last().done();
    expect((await engine.result(id)).status).toBe("completed");
  });

  test("that would start a run is refused, and nothing of it is left", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    store.faults.beforeCommit = ({ runs }) =>
      runs.some(({ run }) => run.name === "bad") ? refuse("constraint") : undefined;
    const bad = engine.start(oneStep, { name: "bad" });
    const good = engine.start(oneStep, { name: "good" });
    expect(await codeOfRejection(bad)).toBe("REFUSED");
    expect((await engine.result((await good).id)).status).toBe("completed");
    expect((await engine.list({ status: "all" })).map(({ run }) => run.name)).toEqual(["good"]);
  });

  test("makes batches small, and what is recorded is on disk all the same before those hear of it whom it is about", async () => {
    await using world = createWorld("memory");
    let meanwhile: (() => void) | null = null;
    const clock: Clock = {
      now: () => world.clock.now(),
      elapsed: () => world.clock.elapsed(),
      after: (...timer) => world.clock.after(...timer),
      turn: async () => {
        meanwhile?.();
        meanwhile = null;
        // Long enough for all that follows from it to come.
        for (let turn = 0; turn < 20; turn++) await world.clock.turn();
      },
    };
    const { engine, store } = await world.open({ clock });
    const waiting = (event: string) => ({ start: { wait: { event }, next: "end" } });
    const many = await Promise.all(Array.from({ length: 64 }, () => engine.start(waiting("go"))));
    const { id } = await engine.start(waiting("news"));
    await world.settle();
    let emitted: Promise<unknown> | null = null;
    const refusals = refuseFirst("constraint", "constraint");
    store.faults.beforeCommit = () => {
      const refusal = refusals();
      // Batches of 32 from now on, then of 64: the last 32 have been taken when others have their turn.
      if (refusal === undefined && emitted === null) meanwhile = () => (emitted = engine.emit("news"));
      return refusal;
    };
    const before = store.batches.length;
    await Promise.all(many.map((run) => engine.signal(run.id, "go")));
    await world.settle();
    // On a slow machine batches end before anybody has to make way.
    expect(await (emitted ?? engine.emit("news"))).toBe(1);
    await world.settle();
    const written = store.batches.slice(before);
    const recorded = written.findIndex(({ audit }) => audit.some(({ verb }) => verb === "event.emit"));
    const heard = written.findIndex(({ rows }) => rows.some(({ run }) => run === id));
    expect([recorded >= 0, recorded <= heard]).toEqual([true, true]);
  });

  test("does not keep the engine busy, though its run has a limit that has passed", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools: { work: createDesk().call } });
    const { id } = await engine.start({ timeout: "10s", steps: { ask: { gate: {}, next: "end" } } });
    const [gate] = (await engine.get(id)).steps;
    store.faults.beforeCommit = (batch) => (batch.rows.length > 0 ? refuse("constraint") : undefined);
    await codeOfRejection(engine.approve(gate?.id ?? 0));
    store.faults.beforeCommit = null;
    await world.clock.advance(9999);
    const before = store.counts.get("listDue") ?? 0;
    await world.clock.advance(10_000);
    // Once a second by the poll, and a look or two of its own.
    expect((store.counts.get("listDue") ?? 0) - before).toBeLessThan(25);
    await engine.resume(id);
    expect(await engine.result(id)).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
  });
});
