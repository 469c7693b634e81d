import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { evaluate, type EvaluationResult } from "./evaluate.ts";
import { createBudget, type Budget } from "./evaluation.ts";
import { parseExpression } from "./parse.ts";

/** The answer with `input` for every root. */
function answer(source: string, input: Json, budget: Budget = createBudget()): EvaluationResult<Json> {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.problem.message}`);
  return evaluate(parsed.expression, { lookup: () => input }, budget);
}

/** The value, or the code of the problem in brackets. */
function valueOf(source: string, input: Json): Json {
  const result = answer(source, input);
  return result.ok ? result.value : `<${result.problem.code}>`;
}

const thousand = Array.from({ length: 1000 }, (_, index) => index);
const doubled = (times: number): string => `[input]${".map(x, [x, x])".repeat(times)}`;
const eightTimes = (body: string): string => `[1, 2, 3, 4, 5, 6, 7, 8].map(x, ${body})`;
const megabytes = "x".repeat(4_000_000);

describe("the limits of an evaluation", () => {
  it.each<[string, string, Json]>([
    ["elements that are visited", "input.map(a, input.map(b, a * b))", thousand],
    ["elements that are compared", "input.all(x, input == input)", thousand],
    ["elements that are copied", "input.map(x, size(input + input))", thousand],
    ["members that are put together by reference", "(input + input + input + input).map(x, input)", thousand],
    ["doubling that copies nothing", doubled(60), "x"],
    ["doubling of what is large already", doubled(20), thousand],
    [
      "keys that are listed",
      "input.map(x, keys(input[0]))",
      [Object.fromEntries(thousand.map((n) => [n, n])), ...thousand],
    ],
    ["texts that are compared", eightTimes("input == input"), megabytes],
    ["texts that are ordered", eightTimes("input <= input"), megabytes],
    ["texts that are counted", eightTimes("size(input)"), megabytes],
    ["characters that are counted", eightTimes("size(input)"), "😀".repeat(1_000_000)],
    ["texts that are searched", eightTimes("input.contains('y')"), megabytes],
    ["long parts that are searched for", eightTimes("input.contains('yyyyyyyyyyyyyyyyyyyyyy')"), megabytes],
    ["parts that are compared", eightTimes("input.startsWith(input)"), megabytes],
    ["texts that are put together by reference", eightTimes("input"), megabytes],
    ["values that nobody could walk through", "[input]", Array.from({ length: 8 }, () => megabytes)],
    [
      "keys of maps that are put together by reference",
      "input.n.map(x, {input.key: x})",
      { n: thousand, key: megabytes },
    ],
  ])("fuel pays for %s", (_, source, input) => {
    expect(valueOf(source, input)).toBe("<fuel_exhausted>");
  });

  it("says what to do when the fuel is used up", () => {
    const result = answer("input.map(a, input.map(b, a * b))", thousand);
    expect(result).toMatchObject({
      ok: false,
      problem: { code: "fuel_exhausted", message: expect.stringContaining("Let a tool do this much work") },
    });
  });

  it("never goes below zero, and takes the same for the same work", () => {
    const left = [1, 2].map(() => {
      const budget = createBudget();
      answer("input.map(a, input.map(b, a * b))", thousand, budget);
      return budget.fuelLeft;
    });
    expect(left[0]).toBe(left[1]);
    expect(left[0]).toBeGreaterThanOrEqual(0);
    expect(left[0]).toBeLessThan(10);
  });

  it("hands on a large value for nothing", () => {
    const budget = createBudget();
    const large = Array.from({ length: 300_000 }, () => [1]);
    expect(answer("input", large, budget)).toMatchObject({ ok: true });
    expect(budget.fuelLeft).toBe(99_999);
  });

  it("lets a large result be filtered", () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, title: "a title of some length", ok: id % 2 === 0 }));
    expect(valueOf("input.filter(x, x.ok).size()", rows)).toBe(2500);
  });

  it.each<[string, string, Json]>([
    ["joined by +", "input + input", "x".repeat(600_000)],
    ["joined in a chain", `input${" + input".repeat(20)}`, "x".repeat(100_000)],
    ["joined from a list", "input.map(x, input[0]).join('')", Array.from({ length: 20 }, () => "x".repeat(100_000))],
    ["with more bytes than characters", "input + input", "€".repeat(200_000)],
    ["changed", "[1, 2].map(x, lower(input))", "X".repeat(600_000)],
    ["split", "[1, 2].map(x, input.split(','))", "x".repeat(600_000)],
    ["of JSON", "string([input, input])", "x".repeat(600_000)],
    ["of JSON with escapes", "string([input])", "\u0001".repeat(300_000)],
  ])("refuses more than a megabyte of text %s", (_, source, input) => {
    expect(answer(source, input)).toMatchObject({
      ok: false,
      problem: { code: "text_too_long", message: expect.stringContaining("1048576 bytes") },
    });
  });

  it("takes exactly a megabyte of text", () => {
    const half = "x".repeat(524_288);
    expect(valueOf("size(input + input)", half)).toBe(1_048_576);
    expect(valueOf("size(input + input + '')", half)).toBe("<text_too_long>");
  });

  const nest = (depth: number): Json => (depth === 0 ? 1 : [nest(depth - 1)]);

  it("produces values 128 deep and no deeper", () => {
    expect(valueOf("size([input])", nest(127))).toBe(1);
    expect(valueOf("[input]", nest(128))).toBe("<too_deep>");
    expect(valueOf("{'a': input}", nest(128))).toBe("<too_deep>");
    expect(valueOf(`input${".map(x, [x])".repeat(3)}`, nest(127))).toBe("<too_deep>");
  });

  it("refuses to walk through values that are deeper", () => {
    expect(valueOf("[input]", nest(1000))).toBe("<too_deep>");
    expect(valueOf("string(input)", nest(1000))).toBe("<too_deep>");
    expect(valueOf("input == other", nest(1000))).toBe("<too_deep>");
  });

  it("searches in linear time, whatever the texts", () => {
    const input = { whole: "a".repeat(1_000_000), part: `b${"a".repeat(500_000)}` };
    expect(valueOf("input.whole.contains(input.part)", input)).toBe(false);
  });
});
