import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("parseDuration", () => {
  test.each([
    ["30s", 30 * second],
    ["5m", 5 * minute],
    ["24h", 24 * hour],
    ["2d", 2 * day],
    ["1w", 7 * day],
    ["500ms", 500],
    ["0s", 0],
    ["1h30m", 90 * minute],
    ["1h 30m", 90 * minute],
    ["1d2h3m4s5ms", day + 2 * hour + 3 * minute + 4 * second + 5],
    ["2 hours", 2 * hour],
    ["1 hour 5 mins", 65 * minute],
    ["3 weeks", 21 * day],
    ["10 sec", 10 * second],
    ["0.5h", 30 * minute],
    ["1.1h", 66 * minute],
    ["2.3s", 2_300],
    [" 5s\n", 5 * second],
    ["PT5M", 5 * minute],
    ["PT1H30M", 90 * minute],
    ["P1DT2H", day + 2 * hour],
    ["P2W", 14 * day],
    ["PT0.5S", 500],
    ["3650d", 3650 * day],
  ])("reads %j", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each([
    ["nothing", ""],
    ["only space", "  "],
    ["a bare number", "10"],
    ["a negative", "-5s"],
    ["a last number without a unit", "1h30"],
    ["a number before one with a unit", "1 30m"],
    ["months", "2 months"],
    ["years", "1y"],
    ["an ISO month, which is not a minute", "P1M"],
    ["an ISO year", "P1Y"],
    ["ISO without a number", "PT"],
    ["ISO without a unit", "P1"],
    ["words around it", "5 minutes ago"],
    ["words before it", "tomorrow 5m"],
    ["a comma", "1,5h"],
    ["an exponent", "1e3s"],
    ["a fraction without its zero", ".5h"],
    ["less than a millisecond", "0.5ms"],
    ["one unit twice", "1h1h"],
    ["units in the wrong order", "30m 1h"],
    ["a capital letter, which could mean months", "5M"],
    ["an unknown unit", "5 fortnights"],
    ["more than ten years", "3651d"],
    ["a number beyond all numbers", `${"9".repeat(60)}s`],
    ["a long text", `${" ".repeat(100)}5s`],
  ])("does not take %s (%j)", (_, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test("gives a whole number up to ten years, or nothing, for any text", () => {
    const pieces = array(constantFrom("1", "30", ".5", " ", "h", "m", "ms", "s", "d", "P", "T", "M", "-", ","));
    assert(
      property(pieces, (parts) => {
        const ms = parseDuration(parts.join(""));
        expect(ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms <= 3650 * day)).toBe(true);
      }),
    );
  });
});

describe("formatDuration", () => {
  test.each([
    [0, "0s"],
    [250, "250ms"],
    [5 * second, "5s"],
    [90 * minute, "1h 30m"],
    [21 * day, "21d"],
    [day + 1, "1d 1ms"],
  ])("writes %j as %j", (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  test("writes what parseDuration reads back", () => {
    assert(
      property(integer({ min: 0, max: 3650 * day }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});
