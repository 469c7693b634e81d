import { Client } from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";

async function ask(database: TestDatabase, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query(statement);
    return rows;
  } finally {
    await client.end();
  }
}

test("a database for a test is real, keeps what it acknowledges, and is nobody else's", async () => {
  await using one = await createTestDatabase();
  await using other = await createTestDatabase();
  await ask(one, "create table notes (text text)");
  expect(await ask(one, "select current_setting('fsync') as fsync, count(*)::int as notes from notes")).toEqual([
    { fsync: "on", notes: 0 },
  ]);
  expect(await ask(other, "select to_regclass('notes') as notes")).toEqual([{ notes: null }]);
});

test("a database that was dropped is gone, whoever is still connected", async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  const thrownOut = new Promise((resolve) => client.once("error", resolve));
  client.on("error", () => {});
  await client.connect();
  await database.drop();
  await expect(thrownOut).resolves.toBeInstanceOf(Error);
  await expect(ask(database, "select 1")).rejects.toThrow(/does not exist/);
});
