// Which ended runs may go. A run goes with all its sub-runs, and only when every one of them has ended: history is
// whole or gone. Their roots are found by an index of their own, so that a live run with many ended sub-runs costs
// nothing here.

import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { RunId } from "../../run/model.ts";
import type { PruneQuery } from "../store.ts";

/** To pass by so many ended runs takes a fraction of a millisecond; a million of them take fifty. */
const passedMax = 10_000;
/** Of the time that goes by, what may be spent on that. */
const share = 0.01;

export type Pruner = (query: PruneQuery) => readonly RunId[];

/** Remembers where those begin that stay by their number: what was too old to stay a moment ago still is. */
export function createPruner(database: DatabaseSync): Pruner {
  let known: { readonly keepMax: number; readonly newest: Root | undefined; readonly until: number } | undefined;
  return (query) => {
    const { keepMax } = query;
    if (keepMax === null || keepMax <= passedMax) return listPrunable(database, query, findNewest(database, keepMax));
    const begun = performance.now();
    if (known === undefined || known.keepMax !== keepMax || known.until < begun) {
      const newest = findNewest(database, keepMax);
      const now = performance.now();
      known = { keepMax, newest, until: now + (now - begun) / share };
    }
    return listPrunable(database, query, known.newest);
  };
}

type Root = { readonly at: number; readonly id: RunId };

/** Oldest ended roots first, each after its sub-runs; one at least, however many rows it has. */
function listPrunable(database: DatabaseSync, query: PruneQuery, newest: Root | undefined): readonly RunId[] {
  if (newest === undefined) return [];
  const roots = database.prepare(`
    select
      id,
      1 + (select count(*) from steps where run_id = runs.id) as row_count,
      exists (select 1 from runs as sub_runs where sub_runs.parent_run = runs.id) as has_sub_runs
    from runs
    where completed_at is not null and parent_run is null and completed_at < :before
      and completed_at <= :at and (completed_at < :at or id <= :id)
      and (:name is null or name = :name)
    order by completed_at, id`);
  const members = database.prepare(treeMembers);
  const found: RunId[] = [];
  let rowCount = 0;
  const before = query.endedBefore ?? Number.MAX_SAFE_INTEGER;
  const given = { ":before": before, ":at": newest.at, ":id": newest.id, ":name": query.name ?? null };
  for (const root of roots.iterate(given)) {
    const tree = root["has_sub_runs"] === 1 ? readTree(members, Number(root["id"])) : toTree([root]);
    if (tree === undefined) continue;
    if (found.length > 0 && rowCount + tree.rowCount > query.rowsMax) break;
    // One by one: a tree of a hundred thousand does not fit into the arguments of a call.
    for (const run of tree.runs) found.push(run);
    rowCount += tree.rowCount;
    if (rowCount >= query.rowsMax) break;
  }
  return found;
}

/** The newest ended root that does not stay by its number; undefined: all stay. */
function findNewest(database: DatabaseSync, keepMax: number | null): Root | undefined {
  if (keepMax === null) return { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const root = database
    .prepare(`
      select completed_at, id from runs
      where completed_at is not null and parent_run is null
      order by completed_at desc, id desc limit 1 offset :keepMax`)
    .get({ ":keepMax": keepMax });
  return root === undefined ? undefined : { at: Number(root["completed_at"]), id: Number(root["id"]) };
}

/** A root and all its sub-runs, deepest first; a run is a row as well. */
const treeMembers = `
  with recursive tree (id, depth) as (
    values (:root, 0)
    union
    select runs.id, tree.depth + 1 from tree join runs on runs.parent_run = tree.id
  )
  select
    runs.id as id,
    runs.completed_at as completed_at,
    1 + (select count(*) from steps where run_id = runs.id) as row_count
  from tree join runs on runs.id = tree.id
  order by tree.depth desc, runs.id desc`;

type Tree = { readonly runs: readonly RunId[]; readonly rowCount: number };

/** undefined: one of them is still alive. */
function readTree(members: StatementSync, root: RunId): Tree | undefined {
  const rows = members.all({ ":root": root });
  return rows.some((row) => row["completed_at"] === null) ? undefined : toTree(rows);
}

function toTree(rows: readonly { readonly [column: string]: SQLOutputValue }[]): Tree {
  return {
    runs: rows.map((row) => Number(row["id"])),
    rowCount: rows.reduce((sum, row) => sum + Number(row["row_count"]), 0),
  };
}
