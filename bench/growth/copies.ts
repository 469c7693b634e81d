// Fills a file with many runs like one that the engine has made. Through SQL, because a million runs are wanted in a few
// minutes; every column but ids, uid and instants is what the engine wrote.

import { DatabaseSync } from "node:sqlite";
import { createUid } from "../../src/store/uid.ts";

export const runsPerTransaction = 10_000;
export const stepIds: ReadonlySet<string> = new Set(["id", "run_id", "caused_by", "serves", "arrived_at"]);
export const instants: ReadonlySet<string> = new Set([
  "created_at",
  "updated_at",
  "ready_at",
  "started_at",
  "completed_at",
]);

/** Copies the only run of the file; ids go down from its own, so that the engine's next ids are free. */
export function copyRun(file: string, count: number): void {
  const database = new DatabaseSync(file);
  try {
    const found = numberOf(database, "select count(*) from runs");
    if (found !== 1) throw new Error(`${file} is to hold one run; it holds ${found}.`);
    // Ids follow the clock: a run takes more of them than it has rows.
    const stride = numberOf(database, "select max(steps.id) - max(runs.id) + 1 from runs, steps");
    database.function("uid_of", { deterministic: true }, (id) => createUid(Number(id), "copy"));
    // Nothing of this is acknowledged to anybody: it may be lost, and is then filled again.
    database.exec("pragma synchronous = off; pragma cache_size = -64000");
    database.exec("create temp table run as select * from runs; create temp table step as select * from steps");
    const copies = [copyText(database, "runs", "run"), copyText(database, "steps", "step")];
    const inserts = copies.map((text) => database.prepare(text));
    for (let high = count; high > 0; high -= runsPerTransaction) {
      const low = Math.max(1, high - runsPerTransaction + 1);
      database.exec("begin immediate");
      for (const insert of inserts) insert.run({ ":high": high, ":low": low, ":stride": stride });
      database.exec("commit");
    }
    database.exec("pragma wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
}

/** The oldest copies first, so that every page is written once and full. */
function copyText(database: DatabaseSync, table: string, template: string): string {
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all();
  const names = columns.map((column) => String(column["name"]));
  const values = names.map((name) => {
    if (name === "uid") return `uid_of(${template}.id - back.no * :stride)`;
    const isMoved = instants.has(name) || (table === "steps" ? stepIds.has(name) : name === "id");
    return isMoved ? `${template}.${name} - back.no * :stride` : `${template}.${name}`;
  });
  return `
    with recursive back (no) as (select :high union all select no - 1 from back where no > :low)
    insert into ${table} (${names.join(", ")})
    select ${values.join(", ")} from back cross join temp.${template}`;
}

function numberOf(database: DatabaseSync, query: string): number {
  const [value] = Object.values(database.prepare(query).get() ?? {});
  return Number(value);
}
