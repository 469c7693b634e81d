// A clock that a test holds: time passes when the test says so, and what falls due on the way fires in order. The wall
// clock and the timers are two things, as in a real machine: when somebody sets the clock, timers do not notice.

import type { Clock } from "../engine/clock.ts";

export type FakeClock = Clock & {
  /** Lets time pass; after each timer whatever follows from it comes to rest. */
  advance(ms: number): Promise<void>;
  /** Somebody sets the wall clock, forward or back; no timer fires for it. */
  jump(ms: number): void;
  /** How many timers wait. */
  readonly waiting: number;
};

export type FakeClockOptions = {
  readonly now: number;
  /** Resolves when everything that was set going has come to rest. */
  readonly settle?: () => Promise<void>;
};

type Waiting = { readonly dueAt: number; readonly act: () => void };

/** `createFakeClock({ now: 0 })` */
export function createFakeClock({ now: startedAt, settle = turnAFewTimes }: FakeClockOptions): FakeClock {
  let passedMs = 0;
  let offsetMs = startedAt;
  const timers = new Set<Waiting>();
  const nextUntil = (end: number): Waiting | undefined => {
    let next: Waiting | undefined;
    // Of two that are due at once, the one that was set first.
    for (const timer of timers)
      if (timer.dueAt <= end && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    return next;
  };
  return {
    now: () => offsetMs + passedMs,
    elapsed: () => passedMs,
    after(delayMs, act) {
      const timer = { dueAt: passedMs + Math.max(0, delayMs), act };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms) {
      const end = passedMs + ms;
      await settle();
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        passedMs = Math.max(passedMs, timer.dueAt);
        timer.act();
        await settle();
      }
      passedMs = end;
    },
    jump(ms) {
      offsetMs += ms;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** Resolves after the promises and immediates that are under way have had their turn. */
export async function turnOnce(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

async function turnAFewTimes(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await turnOnce();
}
