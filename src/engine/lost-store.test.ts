// A store that may be claimed again when it was lost, as a server's is: the engine goes on by itself, and whoever asked
// or waits need not notice.

import { describe, expect, test } from "vitest";
import type { Committed } from "../store/store.ts";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createDesk, createWorld, type EngineSetup } from "../testing/engine.ts";
import type { FaultyStore } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };
const gate = { start: { gate: {}, next: "end" } };
const unknown: Committed = { kind: "unknown", message: "the connection is gone" };

const mayReturn: Pick<EngineSetup, "prepare"> = {
  prepare: ({ faults }) => {
    faults.whenLost = "claim_again";
  },
};

/** The next batch gets to the disk, or does not; nobody hears of it, and the store is lost. */
function loseNextCommit({ faults }: FaultyStore, isWritten: boolean): void {
  faults.beforeCommit = () => {
    faults.beforeCommit = null;
    if (!isWritten) return unknown;
    faults.afterCommit = () => {
      faults.afterCommit = null;
      return unknown;
    };
    return undefined;
  };
}

describe.for([true, false])("a store that is lost with a commit under way (on disk: %s)", (isWritten) => {
  test("a start is answered once, with one run", async () => {
    await using world = createWorld("file");
    const { engine, store, problems } = await world.open({ ...mayReturn, tools: { work: () => "done" } });
    loseNextCommit(store, isWritten);
    const starting = engine.start(oneStep);
    await world.clock.advance(2000);
    const { id } = await starting;
    await world.clock.advance(2000);
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "done" });
    expect(await engine.list({ status: "all" })).toHaveLength(1);
    expect(engine.isOwner).toBe(true);
    expect(problems.map(({ code }) => code)).toEqual(["STORE_LOST"]);
  });

  test("a gate is answered once", async () => {
    await using world = createWorld("file");
    const opened = await world.open(mayReturn);
    const { engine } = opened;
    const { id } = await engine.start(gate);
    const { id: step } = await opened.row(id, "start");
    loseNextCommit(opened.store, isWritten);
    const answering = engine.approve(step);
    const result = engine.result(id);
    await world.clock.advance(2000);
    await answering;
    expect((await result).status).toBe("completed");
    expect((await opened.events(id)).filter((kind) => kind === "answered").length).toBeLessThanOrEqual(1);
  });

  test("a cancel that ended the run is not told that it has ended", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open(mayReturn);
    const { id } = await engine.start(gate);
    loseNextCommit(store, isWritten);
    const cancelling = engine.cancel(id);
    await world.clock.advance(2000);
    await cancelling;
    expect((await engine.get(id)).status).toBe("cancelled");
  });

  test("a call under way is stopped, and decided again as after a crash", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const { engine, store, steps } = await world.open({ ...mayReturn, tools: { work: desk.call } });
    const { id } = await engine.start({ start: { ...oneStep.start, effect: "write" } });
    await world.settle();
    loseNextCommit(store, isWritten);
    const other = engine.start(oneStep);
    await world.clock.advance(2000);
    await other;
    expect(desk.calls[0]?.context.signal.aborted).toBe(true);
    desk.calls[0]?.done("too late");
    await world.settle();
    expect(await steps(id)).toBe("start uncertain");
  });
});

describe("a store that is lost", () => {
  test("what a clerk was asked is not repeated: it is said that nobody knows", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open(mayReturn);
    loseNextCommit(store, true);
    const saving = codeOfRejection(
      engine.save({ name: "a", start: "work", steps: { work: { tool: "work", done: true } } }),
    );
    await world.clock.advance(2000);
    expect(await saving).toBe("OUTCOME_UNKNOWN");
    expect(await engine.workflows.list()).toHaveLength(1);
  });

  test("another process may have taken it meanwhile: it is asked", async () => {
    await using world = createWorld("file");
    const first = await world.open({ ...mayReturn, tools: { work: () => "first" } });
    loseNextCommit(first.store, false);
    const starting = first.engine.start(oneStep);
    // Before the first one's next claim.
    const second = await world.open({ tools: { work: () => "second" } });
    await world.clock.advance(2000);
    const { id } = await starting;
    await world.clock.advance(2000);
    expect([first.engine.isOwner, second.engine.isOwner].filter(Boolean)).toHaveLength(1);
    expect((await first.engine.result(id)).status).toBe("completed");
    expect(await second.engine.list({ status: "all" })).toHaveLength(1);
  });

  test("a read that fails for good loses no message and holds no run", async () => {
    await using world = createWorld("file");
    const { engine, store, steps, problems } = await world.open({ ...mayReturn, memory: { runsHeld: 0 } });
    const { id } = await engine.start(gate);
    await world.settle();
    let failures = 0;
    store.faults.beforeVerb = (verb) => {
      if (verb !== "load" || failures === 3) return undefined;
      failures += 1;
      return Promise.reject(new StepwellError("STORE_UNREACHABLE", "away"));
    };
    const cancelling = engine.cancel(id);
    await world.clock.advance(5000);
    await cancelling;
    expect(failures).toBe(3);
    expect(await steps(id)).toBe("start cancelled");
    expect((await engine.get(id)).attention).toBeNull();
    expect(problems.every(({ code }) => code === "STORE_LOST")).toBe(true);
  });

  test("whoever waits for an answer is told when the engine is stopped meanwhile", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open(mayReturn);
    loseNextCommit(store, false);
    const starting = codeOfRejection(engine.start(gate));
    await engine.stop();
    await world.clock.advance(1000);
    expect(await starting).toBe("OUTCOME_UNKNOWN");
  });

  test("an event is told to who waits, although the store was lost meanwhile", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open(mayReturn);
    const { id } = await engine.start({ start: { wait: { event: "go" }, next: "end" } });
    loseNextCommit(store, false);
    const emitting = engine.emit("go");
    await world.clock.advance(3000);
    expect(await emitting).toBe(1);
    expect((await engine.result(id)).status).toBe("completed");
  });

  test("one that is lost while it is claimed is claimed again", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ ...mayReturn, tools: { work: () => "done" } });
    let claims = 0;
    store.faults.beforeVerb = (verb) => {
      if (verb === "onLost") claims += 1;
      // The first one after the loss does not even get to reading what is there.
      if (verb === "listEntries" && claims === 1) return Promise.reject(new StepwellError("STORE_LOST", "gone again"));
      return undefined;
    };
    loseNextCommit(store, false);
    const starting = engine.start(oneStep);
    await world.clock.advance(10_000);
    expect((await engine.result((await starting).id)).status).toBe("completed");
    expect(claims).toBeGreaterThan(1);
  });

  test("an owner that could not begin calls nothing any more, and does no harm to the next", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const { engine, store, problems } = await world.open({ ...mayReturn, tools: { work: desk.call } });
    const { id } = await engine.start({ start: { ...oneStep.start, effect: "idempotent" } });
    await world.settle();
    let failures = 0;
    store.faults.beforeVerb = (verb) => {
      if (verb !== "listDue" || failures > 0) return undefined;
      failures += 1;
      return Promise.reject(new StepwellError("STORE_UNREACHABLE", "away"));
    };
    loseNextCommit(store, false);
    const other = engine.start({ start: { set: { a: 1 }, done: true } });
    await world.clock.advance(10_000);
    await other;
    expect(failures).toBe(1);
    expect(desk.calls.filter(({ context }) => !context.signal.aborted)).toHaveLength(1);
    const told = problems.length;
    for (const call of desk.calls) call.done("x");
    await world.clock.advance(10_000);
    expect((await engine.result(id)).status).toBe("completed");
    expect(engine.isOwner).toBe(true);
    expect(problems).toHaveLength(told);
  });

  test("an owner that cannot begin is no healthy guest, until it can or another process does the work", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open(mayReturn);
    store.faults.beforeVerb = (verb) =>
      verb === "listDue" ? Promise.reject(new StepwellError("STORE_UNREADABLE", "A row cannot be read.")) : undefined;
    loseNextCommit(store, false);
    const starting = engine.start(gate);
    await world.clock.advance(10_000);
    const degraded = { status: "degraded", isOwner: false, reasons: ["A row cannot be read."] };
    expect(await engine.health()).toMatchObject(degraded);
    const other = await world.open({});
    // It has left the store to others for a while.
    await world.clock.advance(3000);
    expect(other.engine.isOwner).toBe(true);
    expect(await engine.health()).toMatchObject({ status: "ok", isOwner: false, reasons: [] });
    await starting;
    await other.engine.stop();
    await world.clock.advance(10_000);
    expect(await engine.health()).toMatchObject(degraded);
    store.faults.beforeVerb = null;
    await world.clock.advance(10_000);
    expect(await engine.health()).toMatchObject({ status: "ok", isOwner: true, reasons: [] });
  });

  test("a store that cannot even be claimed is told, too", async () => {
    await using world = createWorld("file");
    const first = await world.open({});
    const { engine, store } = await world.open({});
    expect(await engine.health()).toMatchObject({ status: "ok", isOwner: false });
    store.faults.beforeVerb = (verb) =>
      verb === "claim" ? Promise.reject(new StepwellError("STORE_UNREADABLE", "No lock.")) : undefined;
    await first.engine.stop();
    await world.clock.advance(1000);
    expect(await engine.health()).toMatchObject({ status: "degraded", isOwner: false, reasons: ["No lock."] });
    store.faults.beforeVerb = null;
    await world.clock.advance(1000);
    expect(await engine.health()).toMatchObject({ status: "ok", isOwner: true });
  });

  test("a start on its way to the mailbox is told to the next owner", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ ...mayReturn, tools: { work: () => "done" } });
    const gateAt = Promise.withResolvers<void>();
    let isHeld = true;
    store.faults.beforeVerb = (verb) => (verb === "findRunByKey" && isHeld ? gateAt.promise : undefined);
    const slow = engine.start(oneStep, { idempotencyKey: "slow" });
    loseNextCommit(store, false);
    const other = engine.start(oneStep);
    await world.clock.advance(3000);
    isHeld = false;
    gateAt.resolve();
    await world.clock.advance(3000);
    await other;
    expect((await engine.result((await slow).id)).status).toBe("completed");
  });
});

describe("a start that a transaction has brought", () => {
  test("waits for room, and is told when it cannot start at all", async () => {
    await using world = createWorld("file");
    const { engine, store, problems } = await world.open({ tools: { work: () => "done" } });
    const request = { kind: "start", name: null, input: null, by: "local", via: null, at: null, startKey: null };
    store.faults.beforeCommit = () => ({ kind: "refused", reason: "full", message: "no room" });
    await store.store.post({ ...request, flow: oneStep, place: { id: 7, uid: "7-a" } }, "local");
    await world.clock.advance(2000);
    store.faults.beforeCommit = null;
    await world.clock.advance(2000);
    expect((await engine.result(7)).status).toBe("completed");
    await store.store.post({ ...request, flow: { start: { next: "nowhere" } }, place: { id: 8, uid: "8-a" } }, "local");
    await world.clock.advance(2000);
    expect(problems.at(-1)?.message).toContain("Run 8, accepted in a transaction, cannot start");
  });
});
