import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Prunable, PruneQuery } from "../store/store.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import { systemClock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import { keepAll, Keeper } from "./retention.ts";

const oneStep = { start: { tool: "work", done: true } };
const gate = { start: { gate: {}, next: "end" } };
const tools = { work: () => null };
/** How often the engine looks at what it keeps. */
const lookMs = 5000;

/** So long, and not to be stored in less. */
function toText(length: number): string {
  return randomBytes(length / 2).toString("hex");
}

/** Filled as it is told. */
function listRemoved(engine: Pick<Engine, "changes">): readonly string[] {
  const told: string[] = [];
  const follow = async (): Promise<void> => {
    for await (const news of engine.changes())
      if (news.kind === "changes")
        for (const { name, status } of news.changes) if (status === "removed") told.push(`${name} ${status}`);
  };
  follow().catch(() => {});
  return told;
}

describe("what is kept", () => {
  test("is everything, unless something is said", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const { id } = await engine.start(oneStep);
    await engine.result(id);
    world.clock.jump(1e12);
    await world.clock.advance(lookMs);
    expect((await engine.get(id)).status).toBe("completed");
  });

  test("by age: runs that ended long enough ago go, with their steps and events; live ones never", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools, retention: { ageMs: 60_000 } });
    const old = await engine.start(oneStep, { idempotencyKey: "again" });
    const live = await engine.start(gate);
    await engine.result(old.id);
    await world.clock.advance(40_000);
    const young = await engine.start(oneStep);
    await engine.result(young.id);
    const steps = (await engine.get(old.id)).steps.map(({ id }) => id);
    await world.clock.advance(25_000);
    expect((await engine.list({ status: "all" })).map(({ run }) => run.id)).toEqual([young.id, live.id]);
    expect(await codeOfRejection(engine.get(old.id))).toBe("RUN_NOT_FOUND");
    for (const step of steps) expect(await store.store.findRow(step)).toBeUndefined();
    // Its key is free again.
    expect((await engine.start(oneStep, { idempotencyKey: "again" })).id).not.toBe(old.id);
  });

  test("by count: of those that ended the newest stay", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools, retention: { runsMax: 3 } });
    const live = [await engine.start(gate), await engine.start(gate)];
    const ended: number[] = [];
    for (let count = 0; count < 8; count++) {
      const { id } = await engine.start(oneStep);
      await engine.result(id);
      ended.push(id);
      await world.clock.advance(1);
    }
    await world.clock.advance(lookMs);
    const kept = (await engine.list({ status: "all" })).map(({ run }) => run.id);
    expect(kept).toEqual([...live.map(({ id }) => id), ...ended.slice(-3)].toReversed());
  });

  test("on request: what ended before an instant goes, in any number, whoever asks", async () => {
    await using world = createWorld("file");
    const { engine: owner } = await world.open({ clock: systemClock, tools, retention: { runsMax: 1000 } });
    const { engine: guest } = await world.open({ clock: systemClock });
    const live = await owner.start(gate);
    const runs = await Promise.all(Array.from({ length: 100 }, () => owner.start(oneStep)));
    for (const { id } of runs) await owner.result(id);
    expect(await guest.prune({ endedBefore: new Date(0) })).toEqual({ runs: 0 });
    expect(await codeOfRejection(guest.prune({ endedBefore: Number.NaN }))).toBe("INPUT_INVALID");
    expect(guest.isOwner).toBe(false);
    // At the same time each goes once.
    const both = await Promise.all([owner, guest].map((engine) => engine.prune({ endedBefore: Date.now() + 1000 })));
    expect(both.reduce((sum, { runs: removed }) => sum + removed, 0)).toBe(100);
    expect((await owner.list({ status: "all" })).map(({ run }) => run.id)).toEqual([live.id]);
  });

  test("AC-70: on request, of one name: what has ended goes, what lives and what is called otherwise stays", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const live = await engine.start(gate, { name: "digest" });
    const other = await engine.start(oneStep, { name: "tides" });
    const ended = [await engine.start(oneStep, { name: "digest" }), await engine.start(oneStep, { name: "digest" })];
    for (const { id } of [other, ...ended]) await engine.result(id);
    expect(await engine.prune({ name: "digest", endedBefore: 1 })).toEqual({ runs: 0 });
    expect(await engine.prune({ name: "digest" })).toEqual({ runs: 2 });
    expect(await engine.prune({ name: "digest" })).toEqual({ runs: 0 });
    expect((await engine.list({ status: "all" })).map(({ run }) => run.id)).toEqual([other.id, live.id]);
    // Nobody removes everything by leaving something out.
    expect(await codeOfRejection(engine.prune({} as never))).toBe("INPUT_INVALID");
  });

  test("on request, one run: it goes with its sub-runs, whoever asks, and nothing else does", async () => {
    await using world = createWorld("file");
    const flows = { child: oneStep };
    const { engine: owner, store } = await world.open({ clock: systemClock, tools, flows });
    const { engine: guest } = await world.open({ clock: systemClock });
    const parent = { start: { flow: "child", done: true } };
    const runs = await Promise.all([owner.start(parent, { name: "one" }), owner.start(parent), owner.start(oneStep)]);
    for (const { id } of runs) await owner.result(id);
    const [one, two, three] = runs.map(({ id }) => id);
    const rows = (await owner.get(one ?? 0)).steps;
    expect(await guest.remove(one ?? 0)).toEqual({ runs: 2 });
    // Both or neither: else the next owner would say that there is no such run.
    expect(store.batches.find(({ pruned }) => pruned.length > 0)?.answers).toMatchObject([{ answer: { ok: 2 } }]);
    for (const { id } of rows) expect(await store.store.findRow(id)).toBeUndefined();
    const kept = (await owner.list({ status: "all" })).map(({ run }) => run.id);
    expect(kept).toHaveLength(3);
    expect(kept).toEqual(expect.arrayContaining([two, three]));
    expect(await codeOfRejection(guest.remove(one ?? 0))).toBe("RUN_NOT_FOUND");
    expect(await owner.remove(three ?? 0)).toEqual({ runs: 1 });
  });

  test("on request, one run: what is alive, or belongs to another, stays, and it is said what to do", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools, flows: { child: gate } });
    const { id: parent } = await engine.start({ start: { flow: "child", done: true } });
    await world.settle();
    const child = (await engine.list({ status: "all" })).map(({ run }) => run.id).find((id) => id !== parent) ?? 0;
    const refusal = (run: number): Promise<unknown> => engine.remove(run).catch((error: unknown) => error);
    expect(await refusal(parent)).toMatchObject({
      code: "REFUSED",
      message: `Run ${parent} cannot be removed: it has not ended.`,
      hint: "Cancel it first.",
      details: { code: "not_removable" },
    });
    await engine.cancel(parent);
    await engine.result(parent);
    expect(await refusal(child)).toMatchObject({ code: "REFUSED", hint: `Remove run ${parent}.` });
    expect(await engine.remove(parent)).toEqual({ runs: 2 });
    expect(await engine.list({ status: "all" })).toEqual([]);
  });

  test("those who follow are told of what people remove, whose it was, and of nothing that goes by age", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools, retention: { ageMs: 60_000 } });
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    const ofAnn = await engine.as("ann").start(oneStep, { name: "of ann" });
    const ofOthers = await engine.start(oneStep, { name: "of others" });
    const old = await engine.start(oneStep, { name: "old" });
    for (const { id } of [ofAnn, ofOthers, old]) await engine.result(id);
    const [all, own] = [listRemoved(engine), listRemoved(engine.as("ann"))];
    await world.settle();
    await engine.remove(ofAnn.id);
    await engine.prune({ name: "of others" });
    await world.clock.advance(120_000);
    expect(await codeOfRejection(engine.get(old.id))).toBe("RUN_NOT_FOUND");
    await world.settle();
    expect(all).toEqual(["of ann removed", "of others removed"]);
    expect(own).toEqual(["of ann removed"]);
  });

  test("by bytes: the oldest go before the file grows over its budget, however much is run", async () => {
    await using world = createWorld("file");
    const bytesMax = 16_000_000;
    const { engine, store } = await world.open({ tools, retention: { bytesMax } });
    const live = await engine.start(gate);
    const input = { text: toText(400_000) };
    const sizes: number[] = [];
    for (let round = 0; round < 8; round++) {
      // Each is asked for at once: what has ended may go before the others have.
      const ends = Array.from({ length: 8 }, async () => engine.result((await engine.start(oneStep, { input })).id));
      for (const { status } of await Promise.all(ends)) expect(status).toBe("completed");
      await world.clock.advance(lookMs);
      const { fileBytes, freeBytes } = await store.store.measure();
      sizes.push(fileBytes - freeBytes);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(bytesMax);
    const kept = (await engine.list({ status: "all", limitMax: 1000 })).map(({ run }) => run.id);
    expect(kept).toContain(live.id);
    expect(kept.length).toBeLessThan(1 + 8 * 8);
  });

  test("over the budget with nothing to remove, nothing new starts until something has ended", async () => {
    await using world = createWorld("file");
    const { engine } = await world.open({ tools, retention: { bytesMax: 16_000_000 } });
    const input = { text: toText(800_000) };
    const runs: number[] = [];
    let code = "none";
    for (let count = 0; count < 40 && code === "none"; count++) {
      code = await codeOfRejection(engine.start(gate, { input }).then(({ id }) => runs.push(id)));
      await world.clock.advance(lookMs);
    }
    expect(code).toBe("STORE_FULL");
    // What runs goes on, and can be answered and cancelled.
    expect(await engine.list({ status: "live", limitMax: 100 })).toHaveLength(runs.length);
    for (const id of runs) await engine.cancel(id);
    await world.clock.advance(4 * lookMs);
    const { id } = await engine.start(oneStep);
    expect((await engine.result(id)).status).toBe("completed");
  });
});

test("while a long history is looked through for a name, others have their turn after every look", async () => {
  const looks = 20;
  const seen: number[] = [];
  let looked = 0;
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (looked < looks) setImmediate(turn);
  };
  // A file answers at once, and finds nothing for long.
  const listPrunable = async ({ after }: PruneQuery): Promise<Prunable> => {
    looked += 1;
    seen.push(turns);
    return { runs: [], next: looked === looks ? null : { at: looked, id: after?.id ?? 0 } };
  };
  const parts = { ownership: { listPrunable }, clock: systemClock } as never;
  setImmediate(turn);
  expect(await new Keeper(keepAll, parts).removeEnded({ endedBefore: null, name: "rare" })).toBe(0);
  expect(new Set(seen).size).toBe(looks);
});

test("what people remove is told in the order in which it goes, in whatever order a store tells names", async () => {
  const told: unknown[] = [];
  const names = new Map([1, 2, 3].map((run) => [run, { name: `run ${run}`, createdBy: "ann" }] as const));
  const parts = {
    store: { listNames: async () => ({ runs: names, rows: new Map() }) },
    ownership: { listPrunable: async () => ({ runs: [3, 2, 1], next: null }), tidy: async () => {} },
    executor: {
      write: async ({ removed }: { readonly removed?: readonly unknown[] }) => told.push(...(removed ?? [])),
    },
    clock: systemClock,
  } as never;
  expect(await new Keeper(keepAll, parts).removeEnded({ endedBefore: null, name: "run" })).toBe(3);
  expect(told).toEqual([3, 2, 1].map((run) => ({ run, name: `run ${run}`, createdBy: "ann" })));
});
