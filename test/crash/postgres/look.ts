// The harness's own connections to a server, one for each database: looked through as long as they hold, opened again when
// the server is back.

import { Client } from "pg";
import type { Columns, Database } from "../database.ts";

const waitMaxMs = 10_000;
const clients = new Map<string, Promise<Client>>();

export function isServer(store: string): boolean {
  return store.startsWith("postgres:");
}

/** undefined: the server is not there now, or has no store yet. */
export async function lookAtServer<T>(
  address: string,
  read: (database: Database) => Promise<T>,
): Promise<T | undefined> {
  try {
    const client = await findClient(address);
    const all = async (statement: string): Promise<readonly Columns[]> => (await client.query<Columns>(statement)).rows;
    return await read({ all, checkIntegrity: () => checkIndexes(all) });
  } catch {
    const client = clients.get(address);
    clients.delete(address);
    void closeClient(client);
    return undefined;
  }
}

/** Before the database is dropped. */
export async function stopLooking(address: string): Promise<void> {
  const client = clients.get(address);
  clients.delete(address);
  await closeClient(client);
}

async function findClient(address: string): Promise<Client> {
  const known = clients.get(address);
  if (known !== undefined) return known;
  const opening = openClient(address);
  clients.set(address, opening);
  return opening;
}

export async function openClient(address: string): Promise<Client> {
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: waitMaxMs,
    query_timeout: waitMaxMs * 6,
    options: "-c search_path=stepwell",
    application_name: "harness",
  });
  // What breaks is found by the next look.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function closeClient(client: Promise<Client> | undefined): Promise<void> {
  try {
    await (await client)?.end();
  } catch {
    // It was closed by the server.
  }
}

const indexesText = `select count(public.bt_index_check(index.indexrelid, true)) as checked
  from pg_index as index join pg_class as class on class.oid = index.indexrelid
  where class.relnamespace = 'stepwell'::regnamespace and class.relkind = 'i'`;

/** Every index against every row of its table. */
async function checkIndexes(all: Database["all"]): Promise<string> {
  try {
    await all("create extension if not exists amcheck schema public");
    await all(indexesText);
    return "ok";
  } catch (error) {
    return String(error);
  }
}
