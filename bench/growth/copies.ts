// Fills a file with many runs like one that the engine has made. Through SQL, because a million runs are wanted in
// seconds; every column but ids, uid and instants is what the engine wrote.

import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { createUid } from "../../src/store/uid.ts";

type Columns = Record<string, SQLInputValue>;

const runsPerTransaction = 10_000;
const stepIds = ["id", "run_id", "caused_by", "serves", "arrived_at"] as const;
const instants = ["created_at", "updated_at", "ready_at", "started_at", "completed_at"] as const;

/** Copies the only run of the file; ids go down from its own, so that the engine's next ids are free. */
export function copyRun(file: string, count: number): void {
  const database = new DatabaseSync(file);
  try {
    const [run, ...others] = rowsOf(database, "select * from runs");
    if (run === undefined || others.length > 0)
      throw new Error(`${file} is to hold one run; it holds ${others.length + 1}.`);
    const steps = rowsOf(database, "select * from steps order by id");
    // Ids follow the clock: a run takes more of them than it has rows.
    const stride = Number(steps.at(-1)?.["id"] ?? run["id"]) - Number(run["id"]) + 1;
    const addRun = inserter(database, "runs", run);
    const addSteps = steps.map((step) => inserter(database, "steps", step));
    // Nothing of this is acknowledged to anybody: it may be lost, and is then filled again.
    database.exec("pragma synchronous = off; pragma wal_autocheckpoint = 10000");
    for (let done = 0; done < count; done += runsPerTransaction) {
      database.exec("begin immediate");
      for (let no = count - done; no > Math.max(0, count - done - runsPerTransaction); no--) {
        const back = no * stride;
        addRun(toRunCopy(run, back));
        for (const [index, step] of steps.entries()) addSteps[index]?.(toStepCopy(step, back));
      }
      database.exec("commit");
    }
    database.exec("pragma wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
}

function toRunCopy(run: Columns, back: number): Columns {
  const id = Number(run["id"]) - back;
  return { ...shift(run, instants, back), id, uid: createUid(id, "copy") };
}

function toStepCopy(step: Columns, back: number): Columns {
  return { ...shift(step, instants, back), ...shift(pick(step, stepIds), stepIds, back) };
}

function shift(row: Columns, names: readonly string[], back: number): Columns {
  const moved = names.flatMap((name) => {
    const value = row[name];
    return typeof value === "number" ? [[name, value - back] as const] : [];
  });
  return { ...row, ...Object.fromEntries(moved) };
}

function pick(row: Columns, names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

function rowsOf(database: DatabaseSync, query: string): readonly Columns[] {
  return database.prepare(query).all();
}

function inserter(database: DatabaseSync, table: string, like: Columns): (row: Columns) => void {
  const names = Object.keys(like);
  const places = names.map(() => "?").join(", ");
  const insert = database.prepare(`insert into ${table} (${names.join(", ")}) values (${places})`);
  return (row) => void insert.run(...names.map((name) => row[name] ?? null));
}
