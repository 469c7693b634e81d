// A clock that a test holds: time passes when the test says so, and what falls due on the way fires in order. The wall
// clock and the timers are two things, as in a real machine: when somebody sets the clock, timers do not notice.

import type { Clock } from "../engine/clock.ts";

export type FakeClock = Clock & {
  /** Lets time pass; after each timer whatever follows from it comes to rest. */
  advance(ms: number): Promise<void>;
  /** Somebody sets the wall clock, forward or back; no timer fires for it. */
  jump(ms: number): void;
  /** How often somebody has let others have their turn. */
  readonly turns: number;
  /** How many timers wait. */
  readonly waiting: number;
  /** Milliseconds until the next timer that is no duty; null: none waits. */
  readonly nextInMs: number | null;
};

export type FakeClockOptions = {
  readonly now: number;
  /** Resolves when everything that was set going has come to rest. */
  readonly settle?: () => Promise<void>;
  /** `once`: what is done now and then is done at the end of an advance, however long that was. A day has 86,400 polls,
   *  and nothing that is due depends on them. */
  readonly duties?: "each" | "once";
};

type Waiting = { readonly dueAt: number; readonly act: () => void; readonly isDuty: boolean };

/** `createFakeClock({ now: 0 })` */
export function createFakeClock(options: FakeClockOptions): FakeClock {
  const { now: startedAt, settle = turnAFewTimes, duties = "each" } = options;
  let passedMs = 0;
  let offsetMs = startedAt;
  let turns = 0;
  const timers = new Set<Waiting>();
  const nextUntil = (end: number, isWanted: (timer: Waiting) => boolean): Waiting | undefined => {
    let next: Waiting | undefined;
    // Of two that are due at once, the one that was set first.
    for (const timer of timers)
      if (timer.dueAt <= end && isWanted(timer) && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    return next;
  };
  const isStop = ({ isDuty }: Waiting): boolean => duties === "each" || !isDuty;
  const fire = async (timer: Waiting): Promise<void> => {
    // Another one that fired before it may have cancelled it.
    if (!timers.delete(timer)) return;
    passedMs = Math.max(passedMs, timer.dueAt);
    timer.act();
    await settle();
  };
  const fireUntil = async (end: number): Promise<void> => {
    for (let timer = nextUntil(end, isStop); timer !== undefined; timer = nextUntil(end, isStop)) await fire(timer);
    passedMs = end;
  };
  return {
    now: () => offsetMs + passedMs,
    elapsed: () => passedMs,
    after(delayMs, act, purpose) {
      const timer = { dueAt: passedMs + Math.max(0, delayMs), act, isDuty: purpose === "duty" };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    turn() {
      turns += 1;
      return turnOnce();
    },
    get turns() {
      return turns;
    },
    async advance(ms) {
      const end = passedMs + ms;
      await settle();
      await fireUntil(end);
      for (const timer of timers) if (!isStop(timer) && timer.dueAt <= end) await fire(timer);
      await fireUntil(end);
    },
    jump(ms) {
      offsetMs += ms;
    },
    get waiting() {
      return timers.size;
    },
    get nextInMs() {
      const next = nextUntil(Number.POSITIVE_INFINITY, ({ isDuty }) => !isDuty);
      return next === undefined ? null : next.dueAt - passedMs;
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

/** The promise, while time passes: what asks another process is answered when that one has looked. */
export async function whileTimePasses<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  const asked = { isOver: false };
  const over = promise.finally(() => (asked.isOver = true));
  over.catch(() => {});
  while (!asked.isOver) await clock.advance(1000);
  return over;
}
