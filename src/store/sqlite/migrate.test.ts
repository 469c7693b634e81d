import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StepwellError } from "../../error.ts";
import { card, claim, createPen, flow, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
import { tryLock } from "./lock.ts";
import type { Migration } from "../migration.ts";
import { listMigrations, migrate, type Migrated } from "./migrate.ts";
import { openSqlite } from "./open.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  path = join(folder, "stepwell.db");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const known = listMigrations();
const next: Migration = {
  no: known.length + 1,
  name: "9999_next.sql",
  text: "alter table runs add column colour text; update runs set colour = 'blue';",
};
const newer = [...known, next];

/** A database of the version that is known, with one run. */
async function writeOld(): Promise<void> {
  const store = await openSqlite(path);
  const pen = createPen(await claim(store));
  await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
  await store.close();
}

function query(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
}

describe("the migrations", () => {
  test("are numbered without a gap, and say why they are there", () => {
    expect(known.map(({ no }) => no)).toEqual(known.map((_, index) => index + 1));
    for (const { text } of known) expect(text).toMatch(/^-- \S/);
  });

  test("S10: bring an older database up to date, and keep a whole copy of it as it was", async () => {
    await writeOld();
    const done: Migrated[] = [];
    const store = await openSqlite(path, {
      migrations: newer,
      clock: () => Date.UTC(2026, 10, 15, 9, 30),
      onMigrated: (migrated) => done.push(migrated),
    });
    await store.close();
    const backup = join(folder, `stepwell.db-v${known.length}-20261115T093000000Z.backup`);
    expect(done).toEqual([{ from: known.length, to: next.no, backup }]);
    expect(query(path, "select colour from runs")).toBe("blue");
    expect(query(path, "pragma user_version")).toBe(next.no);
    expect(query(backup, "pragma user_version")).toBe(known.length);
    expect(query(backup, "select count(*) from steps")).toBe(1);
    expect(query(backup, "pragma integrity_check")).toBe("ok");
  });

  test("S10: do nothing when they are done already", async () => {
    await writeOld();
    await (await openSqlite(path, { migrations: newer })).close();
    const before = [readFileSync(path), readdirSync(folder)];
    await (await openSqlite(path, { migrations: newer })).close();
    expect([readFileSync(path), readdirSync(folder)]).toEqual(before);
  });

  test("S10: leave the version before when one of them fails, and say where the copy is", async () => {
    await writeOld();
    const broken = { ...next, text: "create table half (id integer); select * from nowhere;" };
    const refusal = await openSqlite(path, { migrations: [...known, broken] }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StepwellError);
    expect(String(refusal)).toMatch(/9999_next\.sql could not be applied.*no such table.*It is as it was before\./);
    const backup = readdirSync(folder).find((name) => name.endsWith(".backup"));
    expect(String(refusal)).toContain(backup);
    expect(query(path, "select count(*) from sqlite_schema where name = 'half'")).toBe(0);
    const store = await openSqlite(path);
    expect((await store.findRun(10))?.run.name).toBe("greet");
    await store.close();
  });

  test("S10: leave the version before when the process is killed in the middle", async () => {
    await writeOld();
    const script = `
      import { DatabaseSync } from "node:sqlite";
      import { migrate } from ${JSON.stringify(new URL("../../../dist/store/sqlite/migrate.js", import.meta.url).href)};
      const database = new DatabaseSync(${JSON.stringify(path)});
      database.function("die", () => process.kill(process.pid, "SIGKILL"));
      const text = ${JSON.stringify(next.text)} + "select die();";
      const migrations = [...${JSON.stringify(known)}, { no: ${next.no}, name: "die", text }];
      migrate(database, { path: ${JSON.stringify(path)}, migrations, now: 1 });`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", script]).signal).toBe("SIGKILL");
    expect(query(path, "pragma user_version")).toBe(known.length);
    const store = await openSqlite(path, { migrations: newer });
    expect((await store.findRun(10))?.run.name).toBe("greet");
    await store.close();
    expect(query(path, "select colour from runs")).toBe("blue");
  });

  test("are left to the owner: a guest waits, and gives up with a reason", async () => {
    await writeOld();
    const owner = await openSqlite(path);
    await owner.claim(card);
    const refusal = await openSqlite(path, { migrations: newer, waitMs: 100 }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORE_BUSY" });
    expect(String(refusal)).toMatch(/is of an older version, and the process that owns it .* end that one first/);
    const waiting = openSqlite(path, { migrations: newer });
    await owner.close();
    const guest = await waiting;
    expect((await guest.claim(card)).kind).toBe("owned");
    await guest.close();
  });

  test("that a newer program has made while this one was a guest keep it from taking over", async () => {
    const guest = await openSqlite(path);
    await (await openSqlite(path, { migrations: newer })).close();
    await expect(guest.claim(card)).rejects.toMatchObject({ code: "STORE_NEWER" });
    const lock = tryLock(`${path}-lock`);
    expect(lock).toBeDefined();
    lock?.release();
    await guest.close();
  });

  test("E0-04: run on a database in memory as well", () => {
    const database = new DatabaseSync(":memory:");
    expect(migrate(database, { path: ":memory:", migrations: known, now: 1 })).toBeUndefined();
    expect(migrate(database, { path: ":memory:", migrations: newer, now: 1 })).toBeUndefined();
    expect(database.prepare("pragma user_version").get()).toEqual({ user_version: next.no });
    database.close();
  });
});

describe("a backup", () => {
  test("S9: takes the place of one that was not finished", async () => {
    await writeOld();
    const backup = `${path}-v${known.length}-19700101T000001000Z.backup`;
    writeFileSync(`${backup}.partial`, "cut off");
    await (await openSqlite(path, { migrations: newer, clock: () => 1000 })).close();
    expect(query(backup, "select count(*) from runs")).toBe(1);
    expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });
});
