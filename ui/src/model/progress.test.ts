import { expect, test } from "vitest";
import { keepNewest, percentOf, sayProgress, type StepProgress } from "./progress.ts";

const told = (step: number, fraction: number | null, message: string | null = null): StepProgress => ({
  run: 1,
  step,
  fraction,
  message,
});

test("it is full only when it is", () => {
  expect([0, 0.004, 0.5, 0.999, 1].map((fraction) => percentOf({ fraction, message: null }))).toEqual([
    0, 0, 50, 99, 100,
  ]);
  expect(percentOf({ fraction: null, message: "counting" })).toBeNull();
});

test("it is said with what is known of it", () => {
  expect(sayProgress({ fraction: 0.5, message: "page 3 of 6" })).toBe("50 %, page 3 of 6");
  expect(sayProgress({ fraction: 0.5, message: null })).toBe("50 %");
  expect(sayProgress({ fraction: null, message: "counting" })).toBe("counting");
  expect(sayProgress({ fraction: null, message: null })).toBe("under way");
});

test("the newest of each step is kept, and of too many steps those of which it was told last", () => {
  const first = keepNewest(new Map(), [told(1, 0.1), told(2, 0.2), told(1, 0.3, "on")]);
  expect([...first]).toEqual([
    [2, { fraction: 0.2, message: null }],
    [1, { fraction: 0.3, message: "on" }],
  ]);
  const many = Array.from({ length: 500 }, (_, at) => told(at + 10, 0.5));
  const kept = keepNewest(first, many);
  expect([kept.size, kept.has(1), kept.has(509)]).toEqual([500, false, true]);
});
