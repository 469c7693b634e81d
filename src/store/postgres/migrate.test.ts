import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { card, claim, createPen, flow, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
import type { Migration } from "../migration.ts";
import { listMigrations as listSqliteMigrations } from "../sqlite/migrate.ts";
import type { Store } from "../store.ts";
import { listMigrations, type Migrated } from "./migrate.ts";
import { openPostgres, type PostgresOptions } from "./open.ts";
import { hasSchema } from "./presence.ts";

let database: TestDatabase;
const opened: Store[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await database.drop();
});

const known = listMigrations();
const next: Migration = {
  no: known.length + 1,
  name: "9999_next.sql",
  text: "alter table runs add column colour text; update runs set colour = 'blue';",
};
const newer = [...known, next];

async function open(options: PostgresOptions = {}, schema = "stepwell"): Promise<Store> {
  const store = await openPostgres(`${database.url}?schema=${schema}`, { durability: "fast", ...options });
  opened.push(store);
  return store;
}

async function query(sql: string): Promise<unknown> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ [column: string]: unknown }>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

const version = (): Promise<unknown> => query("select max(no) from stepwell.schema_migrations");

/** A schema of the version that is known, with one run. */
async function writeOld(): Promise<Store> {
  const store = await open();
  const pen = createPen(await claim(store));
  await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
  return store;
}

describe("the migrations", () => {
  test("are those of a file by number and name, and say why they are there", () => {
    expect(known.map(({ no, name }) => ({ no, name }))).toEqual(
      listSqliteMigrations().map(({ no, name }) => ({ no, name })),
    );
    for (const { text } of known) expect(text).toMatch(/^-- \S/);
  });

  test("make a schema where there is none, and leave it when it is up to date", async () => {
    expect(await hasSchema(database.url)).toBe(false);
    const done: Migrated[] = [];
    const onMigrated = (migrated: Migrated): void => void done.push(migrated);
    await open({ onMigrated });
    expect(await hasSchema(database.url)).toBe(true);
    await open({ onMigrated });
    expect(await version()).toBe(known.length);
    expect(done).toEqual([]);
  });

  test("P9: bring an older schema up to date, and tell", async () => {
    await (await writeOld()).close();
    const done: Migrated[] = [];
    const store = await open({ migrations: newer, onMigrated: (migrated) => void done.push(migrated) });
    expect(done).toEqual([{ from: known.length, to: next.no }]);
    expect(await query("select colour from stepwell.runs")).toBe("blue");
    expect(await store.findRow(11)).toMatchObject({ run: 10 });
  });

  test("are made once, however many processes begin at the same moment", async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => open()));
    expect(stores).toHaveLength(5);
    expect(await query("select count(*) from stepwell.schema_migrations")).toBe(String(known.length));
  });

  test("leave the version before when one of them fails, and say which", async () => {
    await writeOld();
    const broken = { ...next, text: "create table half (id integer); select * from nowhere;" };
    await expect(open({ migrations: [...known, broken] })).rejects.toThrow(
      /9999_next\.sql could not be applied\..*relation "nowhere" does not exist.*It is as it was before\./,
    );
    expect([await version(), await query("select to_regclass('stepwell.half')")]).toEqual([known.length, null]);
    expect((await (await open()).findRun(10))?.run.name).toBe("greet");
  });

  test("leave the version before when the server ends the session in the middle", async () => {
    await writeOld();
    const cut = { ...next, text: `${next.text} select pg_terminate_backend(pg_backend_pid());` };
    await expect(open({ migrations: [...known, cut] })).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(await version()).toBe(known.length);
  });

  test("go side by side, each in a schema of its own", async () => {
    const [one, other] = [await open({}, "one"), await open({}, "other_1")];
    await createPen(await claim(one)).write({ runs: [newRun(makeRun(10))] });
    expect((await other.claim(card)).kind).toBe("owned");
    expect([await one.findRun(10), await other.findRun(10)]).toEqual([expect.anything(), undefined]);
  });
});

describe("what is not ours", () => {
  test("is refused and left as it is: the tables of another program", async () => {
    await query("create schema stepwell");
    await query("create table stepwell.accounts (id integer)");
    const refusal = open();
    await expect(refusal).rejects.toMatchObject({ code: "STORE_NOT_OURS" });
    await expect(refusal).rejects.toThrow(/The schema "stepwell" of postgres.* another program.*\?schema=name/);
    expect(await query("select count(*) from pg_tables where schemaname = 'stepwell'")).toBe("1");
  });

  test("is refused even when it counts its versions in a table of the same name", async () => {
    await query("create schema stepwell");
    await query("create table stepwell.schema_migrations (version text)");
    await expect(open()).rejects.toMatchObject({ code: "STORE_NOT_OURS" });
  });

  test("is refused when a newer program made it", async () => {
    await open({ migrations: newer });
    const refusal = open();
    await expect(refusal).rejects.toMatchObject({ code: "STORE_NEWER" });
    await expect(refusal).rejects.toThrow(`its version is ${next.no}, this program knows ${known.length}`);
  });

  test("is refused when the same number had another text", async () => {
    await open({ migrations: newer });
    const other = [...known, { ...next, text: "select 1" }];
    await expect(open({ migrations: other })).rejects.toThrow(/another text of 9999_next\.sql than this program has/);
    const sameLines = [...known, { ...next, text: next.text.replaceAll("\n", "\r\n") }];
    await expect(open({ migrations: sameLines })).resolves.toBeDefined();
  });
});

describe("a newer program", () => {
  test("puts out the older one that owns the store: it writes nothing any more, and cannot claim it again", async () => {
    const older = await open();
    const pen = createPen(await claim(older));
    await pen.write({ runs: [newRun(makeRun(10))] });
    const lost = Promise.withResolvers<string>();
    pen.ownership.onLost(({ code }) => lost.resolve(code));
    await open({ migrations: newer });
    expect(await pen.hand({ runs: [newRun(makeRun(20))] })).toMatchObject({ kind: "unknown" });
    expect(await lost.promise).toBe("STORE_LOST");
    expect(await query("select count(*) from stepwell.runs")).toBe("1");
    await expect(older.claim(card)).rejects.toMatchObject({ code: "STORE_NEWER" });
  });

  test("keeps an older guest from taking over, and takes over itself at once", async () => {
    const guest = await open();
    const store = await open({ migrations: newer });
    await expect(guest.claim(card)).rejects.toMatchObject({ code: "STORE_NEWER" });
    expect((await store.claim(card)).kind).toBe("owned");
  });
});
