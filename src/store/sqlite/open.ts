// Opens a database file, or makes it, as a store. Whatever is wrong with it is said before anything is changed.

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { StepwellError } from "../../error.ts";
import { latestOf, type Migration } from "../migration.ts";
import type { Durability, Store } from "../store.ts";
import { isNew, openReader, openSideWriter, openWriter } from "./connection.ts";
import { tryLock } from "./lock.ts";
import { listMigrations, migrate, readVersion, type Migrated } from "./migrate.ts";
import { findPlace, type Place } from "./place.ts";
import { defaultCommitsKept, type CommitsKept } from "./space.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { createSwiftWriter } from "./swift-writer.ts";
import { createInlineWriter, openThreadWriter } from "./thread-writer.ts";

export type SqliteOptions = {
  /** `full` unless said otherwise. */
  readonly durability?: Durability;
  readonly clock?: () => number;
  readonly migrations?: readonly Migration[];
  /** How much of the list of commits is kept. */
  readonly commitsKept?: CommitsKept;
  /** How long after a claim the file is looked through for damage. */
  readonly checkAfterMs?: number;
  /** How long to wait for another process that is to migrate the file and does not. */
  readonly waitMs?: number;
  /** Damage was found, or the ownership was lost: stop, and tell people. */
  readonly onProblem?: (problem: StepwellError) => void;
  /** An older file was brought up to date; a copy of it as it was is kept. */
  readonly onMigrated?: (migrated: Migrated) => void;
};

/** `await openSqlite("stepwell.db")`; `:memory:` gives a store that nobody else sees and that ends with it. */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const settings = toSettings(options);
  return path === ":memory:" ? openMemory(settings) : openFile(path, settings);
}

type Settings = Required<Omit<SqliteOptions, "checkAfterMs">> & Pick<SqliteOptions, "checkAfterMs">;

function toSettings(options: SqliteOptions): Settings {
  return {
    durability: "full",
    clock: Date.now,
    migrations: options.migrations ?? listMigrations(),
    commitsKept: defaultCommitsKept,
    waitMs: 10_000,
    onProblem: () => {},
    onMigrated: () => {},
    ...options,
  };
}

function openMemory(settings: Settings): Store {
  const database = new DatabaseSync(":memory:");
  migrate(database, { path: ":memory:", migrations: settings.migrations, now: settings.clock() });
  return new SqliteStore({
    ...settings,
    name: ":memory:",
    place: null,
    reader: database,
    sideWriter: database,
    prepareToOwn: () => {},
    openWriter: async () => createInlineWriter(database),
  });
}

async function openFile(name: string, settings: Settings): Promise<Store> {
  const place = findPlace(name);
  const { path } = place;
  const { durability } = settings;
  await bringUpToDate(place, settings);
  // The first one to be opened is the first to say what is wrong; nothing is left open then.
  const sideWriter = openSideWriter(path, durability);
  return new SqliteStore({
    ...settings,
    name: path,
    place,
    sideWriter,
    reader: openReader(path),
    // It may have been replaced, or migrated by a newer program, while another process owned it.
    prepareToOwn: () => migrateFile(place, settings),
    openWriter: async () => createSwiftWriter(await openThreadWriter({ path, durability }), sideWriter),
  });
}

/** Who holds the lock migrates; all others wait until it is done, or until the lock is free. */
async function bringUpToDate(place: Place, settings: Settings): Promise<void> {
  const deadline = performance.now() + settings.waitMs;
  while (readFileVersion(place, settings) < latestOf(settings.migrations)) {
    const lock = tryLock(place.lockPath);
    if (lock !== undefined) {
      try {
        migrateFile(place, settings);
      } finally {
        lock.release();
      }
    } else if (performance.now() > deadline) {
      throw new StepwellError(
        "STORE_BUSY",
        `${place.path} is of an older version, and the process that owns it does not bring it up to date; end that one first.`,
        { details: { path: place.path } },
      );
    } else await sleep(20);
  }
}

function readFileVersion({ path }: Place, { migrations }: Settings): number {
  // Killed while the file was made: only who may write can take that back.
  if (isNew(path) || existsSync(`${path}-journal`)) return 0;
  const database = openReader(path);
  try {
    return readVersion(database, path, latestOf(migrations));
  } finally {
    database.close();
  }
}

function migrateFile({ path }: Place, { migrations, durability, clock, onMigrated }: Settings): void {
  const database = openWriter(path, durability);
  try {
    const migrated = migrate(database, { path, migrations, now: clock() });
    if (migrated !== undefined) onMigrated(migrated);
  } finally {
    database.close();
  }
}
