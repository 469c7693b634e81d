// Looks into a store that the engine has left, with another connection, and counts what is in it. A figure whose rows are
// not all there is no figure.

import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { isServerAddress } from "../src/store/address.ts";
import { ask } from "./database.ts";

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

type Found = Readonly<Record<string, unknown>>;
type Query = (text: string) => Promise<readonly Found[]>;

export async function countRows(store: string): Promise<RowCounts> {
  if (isServerAddress(store)) {
    return countWith((text) => ask(store, text.replace(/ from /, " from stepwell.")));
  }
  const database = new DatabaseSync(store, { readOnly: true });
  try {
    return await countWith((text) => Promise.resolve(database.prepare(text).all()));
  } finally {
    database.close();
  }
}

async function countWith(query: Query): Promise<RowCounts> {
  const byStatus = async (table: string): Promise<Readonly<Record<string, number>>> => {
    const rows = await query(`select status, count(*) as count from ${table} group by status`);
    return Object.fromEntries(rows.map((row) => [String(row["status"]), Number(row["count"])]));
  };
  const [last] = await query("select max(no) as count from commits");
  return { runs: await byStatus("runs"), steps: await byStatus("steps"), commits: Number(last?.["count"] ?? 0) };
}

/** Rejects unless the store holds just these rows. */
export async function checkRows(
  store: string,
  { completedRuns, doneSteps, scheduledRuns = 0 }: ExpectedRows,
): Promise<RowCounts> {
  const counts = await countRows(store);
  expectSame("runs", counts.runs, { completed: completedRuns, scheduled: scheduledRuns });
  // The first step of a scheduled run is there, and waits with it.
  expectSame("steps", counts.steps, { done: doneSteps, pending: scheduledRuns });
  return counts;
}

function expectSame(
  what: string,
  found: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
): void {
  const wanted = Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0));
  if (isDeepStrictEqual({ ...found }, wanted)) return;
  throw new Error(`The store holds ${what} ${JSON.stringify(found)}; ${JSON.stringify(wanted)} were to be there.`);
}
