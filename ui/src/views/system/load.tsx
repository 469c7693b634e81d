import { useRef } from "react";
import type { System } from "../../model/system.ts";

/** As often as it is asked; the last five minutes. */
const pointsMax = 150;

/** Calls and waiting steps since the page was opened, as two lines. */
export function Load({ system }: { readonly system: System }) {
  const points = useRef<{ readonly calls: number; readonly ready: number }[]>([]);
  const seen = useRef<System | null>(null);
  if (seen.current !== system) {
    seen.current = system;
    points.current = [
      ...points.current.slice(1 - pointsMax),
      { calls: system.runningCalls ?? 0, ready: system.ready?.count ?? 0 },
    ];
  }
  const all = points.current;
  const highest = Math.max(1, ...all.map(({ calls, ready }) => Math.max(calls, ready)));
  const line = (pick: (point: { readonly calls: number; readonly ready: number }) => number): string =>
    all.map((point, at) => `${(at / Math.max(1, pointsMax - 1)) * 300},${58 - (pick(point) / highest) * 54}`).join(" ");
  return (
    <figure className="border-b border-border px-4 py-3">
      <svg
        viewBox="0 0 300 60"
        className="h-16 w-full"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Calls under way: ${system.runningCalls ?? 0}; steps that wait: ${system.ready?.count ?? 0}`}
      >
        <polyline
          points={line((loaded) => loaded.ready)}
          fill="none"
          stroke="var(--ready-solid)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={line((loaded) => loaded.calls)}
          fill="none"
          stroke="var(--running-solid)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex gap-4 text-meta text-text2">
        <span data-token="running" className="flex items-center gap-1">
          <span className="status-solid size-2 rounded-full" aria-hidden /> calls under way
        </span>
        <span data-token="ready" className="flex items-center gap-1">
          <span className="status-solid size-2 rounded-full" aria-hidden /> steps that wait
        </span>
        <span className="ms-auto">up to {highest}</span>
      </figcaption>
    </figure>
  );
}
