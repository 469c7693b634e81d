import { describe, expect, it } from "vitest";
import { objectFrom, type Json } from "../json.ts";
import { evaluate, evaluateTruth, type EvaluationResult } from "./evaluate.ts";
import type { Scope } from "./evaluation.ts";
import { parseExpression } from "./parse.ts";

const values: { readonly [root: string]: Json } = {
  input: {
    name: "Ada",
    count: 3,
    none: null,
    tags: ["red", "blue"],
    deep: { list: [{ id: 7 }, { id: 8 }] },
    flags: { yes: true, no: false },
    key: "name",
    "read-feed": 1,
    length: "a plain key",
    constructor: "data",
    text: "größer 😀",
  },
  result: { items: [], total: 12.5 },
  item: 5,
};

const scope: Scope = { lookup: (root) => (Object.hasOwn(values, root) ? values[root] : undefined) };

function answer(source: string, from: Scope = scope): EvaluationResult<Json> {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.problem.message}`);
  return evaluate(parsed.expression, from);
}

/** The value, or the code of the problem in brackets. */
function valueOf(source: string, from: Scope = scope): Json {
  const result = answer(source, from);
  return result.ok ? result.value : `<${result.problem.code}>`;
}

function missingIn(source: string): readonly string[] {
  const result = answer(source);
  return result.ok ? result.missing : [`<${result.problem.code}>`];
}

describe("paths", () => {
  it.each<[string, Json]>([
    ["input.name", "Ada"],
    ["input['name']", "Ada"],
    ["input[input.key]", "Ada"],
    ["input['read-feed']", 1],
    ["input.deep.list[1].id", 8],
    ["input.tags[0]", "red"],
    ["input.none", null],
    ["[1, 2, 3][1]", 2],
    ["{'a': {'b': 2}}.a.b", 2],
    ["input.length", "a plain key"],
    ["input.constructor", "data"],
    ["[10, 20][1 - 1]", 10],
  ])("%s is %j", (source, value) => {
    expect(answer(source)).toEqual({ ok: true, value, missing: [] });
  });

  it.each([
    "input.nothing",
    "input.nothing.more[0]",
    "input.none.more",
    "input.name.first",
    "input.name[0]",
    "input.name.length",
    "input.tags.length",
    "input.tags[2]",
    "input.tags[-1]",
    "input.tags[0.5]",
    "input.tags['0']",
    "input.tags['length']",
    "input.tags[null]",
    "input.deep[0]",
    "input.__proto__",
    "input.toString",
    "input['__proto__']",
    "input.deep.hasOwnProperty",
    "previous",
    "steps.look.result",
    "nobody.knows",
    "{'a': 1}.b",
    "[1][1]",
  ])("%s leads nowhere: it is null, and listed as written", (source) => {
    expect(answer(source)).toEqual({ ok: true, value: null, missing: [source] });
  });

  it("takes a member called __proto__ for data", () => {
    const hostile: Scope = { lookup: () => objectFrom<Json>([["__proto__", { admin: true }]]) };
    expect(valueOf("input.__proto__.admin", hostile)).toBe(true);
    expect(valueOf("input.admin", hostile)).toBe(null);
    expect(valueOf("keys({'__proto__': 1})")).toEqual(["__proto__"]);
    expect(valueOf("{'__proto__': {'a': 1}}.a")).toBe(null);
  });

  it("lists each missing path once, in the order of asking", () => {
    expect(missingIn("[input.b, input.a, input.b, input.x.y]")).toEqual(["input.b", "input.a", "input.x.y"]);
  });

  it("lists a missing path with the spaces it was written with", () => {
    expect(missingIn("[ (input) . no [ 'a' ] ]")).toEqual(["(input) . no [ 'a' ]"]);
  });

  it("lists a computed path and the path it was computed from", () => {
    expect(missingIn("input[input.which]")).toEqual(["input.which", "input[input.which]"]);
  });

  it.each([
    "has(input.no)",
    "has(input.no.more['x'][0])",
    "has(nobody)",
    "input.no ?? 1",
    "input.no ?? input.none ?? input.name",
    "has(input.no) ? input.no : 1",
    "has(input.no) && input.no > 1",
  ])("%s expects that something is missing, and does not list it", (source) => {
    expect(missingIn(source)).toEqual([]);
  });

  it("lists what is missing to the right of ??", () => {
    expect(missingIn("input.no ?? input.neither")).toEqual(["input.neither"]);
    expect(missingIn("(input.no == 1) ?? 2")).toEqual(["input.no"]);
  });

  it("asks with has for the path and not for the value", () => {
    expect(valueOf("[has(input.name), has(input.none), has(input.no), has(input.tags[1]), has(item)]")).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(valueOf("has([{'a': 1}][0].a)")).toBe(true);
    expect(valueOf("input.tags.all(x, has(x))")).toBe(true);
  });
});

describe("operators", () => {
  it.each<[string, Json]>([
    ["1 + 2", 3],
    ["7 / 2", 3.5],
    ["7 % 4", 3],
    ["-7 % 4", -3],
    ["5.5 % 2", 1.5],
    ["2 * 3 - 4", 2],
    ["-(1 + 2)", -3],
    ["0.1 + 0.2 == 0.3", false],
    ["0 * -1", 0],
    ["-0", 0],
    ["result.total + 1 == 13.5", true],
    ["'a' + 'b'", "ab"],
    ["[1] + [2, 3]", [1, 2, 3]],
    ["[] + []", []],
    ["1 == 1.0", true],
    ["1 == '1'", false],
    ["null == false", false],
    ["null == nil", true],
    ["input.no == null", true],
    ["'' == null", false],
    ["[1, [2]] == [1, [2]]", true],
    ["[1, 2] == [2, 1]", false],
    ["[1] == [1, 2]", false],
    ["[1] == {'0': 1}", false],
    ["{'0': 1} == [1]", false],
    ["{'a': 1, 'b': [2]} == {'b': [2], 'a': 1}", true],
    ["{'a': 1} == {'b': 1}", false],
    ["{'a': 1} == {'a': 2}", false],
    ["{'a': 1} == {'a': 1, 'b': 2}", false],
    ["{'toString': 1} == {'a': 1}", false],
    ["'ab' != 'ac'", true],
    ["1 < 2", true],
    ["2 <= 2", true],
    ["3 > 2", true],
    ["2 >= 3", false],
    ["'a' < 'b'", true],
    ["'b' <= 'a'", false],
    ["'B' < 'a'", true],
    ["false < true", true],
    ["true <= false", false],
    ["true >= true", true],
    ["1 < '2'", false],
    ["1 > '2'", false],
    ["1 <= '2'", false],
    ["null < 1", false],
    ["null <= null", false],
    ["[1] < [2]", false],
    ["[1] <= [1]", false],
    ["input.no > 1", false],
    ["2 in [1, 2]", true],
    ["3 in [1, 2]", false],
    ["[1] in [[1]]", true],
    ["null in [null]", true],
    ["'name' in input", true],
    ["'toString' in input", false],
    ["1 in input", false],
    ["true && false", false],
    ["true || false", true],
    ["false || null", false],
    ["null && true", false],
    ["!null", true],
    ["!false", true],
    ["input.no ? 1 : 2", 2],
    ["true ? 1 : 2", 1],
    ["input.none ?? 'x'", "x"],
    ["false ?? 'x'", false],
    ["0 ?? 'x'", 0],
    ["'' ?? 'x'", ""],
    ["{'a': input.no, 'b' + 'c': [input.no]}", { a: null, bc: [null] }],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it.each([
    "false && 1 / 0 > 0",
    "true || 1 / 0 > 0",
    "true ? true : 1 / 0",
    "input.name ?? 1 / 0",
    "[1, 2].exists(x, x == 1 || x / 0 > 1)",
  ])("%s does not evaluate what does not matter", (source) => {
    expect(answer(source).ok).toBe(true);
  });

  it.each([
    ["1 / 0", "not_finite", 2, "division by zero"],
    ["0 / 0", "not_finite", 2, "division by zero"],
    ["5 % 0", "not_finite", 2, "division by zero"],
    ["1e308 * 10", "not_finite", 6, "too large"],
    ["1e308 + 1e308", "not_finite", 6, "too large"],
    ["'a' + 1", "wrong_operand", 4, "+ cannot take a text and 1. Write string(x) or number(x) to make them alike."],
    ["1 + '1'", "wrong_operand", 2, "Write string(x) or number(x)"],
    ["input.no + 1", "wrong_operand", 9, "+ cannot take a missing value and 1. Give what is missing a value with ??."],
    ["1 - null", "wrong_operand", 2, "- cannot take 1 and null. Give what is missing a value with ??."],
    ["true + true", "wrong_operand", 5, "+ cannot take true and true. It adds numbers, texts or lists."],
    ["{} + {}", "wrong_operand", 3, "+ cannot take a map and a map."],
    ["[1] + 1", "wrong_operand", 4, "+ cannot take a list and 1."],
    ["[1] * 2", "wrong_operand", 4, "* cannot take a list and 2. It takes numbers."],
    ["-'a'", "wrong_operand", 0, "- cannot take a text. It takes a number."],
    ["1 in 'a'", "wrong_operand", 2, "Look in a list, or for a key in a map."],
    ["1 in input.no", "wrong_operand", 2, "Write in (path ?? [])."],
    ["1 && true", "wrong_operand", 0, "A condition must be true or false, and this is 1."],
    ["true && 'yes'", "wrong_operand", 8, "this is a text"],
    ["!input.name", "wrong_operand", 1, "this is a text"],
    ["[] ? 1 : 2", "wrong_operand", 0, "this is a list"],
    ["{1: 2}", "wrong_operand", 0, "The key of a map is a text, not 1."],
    ["{input.no: 2}", "wrong_operand", 0, "not a missing value"],
    ["{'a': 1, 'a': 2}", "wrong_operand", 9, "A map has one key twice."],
  ])("%s is a problem of the kind %s", (source, code, at, message) => {
    expect(answer(source)).toEqual({ ok: false, problem: { code, at, message: expect.stringContaining(message) } });
  });
});

describe("macros", () => {
  it.each<[string, Json]>([
    ["[1, 2].all(x, x > 0)", true],
    ["[1, 2].all(x, x > 1)", false],
    ["[].all(x, false)", true],
    ["[1, 2].exists(x, x > 1)", true],
    ["[].exists(x, true)", false],
    ["[1, 2, 3].filter(x, x != 2)", [1, 3]],
    ["[1, null].filter(x, x)", "<wrong_operand>"],
    ["[true, null, false].filter(x, x)", [true]],
    ["[1, 2].map(x, x * x)", [1, 4]],
    ["[{'a': 1}, {}].map(x, x.a)", [1, null]],
    ["input.deep.list.map(x, x.id)", [7, 8]],
    ["input.deep.list.filter(item, item.id > 7).map(item, {'id': item.id})", [{ id: 8 }]],
    [
      "[1, 2].map(x, [10, 20].map(y, x + y))",
      [
        [11, 21],
        [12, 22],
      ],
    ],
    ["[1, 2].map(x, [x].map(x, x * 10)[0] + x)", [11, 22]],
    ["[1].map(item, item) + [item]", [1, 5]],
    ["{'b': 1, 'a': 2}.map(k, k)", ["a", "b"]],
    ["input.flags.filter(k, input.flags[k])", ["yes"]],
    ["{}.all(k, false)", true],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it("names what is missing by the macro's variable", () => {
    expect(missingIn("[{'a': 1}, {}, {}].map(x, x.a)")).toEqual(["x.a"]);
  });

  it.each([
    ["input.no.map(x, x)", "map needs a list or a map, not a missing value. Write (path ?? [])"],
    ["'abc'.all(x, x)", "all needs a list or a map, not a text."],
  ])("%s is refused", (source, message) => {
    expect(answer(source)).toMatchObject({
      ok: false,
      problem: { code: "wrong_operand", message: expect.stringContaining(message) },
    });
  });
});

describe("the answer", () => {
  it("is null or the budget's problem, and an error of the scope is passed on", () => {
    const parsed = parseExpression("input.x");
    const broken: Scope = {
      lookup: () => {
        throw new RangeError("the scope is broken");
      },
    };
    expect(() => parsed.ok && evaluate(parsed.expression, broken)).toThrow("the scope is broken");
  });

  it.each<[string, Json]>([
    ["true", true],
    ["input.count > 2", true],
    ["input.no", false],
    ["null", false],
    ["input.name", "<wrong_operand>"],
  ])("of the condition %s is %j", (source, expected) => {
    const parsed = parseExpression(source);
    const result = parsed.ok ? evaluateTruth(parsed.expression, scope) : null;
    expect(result?.ok === true ? result.value : `<${result?.problem.code}>`).toBe(expected);
  });

  it("of a condition lists what was missing", () => {
    const parsed = parseExpression("input.no == 1");
    expect(parsed.ok && evaluateTruth(parsed.expression, scope)).toEqual({
      ok: true,
      value: false,
      missing: ["input.no"],
    });
  });
});
