import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StepwellError } from "../../error.ts";
import { card, claim, createPen, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
import { listDamage } from "./check.ts";
import { openSideWriter, openWriter, setDurability } from "./connection.ts";
import { openSqlite } from "./open.ts";

let folder = "";
let path = "";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  path = join(folder, "stepwell.db");
  const store = await openSqlite(path);
  const pen = createPen(await claim(store));
  const ids = Array.from({ length: 200 }, (_, index) => 100 + index);
  await pen.write({ runs: [newRun(makeRun(10))], rows: ids.map((id) => newRow(10, makeRow(id))) });
  await store.close();
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes over the middle of a page of this table or index. */
function damage(name: string): void {
  const database = new DatabaseSync(path);
  const page = Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(name)?.["rootpage"]);
  const pageBytes = Number(database.prepare("pragma page_size").get()?.["page_size"]);
  database.close();
  const content = readFileSync(path);
  content.fill(0xa5, (page - 1) * pageBytes, (page - 1) * pageBytes + 200);
  writeFileSync(path, content);
}

describe("the look for damage", () => {
  test("finds none in a file that is whole", () => {
    expect(listDamage(path)).toEqual([]);
  });

  test.each(["steps", "steps_by_run", "commits"])("S3: finds it in %s", (name) => {
    damage(name);
    expect(listDamage(path).length).toBeGreaterThan(0);
  });

  test.each(["commits", "meta"])("S3: damage in %s stops whoever claims the file, in our words", async (name) => {
    damage(name);
    const store = await openSqlite(path);
    await expect(store.claim(card)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    await store.close();
  });

  test("S3: happens behind the owner's back and says what it found", async () => {
    damage("steps_by_run");
    const { promise, resolve } = Promise.withResolvers<StepwellError>();
    const store = await openSqlite(path, { checkAfterMs: 0, onProblem: resolve });
    await claim(store);
    const awake = setInterval(() => {}, 1000);
    const problem = await promise;
    clearInterval(awake);
    expect(problem.code).toBe("STORE_CORRUPT");
    expect(problem.message).toMatch(/stepwell\.db is damaged: .*Stop the engine, keep a copy of the file/);
    await store.close();
  });
});

describe("durability", () => {
  test.each([
    ["full", 2],
    ["fast", 1],
  ] as const)("%s is what SQLite says it is", (durability, synchronous) => {
    for (const open of [openWriter, openSideWriter]) {
      const database = open(path, durability);
      expect(database.prepare("pragma synchronous").get()).toEqual({ synchronous });
      database.close();
    }
  });

  test("is refused when SQLite does not do as it is told", () => {
    class Stubborn extends DatabaseSync {
      override exec(): void {}
    }
    const database = new Stubborn(path);
    expect(() => setDurability(database, { path, durability: "fast" })).toThrow(
      /cannot be written with "synchronous" at 1 \(SQLite stays with 2\)/,
    );
    expect(database.isOpen).toBe(false);
  });

  test("is told by the store", async () => {
    const store = await openSqlite(path, { durability: "fast" });
    expect([store.durability, store.name]).toEqual(["fast", path]);
    await store.close();
  });
});
