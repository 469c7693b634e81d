// `stepwell migrate` as people have it: what is said, what programs read, what is refused, and what a kill leaves behind.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openEngine } from "../../src/index.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/postgres.ts";
import { demoFlow, makePlace } from "./command.ts";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let database: TestDatabase;
let inside: Inside;
let schemas = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(() => {
  // Keys of servers lie in the folder of the user's programs: here, one of this test.
  inside = openInside();
  vi.stubEnv("XDG_STATE_HOME", join(inside.folder, "state"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  inside.remove();
});

function newServer(): string {
  schemas += 1;
  return `${database.url}?schema=cli${schemas}`;
}

/** Without its password. */
const shown = (address: string): string => address.replace(/:[^:@/]+@/, "@");

describe("stepwell migrate", () => {
  test("moves a file to a server with a run that waits, which goes on there", async () => {
    const server = newServer();
    const waiting = await inside.json("run", demoFlow("publish"), "--exit-on-wait");
    const { exitCode, stdout, stderr } = await inside.call("migrate", inside.store, server);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^1 run in \d+ rows, the same in both: /)]);
    expect(stderr).toBe(`From now on: --store '${shown(server)}'\n`);
    expect(await inside.list("list", "--store", server, "--fields", "id")).toEqual([{ id: waiting["id"] }]);
    expect(await inside.list("list", "--fields", "id")).toEqual([{ id: waiting["id"] }]);
    const approved = await inside.call("approve", wordOf(waiting["id"]), "--store", server);
    expect(approved.exitCode).toBe(0);
    expect((await inside.call("watch", wordOf(waiting["id"]), "--store", server)).exitCode).toBe(0);
    expect(await refusalOf(inside, "run", demoFlow("hello"))).toEqual([
      "STORE_MOVED",
      5,
      `${inside.store} was moved to ${shown(server)}, and its runs go on there; use that one. What is here stays as it was, to be read.`,
    ]);
  });

  test("tells programs what it did, and never a password", async () => {
    const server = newServer();
    await inside.call("run", demoFlow("hello"));
    const told = await inside.json("migrate", inside.store, server, "--keep");
    expect(told).toMatchObject({ from: inside.store, to: shown(server), is_kept: true, was_there: false, runs: 1 });
    expect(told["tables"]).toContainEqual({
      name: "steps",
      rows: 4,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    expect((await inside.call("run", demoFlow("hello"))).exitCode).toBe(0);
  });

  test("takes the key of the secrets along, in either direction", async () => {
    const server = newServer();
    const back = join(inside.folder, "back.db");
    const send = { start: { tool: "send", args: { key: "{{ secrets.API_KEY }}" }, done: true } };
    const sent: string[] = [];
    const tools = { send: ({ key }: { key: string }) => void sent.push(key) };
    {
      await using engine = await openEngine({ store: inside.store });
      await engine.secrets.set("API_KEY", "long and secret");
    }
    expect((await inside.call("migrate", inside.store, server)).exitCode).toBe(0);
    expect(readdirSync(join(inside.folder, "state", "stepwell"))).toEqual([
      expect.stringMatching(/^localhost-.*\.key$/),
    ]);
    expect((await inside.call("migrate", server, back)).exitCode).toBe(0);
    expect(existsSync(`${back}-key`)).toBe(true);
    await using engine = await openEngine({ store: back, tools });
    await engine.result((await engine.start(send)).id);
    expect(sent).toEqual(["long and secret"]);
  });

  test("refuses what cannot be meant", async () => {
    await inside.call("run", demoFlow("hello"));
    const there = inside.write("there.db", "mine");
    expect(await refusalOf(inside, "migrate", inside.store)).toEqual(["USAGE", 2, "Say from where to where."]);
    expect(await refusalOf(inside, "migrate", "x.db", "y.db")).toEqual([
      "FILE_NOT_FOUND",
      3,
      'There is no store "x.db".',
    ]);
    expect(await refusalOf(inside, "migrate", inside.store, inside.store)).toEqual([
      "USAGE",
      2,
      "Both are the same store.",
    ]);
    expect((await refusalOf(inside, "migrate", inside.store, ":memory:"))[0]).toBe("USAGE");
    expect((await refusalOf(inside, "migrate", inside.store, there)).slice(0, 2)).toEqual(["STORE_NOT_OURS", 5]);
    expect((await refusalOf(inside, "migrate", newServer(), join(inside.folder, "z.db")))[0]).toBe("FILE_NOT_FOUND");
  });
});

/** How many runs there are; null: there is no store. */
async function countRuns(address: string): Promise<number | null> {
  const { exitCode, stdout } = await inside.call("list", "--store", address, "--json");
  return exitCode === 0 ? (JSON.parse(stdout) as readonly unknown[]).length : null;
}

describe("stepwell migrate, killed", () => {
  test.each([
    ["while rows are written", "in-copy:3", { file: null, server: 0 }],
    ["when all rows were compared", "after-compare:1", { file: null, server: 0 }],
    ["when the new store counts and the old one is not marked", "after-copy:1", { file: 1, server: 1 }],
  ])("%s, leaves the old store whole, and is done again", async (_, point, left) => {
    const place = makePlace();
    try {
      const [from, file, server] = [join(place.folder, "from.db"), join(place.folder, "to.db"), newServer()];
      expect((await place.run("run", demoFlow("hello"), "--store", from)).exitCode).toBe(0);
      for (const to of [file, server]) {
        const killed = place.startWith(["env", `STEPWELL_CRASH=${point}`], ["migrate", from, to]);
        expect((await killed.finished).exitCode).toBe(null);
        expect(await countRuns(from)).toBe(1);
        expect(await countRuns(to)).toBe(to === file ? left.file : left.server);
        expect(await inside.json("migrate", from, to, "--keep")).toMatchObject({ runs: 1, was_there: left.file === 1 });
      }
    } finally {
      await place.remove();
    }
  });
});
