import { describe, expect, test } from "vitest";
import { endStep, flowOf, found, type FindingCase } from "../../testing/findings.ts";
import { validate } from "./validate.ts";

describe("references", () => {
  const cases: readonly FindingCase[] = [
    [
      "a step that does not exist",
      flowOf({ a: { tool: "x", args: { v: ["{{ steps.b.result }}"] }, done: true } }),
      "dangling_reference",
      "/steps/a/args/v/0",
    ],
    [
      "a step that comes later",
      flowOf({ a: { tool: "x", args: { v: "{{ steps.b.result }}" }, next: "b" }, b: endStep }),
      "reference_cannot_have_run",
      "/steps/a/args/v",
    ],
    [
      "the step itself, before it has run",
      flowOf({ a: { tool: "x", args: { v: "{{ steps.a.result }}" }, done: true } }),
      "reference_cannot_have_run",
      "/steps/a/args/v",
    ],
    [
      "a sibling branch",
      flowOf({
        a: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { tool: "x" },
        c: { tool: "x", args: { v: "{{ steps.b.result }}" } },
        j: endStep,
      }),
      "reference_cannot_have_run",
      "/steps/c/args/v",
    ],
    [
      "an input_from that comes later",
      {
        steps: [
          { name: "a", tool: "x", input_from: 2 },
          { name: "b", tool: "y" },
        ],
      },
      "reference_cannot_have_run",
      "/steps/0/input_from",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("steps before, in a loop, behind a join, and the step itself after it ended can be read", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x", args: { last: "{{ steps.a.result }}" } },
      c: { tool: "x", done: { output: "{{ steps.c.result }}" } },
      j: { tool: "x", args: { b: "{{ steps.b.result }}", c: "{{ steps.c.result }}" }, next: "k" },
      k: { wait: "1m", branch: [{ if: "steps.k.visits > 3", then: "end" }], else: "a" },
    });
    expect(found(input)).toEqual([]);
  });

  test("a step that one path skips can be read by everything behind it, near and far", () => {
    const steps = Array.from({ length: 50 }, (_, index) => [
      `s${index}`,
      {
        tool: "x",
        args: { v: "{{ steps.maybe.result }}" },
        ...(index < 49 ? { next: `s${index + 1}` } : { done: true }),
      },
    ]);
    const input = flowOf({
      a: { tool: "x", branch: [{ if: "result", then: "maybe" }], else: "s0" },
      maybe: { tool: "x", next: "s0" },
      ...Object.fromEntries(steps.toReversed()),
    });
    expect(found(input)).toEqual([]);
  });

  test("what compensation reads may have run later, and a computed name may be any", () => {
    const input = flowOf({
      a: { tool: "x", compensate: { tool: "undo", args: { v: "{{ steps.b.result }}" } }, next: "b" },
      b: { tool: "x", args: { v: "{{ steps[input.which].result }}" }, done: true },
    });
    expect(found(input)).toEqual([]);
    expect(validate(input).plan?.steps["b"]?.mentions).toBe("all");
  });
});
