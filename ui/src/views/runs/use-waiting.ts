import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { inboxQuery } from "../../api/inbox.ts";

/** Ids of runs in which something waits for a person; a machine that rests in a state does not. */
export function useWaiting(): ReadonlySet<number> {
  const { data } = useQuery(inboxQuery);
  return useMemo(
    () => new Set((data ?? []).flatMap(({ kind, run }) => (run === null || kind === "state" ? [] : [run]))),
    [data],
  );
}
