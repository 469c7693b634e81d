// How far a run is: a bar of its steps by status, and the same in numbers.

import { progressOf } from "../model/run-row.ts";
import type { StepCounts } from "../model/run.ts";

export function StepBar({ steps, isWide = false }: { readonly steps: StepCounts; readonly isWide?: boolean }) {
  const { segments, text, about } = progressOf(steps);
  return (
    <span className="inline-flex max-w-full items-center gap-2" title={about}>
      <span
        aria-hidden
        className={`flex h-1.5 gap-px overflow-hidden rounded-full bg-sunken ${isWide ? "w-32" : "w-16"}`}
      >
        {segments.map(({ token, count }) => (
          <span key={token} data-token={token} className="status-solid min-w-0.5" style={{ flexGrow: count }} />
        ))}
      </span>
      <span className="mono text-text2">{text}</span>
      <span className="sr-only">steps: {about}</span>
    </span>
  );
}
