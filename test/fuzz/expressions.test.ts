import { describe, expect, it } from "vitest";
import { fuzzExpressions } from "./expressions.ts";

describe("expressions of every kind", () => {
  const report = fuzzExpressions({ count: 50_000, seed: 1 });

  it("never throw, never pass a limit and answer the same twice", () => {
    expect(report.violations).toEqual([]);
    expect(report.tried).toBe(50_000);
  });

  it("parse often enough and fail often enough to show something", () => {
    expect(report.parsed).toBeGreaterThan(15_000);
    expect(report.evaluated).toBeGreaterThan(5_000);
    expect(report.tried - report.parsed).toBeGreaterThan(10_000);
  });

  it.each([
    "expression_syntax",
    "expression_too_long",
    "expression_too_deep",
    "expression_too_large",
    "unknown_function",
    "fuel_exhausted",
    "text_too_long",
    "too_deep",
    "not_finite",
    "not_a_number",
    "wrong_operand",
  ])("are refused with %s among others", (code) => {
    expect(report.refused[code]).toBeGreaterThan(0);
  });

  it("are the same for the same seed", () => {
    const first = fuzzExpressions({ count: 300, seed: 7 });
    expect(fuzzExpressions({ count: 300, seed: 7 })).toEqual(first);
    expect(fuzzExpressions({ count: 300, seed: 10_000 })).not.toEqual(first);
  });
});
