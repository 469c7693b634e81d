// How long somebody waits, as they say it: `timeout: "5m"`, or milliseconds.

import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import type { RunId } from "../run/model.ts";
import type { Clock } from "./clock.ts";

/** One of the two; neither: as long as it takes. */
export type TimeoutOptions = {
  /** `"5m"`, `"1h30m"`, `"PT5M"`. */
  readonly timeout?: string;
  readonly timeoutMs?: number;
};

/** Throws what nobody could wait for: a slip would else wait for ever, or not at all. */
export function toTimeoutMs({ timeout, timeoutMs }: TimeoutOptions): number | undefined {
  if (timeout !== undefined && timeoutMs !== undefined)
    throw new StepwellError("USAGE", "Both timeout and timeoutMs are given; give one of them.");
  if (timeout !== undefined) return readTimeout(timeout);
  if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs >= 0)) return timeoutMs;
  throw new StepwellError("USAGE", `timeoutMs must be milliseconds from 0 on, not ${String(timeoutMs)}.`);
}

/** Programs without types come here too. */
function readTimeout(timeout: unknown): number {
  const ms = typeof timeout === "string" ? parseDuration(timeout) : undefined;
  if (ms !== undefined) return ms;
  const given = typeof timeout === "string" ? `"${timeout}"` : String(timeout);
  const message = `timeout must be a duration such as "30s", "5m" or "1h30m", not ${given}.`;
  throw new StepwellError("USAGE", message, { hint: "timeoutMs takes milliseconds." });
}

/** `passed` is rejected when the time is over, unless it is cancelled before. */
export function waitAtMost(
  clock: Clock,
  run: RunId,
  timeoutMs: number,
): { readonly passed: Promise<never>; readonly cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const timer = clock.after(timeoutMs, () =>
    reject(new StepwellError("WAIT_TIMED_OUT", `Run ${run} has not ended after ${timeoutMs} ms; it goes on.`)),
  );
  return { passed: promise, cancel: () => timer.cancel() };
}
