// Opens a file that the engine has left, with another connection, and counts what is in it. A figure whose rows are not
// all there is no figure.

import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";

export type RowCounts = {
  readonly runs: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<string, number>>;
  readonly commits: number;
};

export type ExpectedRows = {
  readonly completedRuns: number;
  readonly doneSteps: number;
  /** Runs that have not started. */
  readonly scheduledRuns?: number;
};

export function countRows(file: string): RowCounts {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return {
      runs: countByStatus(database, "select status, count(*) as count from runs group by status"),
      steps: countByStatus(database, "select status, count(*) as count from steps group by status"),
      commits: Number(database.prepare("select max(no) as count from commits").get()?.["count"] ?? 0),
    };
  } finally {
    database.close();
  }
}

/** Throws unless the file holds just these rows. */
export function checkRows(file: string, { completedRuns, doneSteps, scheduledRuns = 0 }: ExpectedRows): RowCounts {
  const counts = countRows(file);
  expectSame("runs", counts.runs, { completed: completedRuns, scheduled: scheduledRuns });
  // The first step of a scheduled run is there, and waits with it.
  expectSame("steps", counts.steps, { done: doneSteps, pending: scheduledRuns });
  return counts;
}

function countByStatus(database: DatabaseSync, query: string): Readonly<Record<string, number>> {
  const rows = database.prepare(query).all();
  return Object.fromEntries(rows.map((row) => [String(row["status"]), Number(row["count"])]));
}

function expectSame(
  what: string,
  found: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
): void {
  const wanted = Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0));
  if (isDeepStrictEqual({ ...found }, wanted)) return;
  throw new Error(`The file holds ${what} ${JSON.stringify(found)}; ${JSON.stringify(wanted)} were to be there.`);
}
