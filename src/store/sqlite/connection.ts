// Connections to one database, and what each of them must be before it is used.

import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { StepwellError } from "../../error.ts";
import type { Durability } from "../store.ts";
import { sizeOf } from "./place.ts";
import { isBusy, resultCodeOf, toStoreError } from "./problem.ts";

/** What `pragma synchronous` answers. */
const levels: { readonly [durability in Durability]: number } = { full: 2, fast: 1 };

const readTimeoutMs = 1000;

/** How long a write waits for another one. On the side it stops the loop of the process: not long, and then again. */
const writeTimeoutMs = 5000;
const sideTimeoutMs = 50;

/** Whoever finds no gap between the transactions of others for so long gives up. */
const giveUpAfterMs = 10_000;

export function openReader(path: string): DatabaseSync {
  return openChecked(path, () => new DatabaseSync(path, { readOnly: true, timeout: readTimeoutMs }));
}

export function openWriter(path: string, durability: Durability): DatabaseSync {
  return openWithTimeout({ path, durability, timeoutMs: writeTimeoutMs });
}

/** For small writes on the thread of the loop, by `writeInTurn`. */
export function openSideWriter(path: string, durability: Durability): DatabaseSync {
  return openWithTimeout({ path, durability, timeoutMs: sideTimeoutMs });
}

type WriterOptions = { readonly path: string; readonly durability: Durability; readonly timeoutMs: number };

function openWithTimeout({ path, durability, timeoutMs }: WriterOptions): DatabaseSync {
  return openChecked(path, () => {
    const database = new DatabaseSync(path, { timeout: timeoutMs });
    setDurability(database, { path, durability });
    return database;
  });
}

/** Sets how much a commit waits for, and believes it only when SQLite says the same. */
export function setDurability(
  database: DatabaseSync,
  { path, durability }: { readonly path: string; readonly durability: Durability },
): void {
  const level = levels[durability];
  database.exec(`pragma synchronous = ${level}`);
  const found = database.prepare("pragma synchronous").get()?.["synchronous"];
  if (found === level) return;
  database.close();
  throw new StepwellError(
    "STORE_NOT_DURABLE",
    `${path} cannot be written with "synchronous" at ${level} (SQLite stays with ${String(found)}); put the database on a local disk.`,
    { details: { path } },
  );
}

/** True when there is nothing yet: no file, or an empty one. */
export function isNew(path: string): boolean {
  return (sizeOf(path) ?? 0) === 0;
}

function openChecked(path: string, open: () => DatabaseSync): DatabaseSync {
  try {
    const database = open();
    // Only now does SQLite look into the file.
    database.prepare("pragma schema_version").get();
    return database;
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Reads; what SQLite says against it is said in our words. */
export async function readFrom<T>(path: string, read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    throw resultCodeOf(error) === undefined ? error : toStoreError(error, path);
  }
}

/** Writes as soon as no other connection does, without stopping the loop for long. */
export async function writeInTurn<T>(path: string, write: () => T): Promise<T> {
  const deadline = performance.now() + giveUpAfterMs;
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error, path);
    }
    await sleep(5);
  }
}
