// How the line to the server is, for whatever shows it.

import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { useMay } from "../api/rights.ts";
import type { LiveDesk, LiveState } from "../live-desk.ts";
import type { Change } from "../model/change.ts";

export const LiveContext = createContext<LiveDesk | null>(null);

export function useLiveDesk(): LiveDesk {
  const desk = use(LiveContext);
  if (desk === null) throw new Error("There is no line here.");
  return desk;
}

export function useLive(): LiveState {
  const desk = useLiveDesk();
  return useSyncExternalStore(desk.subscribe, desk.state);
}

/** Nothing moves while the page is paused, nor while nobody answers: a clock that goes on would say that it still runs. */
export function useIsStill(): boolean {
  const desk = useLiveDesk();
  return useSyncExternalStore(desk.subscribe, () => ["paused", "offline"].includes(desk.state().line));
}

export function useChanges(listener: (changes: readonly Change[]) => void): void {
  const desk = useLiveDesk();
  useEffect(() => desk.listen(listener), [desk, listener]);
}

const words = {
  connecting: ["pending", "Connecting"],
  live: ["done", "Live"],
  reconnecting: ["waiting", "Reconnecting"],
  offline: ["failed", "Offline"],
  paused: ["paused", "Paused"],
} as const;

export function LiveDot() {
  const desk = useLiveDesk();
  const { line } = useLive();
  const mayRead = useMay("read");
  const [token, word] = words[line];
  if (!mayRead) return null;
  return (
    <button
      type="button"
      data-testid="live"
      data-line={line}
      data-token={token}
      aria-label={`${word}. ${line === "paused" ? "Go on" : "Pause"} showing changes (P)`}
      title={line === "paused" ? "Go on showing changes (P)" : "Pause showing changes (P)"}
      onClick={() => desk.togglePause()}
      className="flex min-h-8 items-center gap-2 rounded-control px-2 text-meta text-text2 hover:bg-sunken"
    >
      <span className="status-solid size-2 rounded-full" aria-hidden />
      <span>{word}</span>
    </button>
  );
}
