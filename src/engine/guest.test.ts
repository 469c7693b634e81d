import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld, type EngineSetup } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import { StepwellError } from "../error.ts";
import { systemClock } from "./clock.ts";

// Two engines on one file, as two processes would have it. They find each other by looking, on the system's own clock.

const oneStep = { start: { tool: "work", effect: "read", done: true } };
const gate = { start: { gate: {}, next: "then" }, then: { set: {}, done: true } };

function setup(options: EngineSetup = {}): EngineSetup {
  return { clock: systemClock, tools: { work: () => "done" }, ...options };
}

/** Resolves when the engine owns its file: the first thing that it does is then on disk as its own. */
async function becomesOwner(engine: { readonly isOwner: boolean }): Promise<void> {
  await expect.poll(() => engine.isOwner, { timeout: 30_000, interval: 20 }).toBe(true);
}

async function wordsOfRejection(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  return error instanceof StepwellError ? `${error.code}: ${error.message}` : "none";
}

describe("a guest", () => {
  test("E0-07, E1-04, E3-05: one process owns the file and writes; a second one starts, approves and cancels through it", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    expect([owner.engine.isOwner, guest.engine.isOwner]).toEqual([true, false]);
    const done = await guest.engine.start(oneStep, { as: "bob", input: { of: "the guest" } });
    expect(await guest.engine.result(done.id)).toMatchObject({ status: "completed", output: "done" });
    expect(await owner.engine.get(done.id)).toMatchObject({ createdBy: "bob", input: { of: "the guest" } });
    const approved = await guest.engine.start(gate);
    await guest.engine.approve((await guest.row(approved.id, "start")).id, { by: "bob" });
    expect((await guest.engine.result(approved.id)).status).toBe("completed");
    const cancelled = await owner.engine.start(gate);
    await guest.engine.cancel(cancelled.id, { by: "bob", reason: "enough" });
    expect((await owner.engine.get(cancelled.id)).status).toBe("cancelled");
    expect(guest.store.batches).toHaveLength(0);
  });

  test("may say whatever the owner may", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const { engine } = guest;
    const { id } = await engine.start({
      start: { gate: {}, next: "paid" },
      paid: { wait: { event: "paid" }, next: "news" },
      news: { wait: { event: "news" }, done: true },
    });
    expect(await engine.preview(id)).toEqual(await owner.engine.preview(id));
    await engine.pause(id);
    expect((await owner.engine.get(id)).status).toBe("paused");
    await engine.resume(id);
    await engine.ready((await guest.row(id, "start")).id);
    expect(await engine.emit("paid")).toBe(1);
    await engine.signal(id, "news", { sum: 1 });
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: { sum: 1 } });
    const changes: string[] = [];
    for await (const { name, status } of engine.watch(id)) changes.push(`${name} ${status}`);
    expect(changes).toEqual(["start done", "paid done", "news done", "flow completed"]);
    const key = { idempotencyKey: "order-7" };
    const both = await Promise.all([engine.start(oneStep, key), owner.engine.start(oneStep, key)]);
    expect(both[0].id).toBe(both[1].id);
  });

  test("is refused in the same words as anybody else", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const { id } = await owner.engine.start(gate);
    const step = (await owner.row(id, "start")).id;
    await owner.engine.approve(step);
    const refusals = async ({ engine }: typeof owner): Promise<readonly string[]> => {
      const asked = [
        engine.cancel(12),
        engine.approve(12),
        engine.approve(step),
        engine.start({ start: { tool: "work", nxt: "x" } }),
        engine.start(oneStep, { input: "text" }),
        engine.preview(12),
      ];
      return Promise.all(asked.map(wordsOfRejection));
    };
    const told = await refusals(owner);
    expect(told.map((words) => words.split(":")[0])).toEqual([
      "RUN_NOT_FOUND",
      "STEP_NOT_FOUND",
      "REFUSED",
      "FLOW_INVALID",
      "INPUT_INVALID",
      "RUN_NOT_FOUND",
    ]);
    expect(await refusals(guest)).toEqual(told);
  });

  test("takes over when the owner stops, and goes on with what it left", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const owner = await world.open(setup({ tools: { work: desk.call } }));
    const guest = await world.open(setup());
    const waiting = await guest.engine.start(gate);
    const result = guest.engine.result(waiting.id);
    await owner.engine.stop();
    await becomesOwner(guest.engine);
    await guest.engine.approve((await guest.row(waiting.id, "start")).id);
    expect((await result).status).toBe("completed");
  });

  test("takes over when the owner dies; what was asked of the dead one is done once, by the living", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const owner = await world.open(setup({ tools: { work: desk.call } }));
    const running = await owner.engine.start(oneStep);
    await world.settle();
    const guest = await world.open(setup());
    const cut = createGate();
    owner.store.faults.beforeCommit = () => {
      cut.open();
      return createGate().opened.then(() => undefined);
    };
    const started = guest.engine.start(oneStep);
    // The owner has taken the message, and dies before its commit.
    await cut.opened;
    await owner.crash();
    const { id } = await started;
    expect((await guest.engine.result(id)).status).toBe("completed");
    expect(await guest.engine.result(running.id)).toMatchObject({ status: "completed", output: "done" });
    expect(guest.engine.isOwner).toBe(true);
    expect(await guest.engine.list({ status: "all" })).toHaveLength(2);
  });

  test("finds its answer although the owner died as soon as it was written", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const cut = createGate();
    owner.store.faults.afterCommit = () => {
      cut.open();
      return new Promise(() => {});
    };
    const started = guest.engine.start(oneStep);
    await cut.opened;
    await owner.crash();
    const { id } = await started;
    expect((await guest.engine.result(id)).status).toBe("completed");
    expect(await guest.engine.list({ status: "all" })).toHaveLength(1);
  });

  test("hears of the end of a run although the owner ended with it", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const { id } = await owner.engine.start(gate);
    const [held, read] = [createGate(), createGate()];
    let looks = 0;
    // The guest's look has read that the run goes on, and hears it only after it has become the owner.
    guest.store.faults.afterVerb = (verb) => {
      if (verb !== "findRun") return undefined;
      looks += 1;
      if (looks === 1) return undefined;
      read.open();
      return held.opened;
    };
    const result = guest.engine.result(id);
    await read.opened;
    await owner.engine.approve((await owner.row(id, "start")).id);
    await owner.engine.stop();
    await becomesOwner(guest.engine);
    guest.store.faults.afterVerb = null;
    held.open();
    expect((await result).status).toBe("completed");
  });

  test("that stops tells those who wait for it, and takes nothing over", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    owner.store.faults.beforeCommit = () => createGate().opened.then(() => undefined);
    const started = codeOfRejection(guest.engine.start(oneStep));
    await guest.engine.stop();
    expect(await started).toBe("ENGINE_STOPPED");
    expect(guest.engine.isOwner).toBe(false);
  });
});

describe("a guest that stops in the middle of something", () => {
  test("disturbs nobody, though its store is closed under it", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const { id } = await owner.engine.start(gate);
    const [held, looking] = [createGate(), createGate()];
    let looks = 0;
    guest.store.faults.beforeVerb = (verb) => {
      if (verb !== "findRun" || ++looks === 1) return undefined;
      looking.open();
      return held.opened;
    };
    const result = codeOfRejection(guest.engine.result(id));
    await looking.opened;
    await guest.engine.stop();
    held.open();
    expect(await result).toBe("ENGINE_STOPPED");
    await world.settle();
    expect(guest.problems).toEqual([]);
  });
});

describe("handing over", () => {
  test("an owner that serves no others gives the file to one that does, and goes on as its guest", async () => {
    await using world = createWorld("file");
    const embedded = await world.open(setup());
    const before = await embedded.engine.start(gate);
    const up = await world.open(setup({ role: "up" }));
    await becomesOwner(up.engine);
    await embedded.engine.approve((await embedded.row(before.id, "start")).id);
    expect((await embedded.engine.result(before.id)).status).toBe("completed");
    const after = await embedded.engine.start(oneStep);
    expect((await embedded.engine.result(after.id)).status).toBe("completed");
    expect([embedded.engine.isOwner, up.engine.isOwner]).toEqual([false, true]);
  });

  test("nothing that is asked while it happens is lost or done twice", async () => {
    await using world = createWorld("file");
    const embedded = await world.open(setup());
    const asked: Promise<unknown>[] = [];
    const moved = new AbortController();
    const asking = (async () => {
      while (!moved.signal.aborted) {
        const start = embedded.engine.start(oneStep);
        asked.push(start);
        await start;
      }
    })();
    const up = await world.open(setup({ role: "up" }));
    await becomesOwner(up.engine);
    moved.abort();
    await asking;
    expect(await up.engine.list({ status: "all", limitMax: 10_000 })).toHaveLength(asked.length);
  });

  test("a second one that serves others is refused, with who has the file", async () => {
    await using world = createWorld("file");
    await world.open(setup({ role: "up" }));
    const refused: unknown = await world.open(setup({ role: "up" })).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "STORE_BUSY", details: { pid: process.pid } });
  });
});
