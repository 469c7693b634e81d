import { expect, test } from "vitest";
import { parseInstant } from "./instant.ts";

test.each([
  ["2026-03-02T10:00:00", Date.UTC(2026, 2, 2, 10)],
  ["2026-03-02T10:00", Date.UTC(2026, 2, 2, 10)],
  ["2026-03-02 10:00:00", Date.UTC(2026, 2, 2, 10)],
  ["Mon, 02 Mar 2026 10:00:00", Date.UTC(2026, 2, 2, 10)],
  ["Mon, 02 Mar 2026 10:00:00 +0100", Date.UTC(2026, 2, 2, 9)],
  ["2026-03-02T10:00:00+01:00", Date.UTC(2026, 2, 2, 9)],
  ["2026-03-02T10:00:00Z", Date.UTC(2026, 2, 2, 10)],
  ["2026-03-02", Date.UTC(2026, 2, 2)],
  ["soon", Number.NaN],
])("%s is read in UTC unless it says otherwise", (text, at) => {
  expect(parseInstant(text)).toBe(at);
});
