// The statements that read rows without what may be large in them, and what makes of their answers what is asked for. The
// same words mean the same to both databases; only their parameters are written differently.

import type { RowId, RowStatus, RunStatus } from "../../run/model.ts";
import type { Brief, ChildHead, StatusCounts } from "../brief.ts";
import { decodeValues, storedColumns, type StoredValue } from "./row.ts";

const uid = "(select uid from runs where runs.id = steps.run_id)";

/** The columns of a row, its two texts left out; then their lengths, and the uid of the run. */
const briefColumns = [
  ...storedColumns.map((column) => (isText(column) ? `null as ${column}` : `steps.${column} as ${column}`)),
  bytesOf("args"),
  bytesOf("result"),
  `${uid} as uid`,
].join(", ");

function isText(column: string): column is "args" | "result" {
  return column === "args" || column === "result";
}

function bytesOf(column: "args" | "result"): string {
  const blob = `select octet_length(body) from blobs where step_id = steps.id and column_name = '${column}'`;
  return `case when steps.${column} = '' then (${blob}) else octet_length(steps.${column}) end as ${column}_bytes`;
}

/** Of tries of the same, the newest counts. `+ 0` keeps the order by another index out. */
export const briefTexts: { readonly [name in "briefs" | "live" | "itemCounts" | "children"]: string } = {
  briefs: `select ${briefColumns} from steps
    where steps.run_id = $1 and steps.role <> 'items' and steps.role <> 'item' order by steps.id + 0 desc limit $2`,
  live: `select ${briefColumns} from steps where steps.run_id = $1 and steps.is_live = 1 order by steps.id + 0`,
  itemCounts: `select serves, status, count(*) from (
      select serves, status, row_number() over (partition by serves, item order by id desc) as tries
      from steps where run_id = $1 and role = 'item'
    ) as ranked where tries = 1 group by serves, status`,
  children: `select id, uid, name, status, more from runs where parent_run = $1 order by id + 0 desc limit $2`,
};

/** `among`: that an id is one of those which a query gives, in the words of the database; a server takes a list, since it
 *  might go through all rows otherwise. */
export function itemsText(among: (query: string) => string): string {
  const ids = `select id from (
      select id, item, status, row_number() over (partition by item order by id desc) as tries
      from steps where serves = $2 and run_id + 0 = $1 and role = 'item'
    ) as ranked
    where tries = 1 and item > $3 and (cast($4 as text) is null or status = cast($4 as text))
    order by item limit $5`;
  return `select ${briefColumns} from steps where steps.id ${among(ids)} order by steps.item`;
}

export function toBrief(values: readonly StoredValue[]): Brief {
  const width = storedColumns.length;
  const { args: _args, result: _result, ended: _ended, ...row } = decodeValues(values, String(values[width + 2]));
  return { row, argsBytes: toNumber(values[width]), resultBytes: toNumber(values[width + 1]) };
}

function toNumber(value: StoredValue): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** From rows of: whose, status, how many. */
export function toCounts(found: readonly (readonly StoredValue[])[]): ReadonlyMap<number, StatusCounts> {
  const counts = new Map<number, StatusCounts>();
  for (const [whose, status, count] of found) {
    const id = Number(whose);
    counts.set(id, { ...counts.get(id), [status as RowStatus]: Number(count) });
  }
  return counts;
}

export function toChild([id, childUid, name, status, more]: readonly StoredValue[]): ChildHead {
  const { parent } = JSON.parse(typeof more === "string" ? more : "{}") as {
    readonly parent?: { readonly row: RowId } | null;
  };
  return {
    id: Number(id),
    uid: String(childUid),
    name: String(name),
    status: status as RunStatus,
    row: parent?.row ?? null,
  };
}
