// When to try again.

import type { Retry } from "../flow/plan.ts";
import type { RowId } from "./model.ts";

/** However long somebody wants to be left alone, a run does not stand still for longer. */
const askedForMaxMs = 3_600_000;

/** The wait after the `attempt`th try failed: what the list or the formula says, and a little later by the jitter. */
export function delayAfter(retry: Retry, attempt: number, row: RowId): number {
  return withJitter(retry, row, baseDelay(retry, attempt));
}

/** The wait that the failure itself asked for: what many are told at once they do not all come back from at once. */
export function delayAskedFor(retry: Retry, row: RowId, askedForMs: number): number {
  return Math.min(withJitter(retry, row, askedForMs), askedForMaxMs);
}

function withJitter({ jitter }: Retry, row: RowId, delayMs: number): number {
  return Math.round(delayMs * (1 + jitter * fractionOf(row)));
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
