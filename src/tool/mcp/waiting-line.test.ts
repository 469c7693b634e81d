import { expect, test } from "vitest";
import type { LinkClock } from "./link-clock.ts";
import { WaitingLine, type Waiter } from "./waiting-line.ts";

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

const nobody = { go: () => {}, left: () => {} };

test("who waits is told four times a second that its time does not run, by one timer for all", () => {
  const { clock, pass, timers } = createClock();
  const line = new WaitingLine(clock);
  const told = [0, 0, 0];
  for (const at of told.keys()) line.join({ prolong: () => void (told[at] = (told[at] ?? 0) + 1) }, nobody);
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
  for (const waitedMs of [24, 25, 250]) {
    line.join({ prolong }, nobody);
    pass(waitedMs);
    line.next();
  }
  // Each is told when it comes, and when it goes unless that was at once; the last one once more in between.
  expect(told).toEqual([undefined, undefined, false, undefined, undefined, true]);
});

test("when nobody waits any more no timer is left", () => {
  const { clock, pass, timers } = createClock();
  const line = new WaitingLine(clock);
  line.join({}, nobody);
  expect(line.next()).toBe(true);
  pass(250);
  expect([timers(), line.next()]).toEqual([0, false]);
});

test("who is left already does not wait, and who is left meanwhile hears of nothing more", () => {
  const { clock, pass } = createClock();
  const line = new WaitingLine(clock);
  const problems: string[] = [];
  let told = 0;
  let turns = 0;
  const turn = {
    go: (): void => void (turns += 1),
    left: (_who: Waiter, { message }: { readonly message: string }): void => void problems.push(message),
  };
  line.join({ isLeft: true }, turn);
  expect(problems).toEqual(["Nobody waits for it any more."]);
  const left: Waiter = { prolong: () => void (told += 1) };
  line.join(left, turn);
  left.line?.leave(left);
  expect([problems.length, left.line]).toEqual([2, null]);
  pass(250);
  expect([told, turns, line.next()]).toEqual([1, 0, false]);
});

test("who is left after its turn has come is not told so by the line", () => {
  const line = new WaitingLine(createClock().clock);
  let left = 0;
  const who: Waiter = {};
  line.join(who, { go: () => {}, left: () => void (left += 1) });
  line.next();
  expect([who.line, left]).toEqual([null, 0]);
  line.leave(who);
  expect(left).toBe(0);
});

test("what is to happen when its turn comes has happened before anybody else can look", () => {
  const line = new WaitingLine(createClock().clock);
  let isIn = false;
  line.join({}, { go: () => void (isIn = true), left: () => {} });
  line.next();
  expect(isIn).toBe(true);
});
