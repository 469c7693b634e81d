import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { evaluateCondition, parseCondition } from "./condition.ts";
import { rootNames } from "./references.ts";

const everything: readonly Json[] = [
  true,
  false,
  null,
  "",
  "true",
  "false",
  "nil",
  "null",
  0,
  1,
  3,
  "3",
  "yes",
  [],
  {},
];

/** The values of `everything` for which the condition holds. */
function matching(condition: string): readonly Json[] {
  return everything.filter((result) => evaluateCondition(condition, result));
}

describe("the seeds' conditions", () => {
  it.each<[string, string, readonly Json[]]>([
    ["E0-22: result == true matches true and its text", "result == true", [true, "true"]],
    ["E0-22: result == false matches false and its text", "result == false", [false, "false"]],
    ["E0-23: result == nil matches null, empty text and the text nil", "result == nil", [null, "", "nil"]],
    ["E0-24: a bare word is a text", "result == yes", ["yes"]],
    ["E0-24: a number is the number or its text", "result == 3", [3, "3"]],
    ["E3-10: a quoted text is that text alone", 'result == "yes"', ["yes"]],
    ["E3-10: quotes make a text of a word", 'result == "true"', ["true"]],
    ["E3-10: quotes make a text of nil", "result == 'nil'", ["nil"]],
    ["the empty text can be asked for", "result == ''", [""]],
    ["null is the expression's own and equals only null", "result == null", [null]],
    ["spaces do not matter", "  result==\ttrue ", [true, "true"]],
    ["a negative number is a number", "result == -1", []],
  ])("%s", (_, condition, expected) => {
    expect(matching(condition)).toEqual(expected);
  });

  it.each(["true", "false", "nil", "yes", "3", '"yes"', "''", "null", "1.5", "[]"])(
    "E0-23, E0-24: result != %s is always the opposite of result == %s",
    (word) => {
      const equal = matching(`result == ${word}`);
      expect(matching(`result != ${word}`)).toEqual(
        everything.filter((result) => !equal.includes(result) && !(word === "[]" && Array.isArray(result))),
      );
    },
  );

  it.each<[string, Json, boolean]>([
    ["result == true", true, true],
    ["result == nil", null, true],
    ['result == "yes"', "yes", true],
  ])("E3-12: evaluateCondition(%j, %j) can be called on its own", (condition, result, expected) => {
    expect(evaluateCondition(condition, result)).toBe(expected);
  });

  it("E3-10: every documented form holds for its value and not for another", () => {
    expect(evaluateCondition("result == true", false)).toBe(false);
    expect(evaluateCondition("result == false", false)).toBe(true);
    expect(evaluateCondition("result != nil", "something")).toBe(true);
    expect(evaluateCondition("result != nil", null)).toBe(false);
    expect(evaluateCondition('result == "yes"', "no")).toBe(false);
  });

  it.each([
    "",
    "result",
    "the result is fine",
    "result =",
    "result == ",
    "result === true",
    "result == needs review",
    "result == 'open",
    "true ==",
    "system('rm')",
    "{{ result }}",
    "result.name == ",
    "1 / 0 > 0",
    "size(result) > 0",
    "steps.look.result == 3",
    "foo == nil",
    "!ready",
    "result == 3 || ready",
    "!has(input.a)",
  ])("E0-25: %j is false and never an error", (condition) => {
    expect(evaluateCondition(condition, 3)).toBe(false);
  });

  it.each([
    ["a hundred thousand parentheses", "(".repeat(100_000)],
    ["a word that is too long", `result == ${"x".repeat(10_000)}`],
  ])("E0-25: %s is false and never an error", (_, condition) => {
    expect(evaluateCondition(condition, "x".repeat(10_000))).toBe(false);
  });

  it.each<[string, Json]>([
    ["result == in-progress", "in-progress"],
    ["result == größer", "größer"],
    ["result == _x9", "_x9"],
    ["result == 3.50", "3.50"],
    ["result == 3.50", 3.5],
    ["result == -2", "-2"],
    ["result == -2", -2],
    [String.raw`result == "a\"b"`, 'a"b'],
    ["result == all", "all"],
  ])("%s holds for %j", (condition, result) => {
    expect(evaluateCondition(condition, result)).toBe(true);
  });

  it.each(rootNames)("result == %s compares with the value of that name", (root) => {
    const parsed = parseCondition(`result == ${root}`);
    expect(parsed).toMatchObject({ ok: true, expression: { node: { kind: "binary" } } });
  });

  it("takes a subtraction for what it is", () => {
    expect(parseCondition("result == index-1")).toMatchObject({ ok: true, expression: { node: { kind: "binary" } } });
  });

  it("becomes a frozen node of its own that refers to the result", () => {
    const parsed = parseCondition(" result != 3 ");
    expect(parsed).toEqual({
      ok: true,
      expression: {
        kind: "expression",
        source: " result != 3 ",
        node: { kind: "seed", negated: true, word: { kind: "number", value: 3, text: "3" }, at: 1 },
        references: [{ root: "result", path: [], computed: false, at: 1 }],
      },
    });
    expect(parsed.ok && Object.isFrozen(parsed.expression.node)).toBe(true);
  });
});

describe("other conditions", () => {
  it.each<[string, Json, boolean]>([
    ["result.count + 1 == 4", { count: 3 }, true],
    ["result == true && true", true, true],
    ["result == true && true", "true", false],
    ["result", true, true],
    ["result", null, false],
    ["result", "true", false],
    ["!result", null, true],
    ["result.missing", {}, false],
    ["result.items.exists(x, x.ok)", { items: [{ ok: false }, { ok: true }] }, true],
    ["(result == yes)", "yes", false],
  ])("%s with %j is %j", (condition, result, expected) => {
    expect(evaluateCondition(condition, result)).toBe(expected);
  });

  it("is refused with its problem when it does not parse", () => {
    expect(parseCondition("result == true and x")).toMatchObject({
      ok: false,
      problem: { code: "expression_syntax", hint: "Write && for and." },
    });
  });
});
