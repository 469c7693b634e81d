// Which ended runs may go. A run goes with all its sub-runs, and only when every one of them has ended: history is
// whole or gone. Their roots are found by an index of their own, so that a live run with many ended sub-runs costs
// nothing here.

import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { RunId } from "../../run/model.ts";
import type { Prunable, PrunePlace, PruneQuery } from "../store.ts";

/** To pass by so many ended runs takes a fraction of a millisecond; a million of them take fifty. */
const passedMax = 10_000;
/** Of the time that goes by, what may be spent on that. */
const share = 0.01;

/** Runs of other names that one look passes by: whoever waits for the thread waits no longer than for these, five to
 *  fifteen milliseconds. */
const passedMost = 4000;

export type Pruner = (query: PruneQuery) => Prunable;

/** Remembers where those begin that stay by their number: what was too old to stay a moment ago still is. */
export function createPruner(database: DatabaseSync): Pruner {
  let known: { readonly keepMax: number; readonly newest: PrunePlace | undefined; readonly until: number } | undefined;
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

/** Oldest ended roots first, each after its sub-runs; one at least, however many rows it has. */
function listPrunable(database: DatabaseSync, query: PruneQuery, newest: PrunePlace | undefined): Prunable {
  if (newest === undefined) return { runs: [], next: null };
  const members = database.prepare(treeMembers);
  const runs: RunId[] = [];
  let rowCount = 0;
  let passedCount = 0;
  let last: PrunePlace = query.after ?? { at: -1, id: -1 };
  for (const root of database.prepare(rootsText).iterate(placesOf(query, newest, last))) {
    const here = { at: Number(root["completed_at"]), id: Number(root["id"]) };
    const tree = root["has_sub_runs"] === 1 ? readTree(members, here.id) : toTree([root]);
    if (root["is_meant"] === 1 && tree !== undefined) {
      if (runs.length > 0 && rowCount + tree.rowCount > query.rowsMax) return { runs, next: last };
      // One by one: a tree of a hundred thousand does not fit into the arguments of a call.
      for (const run of tree.runs) runs.push(run);
      rowCount += tree.rowCount;
    } else passedCount += 1;
    last = here;
    if (rowCount >= query.rowsMax || passedCount === passedMost) return { runs, next: last };
  }
  return { runs, next: null };
}

/** What others hold is not counted: to look for a name is to pass by all other runs. */
const rootsText = `
  select
    id,
    completed_at,
    :name is null or name = :name as is_meant,
    case when :name is null or name = :name then 1 + (select count(*) from steps where run_id = runs.id) end as row_count,
    case
      when :name is null or name = :name
      then exists (select 1 from runs as sub_runs where sub_runs.parent_run = runs.id)
    end as has_sub_runs
  from runs
  where completed_at is not null and parent_run is null and completed_at < :before
    and completed_at <= :at and (completed_at < :at or id <= :id)
    and completed_at >= :afterAt and (completed_at > :afterAt or id > :afterId)
  order by completed_at, id`;

function placesOf({ endedBefore, name }: PruneQuery, newest: PrunePlace, after: PrunePlace) {
  const before = endedBefore ?? Number.MAX_SAFE_INTEGER;
  const { at, id } = newest;
  return {
    ":before": before,
    ":at": at,
    ":id": id,
    ":afterAt": after.at,
    ":afterId": after.id,
    ":name": name ?? null,
  };
}

/** The newest ended root that does not stay by its number; undefined: all stay. */
function findNewest(database: DatabaseSync, keepMax: number | null): PrunePlace | undefined {
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
