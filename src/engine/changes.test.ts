import { describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import { codeOfRejection, createDesk, createWorld, type World } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import type { ChangesQuery, StoreNews } from "./changes.ts";
import { systemClock } from "./clock.ts";
import type { UserEngine } from "./engine.ts";

const twoSteps = { start: { tool: "work", next: "then" }, then: { name: "And then", tool: "work", done: true } };
const tools = { work: () => null };

type Followed = {
  readonly seen: StoreNews[];
  /** The changes of all commits, in short. */
  readonly told: () => readonly string[];
  readonly over: Promise<string>;
  readonly leave: () => void;
};

/** Reads in the background until it leaves. */
function follow(engine: Pick<UserEngine, "changes">, query: ChangesQuery = {}): Followed {
  const seen: StoreNews[] = [];
  const leaving = new AbortController();
  const read = async (): Promise<void> => {
    for await (const news of engine.changes({ ...query, signal: leaving.signal })) seen.push(news);
  };
  const over = codeOfRejection(read());
  const told = (): readonly string[] => seen.flatMap((news) => tell(news));
  return { seen, told, over, leave: () => leaving.abort() };
}

function tell(news: StoreNews): readonly string[] {
  if (news.kind !== "changes") return [];
  return news.changes.map(
    ({ name, stepName, status }) => `${name}${stepName === null ? "" : `/${stepName}`} ${status}`,
  );
}

function cursorsOf(seen: readonly StoreNews[]): readonly number[] {
  return seen.filter(({ kind }) => kind === "changes").map(({ cursor }) => Number(cursor));
}

/** What is folded of it: the newest status of each run and step. */
function fold(seen: readonly StoreNews[]): ReadonlyMap<number, string> {
  const statuses = new Map<number, string>();
  for (const news of seen)
    if (news.kind === "changes") for (const { run, step, status } of news.changes) statuses.set(step ?? run, status);
  return statuses;
}

async function openWithFew(world: World): ReturnType<World["open"]> {
  const store = await openStore(world.address, {
    clock: () => world.clock.now(),
    commitsKept: { ageMs: 3_600_000, bytes: 400 },
  });
  return world.open({ store, tools });
}

describe("following the store", () => {
  test("tells every commit once and in order, with the names that people know", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { seen, told } = follow(engine);
    await world.settle();
    expect(seen).toEqual([{ kind: "told", cursor: expect.stringMatching(/^\d+$/) }]);
    const { id } = await engine.start(twoSteps, { name: "greet" });
    await world.settle();
    expect(told()).toEqual(["greet running", "greet/start running"]);
    desk.last().done();
    await world.settle();
    expect(told().slice(2).toSorted()).toEqual(["greet/And then running", "greet/start done"]);
    desk.last().done();
    await engine.result(id);
    await world.settle();
    expect(told().slice(4).toSorted()).toEqual(["greet completed", "greet/And then done"]);
    const cursors = cursorsOf(seen);
    expect(cursors).toEqual([...new Set(cursors)].toSorted((one, other) => one - other));
    expect(seen.at(-1)).toMatchObject({ kind: "changes", at: world.clock.now() });
  });

  test("goes on behind a cursor, with the same that was told to those who were there", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const whole = follow(engine);
    await world.settle();
    for (let count = 0; count < 3; count++) await engine.result((await engine.start(twoSteps)).id);
    await world.settle();
    const all = whole.seen.filter(({ kind }) => kind === "changes");
    for (const [at, { cursor }] of all.entries()) {
      const { seen, leave, over } = follow(engine, { after: cursor });
      await world.settle();
      expect(seen).toEqual([...all.slice(at + 1), { kind: "told", cursor: all.at(-1)?.cursor }]);
      leave();
      expect(await over).toBe("none");
    }
  });

  test("folds to what is in the store, also when much is told at once", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const started = await Promise.all(Array.from({ length: 60 }, () => engine.start(twoSteps)));
    await Promise.all(started.map(({ id }) => engine.result(id)));
    for (let count = 0; count < 220; count++) await engine.access.save("bob", { keys: [`tool:t${count}`] });
    const { seen } = follow(engine, { after: "0" });
    await world.settle();
    const folded = fold(seen);
    expect(folded.size).toBe(180);
    for (const { id } of started) {
      const { status, steps } = await engine.get(id);
      expect(folded.get(id)).toBe(status);
      for (const step of steps) expect(folded.get(step.id)).toBe(step.status);
    }
    // Nothing of the last ones is for anybody's eyes; the cursor goes on all the same.
    expect(Number(seen.at(-1)?.cursor)).toBeGreaterThanOrEqual((cursorsOf(seen).at(-1) ?? 0) + 220);
  });

  test("tells of one run, or of the runs of one name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const one = await engine.start(twoSteps, { name: "one" });
    await engine.result(one.id);
    const ofRun = follow(engine, { run: one.id, after: "0" });
    const ofName = follow(engine, { workflow: "other", after: "0" });
    await engine.result((await engine.start(twoSteps, { name: "other" })).id);
    await world.settle();
    expect(ofRun.told()).toHaveLength(6);
    expect(ofRun.told().every((line) => line.startsWith("one"))).toBe(true);
    expect(ofName.told()).toHaveLength(6);
    expect(ofName.told().every((line) => line.startsWith("other"))).toBe(true);
    expect(ofRun.seen.at(-1)).toEqual({ kind: "told", cursor: ofName.seen.at(-1)?.cursor });
    expect(await codeOfRejection(engine.changes({ run: 4 }).next())).toBe("RUN_NOT_FOUND");
  });

  test("says when what was asked for is not kept any more, and goes on from now", async () => {
    await using world = createWorld("file");
    const { engine } = await openWithFew(world);
    for (let count = 0; count < 20; count++) await engine.result((await engine.start(twoSteps)).id);
    await world.clock.advance(1000);
    await engine.prune({ endedBefore: world.clock.now() });
    const late = follow(engine, { after: "1" });
    await world.settle();
    expect(late.seen.map(({ kind }) => kind)).toEqual(["reset", "told"]);
    const { id } = await engine.start(twoSteps, { name: "next" });
    await engine.result(id);
    await world.settle();
    expect(late.told().toSorted().at(0)).toBe("next completed");
  });

  test.each(["999999", "nonsense", "-1", ""])(
    "a cursor that was never here (%j) is one that is not kept",
    async (after) => {
      await using world = createWorld("memory");
      const { engine } = await world.open({ tools });
      await engine.result((await engine.start(twoSteps)).id);
      const { seen } = follow(engine, { after });
      await world.settle();
      expect(seen.map(({ kind }) => kind)).toEqual(["reset", "told"]);
    },
  );

  test("reads for all who follow at once, and for nobody when they have left", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools });
    const followers = Array.from({ length: 50 }, () => follow(engine.as("ann")));
    await world.settle();
    const count = (): number =>
      ["listCommits", "listNames"].reduce((sum, verb) => sum + (store.counts.get(verb) ?? 0), 0);
    const commits = (): number => store.batches.length;
    const [reads, batches] = [count(), commits()];
    await engine.result((await engine.start(twoSteps)).id);
    await world.settle();
    for (const { told } of followers) expect(told()).toHaveLength(6);
    // A look or two for each commit, of whoever comes first.
    expect(count() - reads).toBeLessThanOrEqual(6 * (commits() - batches));
    for (const { leave } of followers) leave();
    expect(await Promise.all(followers.map(({ over }) => over))).toEqual(followers.map(() => "none"));
    const before = count();
    await engine.result((await engine.start(twoSteps)).id);
    await world.settle();
    expect(count()).toBe(before);
  });

  test("tells what is on disk also before the engine knows that it is", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open({ tools });
    const [look, answer] = [createGate(), createGate()];
    let looks = 0;
    store.faults.beforeVerb = (verb) => (verb === "lastCommit" && ++looks === 2 ? look.opened : undefined);
    const { told } = follow(engine);
    await world.settle();
    expect(looks).toBe(2);
    store.faults.afterCommit = (committed) => answer.opened.then(() => committed);
    const started = engine.start(twoSteps, { name: "greet" });
    await world.settle();
    look.open();
    await world.settle();
    expect(told()).toContain("greet running");
    answer.open();
    await engine.result((await started).id);
    await world.settle();
    expect(told()).toContain("greet completed");
    expect(told().filter((line) => line === "greet running")).toHaveLength(1);
  });

  test("ends with the engine", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const { over } = follow(engine);
    await world.settle();
    await engine.stop();
    expect(await over).toBe("ENGINE_STOPPED");
  });

  test("tells a guest the same", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock: systemClock, tools });
    const guest = await world.open({ clock: systemClock, tools });
    const here = follow(owner.engine);
    const there = follow(guest.engine);
    await expect.poll(() => there.seen.length).toBe(1);
    await guest.engine.result((await guest.engine.start(twoSteps)).id);
    await expect.poll(() => [there.told().length, here.told().length]).toEqual([6, 6]);
    expect(there.seen).toEqual(here.seen);
  });
});

describe("who follows the store", () => {
  test("sees only their own runs when they may read no others", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    await engine.access.save("bob", { keys: ["130001.read", "130001.start", "tool:*"] });
    const ann = follow(engine.as("ann"));
    const bob = follow(engine.as("bob"));
    await world.settle();
    const started = await engine.as("bob").start(twoSteps, { name: "of bob" });
    await engine.result(started.id);
    await engine.result((await engine.as("ann").start(twoSteps, { name: "of ann" })).id);
    await world.settle();
    expect(bob.told()).toHaveLength(12);
    expect(ann.told()).toEqual(bob.told().filter((line) => line.startsWith("of ann")));
    expect(await codeOfRejection(engine.as("ann").changes({ run: started.id }).next())).toBe(
      await codeOfRejection(engine.as("ann").changes({ run: 4 }).next()),
    );
  });

  test("follows only as long as they may, and not at all when they may not", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("bob", { keys: ["130001.read"] });
    expect(await codeOfRejection(engine.as("eve").changes().next())).toBe("NOT_ALLOWED");
    const { told, over } = follow(engine.as("bob"));
    await world.settle();
    await engine.access.revoke("bob", "130001.read");
    await engine.result((await engine.start(twoSteps)).id);
    expect(await over).toBe("NOT_ALLOWED");
    expect(told()).toEqual([]);
  });
});
