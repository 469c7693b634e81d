// Time, handed in: the engine never looks at a clock of its own, so that tests may hold one.

import { setImmediate as nextTurn } from "node:timers/promises";

export interface Clock {
  /** Wall clock, in milliseconds. */
  now(): number;
  /** Milliseconds since some instant; setting the wall clock does not change it. */
  elapsed(): number;
  /** A `duty` comes again by itself: a clock that skips time need not stop at each of them. */
  after(delayMs: number, act: () => void, purpose?: "duty"): Timer;
  /** Resolves when what has come meanwhile from elsewhere has had its turn. */
  turn(): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

/** What a timer of the system can wait at most. */
const delayMaxMs = 2_147_483_647;

/** Its timers keep no process alive: whoever waits for a run does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, Math.min(Math.max(0, delayMs), delayMaxMs));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  turn: () => nextTurn(),
};
