import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatInstant } from "./echo.ts";
import { parseInstant, readInstant, type InstantReading } from "./instant.ts";
import { findZone } from "./zone.ts";

/** Saturday noon in New York; the clocks go forward in the night. */
const now = Date.parse("2026-03-07T17:00:00Z");
const newYork = { now, zone: "America/New_York" };

function read(text: string | number): InstantReading {
  return parseInstant(text, newYork);
}

function timeOf(reading: InstantReading): string {
  return reading.ok ? new Date(reading.at).toISOString() : reading.problem;
}

describe("an instant", () => {
  test("E3-38: in words comes with its zone and with what to show to people", () => {
    expect(read("next monday 9am")).toEqual({
      ok: true,
      at: Date.parse("2026-03-09T13:00:00Z"),
      zone: "America/New_York",
      echo: "Mon 9 Mar 2026, 09:00 EDT (America/New_York)",
    });
  });

  test("of another zone is shown in both", () => {
    expect(read("tomorrow at 9am Europe/Berlin")).toMatchObject({
      zone: "Europe/Berlin",
      echo: "Sun 8 Mar 2026, 09:00 GMT+1 (Europe/Berlin) = Sun 8 Mar 2026, 04:00 EDT (America/New_York)",
    });
  });

  test("shows seconds where there are some", () => {
    expect(read("in 90 seconds")).toMatchObject({ echo: "Sat 7 Mar 2026, 12:01:30 EST (America/New_York)" });
  });

  test.each([
    [1_774_093_092, "2026-03-21T11:38:12.000Z"],
    [1_774_093_092.5, "2026-03-21T11:38:12.500Z"],
    [1_774_093_092_892, "2026-03-21T11:38:12.892Z"],
    ["1774093092", "2026-03-21T11:38:12.000Z"],
    [" 1774093092892 ", "2026-03-21T11:38:12.892Z"],
  ])("E3-38: is unix time in seconds or milliseconds: %j", (text, expected) => {
    expect(timeOf(read(text))).toBe(expected);
  });

  test.each([
    ["TOMORROW AT 9AM europe/berlin", "2026-03-08T08:00:00.000Z"],
    ["  tomorrow \t at   9 am ", "2026-03-08T13:00:00.000Z"],
    ["tomorrow at 9:00\u202Fam", "2026-03-08T13:00:00.000Z"],
    ["tomorrow @ 9am", "2026-03-08T13:00:00.000Z"],
    ["tomorrow at 9 o'clock in the morning", "2026-03-08T13:00:00.000Z"],
    ["tomorrow at 12 in the afternoon", "2026-03-08T16:00:00.000Z"],
    ["this morning at 11:59:30 PST", "2026-03-07T19:59:30.000Z"],
    ["Thurs, March the 12th, 2026 at midday", "2026-03-12T16:00:00.000Z"],
    ["2 and a half hours from now", "2026-03-07T19:30:00.000Z"],
    ["in 3 days, 2 hours and 1 minute", "2026-03-10T18:01:00.000Z"],
    ["3 days from today at 9am", "2026-03-10T13:00:00.000Z"],
    ["+1000 minutes", "2026-03-08T09:40:00.000Z"],
    ["in 0 days", "2026-03-07T17:00:00.000Z"],
    ["2026-03-09T09:00z", "2026-03-09T09:00:00.000Z"],
    ["2026-03-09 09:00 -0500", "2026-03-09T14:00:00.000Z"],
    ["9 mar 2026 09:00 +0530", "2026-03-09T03:30:00.000Z"],
    ["20260309T0900-05", "2026-03-09T14:00:00.000Z"],
    ["20260309T090000.1239Z", "2026-03-09T09:00:00.123Z"],
    ["2026-03-09 09:00[Europe/Berlin]", "2026-03-09T08:00:00.000Z"],
    ["2026-03-09 09:00[Asia/Kolkata]", "2026-03-09T03:30:00.000Z"],
  ])("may be written as %j", (text, expected) => {
    expect(timeOf(read(text))).toBe(expected);
  });

  test("of an hour that comes twice is the first, and with its offset the second", () => {
    expect(timeOf(read("2026-11-01 01:30"))).toBe("2026-11-01T05:30:00.000Z");
    expect(timeOf(read("2026-11-01 01:30 EST (America/New_York)"))).toBe("2026-11-01T06:30:00.000Z");
    expect(timeOf(read("2026-11-01T01:30-05:00[America/New_York]"))).toBe("2026-11-01T06:30:00.000Z");
  });

  test("of an hour that is left out is as far behind the gap as it would have been from its beginning", () => {
    expect(timeOf(read("2026-03-08 02:00"))).toBe("2026-03-08T07:00:00.000Z");
    expect(timeOf(read("2026-03-08 02:30"))).toBe("2026-03-08T07:30:00.000Z");
    expect(timeOf(read("2026-03-08 03:00"))).toBe("2026-03-08T07:00:00.000Z");
  });

  test("by the clock alone is never now, so that a loop that waits for it waits a day", () => {
    const nine = { now: Date.parse("2026-03-09T13:00:00Z"), zone: "America/New_York" };
    const hours = ["9am", "monday 9am", "9 march 9am"].map((text) => {
      const reading = readInstant(text, nine);
      return reading.ok ? (reading.at - nine.now) / 3_600_000 : reading.problem;
    });
    expect(hours).toEqual([24, 7 * 24, 365 * 24 + 1]);
  });

  test("may have come this very minute; before that it is over, but can be read", () => {
    expect(read("2026-03-07T11:59").ok).toBe(true);
    expect(read("2026-03-07T11:58:59")).toMatchObject({ ok: false, reason: "past" });
    expect(read("2026-03-07T11:58:59")).toMatchObject({
      problem: '"2026-03-07T11:58:59" is Sat 7 Mar 2026, 11:58:59 EST (America/New_York), and that is over.',
    });
    expect(timeOf(readInstant("2001-01-01T00:00:00Z", newYork))).toBe("2001-01-01T00:00:00.000Z");
  });
});

describe("what is shown", () => {
  const zones = ["UTC", "America/New_York", "America/Halifax", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe"];

  test("can be read again, in every zone and in hours that come twice", () => {
    const minute = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(minute, fc.constantFrom(...zones, "EST", "+05:30"), (minutes, name) => {
        const zone = findZone(name);
        if (zone === undefined) throw new Error(`${name} is no zone`);
        const at = now + minutes * 60_000;
        expect(readInstant(formatInstant(at, zone), newYork)).toMatchObject({ ok: true, at });
      }),
    );
  });
});

describe("hostile texts", () => {
  test.each([
    ["10,000 letters", "x".repeat(10_000)],
    ["10,000 digits", "9".repeat(10_000)],
    ["ten million blanks", " ".repeat(10_000_000)],
    ["the same again and again", "1 hour ".repeat(17)],
    ["brackets", "(".repeat(120)],
    ["slashes", "a/".repeat(60)],
    ["halves of characters", "\uD83D at 9am"],
    ["nothing", ""],
    ["blanks", " \t\n"],
    ["no number", Number.NaN],
    ["an endless number", Number.POSITIVE_INFINITY],
    ["a number below zero", -1_774_093_092],
    ["very many minutes", `in ${"9".repeat(50)} minutes`],
    ["very many months", `in ${"9".repeat(50)} months`],
    ["very many years at nine", `in ${"9".repeat(50)} years at 9am`],
    ["words of the language itself", "__proto__ at 9am constructor"],
  ])("are refused: %s", (_name, text) => {
    const reading = read(text);
    expect(reading.ok).toBe(false);
    expect(reading.ok || reading.problem.length + reading.hint.length).toBeLessThan(400);
  });

  test("never make it throw, and what is understood can be shown", () => {
    const words =
      "tomorrow next monday at 9am in 30 minutes + - ( ) , 2026-03-09 09:00 EST Europe/Berlin half a and now the 1st march";
    const phrase = fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 8 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.oneof(phrase, fc.string({ unit: "binary", maxLength: 150 }), fc.double()), (text) => {
        const reading = read(text);
        expect(reading.ok ? reading.echo : reading.hint).toMatch(/\S/);
      }),
      { numRuns: 500 },
    );
  });
});
