// Opens a schema of a PostgreSQL database, or makes it, as a store. Whatever is wrong with it is said before anything is
// changed.

import type { StepwellError } from "../../error.ts";
import { latestOf, type Migration } from "../migration.ts";
import type { Durability, Store } from "../store.ts";
import { openPools, openSettings, type Times } from "./connection.ts";
import { listMigrations, migrate, readVersion, type Migrated } from "./migrate.ts";
import { waitThrough } from "./patience.ts";
import { PostgresStore } from "./postgres-store.ts";
import { defaultCommitsKept, type CommitsKept } from "./space.ts";

export type PostgresOptions = {
  /** `full` unless said otherwise. */
  readonly durability?: Durability;
  readonly clock?: () => number;
  readonly migrations?: readonly Migration[];
  /** How much of the list of commits is kept. */
  readonly commitsKept?: CommitsKept;
  /** How often others are looked after, if no hint comes. */
  readonly lookEveryMs?: number;
  /** The ownership was lost: tell people. */
  readonly onProblem?: (problem: StepwellError) => void;
  /** An older schema was brought up to date. No copy of it is kept: that is the server's business. */
  readonly onMigrated?: (migrated: Migrated) => void;
} & Partial<Times>;

const defaultLookEveryMs = 250;
/** How long whoever reads waits for a server that is away. */
const giveUpAfterMs = 10_000;

/** `await openPostgres("postgres://ann@db.example.com/app")`; the schema is "stepwell", or what `?schema=` says. */
export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Store> {
  const {
    durability = "full",
    clock = Date.now,
    migrations = listMigrations(),
    commitsKept = defaultCommitsKept,
    lookEveryMs = defaultLookEveryMs,
    onProblem = () => {},
    onMigrated = () => {},
    ...times
  } = options;
  const settings = openSettings(address, { durability, ...times });
  const versioned = { settings, migrations };
  const { writer, reader } = await openPools(settings);
  const bringUpToDate = async (): Promise<void> => {
    if ((await readVersion(writer.rows, versioned)) === latestOf(migrations)) return;
    const migrated = await migrate(versioned, clock());
    if (migrated !== undefined) onMigrated(migrated);
  };
  try {
    await bringUpToDate();
  } catch (error) {
    await Promise.all([writer.close(), reader.close()]);
    throw error;
  }
  return new PostgresStore({
    settings,
    reader: waitThrough(reader, giveUpAfterMs),
    writer,
    clock,
    commitsKept,
    lookEveryMs,
    onProblem,
    // It may have been migrated by a newer program, or removed, while another process owned it.
    prepareToOwn: bringUpToDate,
  });
}
