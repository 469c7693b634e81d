// Writes a batch: one transaction, applied as a whole or not at all. Each change of a row is guarded by the version that
// it had before; a row that is not as the writer believed stops the whole batch.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crashPoint } from "../../crash-point.ts";
import { startedColumns, startedItemColumns, type FlatBatch } from "../columns/batch.ts";
import { writeChanges } from "../columns/commit.ts";
import { storedColumns, type Scalar } from "../columns/row.ts";
import { changingRunColumns, fixedRunColumns } from "../columns/run.ts";
import type { AuditPruning } from "../audit.ts";
import type { Committed, RefusedReason } from "../store.ts";
import { ManyRows, type Insertion } from "./many-rows.ts";
import { changesIn, forEachRow, packBatch, type PackedBatch, type PackedList } from "./packed.ts";
import { resultCodeOf } from "./problem.ts";
import { Room } from "./room.ts";

export type MaintenanceTask =
  | { readonly kind: "checkpoint" }
  | { readonly kind: "vacuum"; readonly pages: number }
  | { readonly kind: "prune_commits"; readonly keepFrom: number }
  | ({ readonly kind: "prune_audit" } & AuditPruning);

type StatementName =
  | "begin"
  | "commit"
  | "rollback"
  | "state"
  | "flow"
  | "run"
  | "finished"
  | "left"
  | "row"
  | "blob"
  | "dropBlob"
  | "event"
  | "dropSignals"
  | "signal"
  | "visit"
  | "answer"
  | "entry"
  | "dropEntry"
  | "dropRatings"
  | "rating"
  | "audit"
  | "noteAudit"
  | "change"
  | "pruneRun"
  | "pruneBlobs"
  | "pruneSteps"
  | "pruneVisits"
  | "pruneEvents"
  | "pruneRatings"
  | "pruneCommits"
  | "pruneAudit";

/** Lists of rows that are new. */
type InsertionName = "newRuns" | "started" | "startedItems" | "newRows";

export type Statements = { readonly [Name in StatementName]: StatementSync } & {
  readonly insertions: { readonly [Name in InsertionName]: ManyRows };
  /** Of the ownership for which they write: whoever claims the database writes it down first. */
  readonly epoch: unknown;
  /** For the results of calls that begin. */
  readonly room: Room;
};

const texts: { readonly [Name in StatementName]: string } = {
  begin: "begin immediate",
  commit: "commit",
  rollback: "rollback",
  state: `select (select max(no) from commits) as no, (select value from meta where name = 'epoch') as epoch`,
  flow: "insert or ignore into flows (hash, name, source, created_at) values (?, ?, ?, ?)",
  // Its counters change its version without a write: all that is known of the one on disk is that it is older.
  run: `update runs set ${changingRunColumns.map((column) => `${column} = ?`).join(", ")}
    where id = ? and version < ?${changingRunColumns.indexOf("version") + 1}`,
  finished: finishText("?9"),
  left: finishText("?11", "arrived_at = ?9, ended = ?10, "),
  row: `update steps set ${storedColumns.slice(2).map(toAssignment).join(", ")}, room = null
    where id = ?2 and version = ?1`,
  blob: "insert or replace into blobs (step_id, column_name, body) values (?, ?, ?)",
  dropBlob: "delete from blobs where step_id = ? and column_name = ?",
  event: "insert or ignore into events (run_id, id, kind, at, step_id, by, value) values (?, ?, ?, ?, ?, ?, ?)",
  dropSignals: "delete from signals where run_id = ?",
  signal: "insert into signals (run_id, position, id, name, value) values (?, ?, ?, ?, ?)",
  visit: `insert into visits (run_id, step, all_count, since_rest, rest) values (?, ?, ?, ?, ?)
    on conflict do update set all_count = excluded.all_count, since_rest = excluded.since_rest, rest = excluded.rest`,
  answer: "update inbox set answer = ? where id = ? and answer is null",
  entry: `insert into entries (kind, key, version, updated_at, value) values (?, ?, ?, ?, ?)
    on conflict do update set version = excluded.version, updated_at = excluded.updated_at, value = excluded.value
      where version < excluded.version`,
  dropEntry: "delete from entries where kind = ? and key = ?",
  dropRatings: "delete from ratings where run_id = ? and by = ?",
  // Its run may have gone meanwhile.
  rating: `insert into ratings (run_id, step_id, by, quality, feedback, at)
    select ?1, ?2, ?3, ?4, ?5, ?6 where exists (select 1 from runs where id = ?1)
    on conflict do update set quality = excluded.quality, feedback = excluded.feedback, at = excluded.at`,
  // No number is given twice, also when all of them have gone: how far they had come is noted before.
  audit: `insert into audit (no, at, by, via, source, verb, subject, details) values (1 + max(
    coalesce((select max(no) from audit), 0),
    coalesce((select cast(value as integer) from meta where name = 'audit_no'), 0)), ?, ?, ?, ?, ?, ?, ?)`,
  change: "insert into commits (no, at, last_id, changes) values (?, ?, ?, ?)",
  pruneRun: "delete from runs where id = ? and completed_at is not null",
  pruneBlobs: `delete from blobs
    where step_id in (select id from steps where run_id = ? and (args = '' or result = ''))`,
  pruneSteps: "delete from steps where run_id = ?",
  pruneVisits: "delete from visits where run_id = ?",
  pruneEvents: "delete from events where run_id = ?",
  pruneRatings: "delete from ratings where run_id = ?",
  pruneAudit: `delete from audit where no in (select no from audit order by no limit ?3)
    and (at < ?1 or no <= (select max(no) from audit) - ?2)`,
  noteAudit: `insert into meta (name, value) select 'audit_no', max(no) from audit having max(no) is not null
    on conflict do update set value = excluded.value`,
  // The newest one stays: it says how far the numbers have come.
  pruneCommits: "delete from commits where no < ? and no < (select max(no) from commits)",
};

const insertionsOf: { readonly [Name in InsertionName]: Insertion } = {
  newRuns: { table: "runs", given: [...fixedRunColumns, ...changingRunColumns] },
  started: startOf("step"),
  startedItems: startOf("item", startedItemColumns),
  newRows: { table: "steps", given: storedColumns },
};

/** A call that begins: its values, then those of the columns that come with them, then when, and room. */
function startOf(role: "step" | "item", more: readonly string[] = []): Insertion {
  const same = { ready_at: "created_at", started_at: "created_at" };
  return {
    table: "steps",
    given: [...startedColumns, ...more, "updated_at", "room"],
    derived: { ...same, role: `'${role}'`, status: "'running'", attempt: "1", is_live: "1" },
  };
}

/** The version before, the id and the run come first. Numbers only where they are needed (see many-rows.ts): what has none is
 *  the next one. */
function toAssignment(column: string, index: number): string {
  const number = index + 4;
  const isKept = column === "args" || column === "result";
  if (isKept) return `${column} = iif(?${number} is 0, ${column}, ?${number})`;
  return `${column} = ?${index === 0 ? number : ""}`;
}

/** The values as their list has them; of the run's id, ?2, nothing is said. */
function finishText(at: string, more = ""): string {
  return `update steps set status = 'done', epoch = null, timeout_at = null, is_live = 0, room = null, ${more}version = ?4,
      result = ?5, outcome = ?6, completed_at = ?7, finished_no = ?8, updated_at = ${at}
    where id = ?1 and version = ?3`;
}

export function createStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(texts).map(([name, text]) => [name, database.prepare(text)] as const);
  const statements = Object.fromEntries(prepared) as { readonly [Name in StatementName]: StatementSync };
  return {
    ...statements,
    insertions: {
      newRuns: new ManyRows(database, insertionsOf.newRuns),
      started: new ManyRows(database, insertionsOf.started),
      startedItems: new ManyRows(database, insertionsOf.startedItems),
      newRows: new ManyRows(database, insertionsOf.newRows),
    },
    epoch: statements.state.get()?.["epoch"],
    room: new Room(),
  };
}

/** A row is not as the writer believed. */
class StaleError extends Error {}

/** What cannot be packed is refused like what cannot be bound. */
export function writeFlat(database: DatabaseSync, statements: Statements, flat: FlatBatch): Committed {
  let packed: PackedBatch;
  try {
    packed = packBatch(flat);
  } catch (error) {
    return judge(database, error, false);
  }
  return writePacked(database, statements, packed);
}

/** Writes the batch with all that it brings; when this answers, it is on disk or it is said that it is not. */
export function writePacked(database: DatabaseSync, statements: Statements, packed: PackedBatch): Committed {
  let isCommitting = false;
  try {
    statements.begin.run();
    const state = statements.state.get();
    const last = Number(state?.["no"] ?? 0);
    if (state?.["epoch"] !== statements.epoch) {
      statements.rollback.run();
      return { kind: "unknown", message: "Another process has taken the database; this one must stop." };
    }
    if (packed.no !== last + 1) {
      statements.rollback.run();
      return refused("behind", `Batch ${packed.no} comes after commit ${last}: the one before it is missing.`);
    }
    apply(statements, packed);
    isCommitting = true;
    crashPoint("in-transaction");
    statements.commit.run();
    crashPoint("after-commit");
    return { kind: "committed", no: packed.no };
  } catch (error) {
    return judge(database, error, isCommitting);
  }
}

function refused(reason: RefusedReason, message: string): Committed {
  return { kind: "refused", reason, message };
}

/** What cannot be on disk is refused; of all else nobody knows. */
function judge(database: DatabaseSync, error: unknown, isCommitting: boolean): Committed {
  const message = error instanceof Error ? error.message : String(error);
  try {
    if (database.isTransaction) database.exec("rollback");
  } catch (failure) {
    return { kind: "unknown", message: `${message}; taking it back failed: ${String(failure)}` };
  }
  if (error instanceof StaleError) return refused("stale", message);
  const code = resultCodeOf(error);
  const reason = code === undefined ? undefined : reasons.get(code);
  if (reason !== undefined) return refused(reason, message);
  // A value that cannot be bound: SQLite was not even asked.
  if (code === undefined && !isCommitting) return refused("constraint", message);
  return { kind: "unknown", message };
}

/** By SQLite's primary result codes: a constraint, a value too big or of a wrong type; busy, locked; no room. */
const reasons: ReadonlyMap<number, RefusedReason> = new Map([
  [19, "constraint"],
  [18, "constraint"],
  [20, "constraint"],
  [5, "busy"],
  [6, "busy"],
  [13, "full"],
]);

function apply(statements: Statements, batch: PackedBatch): void {
  const { insertions } = statements;
  runEach(statements.flow, batch.flows, 4);
  insertions.newRuns.insert(batch.newRuns);
  updateEach(batch.runs, ["run", changingRunColumns.length], (values) => statements.run.run(...values));
  applyFinished(statements, batch);
  // Behind those that have ended: room is for what results are of late.
  const behind = [batch.at, statements.room.text];
  insertions.started.insert(batch.started, behind);
  insertions.startedItems.insert(batch.startedItems, behind);
  insertions.newRows.insert(batch.newRows);
  updateEach(batch.rows, ["step", 1], (values) => statements.row.run(...values));
  runEach(statements.dropBlob, batch.droppedBlobs, 2);
  runEach(statements.blob, batch.blobs, 3);
  runEach(statements.event, batch.events, 7);
  runEach(statements.dropSignals, batch.signalRuns, 1);
  runEach(statements.signal, batch.signals, 5);
  runEach(statements.visit, batch.visits, 5);
  runEach(statements.answer, batch.answers, 2);
  applyEntries(statements, batch);
  runEach(statements.dropRatings, batch.droppedRatings, 2);
  runEach(statements.rating, batch.ratings, 6);
  runEach(statements.audit, batch.audit, 7);
  for (const run of batch.pruned) prune(statements, run);
  statements.change.run(batch.no, batch.at, batch.lastId, writeChanges(changesIn(batch)));
}

function runEach(statement: StatementSync, list: readonly Scalar[], width: number): void {
  for (let from = 0; from < list.length; from += width) statement.run(...list.slice(from, from + width));
}

function expectOne(changes: number | bigint, table: string, id: Scalar | undefined): void {
  if (changes !== 1) throw new StaleError(`${table} ${id} is not in the version that was expected.`);
}

type Update = (values: readonly Scalar[]) => { readonly changes: number | bigint };

/** Named for whoever reads that it is stale: what it is, and in which column its id stands. */
function updateEach(list: PackedList, [name, idAt]: readonly [name: string, idAt: number], update: Update): void {
  forEachRow(list, (values) => expectOne(update(values).changes, name, values[idAt]));
}

function applyFinished({ finished, left, room }: Statements, batch: PackedBatch): void {
  const updateBy =
    (statement: StatementSync): Update =>
    (values) => {
      room.learn(values[resultAt] ?? null);
      return statement.run(...values, batch.at);
    };
  updateEach(batch.finished, ["step", 0], updateBy(finished));
  updateEach(batch.left, ["step", 0], updateBy(left));
}

/** In `finished` and `left`. */
const resultAt = 4;

function applyEntries({ entry, dropEntry }: Statements, { entries, droppedEntries }: PackedBatch): void {
  for (let from = 0; from < entries.length; from += 5) {
    const values = entries.slice(from, from + 5);
    expectOne(entry.run(...values).changes, "entry", `${values[0]} ${values[1]}`);
  }
  runEach(dropEntry, droppedEntries, 2);
}

/** A run that has not ended, or is gone already, stays as it is. */
function prune(statements: Statements, run: Scalar): void {
  if (statements.pruneRun.run(run).changes === 0) return;
  statements.pruneBlobs.run(run);
  statements.pruneSteps.run(run);
  statements.pruneVisits.run(run);
  statements.pruneEvents.run(run);
  statements.dropSignals.run(run);
  statements.pruneRatings.run(run);
}

/** What the connection that writes does besides: little at a time, between batches. */
export function maintain(database: DatabaseSync, statements: Statements, task: MaintenanceTask): void {
  switch (task.kind) {
    case "checkpoint":
      // As far as readers let it, without waiting for them.
      database.exec("pragma busy_timeout = 0");
      try {
        database.exec("pragma wal_checkpoint(truncate)");
      } finally {
        database.exec("pragma busy_timeout = 5000");
      }
      return;
    case "vacuum":
      database.exec(`pragma incremental_vacuum(${Math.trunc(task.pages)})`);
      return;
    case "prune_commits":
      statements.pruneCommits.run(task.keepFrom);
      return;
    case "prune_audit":
      statements.noteAudit.run();
      statements.pruneAudit.run(task.before, task.keepMax, task.rowsMax);
      return;
  }
}
