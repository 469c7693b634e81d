// Keeps the file and its log small: free pages go back to the system, the log is written into the file and cut off, and
// old commits go, all in small pieces between the batches.

import type { DatabaseSync } from "node:sqlite";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Space } from "../store.ts";
import { sizeOf, type Place } from "./place.ts";
import type { Writer } from "./thread-writer.ts";

/** The log is cut when it is longer; SQLite writes it into the file long before, but never shortens it. */
const logMaxBytes = 16 * 1024 * 1024;

/** Pages that are free are soon used again: only what is more than this goes back, so many at a time. */
const freePagesMax = 2000;
const freedPages = 500;

/** Commits are counted, and later removed, in slices: of so many at most, and so many to fill what is kept. */
const sliceLength = 1000;
const slicesKept = 16;

/** How much of the list of commits is kept for those who follow it. */
export type CommitsKept = { readonly ageMs: number; readonly bytes: number };

export const defaultCommitsKept: CommitsKept = { ageMs: 3_600_000, bytes: 32 * 1024 * 1024 };

/** `place` null: a database in memory. */
export function measureSpace(database: DatabaseSync, place: Place | null): Space {
  const pageBytes = readNumber(database, "pragma page_size");
  return {
    fileBytes: place === null ? readNumber(database, "pragma page_count") * pageBytes : (sizeOf(place.path) ?? 0),
    walBytes: place === null ? 0 : (sizeOf(place.walPath) ?? 0),
    freeBytes: readNumber(database, "pragma freelist_count") * pageBytes,
  };
}

export type Tidying = {
  readonly reader: DatabaseSync;
  readonly writer: Writer;
  readonly place: Place | null;
  readonly now: number;
};

/** One piece of each work that there is. */
export async function tidySpace({ reader, writer, place }: Tidying): Promise<void> {
  if (readNumber(reader, "pragma freelist_count") > freePagesMax) {
    await writer.maintain({ kind: "vacuum", pages: freedPages });
  }
  if (place !== null && (sizeOf(place.walPath) ?? 0) > logMaxBytes) await writer.maintain({ kind: "checkpoint" });
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
      while (countCommits(reader, slices, kept.bytes / slicesKept)) await yieldToLoop();
      for (;;) {
        const [oldest, next] = slices;
        if (oldest === undefined || next === undefined || !isTooMuch(oldest, now)) return;
        await writer.maintain({ kind: "prune_commits", keepFrom: next.first });
        slices.shift();
      }
    },
  };
}

/** True while there is more to count. The length of a text is in its row's header: the text itself is not read. */
function countCommits(reader: DatabaseSync, slices: Slice[], sliceBytes: number): boolean {
  const after = slices.at(-1)?.last ?? 0;
  const found = reader
    .prepare("select no, at, octet_length(changes) as bytes from commits where no > :after order by no limit :limit")
    .all({ ":after": after, ":limit": sliceLength });
  for (const row of found) {
    const [no, at, bytes] = [Number(row["no"]), Number(row["at"]), Number(row["bytes"])];
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

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}
