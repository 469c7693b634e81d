// A long list of runs, read page by page. What is shown is kept under a key that changes do not touch, so that it does not
// jump; the pages that are in sight are read anew as often as something changes.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
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
