// What the page that is shown calls itself: said by the page, read by what stands around it.

import { useEffect, useSyncExternalStore } from "react";
import type { Here } from "../model/crumbs.ts";

let here: Here | null = null;
const watchers = new Set<() => void>();

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Said after it was drawn: by then the address is the page's own. */
export function useSayHere(word: string): void {
  useEffect(() => {
    here = { path: location.pathname, word };
    for (const watcher of watchers) watcher();
  }, [word]);
}

export function useHere(): Here | null {
  return useSyncExternalStore(subscribe, () => here);
}
