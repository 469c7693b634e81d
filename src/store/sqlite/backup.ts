// Copies of a database: made while others use it, and put in its place while nobody does. A copy is looked through
// before its name stands there, so that a name that stands there is a copy that can be used.

import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import { listDamage } from "./check.ts";
import { openReader } from "./connection.ts";
import { tryLock } from "./lock.ts";
import { latestOf } from "../migration.ts";
import { listMigrations, readVersion } from "./migrate.ts";
import { findPlace, sizeOf, syncPath, type Place } from "./place.ts";
import { toStoreError } from "./problem.ts";

export type Copied = { readonly path: string; readonly bytes: number; readonly version: number };

/** Everything that is committed now, in one file; whoever writes meanwhile does not notice. */
export function backUpFile(path: string, target: string): Copied {
  refuseExisting(target);
  const partial = `${target}.partial`;
  const database = openReader(findPlace(path).path);
  try {
    readVersion(database, path, latestOf(listMigrations()));
    rmSync(partial, { force: true });
    database.prepare("vacuum into ?").run(partial);
    const copied = examineCopy(partial);
    syncPath(partial);
    // Refuses a name that has come to be there meanwhile.
    linkSync(partial, target);
    syncPath(dirname(target));
    return { ...copied, path: target };
  } catch (error) {
    throw toStoreError(error, target);
  } finally {
    database.close();
    rmSync(partial, { force: true });
  }
}

function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  throw new StepwellError("REFUSED", `${target} is there already; name another file. Nothing was changed.`, {
    details: { code: "file_exists", path: target },
  });
}

/** A copy that this program can use; says what is wrong with it otherwise. */
export function examineCopy(path: string): Copied {
  const database = openReader(path);
  try {
    const version = readVersion(database, path, latestOf(listMigrations()));
    if (version === 0)
      throw new StepwellError("STORE_NOT_OURS", `${path} is empty; name another file. Nothing was changed.`);
    const [damage] = listDamage(path);
    if (damage !== undefined)
      throw new StepwellError(
        "STORE_CORRUPT",
        `${path} is damaged (${damage}); use another copy. Nothing was changed.`,
      );
    return { path, version, bytes: sizeOf(path) ?? 0 };
  } finally {
    database.close();
  }
}

export type Restored = Copied & {
  /** Where the database is that stood there before; null: there was none. */
  readonly kept: string | null;
};

/** `now` names what is kept of the old one. */
export function restoreFile(source: string, target: string, now: number): Restored {
  const copied = examineCopy(source);
  const place = findPlace(target);
  const lock = tryLock(place.lockPath);
  if (lock === undefined) {
    throw new StepwellError("STORE_BUSY", `Another process owns ${target}; end it first. Nothing was changed.`, {
      details: { path: target },
    });
  }
  const partial = `${place.path}.partial`;
  try {
    rmSync(partial, { force: true });
    copyFileSync(source, partial);
    startLog(partial);
    examineCopy(partial);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${partial}${suffix}`, { force: true });
    syncPath(partial);
    const kept = existsSync(place.path) ? moveAway(place, now) : null;
    renameSync(partial, place.path);
    syncPath(dirname(place.path));
    return { ...copied, path: target, kept };
  } catch (error) {
    throw toStoreError(error, target);
  } finally {
    rmSync(partial, { force: true });
    lock.release();
  }
}

/** A copy has none; its owner expects one. */
function startLog(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma journal_mode = wal");
  } finally {
    database.close();
  }
}

/** With its log: together they are what it was. */
function moveAway({ path }: Place, now: number): string {
  const kept = `${path}-replaced-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
  for (const suffix of ["-wal", "-shm", ""]) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  return kept;
}
