// Moving a store, of which only the rows matter here; test/migrate.test.ts looks at runs that go on.

import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openEngine } from "../../open-engine.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { openStore } from "../open.ts";
import type { OwnerCard } from "../store.ts";
import { migrateStore, type StoreMigrated } from "./migrate.ts";

let folder = "";
let database: TestDatabase;
let count = 0;
let template = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-copy-"));
  database = await createTestDatabase();
  template = join(folder, "template.db");
  await fill(template);
}, 60_000);

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

type Kind = "file" | "server";

/** An address at which nothing is yet. */
function newAddress(kind: Kind): string {
  count += 1;
  return kind === "file" ? join(folder, `${count}.db`) : `${database.url}?schema=s${count}`;
}

const tools = { echo: (input: object): object => input };
const gate = {
  start: { tool: "echo", args: { text: "a\\u0000b \u{1F600}" }, next: "ask" },
  ask: { gate: {}, done: true },
};

/** Three runs that wait at a gate, of which one is over, and messages, of which the newest are gone. */
async function fill(address: string): Promise<void> {
  await using engine = await openEngine({ store: address, tools });
  for (let run = 0; run < 3; run += 1) {
    const { id } = await engine.start(gate, { input: { run } });
    for await (const { name } of engine.watch(id)) if (name === "ask") break;
    if (run === 0) await engine.approve((await engine.get(id)).steps[1]?.id ?? 0);
  }
}

/** A store with all that at an address of its own. */
async function newStore(kind: Kind): Promise<string> {
  const address = newAddress(kind);
  if (kind === "file") copyFileSync(template, address);
  else await migrateStore(template, address, { keep: true });
  return address;
}

async function countRuns(address: string): Promise<number> {
  await using store = await openStore(address);
  return (await store.listRuns({ status: "all", limitMax: 100 })).length;
}

const card: OwnerCard = { pid: 1, host: "elsewhere", role: "up", since: 1, address: null };

async function claim(address: string): Promise<string> {
  await using store = await openStore(address);
  const claimed = await store.claim(card);
  return claimed.kind;
}

const directions: readonly (readonly [Kind, Kind])[] = [
  ["file", "file"],
  ["file", "server"],
  ["server", "file"],
  ["server", "server"],
];

describe.each(directions)("from a %s to a %s", (fromKind, toKind) => {
  let from = "";
  let to = "";

  beforeEach(async () => {
    [from, to] = [await newStore(fromKind), newAddress(toKind)];
  }, 60_000);

  const rowsOf = ({ tables }: StoreMigrated): Readonly<Record<string, number>> =>
    Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));

  test("everything is there, the old one says where, and can still be read", async () => {
    const migrated = await migrateStore(from, to);
    expect(rowsOf(migrated)).toMatchObject({ runs: 3, steps: 6, flows: 1 });
    expect([migrated.wasThere, await countRuns(to), await claim(to)]).toEqual([false, 3, "owned"]);
    await expect(claim(from)).rejects.toMatchObject({
      code: "STORE_MOVED",
      message: expect.stringContaining(`was moved to ${migrated.to}, and its runs go on there`) as unknown,
    });
    await using old = await openStore(from);
    expect(await old.listRuns({ status: "all", limitMax: 9 })).toHaveLength(3);
    await expect(old.post({ kind: "hand_over" }, "ann")).rejects.toMatchObject({ code: "STORE_MOVED" });
  });

  test("a copy leaves the old one as it was, and may be made again only elsewhere", async () => {
    await migrateStore(from, to, { keep: true });
    expect([await claim(from), await claim(to)]).toEqual(["owned", "owned"]);
    expect(await migrateStore(from, to, { keep: true })).toMatchObject({ wasThere: true });
    await using engine = await openEngine({ store: to, tools });
    await engine.start(gate);
    await engine.stop();
    await expect(migrateStore(from, to)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("is not empty, and is no copy of") as unknown,
    });
    expect([await claim(from), await countRuns(from), await countRuns(to)]).toEqual(["owned", 3, 4]);
  });

  test("whenever it fails, the old one is whole and the new one empty", async () => {
    let isOver = false;
    for (let limit = 0; !isOver; limit += 5) {
      let told = 0;
      const failing = migrateStore(from, to, {
        tell: () => {
          told += 1;
          if (told > limit) throw new Error(`stopped at ${limit}`);
        },
      });
      isOver = await failing.then(
        () => true,
        () => false,
      );
      if (isOver) break;
      expect(readdirSync(folder).filter((name) => /partial/.test(name))).toEqual([]);
      expect(toKind === "file" ? existsSync(to) : await countRuns(to)).toBe(toKind === "file" ? false : 0);
      expect([await claim(from), await countRuns(from)]).toEqual(["owned", 3]);
    }
    expect(await countRuns(to)).toBe(3);
  });

  test("it goes on after a failure between the new one's commit and the old one's mark", async () => {
    const failing = migrateStore(from, to, {
      onComplete: () => {
        throw new Error("killed");
      },
    });
    await expect(failing).rejects.toThrow("killed");
    expect([await claim(from), await countRuns(to)]).toEqual(["owned", 3]);
    expect(await migrateStore(from, to)).toMatchObject({ wasThere: true });
    await expect(claim(from)).rejects.toMatchObject({ code: "STORE_MOVED" });
  });

  test("ids of messages are never given out again", async () => {
    const post = async (address: string): Promise<number> => {
      await using store = await openStore(address);
      return await store.post({ kind: "emit", id: "1", event: "e", data: null }, "ann");
    };
    const last = await post(from);
    await migrateStore(from, to);
    expect(await post(to)).toBeGreaterThan(last);
  });

  test("an owner that may hand over does so, one that keeps the store is named", async () => {
    await using owner = await openStore(from);
    await owner.claim(card);
    await expect(migrateStore(from, to)).rejects.toMatchObject({
      code: "STORE_BUSY",
      message: expect.stringContaining("Process 1 on elsewhere owns") as unknown,
    });
    await owner.close();
    await using engine = await openEngine({ store: from, tools, onProblem: () => {} });
    expect(engine.isOwner).toBe(true);
    await migrateStore(from, to);
    expect([engine.isOwner, await countRuns(to)]).toEqual([false, 3]);
    await expect(engine.start(gate)).rejects.toMatchObject({ code: "STORE_MOVED" });
  });

  test("it is not moved to itself", async () => {
    await expect(migrateStore(from, from)).rejects.toMatchObject({
      code: fromKind === "file" ? "STORE_BUSY" : "USAGE",
    });
    expect(await claim(from)).toBe("owned");
  });
});

test("a text that a server cannot hold is named, and nothing is moved", async () => {
  const [from, to] = [newAddress("file"), newAddress("server")];
  await using engine = await openEngine({ store: from, tools });
  await engine.start(gate, { as: "ann\0a" });
  await engine.stop();
  await expect(migrateStore(from, to)).rejects.toMatchObject({
    code: "REFUSED",
    message: expect.stringMatching(
      /cannot hold a text with the sign NUL in it.* in "runs", id = \d+, column "created_by"/,
    ) as unknown,
  });
  expect([await claim(from), await countRuns(to)]).toEqual(["owned", 0]);
});
