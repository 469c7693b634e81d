// The address of a run's page: which step is looked at, and in which way.

import { getRouteApi } from "@tanstack/react-router";

export const runRoute = getRouteApi("/runs/$id");

export type RunSearch = {
  readonly step?: string | undefined;
  readonly row?: string | undefined;
  readonly tab?: string | undefined;
  readonly part?: string | undefined;
  readonly view?: string | undefined;
  /** Which ones of the history: those of a kind, or all. */
  readonly entries?: string | undefined;
  /** Of an each: `failed`, or all. */
  readonly items?: string | undefined;
  /** What the definition is compared with: `current`, or nothing. */
  readonly compare?: string | undefined;
};

/** Changes what stands in the address; what is undefined goes. */
export function useShow(): (change: RunSearch) => void {
  const navigate = runRoute.useNavigate();
  return (change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false });
}
