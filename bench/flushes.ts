// What a server really sent to its disk: how often its log was flushed while something was measured. Commits that wait
// for the disk cannot be more than these; whatever a session says about its settings, this is what happened.

import { setTimeout as sleep } from "node:timers/promises";
import { isServerAddress } from "../src/store/address.ts";
import { ask } from "./database.ts";

/** Sessions tell what they did when they end, and that takes a moment. */
const waitMs = 5000;

/** What it returns counts, once the engine has stopped; fewer flushes than commits are an error. Null: not known here. */
export async function watchFlushes(store: string): Promise<(commits: number) => Promise<number | null>> {
  if (!isServerAddress(store)) return () => Promise.resolve(null);
  const before = await countFlushes(store);
  return async (commits) => {
    if (before === null) return null;
    const until = performance.now() + waitMs;
    for (;;) {
      const flushes = ((await countFlushes(store)) ?? before) - before;
      if (flushes >= commits) return flushes;
      if (performance.now() > until) throw new Error(`${commits} commits, but the log was flushed ${flushes} times.`);
      await sleep(50);
    }
  };
}

/** Newer servers count it elsewhere, and nobody counts what is written straight through. */
async function countFlushes(store: string): Promise<number | null> {
  const [row] = await ask(
    store,
    `select to_jsonb(pg_stat_wal) -> 'wal_sync' as count from pg_stat_wal
     where current_setting('wal_sync_method') in ('fdatasync', 'fsync', 'fsync_writethrough')`,
  );
  const count = row?.["count"];
  return typeof count === "number" ? count : null;
}
