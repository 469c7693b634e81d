// One database in memory, with the code that reads and writes it. It survives every crash of the simulation; of the rest
// here `lose` forgets what an executor would not know after one.

import { DatabaseSync } from "node:sqlite";
import type { Plan } from "../../../flow/plan.ts";
import type { RunId } from "../../../run/model.ts";
import type { Migration } from "../../../store/migration.ts";
import { listMigrations, migrate } from "../../../store/sqlite/migrate.ts";
import { createQueries, type Queries } from "../../../store/sqlite/queries.ts";
import { createStatements, type Statements } from "../../../store/sqlite/writer.ts";
import type { Committed } from "../../../store/store.ts";
import type { World } from "../world.ts";
import type { StoreCode } from "./code.ts";

export type Disk = {
  readonly world: World;
  readonly code: StoreCode;
  readonly database: DatabaseSync;
  readonly statements: Statements;
  readonly queries: Queries;
  readonly plans: Map<string, Plan>;
  /** Versions of flows that are on disk, as far as the executor knows. */
  readonly flowsOnTheirWay: Set<string>;
  /** By their numbers, batches that wait for their commit, and how to try one. */
  readonly handedOver: Map<number, () => Committed | null>;
  nextNo: number;
  /** All rows of a run, as they are read, against those that were written. */
  readonly examineFully: (run: RunId) => string | undefined;
};

let migrations: readonly Migration[] | undefined;

export function openDisk(parts: Pick<Disk, "world" | "code" | "examineFully">): Disk {
  const database = new DatabaseSync(":memory:");
  migrations ??= listMigrations();
  migrate(database, { path: ":memory:", migrations, now: parts.world.now });
  return {
    ...parts,
    database,
    statements: createStatements(database),
    queries: createQueries(database),
    plans: new Map(),
    flowsOnTheirWay: new Set(),
    handedOver: new Map(),
    nextNo: 1,
  };
}

export function loseMemory(disk: Disk): void {
  disk.flowsOnTheirWay.clear();
  disk.handedOver.clear();
  disk.nextNo = disk.queries.lastCommit() + 1;
}
