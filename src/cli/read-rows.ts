// The rows of many runs: so many at a time that a server of databases is kept busy, and no more than it takes.

import type { Row, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";

/** Asked for at the same time. */
const atOnceMax = 16;

/** By run; each is asked for once. */
export async function readRowsOf(
  store: Pick<Store, "listRows">,
  runs: readonly RunId[],
): Promise<ReadonlyMap<RunId, readonly Row[]>> {
  const rows = new Map<RunId, readonly Row[]>();
  const waiting = new Set(runs).values();
  const work = async (): Promise<void> => {
    for (const run of waiting) rows.set(run, await store.listRows(run));
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, runs.length) }, work));
  return rows;
}
