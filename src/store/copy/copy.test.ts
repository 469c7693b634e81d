import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/postgres.ts";
import { openStore } from "../open.ts";
import { listMigrations, migrate } from "../sqlite/migrate.ts";
import { compareAll } from "./copy.ts";
import type { Readable } from "./ends.ts";
import { tables, type CopiedRow } from "./table.ts";

/** What a copy need not know: who owns a store, and what follows from other columns. */
const ownTables = new Set(["meta", "partitions", "schema_migrations"]);
const ownColumns = new Set(["runs.partition", "steps.queued_at", "inbox.uid"]);

/** `table.column type`, sorted. */
const copied = tables
  .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`))
  .toSorted();

describe("what is copied", () => {
  test("is all that a file has, but for the room that rows keep free", () => {
    using database = new DatabaseSync(":memory:");
    migrate(database, { path: ":memory:", migrations: listMigrations(), now: 1 });
    const found = database
      .prepare(`select tables.name as table_name, columns.name as name, lower(columns.type) as type
        from sqlite_schema as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table' and tables.name not like 'sqlite_%'`)
      .all()
      .filter(({ table_name: table }) => !ownTables.has(String(table)));
    expect(
      found.map(({ table_name: table, name, type }) => `${String(table)}.${String(name)} ${String(type)}`).toSorted(),
    ).toEqual([...copied, "steps.room text"].toSorted());
  });

  test("is all that a schema on a server has", async () => {
    await using database = await createTestDatabase();
    await (await openStore(database.url)).close();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ table_name: string; column_name: string; data_type: string }>(
      `select table_name, column_name, data_type from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
        where table_schema = 'stepwell' and table_type = 'BASE TABLE'`,
    );
    await client.end();
    const found = rows
      .filter(
        ({ table_name: table, column_name: column }) => !ownTables.has(table) && !ownColumns.has(`${table}.${column}`),
      )
      .map((row) => `${row.table_name}.${row.column_name} ${row.data_type === "text" ? "text" : "integer"}`);
    expect(found.toSorted()).toEqual(copied);
  });
});

/** A store in which only `inbox` has rows, a few at a time. */
function createReadable(name: string, rows: readonly CopiedRow[], batch: number): Readable {
  return {
    name,
    count: async (table) => (table.name === "inbox" ? rows.length : 0),
    async *read(table) {
      if (table.name !== "inbox") return;
      for (let from = 0; from < rows.length; from += batch) yield rows.slice(from, from + batch);
    },
  };
}

const rows: readonly CopiedRow[] = Array.from({ length: 25 }, (_, index) => [index + 1, 5, "ann", '"text"', null]);

describe("the comparison of two stores", () => {
  const compare = (others: readonly CopiedRow[]): Promise<unknown> =>
    compareAll(createReadable("old", rows, 7), createReadable("new", others, 4), () => {});

  test("finds them alike, however many rows come at a time", async () => {
    const compared = await compareAll(createReadable("old", rows, 7), createReadable("new", rows, 4), () => {});
    const again = await compareAll(createReadable("old", rows, 1), createReadable("new", rows, 100), () => {});
    expect(compared.find(({ name }) => name === "inbox")).toMatchObject({ rows: 25 });
    expect(again).toEqual(compared);
  });

  test.each<[string, readonly CopiedRow[], string]>([
    ["a row less", rows.slice(0, -1), "the row id = 25"],
    ["a row less in the middle", rows.toSpliced(9, 1), "the row id = 10"],
    ["a row more", [...rows, [26, 5, "ann", "1", null]], "the row id = 26"],
    ["another text", rows.with(3, [4, 5, "ann", '"texT"', null]), "the row id = 4"],
    ["a number in place of a text", rows.with(3, [4, 5, "ann", 7, null]), "the row id = 4"],
    ["a text that looks like nothing", rows.with(0, [1, 5, "ann", '"text"', "null"]), "the row id = 1"],
    ["two rows in each other's place", [...rows.slice(1, 2), ...rows.slice(0, 1), ...rows.slice(2)], "the row id = 1"],
  ])("finds %s", async (_, others, place) => {
    await expect(compare(others)).rejects.toMatchObject({
      code: "REFUSED",
      message: `new does not hold what old does: in "inbox", ${place}. Nothing was changed.`,
    });
  });
});
