// Removes old runs from a database that nobody else owns, a few at a time, as its owner would.

import { hostname } from "node:os";
import { StepwellError } from "../../error.ts";
import { emptyWrites, type Ownership } from "../store.ts";
import { openReader } from "./connection.ts";
import { openSqlite } from "./open.ts";

/** Rows that one batch removes. */
const rowsMax = 4000;

/** How many runs have ended before this instant; sub-runs go with their roots and are not counted. */
export function countEnded(path: string, endedBefore: number): number {
  const database = openReader(path);
  try {
    const found = database
      .prepare("select count(*) as runs from runs where completed_at < ? and parent_run is null")
      .get(endedBefore);
    return Number(found?.["runs"]);
  } finally {
    database.close();
  }
}

export type Pruned = { readonly runs: number };

/** All runs that ended before this instant, with their sub-runs. */
export async function pruneFile(path: string, endedBefore: number): Promise<Pruned> {
  await using store = await openSqlite(path);
  const card = { pid: process.pid, host: hostname(), role: "command", since: Date.now(), address: null } as const;
  const claim = await store.claim(card);
  if (claim.kind === "taken") {
    throw new StepwellError(
      "STORE_BUSY",
      `Process ${claim.owner?.pid ?? "?"} owns ${path}; end it first, or give it a retention of its own. Nothing was changed.`,
      { details: { path } },
    );
  }
  const { ownership } = claim;
  try {
    const runs = await removeAll(ownership, endedBefore);
    if (runs > 0) await ownership.tidy();
    return { runs };
  } finally {
    await ownership.release();
  }
}

async function removeAll(ownership: Ownership, endedBefore: number): Promise<number> {
  let removed = 0;
  for (let no = ownership.lastCommit + 1; ; no += 1) {
    const pruned = await ownership.listPrunable({ endedBefore, keepMax: null, rowsMax });
    if (pruned.length === 0) return removed;
    const committed = await ownership.commit({ ...emptyWrites, no, at: Date.now(), lastId: ownership.lastId, pruned });
    if (committed.kind !== "committed") throw new StepwellError("STORE_LOST", committed.message);
    removed += pruned.length;
  }
}
