// The shared subset: what CEL and this language both say about the same source and the same values. Where they differ
// on purpose, the difference is listed with its reason and asserted on both sides.

import { isCelError, isCelList, isCelMap, run, type CelInput } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { describe, expect, it } from "vitest";
import { isArray, isObject, objectFrom, type Json } from "../json.ts";
import { evaluate } from "./evaluate.ts";
import { parseExpression } from "./parse.ts";

const values: { readonly [root: string]: Json } = {
  input: {
    name: "Ada Lovelace",
    age: 36,
    ratio: 0.5,
    admin: true,
    empty: "",
    tags: ["math", "poetry", "engines"],
    scores: [3, 1, 2],
    address: { city: "London", lines: ["St James's Square", "SW1"], "post-code": "SW1Y" },
    none: [],
    nothing: {},
    text: "größer 😀",
  },
  result: {
    items: [
      { id: 1, ok: true },
      { id: 2, ok: false },
    ],
    status: "open",
    count: 2,
  },
  item: { id: 2 },
};

const error = "<error>";

function ours(source: string): Json {
  const parsed = parseExpression(source);
  if (!parsed.ok) return error;
  const answer = evaluate(parsed.expression, {
    lookup: (root) => (Object.hasOwn(values, root) ? values[root] : undefined),
  });
  return answer.ok ? answer.value : error;
}

function theirs(source: string): Json {
  const bindings = Object.fromEntries(Object.entries(values).map(([root, value]) => [root, toCel(value)]));
  const answer: unknown = run(source, bindings, { funcs: strings });
  return isCelError(answer) ? error : fromCel(answer);
}

function toCel(value: Json): CelInput {
  if (isArray(value)) return value.map(toCel);
  if (!isObject(value)) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, toCel(member)] as const));
}

/** CEL has several kinds of number and JSON has one: whole ones come back as bigints. */
function fromCel(value: unknown): Json {
  if (typeof value === "bigint") return Number(value);
  if (isCelList(value)) return Array.from(value, fromCel);
  if (isCelMap(value)) return objectFrom(Array.from(value.entries(), ([key, member]) => [toKey(key), fromCel(member)]));
  if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string")
    return value;
  throw new TypeError(`CEL answered with something that JSON cannot hold: ${typeof value}`);
}

function toKey(key: unknown): string {
  return typeof key === "string" ? key : JSON.stringify(fromCel(key));
}

/** One source for both, or ours and the same in CEL's own words. */
const same: readonly (string | readonly [string, string])[] = [
  // literals
  "1",
  "-1",
  "1.5",
  ".5",
  "1e3",
  "1.5e-3",
  "0x1F",
  "007",
  "true",
  "false",
  "null",
  "''",
  '"a"',
  "'a'",
  `'a"b'`,
  `"a'b"`,
  String.raw`'tab\tnewline\nquote\'backslash\\'`,
  String.raw`"\x41\u00e9\U0001F600\101\?"`,
  "'größer 😀'",
  "[]",
  "[1, 2, 3]",
  "[1, 'a', true, null]",
  "[1, 2,]",
  "[[1], [2, [3]]]",
  "{}",
  "{'a': 1, 'b': 2}",
  "{'a': {'b': [1, 2]}}",
  "{'a': 1,}",
  "{'a' + 'b': 1}",
  // paths
  "input.name",
  "input['name']",
  "input.address.city",
  "input['address']['lines'][0]",
  "input.address['post-code']",
  "input.tags[2]",
  "result.items[1].id",
  "[1, 2, 3][1]",
  "{'a': 1}.a",
  "{'a': 1}['a']",
  "(input).name",
  "[[1, 2], [3, 4]][1][0]",
  // arithmetic
  "1 + 2",
  "1 - 2",
  "2 * 3",
  "6 / 3",
  "7 % 3",
  "-7 % 3",
  "1.5 + 1.5",
  "1.0 / 4.0",
  "input.age + 1.0",
  "input.ratio * 2.0",
  "input.age - input.ratio",
  "-input.age",
  "1 + 2 * 3",
  "(1 + 2) * 3",
  "10 - 3 - 2",
  "12 / 3 / 2",
  "2 * 3 % 4",
  "1 - -1",
  "--1",
  "-(1 + 2)",
  // texts and lists
  "'a' + 'b'",
  "'a' + 'b' + 'c'",
  "input.name + '!'",
  "[1] + [2]",
  "[] + []",
  "input.tags + ['more']",
  // equality
  "1 == 1",
  "1 == 2",
  "1 != 2",
  "1 == 1.0",
  "'a' == 'a'",
  "'a' == 'A'",
  "'1' == 1",
  "true == 'true'",
  "null == null",
  "null == false",
  "null != 0",
  "[1, 2] == [1, 2]",
  "[1, 2] == [2, 1]",
  "[1] == [1.0]",
  "[1] == [1, 2]",
  "[] == {}",
  "{'a': 1} == {'a': 1.0}",
  "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}",
  "{'a': 1} == {'a': 1, 'b': 2}",
  "[[1], {'a': [2]}] == [[1], {'a': [2]}]",
  "input.address == {'city': 'London'}",
  "1 == 1 == true",
  // order
  "1 < 2",
  "2 <= 2",
  "2 > 3",
  "3 >= 3",
  "1 < 1.5",
  "'a' < 'b'",
  "'a' < 'B'",
  "'ab' < 'abc'",
  "'b' >= 'a'",
  "false < true",
  "true <= true",
  "input.age > 18",
  "input.age >= 36.0 && input.ratio < 1.0",
  // logic
  "true && false",
  "true || false",
  "!true",
  "!!true",
  "!input.admin",
  "true && !false",
  "false && 1 / 0 > 0",
  "true || 1 / 0 > 0",
  "true || false && false",
  "(true || false) && false",
  "true ? 1 : 2",
  "false ? 1 : 2",
  "input.age > 30 ? 'old' : 'young'",
  "false ? 1 : true ? 2 : 3",
  "true ? 1 : 1 / 0",
  "input.admin && input.name == 'Ada Lovelace'",
  // membership
  "1 in [1, 2]",
  "3 in [1, 2]",
  "1.0 in [1, 2]",
  "'a' in ['a']",
  "'math' in input.tags",
  "!('x' in input.tags)",
  "'city' in input.address",
  "'x' in {}",
  "[1] in [[1], [2]]",
  "null in [null]",
  // has
  "has(input.name)",
  "has(input.missing)",
  "has(input.address.city)",
  "has(input.address.country)",
  "has({'a': 1}.a)",
  "has({'a': 1}.b)",
  "has(input.name) && input.name != ''",
  // functions
  "size([1, 2, 3])",
  "size([])",
  "size({'a': 1})",
  "size('')",
  "size('größer 😀')",
  "input.text.size()",
  "input.tags.size()",
  "size(input.address)",
  "size(input.none) == 0 ? 'empty' : 'items'",
  "'abc'.contains('b')",
  "'abc'.contains('')",
  "'abc'.contains('d')",
  "input.name.contains('Love')",
  "'abc'.startsWith('ab')",
  "'abc'.startsWith('bc')",
  "input.name.startsWith('Ada')",
  "'abc'.endsWith('bc')",
  "'abc'.endsWith('ab')",
  "' a b '.trim()",
  "'a,b,,c'.split(',')",
  "''.split(',')",
  "'abc'.split('')",
  "['a', 'b'].join('-')",
  "['a', 'b'].join()",
  "[].join(',')",
  "input.tags.join(', ')",
  "'a b c'.split(' ').join('')",
  ["'ABC'.lower()", "'ABC'.lowerAscii()"],
  ["'abc'.upper()", "'abc'.upperAscii()"],
  "string('a')",
  "string(1)",
  "string(1.5)",
  "string(true)",
  ["number('12.5')", "double('12.5')"],
  ["number(2)", "double(2)"],
  ["type('a') == type('b')", "type('a') == type('b')"],
  ["type(1) == 'number'", "type(1) == int"],
  // macros
  "[1, 2].all(x, x > 0)",
  "[1, 2].all(x, x > 1)",
  "[].all(x, false)",
  "[1, 2].exists(x, x > 1)",
  "[1, 2].exists(x, x > 2)",
  "[].exists(x, true)",
  "[1, 2, 3].filter(x, x != 2)",
  "[1, 2, 3].map(x, x * x)",
  "input.tags.filter(t, t.startsWith('m'))",
  "input.tags.map(t, t.size())",
  "input.scores.map(s, s * 2.0)",
  "result.items.filter(i, i.ok).map(i, i.id)",
  "result.items.exists(i, i.id == item.id && !i.ok)",
  "result.items.map(item, item.id)",
  "[[1, 2], [3]].map(l, l.size())",
  "[1, 2].map(x, [10, 20].map(y, x + y))",
  "[1, 2].all(x, [1, 2].exists(y, x == y))",
  "{'a': 1, 'b': 2}.all(k, k < 'c')",
  "{'a': 1, 'b': 2}.exists(k, k == 'b')",
  "{'a': 1, 'b': 2}.map(k, k + k)",
  "[1, 2].filter(x, x > 1).size() == 1",
  // both refuse
  "1 +",
  "(1",
  "[1, 2",
  "'abc",
  "1 2",
  "input.",
  "'a' + 1",
  "true + true",
  "{} + {}",
  "1 && true",
  "'a' ? 1 : 2",
  "-'a'",
  "size(1)",
  "'a'.contains(1)",
  "1 in 'a'",
  "{'a': 1, 'a': 2}",
  "1 / 0",
  "5 % 0",
  "nosuch(1)",
  "'a'.nosuch()",
  "[1].map(1, 2)",
  "has(1)",
  "a = 1",
  "a === 1",
  "a and b",
];

/** What differs on purpose: the source, our answer, CEL's answer, the reason. */
const different: readonly (readonly [string, Json, Json, string])[] = [
  ["input.missing", null, error, "a missing path is null"],
  ["nobody", null, error, "a missing path is null"],
  ["input.tags[9]", null, error, "an index outside the list is a missing path"],
  ["input.tags[-1]", null, error, "an index outside the list is a missing path"],
  ["input.name.first", null, error, "a member of a text is a missing path"],
  ["input.missing == null", true, error, "a missing path is null"],
  ["1 / 2", 0.5, 0, "there is one number type, and / is real division"],
  ["7 / 2 * 2", 7, 6, "there is one number type, and / is real division"],
  ["1 + 1.5", 2.5, error, "there is one number type"],
  ["input.age + 1", 37, error, "there is one number type"],
  ["5.5 % 2.0", 1.5, error, "there is one number type"],
  ["1.0 / 0.0 > 1.0", error, true, "a result that is not finite is an error"],
  ["9223372036854775807 > 1", error, true, "a number that cannot be kept exactly is refused"],
  ["1u == 1u", error, true, "there is one number type"],
  ["1 < 'a'", false, error, "unlike types are never less, and never an error"],
  ["null < 1", false, error, "unlike types are never less, and never an error"],
  ["[1] < [2]", false, error, "what has no order is never less"],
  ["null && true", false, error, "null counts as false in a condition"],
  ["!null", true, error, "null counts as false in a condition"],
  ["null ? 1 : 2", 2, error, "null counts as false in a condition"],
  ["1 / 0 > 0 || true", error, true, "conditions are evaluated from left to right, and an error ends them"],
  ["(1 / 0 > 0) && false", error, false, "conditions are evaluated from left to right, and an error ends them"],
  ["nil", null, error, "nil is null"],
  ["input.missing ?? 1", 1, error, "?? gives a default"],
  ["has({'a': null}.a)", true, false, "has asks for the key and not for its value"],
  ["has(input['name'])", true, error, "has takes every path"],
  ["string(null)", "", error, "null is no text"],
  ["string([1])", "[1]", error, "lists and maps become JSON"],
  ["[1, 'a'].join(',')", "1,a", error, "members are joined as the texts that a template would write"],
  ["['a'].contains('a')", true, error, "contains looks in lists too"],
  ["lower('Ä')", "ä", error, "letters of every alphabet have both forms"],
  ["contains('abc', 'b')", true, error, "a function may stand in front of its text"],
  ["min(2, 1)", 1, error, "min and max are part of the language"],
  ["keys({'a': 1})", ["a"], error, "keys is part of the language"],
  ["{'b': 1, 'a': 2}.map(k, k)", ["a", "b"], ["b", "a"], "keys come sorted, so that every store replays the same"],
  ["{1: 'a'}", error, { 1: "a" }, "the keys of a JSON map are texts"],
  ["1 < 2 == true", error, true, "comparisons are not chained with an order among them"],
  ["'a' + r'b'", error, "ab", "raw texts are left out"],
  ["'abc'.matches('b')", error, true, "there are no regular expressions"],
  ["[1, 2].exists_one(x, x > 1)", error, true, "the macros are all, exists, filter and map"],
  ["[1, 2].map(x, x > 1, x * 2)", error, [4], "filter and map are written one after the other"],
  ["1 // one\n", error, 1, "there are no comments"],
  ["input.in", null, error, "every name can be a key"],
];

describe("the shared subset", () => {
  it.each(same.map((entry) => (typeof entry === "string" ? ([entry, entry] as const) : entry)))(
    "%s says the same as CEL",
    (source, celSource) => {
      expect(ours(source)).toEqual(theirs(celSource));
    },
  );

  it("has at least 120 expressions that give a value", () => {
    const sources = same.map((entry) => (typeof entry === "string" ? entry : entry[0]));
    expect(new Set(sources).size).toBe(sources.length);
    expect(sources.filter((source) => ours(source) !== error).length).toBeGreaterThanOrEqual(120);
  });

  it.each(different)("%s is %j here and %j in CEL: %s", (source, expected, celExpected) => {
    expect(ours(source)).toEqual(expected);
    expect(theirs(source)).toEqual(celExpected);
  });
});
