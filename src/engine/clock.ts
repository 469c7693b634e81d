// Time, handed in: the engine never looks at a clock of its own, so that tests may hold one.

export interface Clock {
  /** Wall clock, in milliseconds. */
  now(): number;
  /** Milliseconds since some instant; setting the wall clock does not change it. */
  elapsed(): number;
  /** A `duty` comes again by itself: a clock that skips time need not stop at each of them. */
  after(delayMs: number, act: () => void, purpose?: "duty"): Timer;
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
};
