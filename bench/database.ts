// Databases on the server that a run of the benchmarks has: one for each store, dropped when its work is over. The same
// for us and for the peers, and sorted by bytes: the tests' server sorts as people do, which others do not ask for.

import type { Client } from "pg";

type Asked = readonly Readonly<Record<string, unknown>>[];

/** One statement, through a connection of its own. */
export async function ask(address: string, text: string): Promise<Asked> {
  return connectedTo(address, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
}

/** Several statements as one text and one transaction. */
export async function run(address: string, text: string): Promise<void> {
  return connectedTo(address, async (client) => void (await client.query(text)));
}

async function connectedTo<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  // Only when it is needed: what is measured on a file does not carry it.
  const pg = await import("pg");
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The address of a database of this name on the same server. */
export function nameDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function createDatabase(address: string): Promise<void> {
  await dropDatabase(address);
  const { server, name } = splitAddress(address);
  await ask(server, `create database "${name}" template template0 encoding 'UTF8' locale_provider libc locale 'C'`);
}

/** Whoever is still connected is thrown out. */
export async function dropDatabase(address: string): Promise<void> {
  const { server, name } = splitAddress(address);
  await ask(server, `drop database if exists "${name}" with (force)`);
}

function splitAddress(address: string): { readonly server: string; readonly name: string } {
  return { server: nameDatabase(address, "postgres"), name: new URL(address).pathname.slice(1) };
}
