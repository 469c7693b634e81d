// Which ended runs may go. A run goes with all its sub-runs, and only when every one of them has ended: history is
// whole or gone. Their roots are found by an index of their own, so that a live run with many ended sub-runs costs
// nothing here.

import type { RunId } from "../../run/model.ts";
import type { Prunable, PrunePlace, PruneQuery } from "../store.ts";
import type { Pool } from "./connection.ts";

/** To pass by so many ended runs takes a few milliseconds; a million of them take some hundred. */
const passedMax = 10_000;
/** Of the time that goes by, what may be spent on that. */
const share = 0.01;

/** Roots that are looked at together. */
const pageLength = 200;

export type Pruner = (query: PruneQuery) => Promise<Prunable>;

/** Remembers where those begin that stay by their number: what was too old to stay a moment ago still is. */
export function createPruner(pool: Pool): Pruner {
  let known: { readonly keepMax: number; readonly newest: PrunePlace | undefined; readonly until: number } | undefined;
  return async (query) => {
    const { keepMax } = query;
    if (keepMax === null || keepMax <= passedMax) return listPrunable(pool, query, await findNewest(pool, keepMax));
    const begun = performance.now();
    if (known === undefined || known.keepMax !== keepMax || known.until < begun) {
      const newest = await findNewest(pool, keepMax);
      const now = performance.now();
      known = { keepMax, newest, until: now + (now - begun) / share };
    }
    return listPrunable(pool, query, known.newest);
  };
}

/** Exported for the test that looks at how they are carried out. */
export const pruneTexts: { readonly [name in "roots" | "newest" | "tree"]: string } = {
  roots: `select id, completed_at,
      1 + (select count(*) from steps where run_id = runs.id),
      exists (select from runs as sub_runs where sub_runs.parent_run = runs.id)
    from runs
    where completed_at is not null and parent_run is null and completed_at < $1
      and (completed_at, id) <= ($2, $3) and (completed_at, id) > ($4, $5)
      and ($7::text is null or name = $7)
    order by completed_at, id limit $6`,
  newest: `select completed_at, id from runs where completed_at is not null and parent_run is null
    order by completed_at desc, id desc limit 1 offset $1`,
  /** A root and all its sub-runs, deepest first; a run is a row as well. */
  tree: `with recursive tree (id, depth) as (
      select $1::bigint, 0
      union
      select children.id, tree.depth + 1
      from tree cross join lateral (select id from runs where parent_run = tree.id offset 0) as children
    )
    select runs.id, runs.completed_at, 1 + (select count(*) from steps where run_id = runs.id)
    from tree join runs on runs.id = any (array[tree.id])
    order by tree.depth desc, runs.id desc`,
};

/** Oldest ended roots first, each after its sub-runs; one at least, however many rows it has. */
async function listPrunable(pool: Pool, query: PruneQuery, newest: PrunePlace | undefined): Promise<Prunable> {
  // The server knows no text with a NUL in it.
  if (newest === undefined || query.name?.includes("\0") === true) return { runs: [], next: null };
  const runs: RunId[] = [];
  let rowCount = 0;
  const before = query.endedBefore ?? Number.MAX_SAFE_INTEGER;
  for (let after: PrunePlace = query.after ?? { at: -1, id: -1 }; ;) {
    const given = [before, newest.at, newest.id, after.at, after.id, pageLength, query.name ?? null];
    const page = await pool.rows("prune_roots", pruneTexts.roots, given);
    for (const [id, at, rows, hasSubRuns] of page) {
      const here = { at: Number(at), id: Number(id) };
      const tree = hasSubRuns === true ? await readTree(pool, here.id) : { runs: [here.id], rowCount: Number(rows) };
      if (tree !== undefined) {
        if (runs.length > 0 && rowCount + tree.rowCount > query.rowsMax) return { runs, next: after };
        // One by one: a tree of a hundred thousand does not fit into the arguments of a call.
        for (const run of tree.runs) runs.push(run);
        rowCount += tree.rowCount;
      }
      after = here;
      if (rowCount >= query.rowsMax) return { runs, next: after };
    }
    if (page.length < pageLength) return { runs, next: null };
  }
}

/** The newest ended root that does not stay by its number; undefined: all stay. */
async function findNewest(pool: Pool, keepMax: number | null): Promise<PrunePlace | undefined> {
  if (keepMax === null) return { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const [root] = await pool.rows("prune_newest", pruneTexts.newest, [keepMax]);
  return root === undefined ? undefined : { at: Number(root[0]), id: Number(root[1]) };
}

type Tree = { readonly runs: readonly RunId[]; readonly rowCount: number };

/** undefined: one of them is still alive. */
async function readTree(pool: Pool, root: RunId): Promise<Tree | undefined> {
  const rows = await pool.rows("prune_tree", pruneTexts.tree, [root]);
  if (rows.some(([, completedAt]) => completedAt === null)) return undefined;
  return {
    runs: rows.map(([id]) => Number(id)),
    rowCount: rows.reduce((sum, [, , count]) => sum + Number(count), 0),
  };
}
