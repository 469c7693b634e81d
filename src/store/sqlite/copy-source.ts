// A database file as the source of a copy. One transaction from the first row to the mark that it was moved: nobody else
// writes meanwhile, not even a message of a guest, and nothing is changed before the mark.

import { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import type { CopySource } from "../copy/ends.ts";
import type { CopiedRow, Table } from "../copy/table.ts";
import { movedKey, movedKind, type MovedValue } from "../moved.ts";
import { writeInTurn } from "./connection.ts";
import { toStoreError } from "./problem.ts";

/** Of what is read at a time: so many rows, and not much more than so many signs. */
const rowsMax = 500;
const lengthMax = 1_000_000;

/** `epoch`: of the ownership that the caller has. */
export async function openCopySource(path: string, epoch: string): Promise<CopySource> {
  const database = new DatabaseSync(path, { timeout: 50 });
  database.exec("pragma synchronous = full");
  await writeInTurn(path, () => database.exec("begin immediate"));
  return {
    name: path,
    count: async (table) => countRows(database, table),
    read: (table) => readRows(database, table),
    lastInboxId: async () =>
      Number(database.prepare("select seq from sqlite_sequence where name = 'inbox'").get()?.["seq"] ?? 0),
    confirm: async () => {
      const found = database.prepare("select value from meta where name = 'epoch'").get()?.["value"];
      if (found === epoch) return;
      throw new StepwellError("STORE_LOST", `${path} was taken by another process meanwhile; try again.`);
    },
    markMoved: async (to) => {
      try {
        const at = Date.now();
        database
          .prepare("insert into entries (kind, key, version, updated_at, value) values (?, ?, 1, ?, ?)")
          .run(movedKind, movedKey, at, JSON.stringify({ to, at } satisfies MovedValue));
        database.exec("commit");
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (database.isOpen) database.close();
    },
  };
}

export function countRows(database: DatabaseSync, { name }: Table): number {
  return Number(database.prepare(`select count(*) as rows from ${name}`).get()?.["rows"]);
}

/** One after the other as they are wanted: however large the table, only a few are in memory. */
export async function* readRows(
  database: DatabaseSync,
  { name, columns, key }: Table,
): AsyncGenerator<readonly CopiedRow[]> {
  const selected = columns.map((column) => column.name).join(", ");
  const statement = database.prepare(`select ${selected} from ${name} order by ${key.join(", ")}`);
  statement.setReturnArrays(true);
  let batch: CopiedRow[] = [];
  let length = 0;
  for (const found of statement.iterate()) {
    const row = found as unknown as CopiedRow;
    batch.push(row);
    for (const value of row) if (typeof value === "string") length += value.length;
    if (batch.length < rowsMax && length < lengthMax) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}
