// Schemas with a store in them, for tests that do not ask how it came there. To make one takes the server longer than most
// tests do, so what one test has left is emptied for others. Each gets a new name then: whoever still knows the old one
// finds nothing, and what is kept by name elsewhere, such as a key, is not found again. One that somebody still owns, that
// has grown, or in which more than rows was changed is left alone.

import { Client } from "pg";
import { openSettings, quoteName } from "../store/postgres/connection.ts";
import { listMigrations, migrate } from "../store/postgres/migrate.ts";
import { nameTestSchema } from "./postgres.ts";

export type TestSchemas = {
  /** The address of a store that is as new. */
  readonly take: () => string;
  /** It is not used any more; one that was not taken here is none of ours. */
  readonly giveBack: (address: string) => void;
  /** Empties what was given back, as soon as there are a few of them. */
  readonly recycle: () => Promise<void>;
  /** A file of tests has ended: nothing is used any more. */
  readonly recycleAll: () => Promise<void>;
};

/** Of all its tables and indexes, most of which are one page: what is larger would be slower than a new one. */
const bytesMax = 2_000_000;

/** A session of its own for each would cost a good part of what is saved. */
const fewMin = 6;

/** Those of this process: it runs one file of tests after the other. */
export const testSchemas: TestSchemas = createTestSchemas();

export function createTestSchemas(): TestSchemas {
  const taken = new Set<string>();
  const used: string[] = [];
  const ready: string[] = [];
  let form: Promise<string> | undefined;
  const giveBack = (address: string): void => {
    if (taken.delete(address)) used.push(address);
  };
  const recycle = async (countMin: number): Promise<void> => {
    if (used.length < countMin) return;
    const addresses = used.splice(0);
    const client = new Client(openSettings(nameTestSchema()).config);
    await client.connect();
    try {
      form ??= learnForm(client);
      const expected = await form;
      const free = await lockFree(client, addresses);
      const found = await examine(client, free);
      ready.push(...(await empty(client, found, expected)));
    } finally {
      await client.end();
    }
  };
  return {
    take: () => {
      const address = ready.pop() ?? nameTestSchema();
      taken.add(address);
      return address;
    },
    giveBack,
    recycle: () => recycle(fewMin),
    recycleAll: async () => {
      for (const address of taken) giveBack(address);
      await recycle(1);
    },
  };
}

/** Those that nobody owns, nor can from now on. */
async function lockFree(client: Client, addresses: readonly string[]): Promise<readonly string[]> {
  const settings = addresses.map((address) => openSettings(address));
  const { rows } = await client.query<{ readonly is_ours: boolean }>(
    "select pg_try_advisory_lock(class, 0) as is_ours from unnest($1::int[]) with ordinality as list (class, place) order by place",
    [settings.map(({ lockClass }) => lockClass)],
  );
  return settings.flatMap(({ schema }, place) => (rows[place]?.is_ours === true ? schema : []));
}

type Found = {
  readonly name: string;
  /** Its tables and views with their columns. */
  readonly form: string;
  readonly bytes: number;
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
};

const examineText = `select nspname as name,
    md5(string_agg(concat_ws(' ', relname, relkind, columns.form), ', ' order by relname)) as form,
    sum(pg_relation_size(pg_class.oid))::int as bytes,
    array_agg(relname::text) filter (where relkind = 'r') as tables,
    array_agg(relname::text) filter (where relkind = 'S') as sequences
  from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    cross join lateral (
      select string_agg(concat_ws(' ', attname, atttypid, attnotnull, attisdropped), ' ' order by attnum) as form
      from pg_attribute where attrelid = pg_class.oid and attnum > 0
    ) as columns
  where nspname = any($1)
  group by nspname`;

async function examine(client: Client, names: readonly string[]): Promise<readonly Found[]> {
  return (await client.query<Found>(examineText, [names])).rows;
}

/** That of a schema as it is made. */
async function learnForm(client: Client): Promise<string> {
  const settings = openSettings(nameTestSchema());
  await migrate({ settings, migrations: listMigrations() }, 1);
  const [made] = await examine(client, [settings.schema]);
  if (made === undefined) throw new Error("A schema that was just made is not there.");
  return made.form;
}

/** The addresses that they have now. */
async function empty(client: Client, found: readonly Found[], form: string): Promise<readonly string[]> {
  const ready: string[] = [];
  const texts: string[] = ["set local lock_timeout to 1000"];
  for (const schema of found) {
    if (schema.form !== form || schema.bytes > bytesMax) continue;
    const address = nameTestSchema();
    texts.push(...toTexts(schema, openSettings(address).schema));
    ready.push(address);
  }
  try {
    await client.query(texts.join("; "));
    return ready;
  } catch {
    // Somebody still writes: none of them was changed, and none is used again.
    return [];
  }
}

/** How a new schema differs from an empty one is written down here once more. */
function toTexts({ name, tables, sequences }: Found, newName: string): readonly string[] {
  const schema = quoteName(newName);
  return [
    `alter schema ${quoteName(name)} rename to ${schema}`,
    ...tables.filter((table) => !kept.has(table)).map((table) => `delete from ${schema}.${table}`),
    `update ${schema}.partitions set epoch = '', owner = null, session_pid = null, heartbeat_at = null
      where epoch <> ''`,
    ...sequences.map((sequence) => `select setval('${schema}.${sequence}', 1, false)`),
  ];
}

const kept: ReadonlySet<string> = new Set(["partitions", "schema_migrations"]);
