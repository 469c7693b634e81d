import { expect, test } from "vitest";
import type { LinkClock } from "./link-clock.ts";
import { WaitingLine } from "./waiting-line.ts";

/** Time that goes by when the test says so, with the timers that are set in it. */
function createClock(): {
  readonly clock: LinkClock;
  readonly pass: (ms: number) => void;
  readonly timers: () => number;
} {
  let now = 0;
  let set: { readonly at: number; readonly act: () => void }[] = [];
  const clock: LinkClock = {
    elapsed: () => now,
    after: (delayMs, act) => {
      const timer = { at: now + delayMs, act };
      set.push(timer);
      return { cancel: () => void (set = set.filter((one) => one !== timer)) };
    },
  };
  const pass = (ms: number): void => {
    now += ms;
    const due = set.filter(({ at }) => at <= now);
    set = set.filter(({ at }) => at > now);
    for (const { act } of due) act();
  };
  return { clock, pass, timers: () => set.length };
}

test("who waits is told four times a second that its time does not run, by one timer for all", () => {
  const { clock, pass, timers } = createClock();
  const line = new WaitingLine(clock);
  const told = [0, 0, 0];
  for (const at of told.keys()) void line.wait({ prolong: () => void (told[at] = (told[at] ?? 0) + 1) });
  expect([told, timers()]).toEqual([[1, 1, 1], 1]);
  pass(250);
  pass(250);
  expect([told, timers()]).toEqual([[3, 3, 3], 1]);
});

test("its time begins anew when its turn comes, unless it waited for a moment only", () => {
  const { clock, pass } = createClock();
  const line = new WaitingLine(clock);
  const told: (boolean | undefined)[] = [];
  const prolong = (isBeginning?: boolean): void => void told.push(isBeginning);
  void line.wait({ prolong });
  pass(1);
  line.next();
  void line.wait({ prolong });
  pass(250);
  line.next();
  // Each is told when it comes, and when it goes; the second one once more in between.
  expect(told).toEqual([undefined, false, undefined, undefined, true]);
});

test("when nobody waits any more no timer is left", () => {
  const { clock, pass, timers } = createClock();
  const line = new WaitingLine(clock);
  void line.wait({});
  expect(line.next()).toBe(true);
  pass(250);
  expect([timers(), line.next()]).toEqual([0, false]);
});

test("who is left already does not wait, and who is left meanwhile hears of nothing more", async () => {
  const { clock, pass } = createClock();
  const line = new WaitingLine(clock);
  await expect(line.wait({ signal: AbortSignal.abort() })).rejects.toThrow("Nobody waits for it any more.");
  const left = new AbortController();
  let told = 0;
  let turns = 0;
  const waiting = line.wait({ signal: left.signal, prolong: () => void (told += 1) }, "last", () => void (turns += 1));
  left.abort();
  await expect(waiting).rejects.toThrow("Nobody waits for it any more.");
  pass(250);
  expect([told, turns, line.next()]).toEqual([1, 0, false]);
});

test("what is to happen when its turn comes has happened before anybody else can look", () => {
  const line = new WaitingLine(createClock().clock);
  let isIn = false;
  void line.wait({}, "last", () => void (isIn = true));
  line.next();
  expect(isIn).toBe(true);
});
