// Which ended runs may go. A run goes with all its sub-runs, and only when every one of them has ended: history is
// whole or gone. Their roots are found by an index of their own, so that a live run with many ended sub-runs costs
// nothing here.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunId } from "../../run/model.ts";
import type { PruneQuery } from "../store.ts";

/** Oldest ended roots first, each after its sub-runs; one at least, however many rows it has. */
export function listPrunable(database: DatabaseSync, query: PruneQuery): readonly RunId[] {
  const newest = findNewest(database, query.keepMax);
  if (newest === undefined) return [];
  const roots = database.prepare(`
    select id from runs
    where completed_at is not null and parent_run is null and completed_at < :before
      and completed_at <= :at and (completed_at < :at or id <= :id)
    order by completed_at, id`);
  const members = database.prepare(treeMembers);
  const found: RunId[] = [];
  let rowCount = 0;
  const before = query.endedBefore ?? Number.MAX_SAFE_INTEGER;
  for (const root of roots.iterate({ ":before": before, ":at": newest.at, ":id": newest.id })) {
    const tree = readTree(members, Number(root["id"]));
    if (tree === undefined) continue;
    if (found.length > 0 && rowCount + tree.rowCount > query.rowsMax) break;
    found.push(...tree.runs);
    rowCount += tree.rowCount;
    if (rowCount >= query.rowsMax) break;
  }
  return found;
}

/** The newest ended root that does not stay by its number; undefined: all stay. */
function findNewest(
  database: DatabaseSync,
  keepMax: number | null,
): { readonly at: number; readonly id: RunId } | undefined {
  if (keepMax === null) return { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const root = database
    .prepare(`
      select completed_at, id from runs
      where completed_at is not null and parent_run is null
      order by completed_at desc, id desc limit 1 offset :keepMax`)
    .get({ ":keepMax": keepMax });
  return root === undefined ? undefined : { at: Number(root["completed_at"]), id: Number(root["id"]) };
}

/** A root and all its sub-runs, deepest first. */
const treeMembers = `
  with recursive tree (id, depth) as (
    values (:root, 0)
    union
    select runs.id, tree.depth + 1 from tree join runs on runs.parent_run = tree.id
  )
  select
    runs.id as id,
    runs.completed_at as completed_at,
    (select count(*) from steps where run_id = runs.id) as row_count
  from tree join runs on runs.id = tree.id
  order by tree.depth desc, runs.id desc`;

/** undefined: one of them is still alive. */
function readTree(
  members: StatementSync,
  root: RunId,
): { readonly runs: readonly RunId[]; readonly rowCount: number } | undefined {
  const rows = members.all({ ":root": root });
  if (rows.some((row) => row["completed_at"] === null)) return undefined;
  return {
    runs: rows.map((row) => Number(row["id"])),
    rowCount: rows.reduce((sum, row) => sum + Number(row["row_count"]), 0),
  };
}
