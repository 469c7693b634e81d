// The circuit breaker of a tool, as a value: what happened goes in, what it is then comes out. After a number of failures
// in a row it opens, and the tool is not called; after a while one call tests it, and only that one decides whether it
// closes or stays open.

export type BreakerSettings = {
  /** So many failures in a row open it. */
  readonly failures: number;
  /** After so long the next call is the test. */
  readonly openMs: number;
};

export const defaultBreakerSettings: BreakerSettings = { failures: 3, openMs: 300_000 };

export type Breaker = {
  /** Failures in a row. */
  readonly count: number;
  readonly lastError: string | null;
  /** null: closed. */
  readonly openedAt: number | null;
  /** The row whose call is the test; null: none is. Never written: a test that is cut off leaves its place to the next. */
  readonly test: number | null;
};

export const newBreaker: Breaker = { count: 0, lastError: null, openedAt: null, test: null };

export type BreakerState = "closed" | "open" | "half_open";

export type BreakerEvent =
  /** A call wants to begin. */
  | { readonly kind: "asked"; readonly row: number }
  | { readonly kind: "succeeded"; readonly row: number }
  | { readonly kind: "failed"; readonly row: number; readonly error: string }
  /** The call was not made, nobody wants its answer, or the answer says nothing about the tool. */
  | { readonly kind: "released"; readonly row: number }
  /** By a person. */
  | { readonly kind: "reset" };

export type BreakerMoment = { readonly now: number; readonly settings: BreakerSettings };

export type BreakerMove = { readonly breaker: Breaker; readonly notice: "opened" | "closed" | null };

/** What does not concern it gives back the very same breaker. */
export function moveBreaker(breaker: Breaker, event: BreakerEvent, moment: BreakerMoment): BreakerMove {
  switch (event.kind) {
    case "asked":
      return stay(canTest(breaker, moment) ? { ...breaker, test: event.row } : breaker);
    case "succeeded":
      return succeed(breaker, event.row);
    case "failed":
      return fail(breaker, event, moment);
    case "released":
      return stay(breaker.test === event.row ? { ...breaker, test: null } : breaker);
    case "reset":
      return { breaker: newBreaker, notice: breaker.openedAt === null ? null : "closed" };
  }
}

/** Of a row that has asked. */
export function mayCall({ openedAt, test }: Breaker, row: number): boolean {
  return openedAt === null || test === row;
}

export function stateOf({ openedAt }: Breaker, { now, settings }: BreakerMoment): BreakerState {
  if (openedAt === null) return "closed";
  // Opened in the future: the clock was set back, and how long ago it was nobody knows. A test finds out.
  return now >= openedAt + settings.openMs || now < openedAt ? "half_open" : "open";
}

function canTest(breaker: Breaker, moment: BreakerMoment): boolean {
  return breaker.test === null && stateOf(breaker, moment) === "half_open";
}

/** While it is open only the test counts: calls that began before say how it was then. */
function succeed(breaker: Breaker, row: number): BreakerMove {
  const { openedAt, count, test } = breaker;
  if (openedAt === null) return stay(count === 0 ? breaker : { ...breaker, count: 0 });
  if (test !== row) return stay(breaker);
  return { breaker: { ...breaker, count: 0, openedAt: null, test: null }, notice: "closed" };
}

function fail(
  breaker: Breaker,
  { row, error }: Extract<BreakerEvent, { kind: "failed" }>,
  { now, settings }: BreakerMoment,
): BreakerMove {
  const lastError = cutError(error);
  if (breaker.openedAt !== null) {
    if (breaker.test !== row) return stay(breaker);
    return { breaker: { ...breaker, lastError, openedAt: now, test: null }, notice: "opened" };
  }
  const failed = { ...breaker, count: breaker.count + 1, lastError };
  if (failed.count < settings.failures) return stay(failed);
  return { breaker: { ...failed, openedAt: now }, notice: "opened" };
}

function stay(breaker: Breaker): BreakerMove {
  return { breaker, notice: null };
}

/** Long enough to know an error by, short enough for a notice. */
const errorLengthMax = 200;

function cutError(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length <= errorLengthMax) return whole;
  // Not through the middle of a character.
  return `${whole.slice(0, errorLengthMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
