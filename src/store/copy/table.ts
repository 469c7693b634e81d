// The tables that a store is made of, with the columns that all dialects share: what is copied, and compared afterwards.
// What only one of them has (partitions, generated columns, who owns it) follows from these, or is not to be copied.

import { storedColumns } from "../columns/row.ts";
import { changingRunColumns, fixedRunColumns } from "../columns/run.ts";

type ColumnType = "integer" | "text";
type Column = { readonly name: string; readonly type: ColumnType };

export type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  /** By these its rows are in the same order everywhere: numbers as such, texts byte by byte. */
  readonly key: readonly string[];
  /** So many rows at a time are read from a server; of large ones few. */
  readonly rowsMax: number;
};

export type CopiedRow = readonly (string | number | null)[];

/** Among the columns of runs and steps, those that hold numbers; so do all instants. */
const numbers: ReadonlySet<string> = new Set(
  `id run_id parent_run version visit item attempt caused_by finished_no serves ended undo_no waits is_live
  rest_count ended_count`.split(/\s+/),
);

function toColumn(name: string): Column {
  return { name, type: numbers.has(name) || name.endsWith("_at") ? "integer" : "text" };
}

/** `id: integer, name: text`, as it stands in a migration. */
function table(name: string, key: readonly string[], columns: string): Table {
  const declared = columns.split(", ").map((column): Column => {
    const [named = "", type] = column.split(": ");
    return { name: named, type: type === "integer" ? "integer" : "text" };
  });
  return { name, key, rowsMax: 500, columns: declared };
}

/** In the order in which they are copied: what others point to comes first. */
export const tables: readonly Table[] = [
  table("flows", ["hash"], "hash: text, name: text, source: text, created_at: integer"),
  { name: "runs", key: ["id"], rowsMax: 500, columns: [...fixedRunColumns, ...changingRunColumns].map(toColumn) },
  { name: "steps", key: ["id"], rowsMax: 500, columns: storedColumns.map(toColumn) },
  { ...table("blobs", ["step_id", "column_name"], "step_id: integer, column_name: text, body: text"), rowsMax: 4 },
  table(
    "visits",
    ["run_id", "step"],
    "run_id: integer, step: text, all_count: integer, since_rest: integer, rest: integer",
  ),
  table("signals", ["run_id", "position"], "run_id: integer, position: integer, id: text, name: text, value: text"),
  table(
    "events",
    ["no"],
    "no: integer, run_id: integer, id: text, kind: text, at: integer, step_id: integer, by: text, value: text",
  ),
  { ...table("commits", ["no"], "no: integer, at: integer, last_id: integer, changes: text"), rowsMax: 100 },
  table("inbox", ["id"], "id: integer, at: integer, by: text, message: text, answer: text"),
  table("entries", ["kind", "key"], "kind: text, key: text, version: integer, updated_at: integer, value: text"),
  table(
    "ratings",
    ["run_id", "step_id", "by"],
    "run_id: integer, step_id: integer, by: text, quality: text, feedback: text, at: integer",
  ),
  table(
    "audit",
    ["no"],
    "no: integer, at: integer, by: text, via: text, source: text, verb: text, subject: text, details: text",
  ),
];

/** `id = 17`, of a row that people are told about. */
export function showKey({ columns, key }: Table, row: CopiedRow): string {
  const values = key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null);
  return key.map((name, index) => `${name} = ${JSON.stringify(values[index])}`).join(", ");
}
