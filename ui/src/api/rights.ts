// What whoever is here may do: what they may not is not offered, or says so.

import { useQuery } from "@tanstack/react-query";
import { forPeople } from "../model/for-people.ts";
import { mayDo, maySettle, sayMayNot, type Right } from "../model/right.ts";
import type { InboxItem } from "../model/run.ts";
import { inboxQuery } from "./inbox.ts";
import { meQuery } from "./queries.ts";

/** Until it is known, what is done is left to the server to judge. `owner`: who has started the run that it is about. */
export function useMay(right: Right, owner?: string): boolean {
  const { data: me } = useQuery(meQuery);
  return me === undefined || mayDo(me, right, owner);
}

/** Why a button does nothing; undefined: it may be pressed. */
export function useRefused(right: Right, owner?: string): string | undefined {
  return useMay(right, owner) ? undefined : sayMayNot(right);
}

/** Tells of what waits whether they may answer it. */
export function useMaySettle(): (item: InboxItem) => boolean {
  const { data: me } = useQuery(meQuery);
  return (item) => me === undefined || maySettle(me, item);
}

/** How much waits for an answer of theirs, and of others only. */
export function useInboxCounts(): { readonly yours: number; readonly others: number } {
  const isYours = useMaySettle();
  const count = (items: readonly InboxItem[]) => {
    const waiting = forPeople(items);
    const yours = waiting.filter(isYours).length;
    return { yours, others: waiting.length - yours };
  };
  return useQuery({ ...inboxQuery, select: count }).data ?? { yours: 0, others: 0 };
}
