// Below 768 px panels are stacked, and tables are cards.

import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 767.98px)");

function subscribe(watcher: () => void): () => void {
  narrow.addEventListener("change", watcher);
  return () => narrow.removeEventListener("change", watcher);
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
