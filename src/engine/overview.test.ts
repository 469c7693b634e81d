import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";

const hour = 3_600_000;
const greet = { start: { tool: "greet", done: true } };
const gated = { start: { gate: { expires_after: "2h" }, routes: { approved: "end", expired: "end" } } };
const slow = { start: { wait: "30m", next: "greet" }, greet: { tool: "greet", done: true } };
const flaky = { start: { tool: "fail", retry: { attempts: 3, backoff: ["10m"] }, done: true } };
const tools = {
  greet: () => "hello",
  fail: () => {
    throw new Error("out of order");
  },
};

describe("a search", () => {
  test("finds runs by what is in them, and only what who asks may see", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    await engine.access.save("bob", { keys: ["130001", "tool:*"] });
    const anns = await engine.start(greet, { name: "greet", input: { order: { no: 17 } }, as: "ann" });
    await world.clock.advance(60_000);
    const bobs = await engine.start(greet, { name: "greet", input: { order: { no: 17 }, note: "Eilig" }, as: "bob" });
    await world.settle();
    const field = { path: ["order", "no"], value: 17 };
    const ids = async (found: ReturnType<typeof engine.list>): Promise<readonly number[]> =>
      (await found).map(({ run }) => run.id);
    expect(await ids(engine.list({ field }))).toEqual([bobs.id, anns.id]);
    expect(await ids(engine.as("ann").list({ field }))).toEqual([anns.id]);
    expect(await ids(engine.as("ann").list({ text: "eilig" }))).toEqual([]);
    expect(await ids(engine.as("bob").list({ text: "EILIG" }))).toEqual([bobs.id]);
    const since = world.clock.now() - 30_000;
    expect(await ids(engine.list({ createdAfter: since }))).toEqual([bobs.id]);
    expect(await ids(engine.as("ann").list({ createdBefore: since }))).toEqual([anns.id]);
    const { runs, next } = await engine.overview.search({ text: "hello", limitMax: 1 });
    expect([runs.map(({ run }) => run.id), next]).toEqual([[bobs.id], bobs.id]);
    expect(await codeOfRejection(engine.as("eve").overview.search({ text: "a" }))).toBe("NOT_ALLOWED");
  });
});

describe("alarms", () => {
  test("E3-39, E3-40: are what will happen by itself, soonest first, also after a restart", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools });
    const now = world.clock.now();
    const started = {
      later: await first.engine.start(greet, { name: "later", at: now + 3 * hour }),
      gated: await first.engine.start(gated, { name: "gated", as: "bob" }),
      slow: await first.engine.start(slow, { name: "slow" }),
      flaky: await first.engine.start(flaky, { name: "flaky" }),
    };
    await world.settle();
    const expected = [
      { name: "flaky", run: started.flaky.id, kind: "retry", dueAt: now + 600_000, step: { name: "start" } },
      { name: "slow", run: started.slow.id, kind: "sleep", dueAt: now + hour / 2, step: { name: "start" } },
      { name: "gated", run: started.gated.id, kind: "expire", dueAt: now + 2 * hour, createdBy: "bob" },
      { name: "later", run: started.later.id, kind: "start", dueAt: now + 3 * hour, step: null },
    ];
    expect(await first.engine.overview.alarms()).toMatchObject(expected);
    expect(await first.engine.overview.alarms({ limitMax: 2 })).toMatchObject(expected.slice(0, 2));
    await first.crash();
    const { engine } = await world.open({ tools });
    expect(await engine.overview.alarms()).toMatchObject(expected);
    await engine.access.save("bob", { keys: ["130001.read.own"] });
    expect(await engine.as("bob").overview.alarms()).toMatchObject([{ name: "gated" }]);
    await engine.cancel(started.later.id);
    expect((await engine.overview.alarms()).map(({ name }) => name)).toEqual(["flaky", "slow", "gated"]);
  });
});

describe("alarms of one user", () => {
  test("are the soonest of their own, not those of their newest runs", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("bob", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    const at = (hours: number): number => world.clock.now() + hours * hour;
    for (const hours of [2, 1, 3]) await engine.start(greet, { name: `in ${hours}`, as: "bob", at: at(hours) });
    await engine.start(greet, { name: "of others", at: at(0.5) });
    const alarms = await engine.as("bob").overview.alarms({ limitMax: 2 });
    expect(alarms.map(({ name, kind }) => `${name} ${kind}`)).toEqual(["in 1 start", "in 2 start"]);
  });
});

describe("what was counted", () => {
  test("has the runs of a day by status and workflow", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.start(greet, { name: "old" });
    await world.clock.advance(60_000);
    const since = world.clock.now();
    await engine.start(greet, { name: "greet" });
    await engine.start(greet, { name: "greet", as: "ann" });
    await engine.start(gated, { name: "gated" });
    await world.settle();
    const stats = { runs: 3, statuses: { completed: 2, running: 1 }, isComplete: true };
    expect(await engine.overview.stats({ since })).toMatchObject({
      ...stats,
      workflows: [
        { name: "greet", runs: 2, statuses: { completed: 2 } },
        { name: "gated", runs: 1, statuses: { running: 1 } },
      ],
    });
    expect((await engine.overview.stats()).runs).toBe(4);
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    expect(await engine.as("ann").overview.stats({ since })).toMatchObject({ runs: 1, workflows: [{ name: "greet" }] });
  });

  test("has the calls of each tool by what came of them, and what is held at this moment", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { ...tools, work: desk.call } });
    await engine.start(greet);
    await engine.start({ start: { tool: "fail", retry: false, done: true } });
    const { id } = await engine.start({ start: { tool: "work", done: true } });
    await world.settle();
    const figures = await engine.overview.figures();
    expect(figures).toMatchObject({ followers: 0, mailbox: 0, callsUnderWay: 1, live: { running: 1 } });
    expect(figures.commits).toBeGreaterThan(2);
    expect(figures.space.fileBytes).toBeGreaterThan(0);
    await engine.cancel(id);
    await world.settle();
    const { calls = [] } = await engine.overview.figures();
    expect(calls.filter((count) => count.calls > 0)).toEqual([
      { tool: "greet", outcome: "done", calls: 1 },
      { tool: "fail", outcome: "failed", calls: 1 },
      { tool: "work", outcome: "dropped", calls: 1 },
    ]);
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    expect(await codeOfRejection(engine.as("ann").overview.figures())).toBe("NOT_ALLOWED");
  });

  test("has how many steps have ended, each once, however often it was written, and what a commit takes", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const before = await engine.overview.figures();
    expect(before.ended?.counts.every((count) => count === 0)).toBe(true);
    const gate = { a: { tool: "greet", next: "b" }, b: { gate: {}, next: "c" }, c: { tool: "greet", done: true } };
    const { id } = await engine.start({ format: "stepwell/v1", start: "a", steps: gate });
    await world.settle();
    const count = async (): Promise<number> => (await engine.overview.figures()).ended?.counts.at(-1) ?? 0;
    expect(await count()).toBe(1);
    const waiting = (await engine.get(id)).steps.find(({ name }) => name === "b");
    await engine.approve(waiting?.id ?? 0);
    await world.settle();
    expect((await engine.get(id)).status).toBe("completed");
    expect(await count()).toBe(3);
    // What a rerun takes over was not done again.
    await engine.rerun(id, { from: "c" });
    await world.settle();
    expect(await count()).toBe(4);
    expect((await engine.overview.figures()).commitMs).toBeGreaterThan(0);
  });
});
