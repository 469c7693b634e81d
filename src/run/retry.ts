// When to try again.

import type { Retry } from "../flow/plan.ts";
import type { RowId } from "./model.ts";

/** The wait after the `attempt`th try failed: what the list or the formula says, and a little later by the jitter. */
export function delayAfter(retry: Retry, attempt: number, row: RowId): number {
  const base = baseDelay(retry, attempt);
  return Math.round(base * (1 + retry.jitter * fractionOf(row)));
}

function baseDelay({ backoff }: Retry, attempt: number): number {
  if (backoff.kind === "exponential") return Math.min(backoff.maxMs, backoff.baseMs * backoff.factor ** (attempt - 1));
  return backoff.delaysMs[Math.min(attempt, backoff.delaysMs.length) - 1] ?? 0;
}

/** In [0, 1): a hash of the row's id, so that deciding again gives the same instant. */
function fractionOf(row: RowId): number {
  let hash = (row % 0x1_0000_0000) ^ Math.floor(row / 0x1_0000_0000);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
