// A schema of a PostgreSQL database, for one list after another: making one takes longer than playing a list, so it is
// emptied.

import { Client } from "pg";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { createTestDatabase } from "../../src/testing/postgres.ts";
import { keepOwner } from "./kept-owner.ts";
import { noTime, type Place } from "./place.ts";

/** What was deleted is still looked through until somebody sweeps; to truncate takes longer than to play a list. */
const listsPerSweep = 50;

/** What a schema has when it is new. */
const kept: ReadonlySet<string> = new Set(["meta", "partitions", "schema_migrations"]);

export async function createPostgresPlace(): Promise<Place> {
  const database = await createTestDatabase();
  let clock = noTime;
  const real = await openPostgres(database.url, { durability: "fast", clock: () => clock() });
  const { store, renew } = keepOwner(real);
  const client = new Client({ connectionString: database.url, options: "-c synchronous_commit=off" });
  await client.connect();
  const tables = await listTables(client);
  const emptying = tables.map((table) => `delete from ${table};`).join(" ");
  const sweeping = `truncate ${tables.join(", ")}`;
  let lists = 0;
  return {
    name: "PostgreSQL",
    begin: async (now) => {
      clock = now;
      lists += 1;
      await client.query(lists % listsPerSweep === 0 ? sweeping : emptying);
      renew();
      return store;
    },
    // Its sessions are another process's: what it owned is free, and the pool is as good as a new one.
    reopen: async () => store,
    end: async () => {},
    [Symbol.asyncDispose]: async () => {
      await real.close();
      await client.end();
      await database.drop();
    },
  };
}

async function listTables(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly tablename: string }>(
    "select tablename from pg_tables where schemaname = 'stepwell'",
  );
  return rows.flatMap(({ tablename }) => (kept.has(tablename) ? [] : `stepwell.${tablename}`));
}
