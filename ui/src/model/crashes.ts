// What a run tells of crashes: a step that was cut off fails when the process is up again, and begins anew in a row of its own.

import type { Step } from "./run.ts";

type Span = { readonly from: number; readonly to: number };

/** The process died while it was at work. */
export function isCutOff({ status, error }: Step): boolean {
  return status === "failed" && error?.code === "interrupted";
}

/** When the process died nobody has written down: it was in the longest time without any sign of life of the run between
 *  the start of what was cut off and its being found. */
export function crashOf({ startedAt, createdAt, completedAt }: Step, steps: readonly Step[]): Span {
  const start = startedAt ?? createdAt;
  const end = completedAt ?? start;
  const signs = steps
    .flatMap((step) => [step.createdAt, step.startedAt, step.completedAt])
    .filter((at) => at !== null && at > start && at < end)
    .toSorted((one, other) => (one ?? 0) - (other ?? 0));
  let longest: Span = { from: start, to: start };
  let from = start;
  for (const to of [...signs, end]) {
    if (to === null) continue;
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to;
  }
  return { from: longest.from, to: end };
}

/** How often the run was cut off; what was at work at the same time was so by the same crash. */
export function countCrashes(steps: readonly Step[]): number {
  const cut = steps.filter(isCutOff).toSorted((one, other) => (one.completedAt ?? 0) - (other.completedAt ?? 0));
  let count = 0;
  let last = -Infinity;
  for (const { startedAt, createdAt, completedAt } of cut) {
    if ((startedAt ?? createdAt) >= last) {
      count += 1;
      last = completedAt ?? last;
    }
  }
  // A call that was followed on after a crash stays the same row, and counts.
  return steps.reduce((most, { interruptions }) => Math.max(most, interruptions), count);
}
