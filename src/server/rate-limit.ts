// How often somebody may ask, and how often somebody may guess a password. Kept in the memory of the service: a restart
// forgets it.

import { StepwellError } from "../error.ts";

export type Rate = { readonly perSecond: number; readonly burst: number };

/** More than any page or program needs, less than what keeps others waiting. */
export const defaultRate: Rate = { perSecond: 300, burst: 600 };

export type Now = () => number;

/** So many names are remembered; of more, those that came longest ago are forgotten. */
const namesMax = 10_000;

export interface RateLimit {
  /** Throws when there was too much of it. */
  readonly take: (name: string) => void;
}

type Bucket = { readonly left: number; readonly at: number };

/** Each name has a bucket that fills up again with time. */
export function createRateLimit({ perSecond, burst }: Rate, now: Now): RateLimit {
  const buckets = new Map<string, Bucket>();
  const look = (name: string): Bucket => {
    const at = now();
    const { left, at: before } = buckets.get(name) ?? { left: burst, at };
    return { left: Math.min(burst, left + (Math.max(0, at - before) * perSecond) / 1000), at };
  };
  return {
    take: (name) => {
      const { left, at } = look(name);
      if (left < 1) throw tooMany("Too many requests at once.", ((1 - left) * 1000) / perSecond);
      remember(buckets, name, { left: left - 1, at });
    },
  };
}

const guessesMax = 5;
const guessesWithinMs = 15 * 60_000;
/** Each takes time and memory of the machine. */
const guessesAtOnceMax = 8;

export interface LoginLimit {
  /** Guesses for any of these names count together; throws without trying when there were too many. */
  readonly guess: <Result>(names: readonly string[], act: () => Promise<Result>) => Promise<Result>;
}

export function createLoginLimit(now: Now): LoginLimit {
  const failures = new Map<string, readonly number[]>();
  let underWay = 0;
  const failuresOf = (name: string): readonly number[] =>
    (failures.get(name) ?? []).filter((at) => now() - at < guessesWithinMs);
  return {
    guess: async (names, act) => {
      for (const name of names) {
        const [first = 0, ...others] = failuresOf(name);
        if (others.length + 1 >= guessesMax)
          throw tooMany("Too many wrong passwords: try again later.", first + guessesWithinMs - now());
      }
      if (underWay >= guessesAtOnceMax) throw tooMany("Too many log in at once.", 1000);
      // Counted before it is tried: of a thousand at once five are.
      const at = now();
      for (const name of names) remember(failures, name, [...failuresOf(name), at]);
      underWay += 1;
      try {
        const result = await act();
        for (const name of names) forget(failures, name, at);
        return result;
      } catch (error) {
        const isWrong = error instanceof StepwellError && error.code === "NOT_LOGGED_IN";
        if (!isWrong) for (const name of names) forget(failures, name, at);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
  };
}

function forget(failures: Map<string, readonly number[]>, name: string, at: number): void {
  const known = failures.get(name) ?? [];
  const left = known.toSpliced(known.lastIndexOf(at), known.includes(at) ? 1 : 0);
  if (left.length === 0) failures.delete(name);
  else failures.set(name, left);
}

/** The newest stand last. */
function remember<Value>(known: Map<string, Value>, name: string, value: Value): void {
  known.delete(name);
  known.set(name, value);
  if (known.size <= namesMax) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

function tooMany(message: string, waitMs: number): StepwellError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new StepwellError("TOO_MANY_REQUESTS", message, {
    hint: `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
    details: { code: "too_many_requests", retry_after_seconds: seconds },
  });
}
