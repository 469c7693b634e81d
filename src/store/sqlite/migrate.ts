// Brings a database to the version of this program: `sql/sqlite/NNNN_name.sql`, forward only, each in one transaction
// with its number, so that a process killed half way leaves the version before. Whoever does it holds the lock.

import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import { latestOf, readMigrations, type Migration } from "../migration.ts";
import { syncPath } from "./place.ts";
import { toStoreError } from "./problem.ts";

/** What was done to a database that was there before. */
export type Migrated = { readonly from: number; readonly to: number; readonly backup: string };

/** "Swel": says that a database is ours, to us and to `file`. */
const applicationId = 0x5377656c;

/** What `pragma auto_vacuum` answers. */
const incremental = 2;

export function listMigrations(): readonly Migration[] {
  return readMigrations("sqlite");
}

/** The version of a database, 0 of an empty one; refuses what is not ours or newer than `latest`. */
export function readVersion(database: DatabaseSync, path: string, latest: number): number {
  const version = readNumber(database, "pragma user_version");
  const id = readNumber(database, "pragma application_id");
  if (id !== applicationId) {
    if (id === 0 && readNumber(database, "select count(*) from sqlite_schema") === 0) return 0;
    throw new StepwellError(
      "STORE_NOT_OURS",
      `${path} is a database of another program; name another path. Nothing was changed.`,
      { details: { path } },
    );
  }
  if (version > latest) {
    throw new StepwellError(
      "STORE_NEWER",
      `${path} was written by a newer version of Stepwell (its version is ${version}, this program knows ${latest}); install the newer one. Nothing was changed.`,
      { details: { path, version, latest } },
    );
  }
  return version;
}

type MigrateOptions = {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly now: number;
};

/** Undefined when there was nothing to do, or no database before. */
export function migrate(database: DatabaseSync, { path, migrations, now }: MigrateOptions): Migrated | undefined {
  const from = readVersion(database, path, latestOf(migrations));
  const missing = migrations.filter(({ no }) => no > from);
  if (missing.length === 0) return undefined;
  const isFile = path !== ":memory:";
  if (from === 0) {
    // Must come before the first table, and before the log; a file that has a header already is written anew for it.
    database.exec("pragma auto_vacuum = incremental");
    if (readNumber(database, "pragma auto_vacuum") !== incremental) database.exec("vacuum");
    if (isFile) startLog(database, path);
  }
  const backup = isFile && from > 0 ? backUp(database, `${path}-v${from}-${toStamp(now)}.backup`) : undefined;
  for (const migration of missing) applyMigration(database, migration, { path, backup });
  return backup === undefined ? undefined : { from, to: latestOf(migrations), backup };
}

function startLog(database: DatabaseSync, path: string): void {
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode === "wal") return;
  throw new StepwellError(
    "STORE_NOT_DURABLE",
    `${path} cannot have a write-ahead log on this file system (SQLite stays with "${String(mode)}"); put the database on a local disk.`,
    { details: { path } },
  );
}

function applyMigration(
  database: DatabaseSync,
  migration: Migration,
  { path, backup }: { readonly path: string; readonly backup: string | undefined },
): void {
  try {
    database.exec("begin immediate");
    database.exec(migration.text);
    database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migration.no}`);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    const { code, message } = toStoreError(error, path);
    const kept = backup === undefined ? "" : ` A copy of it is ${backup}.`;
    throw new StepwellError(code, `${migration.name} could not be applied. ${message} It is as it was before.${kept}`, {
      details: { path, migration: migration.name, backup },
      cause: error,
    });
  }
}

/** A whole copy of the database as it is now; when the name is there, so is all of it. */
function backUp(database: DatabaseSync, target: string): string {
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    database.prepare("vacuum into ?").run(partial);
    syncPath(partial);
    renameSync(partial, target);
    syncPath(dirname(target));
    return target;
  } catch (error) {
    rmSync(partial, { force: true });
    throw toStoreError(error, target);
  }
}

/** 20261115T093000123Z: sorts by time, and every file system takes it. */
function toStamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:.]/g, "");
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}
