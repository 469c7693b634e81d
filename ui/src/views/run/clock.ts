// One clock for all that is drawn of a run: what goes on is equally old in the graph, the timeline and the inspector. It stands
// still while the page is paused, or nobody answers.

import { useSyncExternalStore } from "react";
import { useIsStill } from "../../components/live.tsx";

const everyMs = 200;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function look(): number {
  now = Math.floor(Date.now() / everyMs) * everyMs;
  return now;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    look();
    for (const each of watchers) each();
  }, everyMs);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function never(): () => void {
  return () => undefined;
}

/** While nobody watches it, it is read; while it ticks, all see the same tick. */
function read(): number {
  return timer === undefined ? look() : now;
}

function readLast(): number {
  return now === 0 ? look() : now;
}

export function useClock(isTicking: boolean): number {
  const isStill = useIsStill() || !isTicking;
  return useSyncExternalStore(isStill ? never : subscribe, isStill ? readLast : read);
}
