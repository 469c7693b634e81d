// What people read of a breaker: why a call was not made, and that a circuit has opened or closed.

import { stateOf, type Breaker, type BreakerMoment, type BreakerMove } from "../tool/breaker.ts";
import type { Notice } from "./notice.ts";

const minuteMs = 60_000;

/** Why this tool is not called now. */
export function describeOpen(tool: string, breaker: Breaker, moment: BreakerMoment): string {
  const { now, settings } = moment;
  const failed = `The tool "${tool}" has failed ${timesOf(breaker.count)} and is not called for now`;
  if (stateOf(breaker, moment) === "half_open")
    return `${failed}: one call tests it at this moment.${lastErrorOf(breaker)}`;
  const retryAt = (breaker.openedAt ?? now) + settings.openMs;
  const wait = `in ${minutesOf(retryAt - now)}, at ${new Date(retryAt).toISOString()}`;
  return `${failed}; it is tried again ${wait}.${lastErrorOf(breaker)}`;
}

/** Whose call, or which person, it was. */
export type MovedBy = { readonly run: number } | { readonly by: string };

/** A move with what was there before it, and when it was made. */
export type AppliedMove = BreakerMove & { readonly before: Breaker; readonly moment: BreakerMoment };

/** null: nobody need know. */
export function createNotice(tool: string, applied: AppliedMove, movedBy: MovedBy): Notice | null {
  const { before, breaker } = applied;
  const { now, settings } = applied.moment;
  const run = "run" in movedBy ? movedBy.run : null;
  switch (applied.notice) {
    case "opened": {
      const { count, lastError } = breaker;
      const retryMinutes = Math.ceil(settings.openMs / minuteMs);
      const message = `The tool "${tool}" has failed ${timesOf(count)} and is not called for ${minutesOf(settings.openMs)}.${lastErrorOf(breaker)}`;
      return { kind: "breaker_opened", at: now, run, tool, count, retryMinutes, lastError, message };
    }
    case "closed": {
      const { count, lastError } = before;
      const why = "by" in movedBy ? `${movedBy.by} has closed its circuit` : "a test call succeeded";
      const message = `The tool "${tool}", which had failed ${timesOf(count)}, is called again: ${why}.${lastErrorOf(before)}`;
      return { kind: "breaker_closed", at: now, run, tool, count, retryMinutes: null, lastError, message };
    }
    case null:
      return null;
  }
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}

function minutesOf(ms: number): string {
  const minutes = Math.ceil(ms / minuteMs);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

function lastErrorOf({ lastError }: Breaker): string {
  return lastError === null ? "" : ` The last error: ${lastError}`;
}
