import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { refuseArguments, refuseResult } from "./arguments.ts";

function told(input: JsonObject, given: Json, secretPlaces: readonly string[] = []): string {
  const refused = refuseArguments({ name: "t", input, output: null }, { input: given, secretPlaces });
  return refused === null ? "fine" : `${refused.code}: ${refused.message}`;
}

/** Between the name of the tool and the names of arguments. */
function flaws(input: JsonObject, given: Json, secretPlaces: readonly string[] = []): string {
  return /these arguments: (.*)\. Expected /.exec(told(input, given, secretPlaces))?.[1] ?? "fine";
}

const numbers = { properties: { a: { type: "number" }, b: { type: ["integer", "null"] } } };

describe("arguments that do not fit are told where and how", () => {
  test.each<[string, JsonObject, Json, string]>([
    ["what fits", numbers, { a: 1, b: null, c: [] }, "fine"],
    ["a text for a number", numbers, { a: "x" }, 'a: expected number, got text "x"'],
    ["one of several types", numbers, { b: 1.5 }, "b: expected whole number or null, got number 1.5"],
    [
      "a list and an object",
      numbers,
      { a: [], b: {} },
      "a: expected number, got a list; b: expected whole number or null, got an object",
    ],
    ["true for text", { properties: { a: { type: "string" } } }, { a: true }, "a: expected text, got boolean true"],
    ["null", { properties: { a: { type: "boolean" } } }, { a: null }, "a: expected true or false, got null"],
    ["something else in place of all", { type: "object" }, "all", 'expected object, got text "all"'],
    ["a long text", numbers, { a: "😀".repeat(50) }, `a: expected number, got text "${"😀".repeat(20)}…"`],
    [
      "a place far inside",
      { properties: { list: { items: { properties: { "a/b": { type: "array" } } } } } },
      { list: [{}, { "a/b": 1 }] },
      "list.1.a/b: expected list, got number 1",
    ],
    [
      "a value that is none of a few",
      { properties: { a: { enum: ["x", 1] } } },
      { a: 2 },
      'a: expected one of "x", 1, got number 2',
    ],
    ["a value that is not the one", { properties: { a: { const: "x" } } }, { a: "y" }, 'a: expected "x", got text "y"'],
    ["a number that is too small", { properties: { a: { minimum: 3 } } }, { a: 2 }, "a: must be >= 3, got number 2"],
    [
      "types as alternatives",
      { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } },
      { a: 2 },
      "a: expected text or null, got number 2",
    ],
    [
      "alternatives of another kind",
      { properties: { a: { anyOf: [{ minimum: 3 }, { type: "null" }] } } },
      { a: 2 },
      "a: fits none of the allowed forms, got number 2",
    ],
    [
      "alternatives that exclude each other",
      { properties: { a: { oneOf: [{ minimum: 3 }, { minimum: 4 }] } } },
      { a: 5 },
      "a: fits more than one of the forms that exclude each other",
    ],
    [
      "a name that is not known, far inside",
      { properties: { a: { properties: { b: true }, additionalProperties: false } } },
      { a: { c: 1 } },
      "a.c: is not known",
    ],
    [
      "a name that nothing evaluates",
      { allOf: [{ properties: { ab: true } }], unevaluatedProperties: false },
      { x: 1 },
      "x: is not known",
    ],
    [
      "a repeated item",
      { properties: { a: { uniqueItems: true } } },
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      "a: must NOT have duplicate items, got a list",
    ],
    [
      "only the first five",
      { required: ["a", "b", "c", "d", "e", "f", "g"] },
      {},
      "a: is missing; b: is missing; c: is missing; d: is missing; e: is missing; and 2 more",
    ],
    ["a name that is inherited", { required: ["constructor"] }, {}, "constructor: is missing"],
    ["a name that everything inherits", { properties: { constructor: { type: "string" } } }, {}, "fine"],
  ])("%s", (_, schema, given, expected) => {
    expect(flaws(schema, given)).toBe(expected);
  });

  test("E3-45: with the names that are expected and those that are given", () => {
    const schema = { type: "object", ...numbers, required: ["a"], additionalProperties: false };
    expect(told(schema, { aa: 1 })).toBe(
      'bad_args: The tool "t" does not take these arguments: a: is missing; aa: is not known (did you mean "a"?). ' +
        "Expected a, b (optional); given aa.",
    );
    expect(told(schema, [])).toMatch(/Expected a, b \(optional\); given none\.$/);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}`, true]));
    expect(told({ properties: many, required: ["n0"] }, {})).toContain("n29 (optional), …; given none.");
  });

  test("nothing that stands where a secret does, holds one or is part of one is shown", () => {
    const schema = { properties: { key: { maxLength: 3 }, list: { maxItems: 0 }, a: { type: "number" } } };
    const given = { key: "canary", list: ["canary"], a: "seen" };
    expect(flaws(schema, given, ["/key", "/list/0"])).toBe(
      'key: must NOT have more than 3 characters, got text; list: must NOT have more than 0 items, got a list; a: expected number, got text "seen"',
    );
  });

  test("arguments that are larger than a result may be are refused", () => {
    expect(told({ type: "object" }, { a: "x".repeat(4 * 1024 * 1024) })).toMatch(/^bad_args: .*larger than 4 MB/);
  });

  test("a schema that asks too much of them stops the call, and that alone", () => {
    const endless = { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } };
    expect(told(endless, {})).toMatch(/^bad_args: .*cannot be checked/);
    expect(refuseResult({ name: "t", input: null, output: endless }, {})).toBeNull();
  });

  test("a tool without a schema takes anything", () => {
    const bare = { name: "t", input: null, output: null };
    expect([refuseArguments(bare, { input: 1 }), refuseResult(bare, 1)]).toEqual([null, null]);
  });
});
