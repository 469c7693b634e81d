import { describe, expect, test } from "vitest";
import type { Committed } from "../store/store.ts";
import { createWorld, type EngineSetup, type OpenedEngine } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import { systemClock } from "./clock.ts";
import type { Engine } from "./engine.ts";

// What a guest asks of those who keep something beside the runs. Two engines on one file, as two processes would have it.

const flow = { steps: { start: { tool: "work", done: true } } };
const other = { steps: { start: { terminal: "success" } } };

function setup(options: EngineSetup = {}): EngineSetup {
  return { clock: systemClock, tools: { work: () => "done" }, ...options };
}

type Asked = {
  readonly verb: string;
  readonly before?: (engine: Engine) => Promise<unknown>;
  readonly ask: (engine: Engine) => Promise<unknown>;
  readonly answer: unknown;
};

/** Each of which would be refused, or answered otherwise, if it were done twice. */
const asked: readonly Asked[] = [
  {
    verb: "a save",
    ask: (engine) => engine.workflows.save(flow, { name: "digest" }),
    answer: expect.objectContaining({ name: "digest", version: 1, isNewVersion: true }),
  },
  {
    verb: "a save of a version that is expected",
    before: (engine) => engine.workflows.save(flow, { name: "digest" }),
    ask: (engine) => engine.workflows.save(other, { name: "digest", expectedVersion: 1 }),
    answer: expect.objectContaining({ version: 2, isNewVersion: true }),
  },
  {
    verb: "a restore",
    before: async (engine) => {
      await engine.workflows.save(flow, { name: "digest" });
      await engine.workflows.save(other, { name: "digest" });
    },
    ask: (engine) => engine.workflows.restore("digest", 1),
    answer: expect.objectContaining({ version: 3, isNewVersion: true }),
  },
  {
    verb: "a disable",
    before: (engine) => engine.workflows.save(flow, { name: "digest" }),
    ask: (engine) => engine.workflows.disable("digest"),
    answer: expect.objectContaining({ isEnabled: false }),
  },
  {
    verb: "a delete",
    before: (engine) => engine.workflows.save(flow, { name: "digest" }),
    ask: (engine) => engine.workflows.delete("digest"),
    answer: expect.anything(),
  },
  {
    verb: "a grant",
    before: (engine) => engine.access.save("ann", {}),
    ask: (engine) => engine.access.grant("ann", "130001.read"),
    answer: { id: "user:ann", groups: [], keys: ["130001.read"] },
  },
  {
    verb: "a revoke",
    before: (engine) => engine.access.save("ann", { keys: ["130001.read"] }),
    ask: (engine) => engine.access.revoke("ann", "130001.read"),
    answer: { id: "user:ann", groups: [], keys: [] },
  },
  {
    verb: "the removal of a user",
    before: (engine) => engine.access.save("ann", {}),
    ask: (engine) => engine.access.remove("ann"),
    answer: undefined,
  },
  {
    verb: "a new token",
    ask: (engine) => engine.access.tokens.create({ user: "ann", name: "laptop" }),
    answer: expect.objectContaining({ user: "ann", name: "laptop" }),
  },
  { verb: "a secret", ask: (engine) => engine.secrets.set("API_KEY", "a long value"), answer: undefined },
  {
    verb: "the removal of a secret",
    before: (engine) => engine.secrets.set("API_KEY", "a long value"),
    ask: (engine) => engine.secrets.remove("API_KEY"),
    answer: undefined,
  },
  {
    verb: "a rotation of the secrets' key",
    before: (engine) => engine.secrets.set("API_KEY", "a long value"),
    ask: (engine) => engine.secrets.rotate(),
    answer: 1,
  },
];

/** Entries and inbox as they are on disk. */
async function versionsOf({ store }: OpenedEngine): Promise<readonly string[]> {
  const kinds = ["workflow", "workflow_version", "principal", "token", "secret", "breaker"];
  const entries = await Promise.all(kinds.map((kind) => store.store.listEntries(kind)));
  return entries.flat().map(({ kind, key, version, updatedAt }) => `${kind} ${key} ${version} ${updatedAt}`);
}

describe("a guest that takes over", () => {
  test("carries out nothing before it has read what is kept: a circuit that was open stays so", async () => {
    await using world = createWorld("file");
    const tools = {
      work: () => {
        throw new Error("out of order");
      },
    };
    const owner = await world.open(setup({ tools, breaker: { failures: 1 } }));
    const guest = await world.open(setup());
    const step = { tool: "work", retry: false, done: true };
    await owner.engine.result((await owner.engine.start({ start: step })).id);
    const reading = createGate();
    guest.store.faults.beforeVerb = (verb) => (verb === "listEntries" ? reading.opened : undefined);
    await owner.crash();
    await expect.poll(() => guest.engine.isOwner, { timeout: 30_000, interval: 20 }).toBe(true);
    const started = guest.engine.start({ start: step });
    await world.settle();
    expect(await guest.engine.list()).toHaveLength(1);
    guest.store.faults.beforeVerb = null;
    reading.open();
    expect((await guest.engine.result((await started).id)).error?.code).toBe("circuit_open");
  });
});

describe("a guest's request to those who keep something", () => {
  test.each(asked)(
    "$verb is carried out once, although the owner died with the change on disk",
    async ({ before, ask, answer }) => {
      await using world = createWorld("file");
      const owner = await world.open(setup());
      const guest = await world.open(setup());
      await before?.(owner.engine);
      const cut = createGate();
      owner.store.faults.afterCommit = (committed, { entries }) => {
        if (entries.length === 0) return committed;
        cut.open();
        return createGate().opened.then(() => committed);
      };
      const answered = ask(guest.engine);
      await cut.opened;
      const versions = await versionsOf(guest);
      await owner.crash();
      expect(await answered).toEqual(answer);
      await expect.poll(() => guest.engine.isOwner, { timeout: 30_000, interval: 20 }).toBe(true);
      // Whatever the dead one has left in the inbox has been taken before this.
      await guest.engine.result((await guest.engine.start(flow)).id);
      expect(await versionsOf(guest)).toEqual(versions);
    },
  );

  test("is answered with why, when the store refuses the change for good", async () => {
    await using world = createWorld("file");
    const owner = await world.open(setup());
    const guest = await world.open(setup());
    const refused: Committed = { kind: "refused", reason: "constraint", message: "said to be wrong" };
    owner.store.faults.beforeCommit = ({ entries }) => (entries.length > 0 ? refused : undefined);
    await expect(guest.engine.workflows.save(flow, { name: "digest" })).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("said to be wrong"),
    });
    owner.store.faults.beforeCommit = null;
    expect((await guest.engine.workflows.save(flow, { name: "digest" })).version).toBe(1);
  });

  test("that changes nothing is answered all the same", async () => {
    await using world = createWorld("file");
    await world.open(setup());
    const { engine } = await world.open(setup());
    await engine.workflows.save(flow, { name: "digest" });
    await engine.workflows.delete("digest");
    await engine.workflows.delete("digest");
    expect(await engine.breakers.reset("work")).toBe(false);
    await expect(engine.secrets.remove("NONE")).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
  });
});
