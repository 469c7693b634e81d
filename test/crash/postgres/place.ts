// A database of its own for one trial, with the audit in it, and a folder for the ledger.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { withFolder } from "../part.ts";
import type { Place } from "../person.ts";
import { installAudit } from "./audit.ts";
import { openClient, stopLooking } from "./look.ts";

/** `server`: the address of somebody who may create databases. */
export async function withDatabase<T>(server: string, act: (place: Place) => Promise<T>): Promise<T> {
  const name = `crash_${randomBytes(6).toString("hex")}`;
  await askServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    await installAudit(url.href);
    return await withFolder((folder) => act({ store: url.href, ledger: join(folder, "ledger.jsonl") }));
  } finally {
    await stopLooking(url.href);
    await askServer(server, `drop database if exists ${name} with (force)`);
  }
}

export async function askServer(address: string, statement: string): Promise<void> {
  const client = await openClient(address);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
