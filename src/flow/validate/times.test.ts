import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { validate } from "./validate.ts";

function findingsOf(wait: JsonObject): readonly unknown[] {
  return validate({ start: { wait, done: true } }).findings.map(({ code, severity, pointer }) => [
    code,
    severity,
    pointer,
  ]);
}

describe("an instant in a flow", () => {
  test.each([
    [{ until: "tomorrow at 9am" }],
    [{ until: "tomorrow at 9am", zone: "Europe/Berlin" }],
    [{ until: "2026-03-29T09:00:00Z" }],
    [{ until: "9999-12-31T09:00:00Z" }],
    [{ until: "{{ input.due }}", zone: "Europe/Berlin" }],
    [{ until: "{{ input.day }} at 9am" }],
  ])("is fine as %j", (wait) => {
    expect(findingsOf(wait)).toEqual([]);
  });

  test.each([["soon"], ["tomorrow"], ["every monday at 9am"], ["01/02/2027"], ["0 9 * * 1"]])(
    "that is not understood is an error: %s",
    (until) => {
      expect(findingsOf({ until })).toEqual([["bad_time", "error", "/start/wait/until"]]);
    },
  );

  test("in a zone that is not known is a warning, where the zone stands", () => {
    expect(findingsOf({ until: "{{ input.due }}", zone: "Mars/Phobos" })).toEqual([
      ["unknown_zone", "warning", "/start/wait/zone"],
    ]);
    expect(findingsOf({ until: "tomorrow at 9am BST" })).toEqual([["unknown_zone", "warning", "/start/wait/until"]]);
  });

  test("says what to write instead", () => {
    const { findings } = validate({ start: { wait: { until: "tomorrow" }, done: true } });
    expect(findings[0]?.message).toBe(
      '"tomorrow" does not say at what time. Add the time: "tomorrow at 9am" or "… at 15:00".',
    );
  });
});
