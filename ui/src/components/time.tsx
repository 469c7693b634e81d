// Times that say how long ago they are and keep saying so, with the exact instant in their tooltip.

import { useEffect, useState } from "react";
import { useIsStill } from "./live.tsx";
import { changesWithin, showAbsolute, showDistance, showDuration } from "../model/time.ts";

/** Now, again and again while it matters; while the page is paused or nobody answers, when that began. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  const isStill = useIsStill();
  useEffect(() => {
    if (everyMs === null || isStill) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isStill]);
  return now;
}

export function Ago({ at }: { readonly at: number }) {
  const now = useNow(changesWithin(at - Date.now()));
  return (
    <time dateTime={new Date(at).toISOString()} title={showAbsolute(at)} className="whitespace-nowrap">
      {showDistance(at - now)}
    </time>
  );
}

/** Goes on until there is an end. */
export function Ticking({ from, to }: { readonly from: number; readonly to: number | null }) {
  const now = useNow(to === null ? 100 : null);
  return <span className="mono whitespace-nowrap">{showDuration((to ?? Math.max(now, from)) - from)}</span>;
}

/** `in 4.2 s`, and `now` when it is there. */
export function Countdown({ to }: { readonly to: number }) {
  const now = useNow(200);
  return (
    <time dateTime={new Date(to).toISOString()} title={showAbsolute(to)} className="whitespace-nowrap">
      {to <= now ? "now" : `in ${showDuration(to - now)}`}
    </time>
  );
}
