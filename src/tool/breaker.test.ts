import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  defaultBreakerSettings,
  mayCall,
  moveBreaker,
  newBreaker,
  stateOf,
  type Breaker,
  type BreakerEvent,
  type BreakerMove,
} from "./breaker.ts";

const settings = defaultBreakerSettings;
const minute = 60_000;

/** All that happened, each at its minute; the last move. */
function play(...events: readonly (readonly [atMinute: number, event: BreakerEvent])[]): BreakerMove {
  let last: BreakerMove = { breaker: newBreaker, notice: null };
  for (const [at, event] of events) last = moveBreaker(last.breaker, event, { now: at * minute, settings });
  return last;
}

const failed = (row: number, error = "no answer"): BreakerEvent => ({ kind: "failed", row, error });
const succeeded = (row: number): BreakerEvent => ({ kind: "succeeded", row });
const asked = (row: number): BreakerEvent => ({ kind: "asked", row });
const released = (row: number): BreakerEvent => ({ kind: "released", row });

const opened = [
  [0, failed(1)],
  [0, failed(2)],
  [0, failed(3)],
] as const;

describe("a breaker", () => {
  test("AC-39: opens with the third failure in a row, and says so", () => {
    expect(play([0, failed(1)], [0, failed(2)])).toEqual({
      breaker: { count: 2, lastError: "no answer", openedAt: null, test: null },
      notice: null,
    });
    expect(play(...opened)).toEqual({
      breaker: { count: 3, lastError: "no answer", openedAt: 0, test: null },
      notice: "opened",
    });
  });

  test("AC-40: a success resets the count", () => {
    const { breaker } = play([0, failed(1)], [0, failed(2)], [0, succeeded(3)], [0, failed(4)], [0, failed(5)]);
    expect(breaker).toMatchObject({ count: 2, openedAt: null });
  });

  test("a success without a failure before it changes nothing", () => {
    expect(play([0, succeeded(1)]).breaker).toBe(newBreaker);
  });

  test("AC-39: is open for five minutes, then half-open, and one call tests it", () => {
    const { breaker } = play(...opened);
    expect(stateOf(breaker, { now: 5 * minute - 1, settings })).toBe("open");
    expect(stateOf(breaker, { now: 5 * minute, settings })).toBe("half_open");
    expect(mayCall(play(...opened, [4.9, asked(4)]).breaker, 4)).toBe(false);
    const testing = play(...opened, [5, asked(4)], [5, asked(5)], [9, asked(6)]).breaker;
    expect([4, 5, 6].map((row) => mayCall(testing, row))).toEqual([true, false, false]);
  });

  test("AC-39: closes with the success of the test, and says so", () => {
    expect(play(...opened, [5, asked(4)], [6, succeeded(4)])).toEqual({
      breaker: { count: 0, lastError: "no answer", openedAt: null, test: null },
      notice: "closed",
    });
  });

  test("AC-40: a test that fails opens it again, with the same count", () => {
    expect(play(...opened, [5, asked(4)], [6, failed(4, "still down")])).toEqual({
      breaker: { count: 3, lastError: "still down", openedAt: 6 * minute, test: null },
      notice: "opened",
    });
  });

  test("a test that comes to nothing leaves its place to the next call", () => {
    const { breaker } = play(...opened, [5, asked(4)], [5, released(5)], [5, released(4)], [5, asked(6)]);
    expect(breaker).toMatchObject({ openedAt: 0, count: 3, test: 6 });
  });

  test("what began before it opened does not count any more", () => {
    const { breaker } = play(...opened);
    expect(play(...opened, [1, failed(9)], [1, succeeded(10)])).toEqual({ breaker, notice: null });
    expect(play(...opened, [5, asked(4)], [5, succeeded(10)], [5, failed(9)]).breaker).toMatchObject({ test: 4 });
  });

  test("AC-41: is as new after a reset, which is told if it was open", () => {
    expect(play([0, failed(1)], [0, { kind: "reset" }])).toEqual({ breaker: newBreaker, notice: null });
    expect(play(...opened, [0, { kind: "reset" }])).toEqual({ breaker: newBreaker, notice: "closed" });
  });

  test("AC-41: how many failures and how long is a setting", () => {
    const moment = { now: 0, settings: { failures: 1, openMs: 10 } };
    const { breaker, notice } = moveBreaker(newBreaker, failed(1), moment);
    expect(notice).toBe("opened");
    expect(stateOf(breaker, { ...moment, now: 10 })).toBe("half_open");
  });

  test("that was opened before the clock was set back is tested, instead of staying open until then", () => {
    const { breaker } = play([900, failed(1)], [900, failed(2)], [900, failed(3)]);
    expect(stateOf(breaker, { now: 10 * minute, settings })).toBe("half_open");
  });

  test("AC-42: keeps the last error up to 200 characters, and no half of one", () => {
    expect(play([0, failed(1, "x".repeat(200))]).breaker.lastError).toBe("x".repeat(200));
    expect(play([0, failed(1, "x".repeat(201))]).breaker.lastError).toBe(`${"x".repeat(199)}…`);
    expect(play([0, failed(1, `${"x".repeat(198)}😀😀`)]).breaker.lastError).toBe(`${"x".repeat(198)}…`);
    expect(play([0, failed(1, "\uD83D")]).breaker.lastError).toBe("\uFFFD");
  });
});

describe("whatever happens to a breaker", () => {
  const row = fc.integer({ min: 1, max: 4 });
  const event: fc.Arbitrary<BreakerEvent> = fc.oneof(
    row.map(asked),
    row.map(succeeded),
    row.map((one) => failed(one)),
    row.map(released),
    fc.constant<BreakerEvent>({ kind: "reset" }),
  );
  const story = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), event), { maxLength: 60 });

  /** Each move with what was there before it. */
  function* moves(
    events: readonly (readonly [minutes: number, BreakerEvent])[],
  ): Generator<{ readonly before: Breaker; readonly event: BreakerEvent; readonly now: number } & BreakerMove> {
    let before = newBreaker;
    let now = 0;
    for (const [minutes, one] of events) {
      now += minutes * minute;
      const move = moveBreaker(before, one, { now, settings });
      yield { ...move, before, event: one, now };
      before = move.breaker;
    }
  }

  test("a test under way is never replaced by another call", () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { before, breaker, event: one } of moves(events)) {
          const isKept = before.test === null || one.kind !== "asked" || breaker.test === before.test;
          const isOpen = breaker.test === null || breaker.openedAt !== null;
          expect([isKept, isOpen]).toEqual([true, true]);
        }
      }),
    );
  });

  test("it opens and closes only with a notice, and tells nothing else", () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { before, breaker, notice } of moves(events)) {
          const isSame = before.openedAt === breaker.openedAt;
          expect(notice).toBe(isSame ? null : breaker.openedAt === null ? "closed" : "opened");
          expect(breaker.count < settings.failures).toBe(breaker.openedAt === null);
        }
      }),
    );
  });
});
