import { describe, expect, test } from "vitest";
import { sayDuration, showBytes, showDistance, showDuration } from "./time.ts";

describe("a duration in words", () => {
  test.each([
    [-5, "0 ms"],
    [0, "0 ms"],
    [840, "840 ms"],
    [4200, "4.2 s"],
    [59_949, "59.9 s"],
    [59_960, "1 m"],
    [192_000, "3 m 12 s"],
    [3_599_600, "1 h"],
    [7_500_000, "2 h 5 m"],
    [100_800_000, "1 d 4 h"],
  ])("%i ms is %s", (ms, words) => expect(showDuration(ms)).toBe(words));

  test("is said in whole words", () => {
    expect([sayDuration(40), sayDuration(1200), sayDuration(192_000)]).toEqual([
      "40 milliseconds",
      "1.2 seconds",
      "3 minutes 12 seconds",
    ]);
  });
});

test.each([
  [-4000, "4 s ago"],
  [0, "now"],
  [50_400_000, "in 14 h"],
  [-180_000, "3 min ago"],
  [259_200_000, "in 3 d"],
])("%i ms away is %s", (ms, words) => expect(showDistance(ms)).toBe(words));

test.each([
  [999, "999 B"],
  [12_345, "12.3 kB"],
  [5_000_000, "5.0 MB"],
])("%i bytes are %s", (bytes, words) => expect(showBytes(bytes)).toBe(words));
