// All that a store keeps of what it was told, as bytes, to look for what must not be there: a file whole, of a server
// every row of every table.

import { existsSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { isServerAddress, splitSchema } from "../store/address.ts";

export async function readBytes(address: string): Promise<Buffer> {
  if (isServerAddress(address)) return readRows(address);
  const parts = [address, `${address}-wal`, `${address}-journal`].filter((name) => existsSync(name));
  return Buffer.concat(parts.map((name) => readFileSync(name)));
}

async function readRows(named: string): Promise<Buffer> {
  const { address, schema } = splitSchema(named);
  const client = new Client({ connectionString: address, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    const tables = await client.query<{ readonly name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = $1",
      [schema],
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ readonly text: string }>(`select one::text as text from ${name} as one`);
      texts.push(...rows.map(({ text }) => text));
    }
    return Buffer.from(texts.join("\n"));
  } finally {
    await client.end();
  }
}
