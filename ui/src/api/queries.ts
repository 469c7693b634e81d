// What the page reads, each under a key by which it is read anew: ["run", id, …], ["runs", query], ["inbox"], ["overview"],
// ["workflows"], ["workflow", name, …], ["tools"], ["servers"], ["alarms"], ["schedules"], ["system"], ["me"].

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask } from "./request.ts";
import { listRuns, readOutline, readStep, type RunPage, type RunQuery } from "./runs.ts";

export function runsQuery(query: RunQuery) {
  return infiniteQueryOptions({
    queryKey: ["runs", query],
    queryFn: ({ pageParam, signal }): Promise<RunPage> =>
      listRuns({ limit: 100, ...query, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: RunPage) => last.next,
  });
}

export function outlineQuery(run: number) {
  return queryOptions({ queryKey: ["run", run, "outline"], queryFn: ({ signal }) => readOutline(run, signal) });
}

export function stepQuery(run: number, step: number) {
  return queryOptions({ queryKey: ["run", run, "step", step], queryFn: ({ signal }) => readStep(run, step, signal) });
}

export type Me = {
  readonly user: string;
  readonly how: "token" | "session" | "local";
  readonly rights: readonly string[];
  /** How the program is called where the server was started. */
  readonly program: string;
};

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }): Promise<Me> => ask<Me>("/api/me", { signal }),
  staleTime: 60_000,
});
