// A long list of runs, read page by page. What is shown is kept under a key that changes do not touch, so that it does not
// jump; the pages that are in sight are read anew as often as something changes.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Run } from "../model/run.ts";
import { listRuns, type RunPage, type RunQuery } from "./runs.ts";

export const pageSize = 100;

/** `cursor`: only runs older than this one; null: from the newest on. */
export function runPageQuery(query: RunQuery, cursor: string | null) {
  return queryOptions({
    queryKey: ["runs", query, "page", cursor],
    queryFn: ({ signal }): Promise<RunPage> =>
      listRuns({ limit: pageSize, ...query, ...(cursor === null ? {} : { cursor }) }, signal),
  });
}

/** Its pages are those of `runPageQuery`, as they were when they were first read. */
export function runListQuery(query: RunQuery) {
  return infiniteQueryOptions({
    queryKey: ["run-list", query],
    queryFn: ({ pageParam, client }): Promise<RunPage> =>
      client.fetchQuery({ ...runPageQuery(query, pageParam), staleTime: 0 }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: RunPage) => last.next,
    staleTime: "static",
  });
}

/** A file of more is nothing to read, and a browser holds it all at once. */
const exportMax = 10_000;
const exportCharsMax = 64 * 1024 * 1024;
/** A search answers after so many looks, also with nothing. */
const answersMax = 200;

export type Matching = { readonly runs: readonly Run[]; /** There may be more. */ readonly isCut: boolean };

/** All that match, however many are shown: the newest so many of them. */
export async function readMatching(query: RunQuery, isWanted: (run: Run) => boolean): Promise<Matching> {
  const runs: Run[] = [];
  let chars = 0;
  let cursor: string | null = null;
  for (let answers = 0; answers < answersMax; answers += 1) {
    const page: RunPage = await listRuns({ ...query, limit: 1000, ...(cursor === null ? {} : { cursor }) });
    for (const run of page.runs.filter(isWanted)) {
      if (runs.length === exportMax || chars > exportCharsMax) return { runs, isCut: true };
      runs.push(run);
      chars += JSON.stringify(run).length;
    }
    cursor = page.next;
    if (cursor === null) return { runs, isCut: false };
  }
  return { runs, isCut: true };
}
