import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { inboxQuery } from "../../api/inbox.ts";
import { forPeople } from "../../model/for-people.ts";

/** Ids of runs in which something waits for a person. */
export function useWaiting(): ReadonlySet<number> {
  const { data } = useQuery(inboxQuery);
  return useMemo(() => new Set(forPeople(data ?? []).flatMap(({ run }) => (run === null ? [] : [run]))), [data]);
}
