// A new database file as the target of a copy: it is made beside its name, and has its name only once all of it is there.
// A file that is there already is never written; it can be compared, in case it is the copy.

import { existsSync, linkSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import type { CopyTarget } from "../copy/ends.ts";
import type { CopiedRow, Table } from "../copy/table.ts";
import { openReader } from "./connection.ts";
import { countRows, readRows } from "./copy-source.ts";
import { tryLock, type Lock } from "./lock.ts";
import { listMigrations, migrate, readVersion } from "./migrate.ts";
import { latestOf } from "../migration.ts";
import { findPlace, syncPath, type Place } from "./place.ts";
import { toStoreError } from "./problem.ts";

/** Holds the lock of the file until it is disposed. */
export async function openCopyTarget(address: string): Promise<CopyTarget> {
  const place = findPlace(address);
  const isThere = existsSync(place.path);
  // Before anything is put beside it.
  if (isThere) refuseForeign(place);
  const lock = tryLock(place.lockPath);
  if (lock === undefined) {
    throw new StepwellError("STORE_BUSY", `Another process owns ${place.path}; end it first. Nothing was changed.`, {
      details: { path: place.path },
    });
  }
  try {
    return isThere ? openExisting(place, lock) : openNew(place, lock);
  } catch (error) {
    lock.release();
    throw toStoreError(error, place.path);
  }
}

/** What is no copy of a store as this program knows it. */
function refuseForeign({ path }: Place): void {
  const database = openReader(path);
  try {
    const latest = latestOf(listMigrations());
    if (readVersion(database, path, latest) !== latest) throw refuseExisting(path);
  } finally {
    database.close();
  }
}

function refuseExisting(path: string): StepwellError {
  return new StepwellError("REFUSED", `${path} is there already; name another file. Nothing was changed.`, {
    details: { code: "store_not_empty", path },
  });
}

function openExisting({ path }: Place, lock: Lock): CopyTarget {
  const database = openReader(path);
  const refuse = async (): Promise<never> => {
    throw refuseExisting(path);
  };
  return {
    name: path,
    isEmpty: false,
    count: async (table) => countRows(database, table),
    read: (table) => readRows(database, table),
    write: refuse,
    complete: refuse,
    commit: async () => {},
    [Symbol.asyncDispose]: async () => {
      database.close();
      lock.release();
    },
  };
}

function openNew({ path }: Place, lock: Lock): CopyTarget {
  const partial = `${path}.partial`;
  const remove = (): void => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${partial}${suffix}`, { force: true });
  };
  remove();
  const database = createPartial(partial);
  const writeRows = createWriter(database);
  return {
    name: path,
    isEmpty: true,
    count: async (table) => countRows(database, table),
    read: (table) => readRows(database, table),
    write: async (table, rows) => {
      try {
        writeRows(table, rows);
      } catch (error) {
        throw toStoreError(error, partial);
      }
    },
    complete: async (lastInboxId) => {
      // Only a table that has had rows is in that list.
      database.exec("delete from sqlite_sequence where name = 'inbox'");
      if (lastInboxId > 0)
        database.prepare("insert into sqlite_sequence (name, seq) values ('inbox', ?)").run(lastInboxId);
    },
    commit: async () => {
      try {
        database.exec("commit");
        database.exec("pragma journal_mode = wal");
        database.close();
        syncPath(partial);
        // Refuses a name that has come to be there meanwhile.
        linkSync(partial, path);
        syncPath(dirname(path));
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (database.isOpen) database.close();
      remove();
      lock.release();
    },
  };
}

/** As a new store is, in a transaction that need not survive anything. */
function createPartial(partial: string): DatabaseSync {
  const database = new DatabaseSync(partial);
  migrate(database, { path: partial, migrations: listMigrations(), now: Date.now() });
  database.exec("pragma journal_mode = off; pragma synchronous = off; begin immediate");
  return database;
}

function createWriter(database: DatabaseSync): (table: Table, rows: readonly CopiedRow[]) => void {
  const statements = new Map<string, StatementSync>();
  return ({ name, columns }, rows) => {
    let statement = statements.get(name);
    if (statement === undefined) {
      const names = columns.map((column) => column.name).join(", ");
      statement = database.prepare(`insert into ${name} (${names}) values (${columns.map(() => "?").join(", ")})`);
      statements.set(name, statement);
    }
    for (const row of rows) statement.run(...row);
  };
}
