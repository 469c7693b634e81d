// A database of its own with our schema in it, and a session that writes batches to it: what tests of single parts of the
// PostgreSQL store need, without an ownership.

import {
  createPool,
  openSession,
  openSettings,
  type Pool,
  type Settings,
  type SettingsOptions,
} from "../store/postgres/connection.ts";
import { listMigrations, migrate } from "../store/postgres/migrate.ts";
import type { Session } from "../store/postgres/session.ts";
import { createWriter } from "../store/postgres/writer.ts";
import { emptyWrites, type Batch, type Committed } from "../store/store.ts";
import { createTestDatabase } from "./postgres.ts";

export type PostgresPlace = AsyncDisposable & {
  readonly url: string;
  readonly settings: Settings;
  readonly pool: Pool;
  readonly session: Session;
  /** Numbered one after the other. */
  readonly write: (batch: Partial<Batch>) => Promise<Committed>;
  /** All tables but the newest commit. */
  readonly clear: () => Promise<void>;
};

export async function createPostgresPlace(options: SettingsOptions = {}): Promise<PostgresPlace> {
  const database = await createTestDatabase();
  const settings = openSettings(database.url, options);
  await migrate({ settings, migrations: listMigrations() }, 1);
  const pool = createPool(settings);
  const session = await openSession(settings, "own");
  await session.run("update partitions set epoch = 'e1'");
  const writer = createWriter(session, "e1");
  let no = 0;
  return {
    url: database.url,
    settings,
    pool,
    session,
    write: async (batch) => {
      no += 1;
      return writer.write({ ...emptyWrites, at: 1, lastId: 0, ...batch, no });
    },
    clear: async () => {
      await session.run("delete from steps; delete from blobs; delete from runs; delete from visits");
      await session.run("delete from signals; delete from events");
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pool.close(), session.end()]);
      await database.drop();
    },
  };
}
