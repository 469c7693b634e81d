import { describe, expect, test } from "vitest";
import { nearest } from "./suggest.ts";

const keys = ["tool", "args", "next", "branch", "routes", "timeout", "on_error", "idempotency_key", "description"];

describe("nearest", () => {
  test.each([
    ["a letter left out", "timout", "timeout"],
    ["a letter too many", "toool", "tool"],
    ["a letter changed", "rautes", "routes"],
    ["two letters swapped", "nxet", "next"],
    ["other capitals", "TOOL", "tool"],
    ["another separator", "on-error", "on_error"],
    ["three slips in a long name", "idempotncy_kee", "idempotency_key"],
    ["two slips in a middling name", "brnahc", "branch"],
  ])("forgives %s", (_, name, expected) => {
    expect(nearest(name, keys)).toBe(expected);
  });

  test.each([
    ["nothing alike", "colour"],
    ["two slips in a short name", "txxt"],
    ["four slips in a long name", "dscrptinnn"],
    ["a single letter, which has nothing to recognise it by", "x"],
    ["no name at all", ""],
  ])("suggests nothing for %s", (_, name) => {
    expect(nearest(name, keys)).toBeUndefined();
  });

  test("suggests nothing for one letter that differs, but finds its capital", () => {
    expect(nearest("b", ["a", "c"])).toBeUndefined();
    expect(nearest("B", ["a", "b"])).toBe("b");
  });

  test("takes the nearest, and of equals the first in the alphabet, whatever their order", () => {
    expect(nearest("step1", ["stop2", "step2"])).toBe("step2");
    expect(nearest("step_x", ["step_c", "step_a", "step_b"])).toBe("step_a");
    expect(nearest("step_x", ["step_a", "step_b", "step_c"])).toBe("step_a");
  });

  test("never suggests the name itself", () => {
    expect(nearest("tool", ["tool"])).toBeUndefined();
    expect(nearest("tool", ["tool", "took"])).toBe("took");
  });

  test("compares long names by their first 64 characters", () => {
    const long = "x".repeat(1_000);
    expect(nearest(`${long}a`, [`${long}b`])).toBe(`${long}b`);
    expect(
      nearest(
        long,
        Array.from({ length: 5_000 }, (_, index) => `${index}${long}`),
      ),
    ).toBe(`0${long}`);
  });
});
