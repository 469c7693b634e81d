import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { historyQuery } from "../../api/run-values.ts";
import { useLive } from "../../components/live.tsx";
import type { HistoryEntry } from "../../model/run.ts";

/** What a tool logs changes no status, so that nobody is told of it: while somebody looks, it is asked for. */
const askEveryMs = 1500;

/** All that has happened in a run, and goes on happening while something is at work. */
export function useHistory(run: number, isAtWork: boolean): UseQueryResult<readonly HistoryEntry[]> {
  const isPaused = useLive().line === "paused";
  return useQuery({ ...historyQuery(run), refetchInterval: isAtWork && !isPaused ? askEveryMs : false });
}
