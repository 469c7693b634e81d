import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { evaluate, type EvaluationResult } from "./evaluate.ts";
import { parseExpression } from "./parse.ts";

/** The answer with `input` for the root of that name. */
function answer(source: string, input: Json = { tags: ["red", "blue"] }): EvaluationResult<Json> {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.problem.message}`);
  return evaluate(parsed.expression, { lookup: (root) => (root === "input" ? input : undefined) });
}

describe("functions", () => {
  it.each<[string, Json]>([
    ["size('größer 😀')", 8],
    ["size(input.tags)", 2],
    ["{'a': 1}.size()", 1],
    ["size('')", 0],
    [String.raw`size("a\U0001F600b")`, 3],
    ["'abc'.contains('bc')", true],
    ["'abc'.contains('')", true],
    ["'abc'.contains('abcd')", false],
    ["'abc'.contains('x')", false],
    ["input.tags.contains('red')", true],
    ["[[1]].contains([1])", true],
    ["[1].contains('1')", false],
    ["[null].contains(input.no)", true],
    ["'abc'.startsWith('ab')", true],
    ["'abc'.startsWith('b')", false],
    ["'abc'.endsWith('bc')", true],
    ["'abc'.endsWith('b')", false],
    ["lower('ÄbC')", "äbc"],
    ["'straße'.upper()", "STRASSE"],
    ["trim(' \ta b ')", "a b"],
    ["'a,b,,c'.split(',')", ["a", "b", "", "c"]],
    ["'abc'.split('')", ["a", "b", "c"]],
    ["'a😀'.split('')", ["a", "😀"]],
    ["''.split(',')", [""]],
    ["''.split('')", []],
    ["'aXYbXY'.split('XY')", ["a", "b", ""]],
    ["'aaa'.split('aa')", ["", "a"]],
    ["['a', 'b'].join('-')", "a-b"],
    ["[1, true, null, input.no, [2], {'a': 'x'}].join(',')", '1,true,,,[2],{"a":"x"}'],
    ["['a', 'b'].join()", "ab"],
    ["[].join(',')", ""],
    ["string(12.5)", "12.5"],
    ["string(1e21)", "1e+21"],
    ["string(true)", "true"],
    ["string('x')", "x"],
    ["string(null)", ""],
    ["string({'a': [1, null, 'x']})", '{"a":[1,null,"x"]}'],
    ["number('12')", 12],
    ["number(' -1.5e2 ')", -150],
    ["number('-0')", 0],
    ["number(7)", 7],
    ["type(null)", "null"],
    ["type(input.no)", "null"],
    ["type(true)", "boolean"],
    ["type(1)", "number"],
    ["type('')", "string"],
    ["type([])", "list"],
    ["type({})", "map"],
    ["keys({'b': 1, 'a': 2})", ["a", "b"]],
    ["min(3, 1, 2)", 1],
    ["max([3, 1, 2])", 3],
    ["[3, 1].min()", 1],
    ["max('2024-01-01', '2025-01-01')", "2025-01-01"],
    ["min(['b', 'a'])", "a"],
    ["min([0, 1])", 0],
  ])("%s is %j", (source, value) => {
    expect(answer(source)).toMatchObject({ ok: true, value });
  });

  it.each([
    ["size(1)", "wrong_operand", "size needs a text, a list or a map and was given 1."],
    ["size(input.no)", "wrong_operand", "was given a missing value. Give it a value with ??, or ask with has before."],
    ["size(null)", "wrong_operand", "was given null. Give it a value with ??"],
    ["contains(1, 'a')", "wrong_operand", "contains needs a text or a list"],
    ["'a'.contains(1)", "wrong_operand", "contains needs a text and was given 1."],
    ["startsWith('a', [])", "wrong_operand", "startsWith needs a text and was given a list."],
    ["endsWith({}, 'a')", "wrong_operand", "endsWith needs a text and was given a map."],
    ["lower(1)", "wrong_operand", "lower needs a text"],
    ["'a'.join(',')", "wrong_operand", "join needs a list and was given a text."],
    ["[1].join(1)", "wrong_operand", "join needs a text"],
    ["keys([1])", "wrong_operand", "keys needs a map and was given a list."],
    ["keys(input.no)", "wrong_operand", "keys needs a map and was given a missing value."],
    ["split('a', null)", "wrong_operand", "split needs a text"],
    ["number(true)", "wrong_operand", "number needs a text or a number and was given true."],
    ["number('')", "not_a_number", "number cannot read this text."],
    ["number('0x10')", "not_a_number", "number cannot read this text."],
    ["number('Infinity')", "not_a_number", "number cannot read this text."],
    ["number('1e999')", "not_finite", "no finite number"],
    ["min([])", "wrong_operand", "min was given an empty list."],
    ["max(1)", "wrong_operand", "max needs a list and was given 1."],
    ["max(1, 'a')", "wrong_operand", "max needs numbers alone or texts alone and was given a text."],
    ["min([true])", "wrong_operand", "min needs numbers alone or texts alone and was given true."],
  ])("%s is a problem of the kind %s", (source, code, message) => {
    expect(answer(source)).toMatchObject({ ok: false, problem: { code, message: expect.stringContaining(message) } });
  });

  it("finds long texts where they are", () => {
    const part = "abcabcabcabcabcabcabd";
    const whole = `${"abc".repeat(9)}${part}x${part}`;
    const input = { part, whole, other: `${part}d` };
    expect(answer("input.whole.contains(input.part)", input)).toMatchObject({ value: true });
    expect(answer("input.whole.contains(input.other)", input)).toMatchObject({ value: false });
    expect(answer("input.whole.split(input.part)", input)).toMatchObject({ value: whole.split(part) });
  });
});
