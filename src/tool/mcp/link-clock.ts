// Time as the MCP client needs it; the engine's clock fits.

import { LinkProblem } from "./link-problem.ts";

export interface LinkClock {
  /** Milliseconds since some instant. */
  elapsed(): number;
  /** A `duty` comes again by itself. */
  after(delayMs: number, act: () => void, purpose?: "duty"): { cancel(): void };
}

/** In which a server has to begin to speak, unless the configuration says otherwise. */
export const initialiseMs = 10_000;

/** Resolves after so long, or as soon as it is woken. */
export async function pause(clock: LinkClock, delayMs: number, wake?: AbortSignal): Promise<void> {
  if (delayMs <= 0 || wake?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      timer.cancel();
      wake?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = clock.after(delayMs, finish);
    wake?.addEventListener("abort", finish, { once: true });
  });
}

/** Waits for it, and no longer than so long. */
export async function within(clock: LinkClock, limitMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([pause(clock, limitMs, done.signal), work.finally(() => done.abort())]);
}

/** Throws a `LinkProblem` as soon as nobody waits for it any more. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>();
  const stop = (): void => left.reject(nobodyWaits());
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, left.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export function nobodyWaits(): LinkProblem {
  return new LinkProblem("left", "Nobody waits for it any more.");
}
