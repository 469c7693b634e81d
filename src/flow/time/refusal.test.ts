import { describe, expect, test } from "vitest";
import { parseInstant } from "./instant.ts";

const options = { now: Date.parse("2026-03-07T17:00:00Z"), zone: "America/New_York" };

/** What is refused, a piece of the reason, and a piece of what to write instead. */
const refusals: readonly (readonly [string, string, string])[] = [
  // half understood
  ["tomorrow at 9am unless it rains", 'only "tomorrow at 9am" is understood, not "unless it rains"', "tomorrow at 9am"],
  ["not tomorrow at 9am", 'not "not"', "Write it like"],
  ["tomorrow at 9am - 10am", 'not "- 10am"', "Write it like"],
  ["tomorrow at 9am and monday at 10am", 'not "and monday at 10am"', "Write it like"],
  ["half past nine tomorrow", 'not "half past"', "Write it like"],
  ["tommorow at 9am", 'not "tommorow"', 'Did you mean "tomorrow" by "tommorow"?'],
  ["next mnday at 9am", 'not "next mnday"', 'Did you mean "monday"'],
  ["second tuesday of june at 9am", 'only "tuesday … at 9am" is understood', "Write it like"],
  ["9 march 26 at 9am", 'not "at 9am"', "Write it like"],
  ["+1M", 'not "+" and "M"', "Write it like"],
  ["in 1h 1h", 'not "h"', "Write it like"],
  ["in 30m 1h", 'not "h"', "Write it like"],
  ["in 1.5 days", '"in 1.5 days" is no time', "Write it like"],
  ["2026-03-09T09:00:00,5", "Of", "Write it like"],
  ["tomorrow at 9.30am", 'only "tomorrow" is understood', "Write it like"],
  ["tomorrow at 9am XYZ", 'not "XYZ"', "Write it like"],
  ["завтра в 9", "only", "Write it like"],
  ["please", '"please" is no time', "Write it like"],
  // vague
  ["soon", '"soon" leaves open when', "Write it like"],
  ["in a few hours", '"few" leaves open when', "Write it like"],
  ["around 9am tomorrow", '"around" leaves open when', "Write it like"],
  ["by tomorrow 9am", '"by" leaves open when', "Write it like"],
  ["within 2 hours", '"within" leaves open when', "Write it like"],
  ["tomorrow at 9am or 10am", '"or" leaves open when', "Write it like"],
  ["next week at 9am", '"week" leaves open when', "Write it like"],
  ["end of month", '"end" leaves open when', "Write it like"],
  ["tomorrow night", '"night" leaves open when', "Write it like"],
  ["monday", "does not say at what time", "monday at 9am"],
  ["tomorrow", "does not say at what time", "tomorrow at 9am"],
  ["tonight", "does not say at what time", "tonight at 9am"],
  ["tomorrow morning", "does not say at what time", "Add the time"],
  ["in 2 days in the morning", "does not say at what time", "Add the time"],
  ["2026-03-09", "does not say at what time", "2026-03-09 at 9am"],
  ["Europe/Berlin", "does not say at what time", "Add the time"],
  ["tomorrow at 6", "Is 6 in the morning or in the evening?", "15:00"],
  ["at nine", "Is 9 in the morning or in the evening?", "9am"],
  ["tomorrow at midnight", "the beginning or the end", "00:00"],
  ["in 2 days at midnight", "the beginning or the end", "00:00"],
  ["30 minutes", "says how long, not when", "in 30 minutes"],
  ["1h30m", "says how long, not when", "in 30 minutes"],
  ["PT30M", "says how long, not when", "in 30 minutes"],
  // again and again
  ["every monday at 9am", "comes again and again", "triggers"],
  ["daily at 9am", "comes again and again", "next monday 9am"],
  ["mondays at 9am", "comes again and again", "triggers"],
  ["weekdays 9am", "comes again and again", "triggers"],
  ["0 9 * * 1", "comes again and again", "triggers"],
  ["*/5 * * * *", "comes again and again", "triggers"],
  ["0 0 9 ? * MON-FRI", "comes again and again", "triggers"],
  ["0 9 1 1 1", "comes again and again", "triggers"],
  ["@daily", "comes again and again", "triggers"],
  // dates in numbers
  ["01/02/2027 9am", "which number is the day", "2030-01-31 09:00"],
  ["1/2 at 9am", "which number is the day", "2030-01-31 09:00"],
  ["09.03.2026 9am", "which number is the day", "2030-01-31 09:00"],
  ["20260309", "it has 8 digits", "A date is written"],
  // no such day or time
  ["feb 30 2027 9am", "February 2027 does not have", "from 1 to 28"],
  ["31 april 9am", "April does not have", "from 1 to 30"],
  ["2027-02-29T09:00", "February 2027 does not have", "from 1 to 28"],
  ["2100-02-29T09:00Z", "February 2100 does not have", "from 1 to 28"],
  ["2026-13-09T09:00", "a month 13", "01 to 12"],
  ["2026-03-09T24:00", "no clock shows", "00 to 23"],
  ["2026-03-09T09:60", "no clock shows", "59"],
  ["2026-03-09T09:00:60Z", "no clock shows", "59"],
  ["tomorrow at 24:00", "00:00 of the next", "15:00"],
  ["tomorrow at 9:75", "No clock shows that", "15:00"],
  ["tomorrow at 13pm", "With pm the hour is 1 to 12", "15:00"],
  ["tomorrow at 0am", "With am the hour is 1 to 12", "15:00"],
  ["tomorrow morning at 9pm", "no such hour in the morning", "15:00"],
  ["tomorrow at 12 in the morning", "no such hour in the morning", "15:00"],
  ["tomorrow at 0:30 in the afternoon", "no such hour in the afternoon", "15:00"],
  ["tonight at 2", "no such hour in the evening", "15:00"],
  // contradictions
  ["monday 10 march 2026 at 9am", "10 March 2026 is a Tuesday", "mend the date"],
  ["monday 9 march at 9am", "and no year", "Add the year"],
  ["tonight in the morning at 9", "says evening and morning", "Write it like"],
  ["in 30 minutes tomorrow", "how far from now, and which day", "Write it like"],
  ["in 30 minutes at 9am", "says twice at what time", "Write it like"],
  ["now at 9am", "says now, and another time", "Write it like"],
  ["now in the morning", "says now, and another time", "Write it like"],
  ["tomorrow now", "says now, and another time", "Write it like"],
  ["in 5 minutes now", "says now, and another time", "Write it like"],
  // over
  ["5 minutes ago", "lies in the past", "tomorrow at 9am"],
  ["in -5 minutes", "lies in the past", "tomorrow at 9am"],
  ["-15m", "lies in the past", "tomorrow at 9am"],
  ["yesterday at 9am", "lies in the past", "tomorrow at 9am"],
  ["last friday 9am", "lies in the past", "tomorrow at 9am"],
];

/** The same for zones, and for instants that were understood. */
const others: readonly (readonly [string | number, "zone" | "past" | "far", string, string])[] = [
  ["tomorrow at 9am Mars/Phobos", "zone", '"Mars/Phobos" is no time zone', "Europe/Berlin"],
  ["tomorrow at 9am Europe/Berln", "zone", '"Europe/Berln" is no time zone', "Did you mean Europe/Berlin?"],
  ["tomorrow at 9am BST", "zone", '"BST" is no time zone', "Europe/London or Asia/Dhaka"],
  ["tomorrow at 9am ET", "zone", '"ET" is no time zone', "America/New_York"],
  ["tomorrow at 9am +15:00", "zone", '"+15:00" is no time zone', "Write it like"],
  ["tomorrow at 9am UTC+2:75", "zone", '"UTC+2:75" is no time zone', "Write it like"],
  ["2026-03-09T09:00[Berlin]", "zone", '"Berlin" is no time zone', "Write it like"],
  ["2026-03-09T09:00+02:00[Europe/Berlin]", "zone", "two zones", "Leave one of them out"],
  ["9am UTC tomorrow Europe/Berlin", "zone", "two zones", "Leave one of them out"],
  ["today at 9am", "past", "Sat 7 Mar 2026, 09:00 EST (America/New_York), and that is over", "tomorrow at 9am"],
  ["this morning at 9", "past", "09:00 EST", "tomorrow at 9am"],
  ["9 march 2025 at 9am", "past", "Sun 9 Mar 2025", "tomorrow at 9am"],
  [1_674_093_092, "past", "2023", "tomorrow at 9am"],
  ["in 11 years", "far", "more than ten years ahead", "within ten years"],
  ["in 9999999999 minutes", "far", "more than ten years ahead", "within ten years"],
  ["9 march 2037 at 9am", "far", "more than ten years ahead", "within ten years"],
  ["9999-12-31T23:59:59Z", "far", "more than ten years ahead", "within ten years"],
  [9_999_999_999_999, "far", "more than ten years ahead", "within ten years"],
  [1e300, "far", "more than ten years ahead", "within ten years"],
];

describe("refused with the reason and with what to write instead:", () => {
  test.each(refusals)("%s", (text, problem, hint) => {
    expect(parseInstant(text, options)).toEqual({
      ok: false,
      reason: "words",
      problem: expect.stringContaining(problem),
      hint: expect.stringContaining(hint),
    });
  });

  test.each(others)("%s, because of the %s", (text, reason, problem, hint) => {
    expect(parseInstant(text, options)).toEqual({
      ok: false,
      reason,
      problem: expect.stringContaining(problem),
      hint: expect.stringContaining(hint),
    });
  });

  test("a number that is no unix time", () => {
    expect(parseInstant(17, options)).toMatchObject({ ok: false, reason: "words", problem: "17 is no unix time." });
  });

  test("a zone of the surroundings that is none", () => {
    expect(parseInstant("tomorrow at 9am", { ...options, zone: "Nowhere" })).toMatchObject({
      ok: false,
      reason: "zone",
    });
  });

  test("words on any day, whatever the day: only what is over depends on it", () => {
    const days = Array.from({ length: 30 }, (_, index) => options.now + index * 13 * 86_400_000);
    const understood = days.flatMap((now) =>
      refusals.filter(([text]) => {
        const reading = parseInstant(text, { ...options, now });
        return reading.ok || reading.reason !== "words";
      }),
    );
    expect(understood).toEqual([]);
  });
});
