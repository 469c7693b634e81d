// What whoever is here may do: what they may not is not offered, or says so.

import { useQuery } from "@tanstack/react-query";
import { mayDo, sayMayNot, type Right } from "../model/right.ts";
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
