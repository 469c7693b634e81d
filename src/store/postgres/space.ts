// Keeps the list of commits short and the tables small. What a run has left behind when it is gone is reused by the
// server: what counts is therefore not how large the tables are but what is alive in them, which is estimated.

import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Space } from "../store.ts";
import type { Pool } from "./connection.ts";

/** Commits are counted, and later removed, in slices: of so many at most, and so many to fill what is kept. */
const sliceLength = 1000;
const slicesKept = 16;

/** How much of the list of commits is kept for those who follow it. */
export type CommitsKept = { readonly ageMs: number; readonly bytes: number };

export const defaultCommitsKept: CommitsKept = { ageMs: 3_600_000, bytes: 32 * 1024 * 1024 };

/** Of each table: all its bytes, and those that are alive. Its rows are alive by the server's own count (`live`, `dead`),
 *  which a commit changes at once or within a second; after a vacuum, when none is dead and the table as large as before,
 *  it is their number times their width that tells. Rows out of line stand in pieces of two kilobytes, indexes take a
 *  hundred bytes a row at most. A server that has crashed has lost its counts until the next analyze (see `tidySpace`):
 *  then everything is taken to be alive. */
const spaceText = `with tables as (
    select
      pg_class.oid as id, pg_total_relation_size(pg_class.oid) as all_bytes,
      pg_relation_size(pg_class.oid) as row_bytes, pg_indexes_size(pg_class.oid) as index_bytes,
      coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) as long_bytes,
      pg_stat_get_live_tuples(pg_class.oid)::float as live, pg_stat_get_dead_tuples(pg_class.oid)::float as dead,
      pg_stat_get_live_tuples(reltoastrelid)::float as long_live,
      pg_stat_get_dead_tuples(reltoastrelid)::float as long_dead,
      reltuples > 0 and pg_stat_get_last_analyze_time(pg_class.oid) is null
        and pg_stat_get_last_autoanalyze_time(pg_class.oid) is null as is_lost,
      coalesce((select option_value::float from pg_options_to_table(reloptions) where option_name = 'fillfactor'), 100)
        / 100 as filled,
      (select sum(avg_width * (1 - null_frac)) + 36 from pg_stats
        where schemaname = nspname and tablename = relname) as width
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind = 'r'
  ),
  shares as (
    select *, live / greatest(live + dead, 1) as share, long_live / greatest(long_live + long_dead, 1) as long_share
    from tables
  )
  select sum(all_bytes)::bigint,
    sum(case when is_lost then all_bytes else
      least(row_bytes * share, coalesce(live * width / filled, row_bytes))
      + least(index_bytes * share, live * 100)
      + least(long_bytes * long_share, long_live * 2100)
    end)::bigint
  from shares`;

/** Nothing of the server's log is ours. */
export async function measureSpace(pool: Pool): Promise<Space> {
  const [[all, live] = []] = await pool.rows("space", spaceText, []);
  const fileBytes = Number(all ?? 0);
  return { fileBytes, walBytes: 0, freeBytes: Math.max(0, fileBytes - Number(live ?? 0)) };
}

export type Tidying = {
  readonly reader: Pool;
  /** Sessions that write what is not part of a batch. */
  readonly writer: Pool;
  readonly now: number;
};

/** What the server does by itself after a while is done at once where it takes less than a moment: tables of which much
 *  has gone give their end back, and those that were never looked at, or not since a crash, are counted. What could not
 *  be removed, because somebody still reads it, is left to the server for a minute. */
const untidyText = `with tables as (
    select relname,
      pg_stat_get_dead_tuples(pg_class.oid) + pg_stat_get_dead_tuples(reltoastrelid) > 1000
        + 2 * (pg_stat_get_live_tuples(pg_class.oid) + pg_stat_get_live_tuples(reltoastrelid))
      and coalesce(
        greatest(pg_stat_get_last_vacuum_time(pg_class.oid), pg_stat_get_last_autovacuum_time(pg_class.oid)),
        '-infinity'
      ) < clock_timestamp() - interval '1 minute' as is_emptied,
      coalesce(pg_stat_get_last_analyze_time(pg_class.oid), pg_stat_get_last_autoanalyze_time(pg_class.oid))
        is null as is_unknown
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind = 'r' and pg_table_size(pg_class.oid) between 1000000 and 200000000
  )
  select relname, is_emptied from tables where is_emptied or is_unknown limit 1`;

/** One table at a time. */
export async function tidySpace({ reader, writer }: Tidying): Promise<void> {
  const [[table, isEmptied] = []] = await reader.rows("untidy", untidyText, []);
  if (typeof table !== "string") return;
  const verb = isEmptied === true ? "vacuum (analyze)" : "analyze";
  await writer.rows(`${verb} ${table}`, `${verb} "${table}"`, []);
}

/** Counts commits in slices, each commit once, so that nobody has to add up what is there again and again. */
export type CommitLedger = {
  /** Counts what is new, and removes what is too old or too much; the newest slice always stays. */
  readonly prune: (work: Tidying) => Promise<void>;
};

type Slice = { readonly first: number; last: number; count: number; bytes: number; newestAt: number };

export function createCommitLedger(kept: CommitsKept): CommitLedger {
  const slices: Slice[] = [];
  const isTooMuch = (slice: Slice, now: number): boolean =>
    slice.newestAt < now - kept.ageMs || slices.reduce((sum, { bytes }) => sum + bytes, 0) > kept.bytes;
  return {
    prune: async ({ reader, writer, now }) => {
      while (await countCommits(reader, slices, kept.bytes / slicesKept)) await yieldToLoop();
      for (;;) {
        const [oldest, next] = slices;
        if (oldest === undefined || next === undefined || !isTooMuch(oldest, now)) return;
        await writer.rows("prune_commits", pruneText, [next.first]);
        slices.shift();
      }
    },
  };
}

/** The length of a text is known without reading it. */
const countText = "select no, at, octet_length(changes) from commits where no > $1 order by no limit $2";
/** The newest one stays: it says how far the numbers have come. */
const pruneText = "delete from commits where no < $1 and no < (select max(no) from commits)";

/** True while there is more to count. */
async function countCommits(reader: Pool, slices: Slice[], sliceBytes: number): Promise<boolean> {
  const after = slices.at(-1)?.last ?? 0;
  const found = await reader.rows("count_commits", countText, [after, sliceLength]);
  for (const row of found) {
    const [no = 0, at = 0, bytes = 0] = row.map(Number);
    const newest = slices.at(-1);
    if (newest === undefined || newest.count >= sliceLength || newest.bytes >= sliceBytes) {
      slices.push({ first: no, last: no, count: 1, bytes, newestAt: at });
      continue;
    }
    newest.last = no;
    newest.count += 1;
    newest.bytes += bytes;
    newest.newestAt = at;
  }
  return found.length === sliceLength;
}
