// Where stores are made: a folder on a disk, each a file, or a server, each a database.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isServerAddress } from "../src/store/address.ts";
import { createDatabase, dropDatabase, nameDatabase } from "./database.ts";

/** A new store of its own; it goes when the work is over. */
export async function withFreshStore<T>(place: string, work: (store: string) => Promise<T>): Promise<T> {
  return isServerAddress(place) ? withFreshDatabase(place, work) : withFreshFile(place, work);
}

async function withFreshFile<T>(folder: string, work: (file: string) => Promise<T>): Promise<T> {
  const own = mkdtempSync(join(folder, "file-"));
  try {
    return await work(join(own, "bench.db"));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

async function withFreshDatabase<T>(server: string, work: (database: string) => Promise<T>): Promise<T> {
  const database = nameDatabase(server, `bench_${randomBytes(6).toString("hex")}`);
  await createDatabase(database);
  try {
    return await work(database);
  } finally {
    await dropDatabase(database);
  }
}

/** A store by its name, for several children. */
export function nameStore(place: string, name: string): string {
  return isServerAddress(place) ? nameDatabase(place, name) : join(place, `${name}.db`);
}

/** An engine makes a file, but not a database. */
export async function prepareStore(store: string): Promise<void> {
  if (isServerAddress(store)) await createDatabase(store);
}
