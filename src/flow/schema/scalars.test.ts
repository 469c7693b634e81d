import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDuration } from "../duration.ts";
import { duration } from "./scalars.ts";

describe("the pattern of durations, by which editors judge", () => {
  const pattern = new RegExp(duration.pattern, "u");
  const amount = fc.oneof(fc.nat({ max: 99 }).map(String), fc.constantFrom("1.5", "0.25", "007"));
  const unit = fc.constantFrom(
    "w",
    "d",
    "h",
    "m",
    "s",
    "ms",
    "week",
    "days",
    "hrs",
    "hour",
    "min",
    "minutes",
    "secs",
    "milliseconds",
  );
  const space = fc.constantFrom("", " ", "  ");
  const part = fc.tuple(amount, space, unit, space).map((pieces) => pieces.join(""));
  const iso = fc.constantFrom("PT5M", "PT1H30M", "P1DT2H", "P2W", "PT0.5S", "P1M", "PT", "P");
  const noise = fc.constantFrom("", "5", "soon", "-5s", "1h30", "5 minutes ago", ".5h", "1,5h", "5M");
  const text = fc.oneof(
    fc.array(part, { maxLength: 3 }).map((parts) => parts.join("")),
    iso,
    noise,
    fc.string(),
  );

  test("takes everything that the parser takes", () => {
    fc.assert(
      fc.property(text, (written) => {
        fc.pre(parseDuration(written) !== undefined);
        expect(written).toMatch(pattern);
      }),
    );
  });

  test.each([
    "",
    "5",
    "soon",
    "-5s",
    "1h30",
    "1 30m",
    "5 minutes ago",
    ".5h",
    "1,5h",
    "5M",
    "2 months",
    "PT",
    "P1",
    "P1M",
  ])("does not take %j", (written) => {
    expect(written).not.toMatch(pattern);
    expect(parseDuration(written)).toBeUndefined();
  });

  test("reads a long text in no time", () => {
    expect(`5s${" ".repeat(50_000)}x`).not.toMatch(pattern);
    expect("1m".repeat(50_000)).toMatch(pattern);
    expect(`${"1".repeat(50_000)}x`).not.toMatch(pattern);
  });
});
