// An empty schema as the target of a copy: one transaction from the first row to the last, so that all of it counts or
// nothing does. Others may read meanwhile, and see an empty store.

import { StepwellError } from "../../error.ts";
import type { CopyTarget } from "../copy/ends.ts";
import { showKey, tables, type CopiedRow, type Table } from "../copy/table.ts";
import { Copying } from "./copying.ts";
import { sqlStateOf } from "./problem.ts";

export async function openCopyTarget(address: string, epoch: string): Promise<CopyTarget> {
  const copying = await Copying.open(address, epoch);
  const names = tables.map(({ name }) => name).join(", ");
  await copying.run(`lock table ${names} in share row exclusive mode`);
  let isCommitted = false;
  return {
    name: copying.name,
    isEmpty: await isEmpty(copying),
    count: (table) => copying.count(table),
    read: (table) => copying.read(table),
    write: (table, rows) => writeRows(copying, table, rows),
    complete: async (lastInboxId) => {
      await copying.run(partitionText);
      await copying.query(sequenceText, ["inbox", "id", lastInboxId]);
      const [[last] = []] = await copying.query("select coalesce(max(no), 0) from events");
      await copying.query(sequenceText, ["events", "no", Number(last)]);
      const [[lastAudit] = []] = await copying.query("select coalesce(max(no), 0) from audit");
      await copying.query(sequenceText, ["audit", "no", Number(lastAudit)]);
    },
    commit: async () => {
      await copying.confirm();
      await copying.run("commit");
      isCommitted = true;
    },
    [Symbol.asyncDispose]: async () => {
      // The server plans by what it knows of its tables; it need not know it at once.
      if (isCommitted) await copying.run(`analyze ${names}`).catch(() => {});
      await copying.end();
    },
  };
}

/** A sub-run is in the part of its root. */
const partitionText = `
  with recursive tree (id, partition) as (
    select id, partition from runs where parent_run is null
    union all
    select runs.id, tree.partition from tree join runs on runs.parent_run = tree.id
  )
  update runs set partition = tree.partition from tree
  where runs.id = tree.id and runs.partition <> tree.partition`;

/** The next one is higher; of a sequence that was never asked it is 1. */
const sequenceText = `select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)`;

async function isEmpty(copying: Copying): Promise<boolean> {
  for (const { name } of tables) {
    const [row] = await copying.query(`select 1 from ${name} limit 1`);
    if (row !== undefined) return false;
  }
  return true;
}

/** All rows in one statement: a list for each column. */
async function writeRows(copying: Copying, table: Table, rows: readonly CopiedRow[]): Promise<void> {
  const { name, columns } = table;
  const more = name === "runs" ? { names: ", partition", values: ", rows.id % 64" } : { names: "", values: "" };
  const names = columns.map((column) => column.name).join(", ");
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type === "text" ? "text" : "bigint"}[]`).join(", ");
  const text = `insert into ${name} (${names}${more.names}) select rows.*${more.values} from unnest(${lists}) as rows (${names})`;
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  try {
    await copying.query(text, values);
  } catch (error) {
    throw sqlStateOf(error) === untranslatable ? refuseText(table, rows, copying.name) : error;
  }
}

/** What the server says of a text that it cannot hold. */
const untranslatable = "22021";

function refuseText(table: Table, rows: readonly CopiedRow[], name: string): StepwellError {
  const row = rows.find((each) => each.some((value) => typeof value === "string" && value.includes("\0"))) ?? [];
  const column = table.columns[row.findIndex((value) => typeof value === "string" && value.includes("\0"))];
  return new StepwellError(
    "REFUSED",
    `${name} cannot hold a text with the sign NUL in it, and there is one in "${table.name}", ${showKey(table, row)}, column "${column?.name ?? ""}". Let that run end and prune it, or stay with a file. Nothing was changed.`,
    { details: { code: "text_not_storable", table: table.name } },
  );
}
