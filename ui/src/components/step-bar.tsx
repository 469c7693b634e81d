// How far a run is: a bar of its steps by status, and the same in numbers.

import { progressOf } from "../model/run-row.ts";
import type { StepCounts } from "../model/run.ts";
import { hasRunEnded, type RunStatus } from "../model/status.ts";

type BarProps = {
  readonly steps: StepCounts;
  readonly status: RunStatus;
  /** In a window of less than 1024 px the numbers are only in its tooltip, and heard. */
  readonly isBrief?: boolean;
};

export function StepBar({ steps, status, isBrief = false }: BarProps) {
  const { segments, text, about } = progressOf(steps, hasRunEnded(status));
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle" title={about}>
      <span aria-hidden className="flex h-1.5 w-12 shrink-0 gap-px overflow-hidden rounded-full bg-sunken">
        {segments.map(({ token, word, count }) => (
          <span key={word} data-token={token} className="status-solid min-w-0.5" style={{ flexGrow: count }} />
        ))}
      </span>
      <span aria-hidden className={`min-w-0 truncate text-meta text-text2 ${isBrief ? "hidden lg:inline" : ""}`}>
        {text}
      </span>
      <span className="sr-only">steps: {about}</span>
    </span>
  );
}
