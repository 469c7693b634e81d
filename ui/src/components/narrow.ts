// Below 768 px panels are stacked, and tables are cards; a table that needs more room says how much.

import { useSyncExternalStore } from "react";

const narrow = 768;
const queries = new Map<number, MediaQueryList>();

function queryOf(leastPx: number): MediaQueryList {
  const found = queries.get(leastPx) ?? matchMedia(`(max-width: ${leastPx - 0.02}px)`);
  queries.set(leastPx, found);
  return found;
}

export function useIsNarrow(leastPx: number = narrow): boolean {
  const query = queryOf(leastPx);
  return useSyncExternalStore(
    (watcher) => {
      query.addEventListener("change", watcher);
      return () => query.removeEventListener("change", watcher);
    },
    () => query.matches,
  );
}
