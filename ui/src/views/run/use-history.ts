import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { historyQuery } from "../../api/run-values.ts";
import type { HistoryEntry } from "../../model/run.ts";

/** What a tool logs changes no status, so that nobody is told of it: while somebody looks, it is asked for. */
const everyMs = 1500;

/** All that has happened in a run, and goes on happening while something is at work. */
export function useHistory(run: number, isAtWork: boolean): UseQueryResult<readonly HistoryEntry[]> {
  return useQuery({ ...historyQuery(run), meta: isAtWork ? { everyMs } : {} });
}
