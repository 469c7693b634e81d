// Where a list is played: a store of some sort, empty at the beginning of each list.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listMigrations, migrate } from "../../src/store/sqlite/migrate.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { defaultCommitsKept } from "../../src/store/sqlite/space.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createInlineWriter } from "../../src/store/sqlite/thread-writer.ts";
import type { Store } from "../../src/store/store.ts";

/** One list at a time. */
export interface Place extends AsyncDisposable {
  readonly name: string;
  /** An empty store that nobody owns. */
  begin(now: () => number): Promise<Store>;
  /** The process has died: what it leaves to the next. */
  reopen(store: Store, now: () => number): Promise<Store>;
  end(store: Store): Promise<void>;
}

/** Before a list begins. */
export const noTime = (): number => 0;

/** Making a database takes as long as playing a list: one is kept for all, and emptied. */
export function createMemoryPlace(): Place {
  const name = ":memory:";
  const database = new DatabaseSync(name);
  migrate(database, { path: name, migrations: listMigrations(), now: 0 });
  let clock = noTime;
  const store = new SqliteStore({
    name,
    durability: "full",
    place: null,
    reader: database,
    sideWriter: database,
    clock: () => clock(),
    commitsKept: defaultCommitsKept,
    onProblem: () => {},
    prepareToOwn: () => {},
    openWriter: async () => createInlineWriter(database),
  });
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .all();
  const emptying = tables.map((table) => database.prepare(`delete from ${String(table["name"])}`));
  return {
    name: "SQLite in memory",
    begin: async (now) => {
      clock = now;
      for (const statement of emptying) statement.run();
      return store;
    },
    // It would end with its last handle.
    reopen: async () => store,
    end: async () => {},
    [Symbol.asyncDispose]: () => store.close(),
  };
}

export function createFilePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-lists-"));
  let count = 0;
  const open = (clock: () => number): Promise<Store> =>
    openSqlite(join(folder, `${count}.db`), { clock, durability: "fast" });
  return {
    name: "SQLite on a file",
    begin: (clock) => {
      count += 1;
      return open(clock);
    },
    reopen: async (store, clock) => {
      await store.close();
      return open(clock);
    },
    end: async (store) => {
      await store.close();
      for (const more of ["", "-wal", "-shm", "-lock"]) rmSync(join(folder, `${count}.db${more}`), { force: true });
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
