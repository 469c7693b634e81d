// Looks at a database file as a doctor does: touches nothing, and says of each thing whether it is as it should be.

import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { StepwellError } from "../../error.ts";
import { examineClock, failed, ok, warning, type Examined } from "../examined.ts";
import { listDamage } from "./check.ts";
import { openReader } from "./connection.ts";
import { tryLock } from "./lock.ts";
import { latestOf } from "../migration.ts";
import { listMigrations, readVersion } from "./migrate.ts";
import { findPlace, type Place } from "./place.ts";
import { toStoreError } from "./problem.ts";
import { createQueries } from "./queries.ts";

/** What a busy engine fills in some minutes. */
const roomMinBytes = 100_000_000;

/** The file must be there. */
export function examineFile(path: string, now: number): readonly Examined[] {
  try {
    const place = findPlace(path);
    const database = openReader(place.path);
    try {
      return [...examineFolder(place), ...examineInside(database, place, now)];
    } finally {
      database.close();
    }
  } catch (error) {
    const { message }: StepwellError = toStoreError(error, path);
    return [failed("store", message)];
  }
}

function examineInside(database: DatabaseSync, place: Place, now: number): readonly Examined[] {
  const latest = latestOf(listMigrations());
  const version = readVersion(database, place.path, latest);
  if (version < latest) {
    return [warning("version", `${version}; the next start brings it to ${latest} and keeps a copy`)];
  }
  const [damage, ...more] = listDamage(place.path);
  return [
    ok("version", `${version}, the newest that this program knows`),
    examineLog(database),
    examineOwner(database, place),
    damage === undefined
      ? ok("content", "no damage was found")
      : failed("content", `${damage}${more.length === 0 ? "" : `, and ${more.length} more`}; restore a backup`),
    examineClock(Number(database.prepare("select max(at) as at from commits").get()?.["at"] ?? 0), now),
  ];
}

/** Without a write-ahead log a commit is not what the engine takes it for. */
function examineLog(database: DatabaseSync): Examined {
  const mode = String(database.prepare("pragma journal_mode").get()?.["journal_mode"]);
  if (mode === "wal") return ok("durability", "a write-ahead log; what is acknowledged survives a power cut");
  return failed(
    "durability",
    `the journal is "${mode}", not a write-ahead log; restore the file with stepwell restore`,
  );
}

function examineOwner(database: DatabaseSync, { lockPath }: Place): Examined {
  const lock = existsSync(lockPath) ? tryLock(lockPath) : { release: () => {} };
  if (lock !== undefined) {
    lock.release();
    return ok("owner", "none; the next command is");
  }
  const owner = createQueries(database).findOwner();
  if (owner === undefined) return ok("owner", "a process that has not said who it is");
  return ok(
    "owner",
    `process ${owner.pid} on ${owner.host} (${owner.role}), since ${new Date(owner.since).toISOString()}`,
  );
}

function examineFolder({ path }: Place): readonly Examined[] {
  const folder = dirname(path);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const needed = Math.max(roomMinBytes, statSync(path).size);
  const room = `${Math.floor(free / 1_000_000)} MB free`;
  return [
    free < needed ? warning("space", `${room}; a migration or a backup may not find room`) : ok("space", room),
    examineRights(folder),
  ];
}

function examineRights(folder: string): Examined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed("folder", `${folder} cannot be written by this user`);
  }
  const othersMayWrite = (statSync(folder).mode & 0o002) !== 0 && (statSync(folder).mode & 0o1000) === 0;
  return othersMayWrite
    ? warning("folder", `everybody on this machine may write ${folder}; chmod o-w it`)
    : ok("folder", `${folder} can be written`);
}
