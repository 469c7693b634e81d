import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { compileToolSchema } from "./schema.ts";

function countErrors(schema: JsonObject, value: Json): number | string {
  const compiled = compileToolSchema(schema);
  if (!compiled.ok) return compiled.reason;
  const checked = compiled.check(value);
  return checked.kind === "checked" ? checked.errors.length : checked.kind;
}

const list = <T>(length: number, make: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => make(at));

describe("patterns of a tool's schema", () => {
  test.each<[string, string, string, number]>([
    ["fits", "^[a-z]+$", "abc", 0],
    ["does not fit", "^[a-z]+$", "ABC", 1],
    ["is written as JavaScript writes it", "^\\u0041\\d/[\\w.-]+$", "A1/b.c", 0],
    ["would take for ever elsewhere", "^(a+)+$", `${"a".repeat(100_000)}!`, 1],
    ["looks ahead, which is left to the tool", "^(?!x)", "x", 0],
    ["is none, which is left to the tool", "(", "x", 0],
    ["is too large, which is left to the tool", "(?:ab?){1000}(?:ab?){1000}", "x", 0],
  ])("one that %s", (_, pattern, text, errors) => {
    expect(countErrors({ properties: { a: { pattern } } }, { a: text })).toBe(errors);
  });

  test("run for the names of properties, too", () => {
    const schema = { patternProperties: { "^n": { type: "number" } }, additionalProperties: false };
    expect(countErrors(schema, { n1: 1 })).toBe(0);
    expect(countErrors(schema, { n1: "1", m: 1 })).toBe(2);
    expect(countErrors({ patternProperties: { "^(?=n)": false }, additionalProperties: false }, { m: 1 })).toBe(0);
  });

  test("that were left to the tool settle no alternative", () => {
    expect(countErrors({ properties: { a: { not: { pattern: "^(?!x)" } } } }, { a: "y" })).toBe(0);
  });

  test("are made ready again when there were many others meanwhile", () => {
    const first = { properties: { a: { pattern: "^first$" } } };
    expect(countErrors(first, { a: "first" })).toBe(0);
    const others = list(40, (at) => ({ pattern: `^other${at}$` }));
    expect(countErrors({ properties: { a: { anyOf: others } } }, { a: "other39" })).toBe(0);
    expect(countErrors(first, { a: "other39" })).toBe(1);
  });
});

describe("formats of a tool's schema", () => {
  test.each<[string, Json, number]>([
    ["date-time", "2026-02-29T00:00:00Z", 1],
    ["date-time", "2024-02-29T00:00:00Z", 0],
    ["email", "ann@example.com", 0],
    ["email", "ann", 1],
    ["uri", "https://example.com/a?b#c", 0],
    ["uri", "not one", 1],
    ["uuid", 7, 0],
    ["a-format-that-nobody-knows", "x", 0],
  ])("%s of %j", (format, value, errors) => {
    expect(countErrors({ properties: { a: { format } } }, { a: value })).toBe(errors);
  });
});

describe("a hostile schema ends in an answer", () => {
  const doubling = (leaf: JsonObject, keyword: string): JsonObject => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      list(60, (at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, at < 59 ? { [keyword]: [next, next] } : leaf];
      }),
    ),
  });
  const long = { list: list(50_000, (at) => at) };
  const deep = list(40, () => 0).reduce<Json>((value) => [value], 1);

  test.each<[string, JsonObject, Json, number | string]>([
    ["references that double", doubling({ type: "object" }, "allOf"), {}, "gave_up"],
    ["references that double, and fail", doubling({ type: "null" }, "anyOf"), {}, "gave_up"],
    [
      "references that double with every level",
      { $ref: "#/$defs/n", $defs: { n: { items: { allOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] } } } },
      deep,
      "gave_up",
    ],
    ["a circle", { $ref: "#/$defs/x", $defs: { x: { allOf: [{ $ref: "#/$defs/x" }] } } }, {}, "gave_up"],
    [
      "alternatives of alternatives that all fail",
      { anyOf: list(900, () => ({ $ref: "#/$defs/b" })), $defs: { b: { anyOf: list(900, () => ({ type: "null" })) } } },
      {},
      "gave_up",
    ],
    [
      "thousands of names for thousands of items",
      { properties: { list: { items: { required: list(20_000, (at) => `n${at}`) } } } },
      { list: list(50_000, () => ({})) },
      "gave_up",
    ],
    [
      "a long list, again and again without repeats",
      { properties: { list: { allOf: list(1000, () => ({ uniqueItems: true })) } } },
      long,
      "gave_up",
    ],
    ["a long list without repeats", { properties: { list: { uniqueItems: true } } }, long, 0],
    [
      "a hundred heavy patterns",
      { properties: { a: { allOf: list(100, (at) => ({ pattern: `(\\w{20}){30}[a-z]{${at + 1}}` })) } } },
      { a: "ab".repeat(50_000) },
      "gave_up",
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(countErrors(schema, value)).toBe(expected);
  });

  test("while an honest one has room enough", () => {
    const kinds = list(20, (at) => ({
      type: "object",
      properties: { kind: { const: `k${at}` }, value: { type: "number" } },
      required: ["kind", "value"],
    }));
    const values = list(10_000, (at) => ({ kind: `k${at % 20}`, value: at }));
    expect(countErrors({ properties: { list: { items: { oneOf: kinds } } } }, { list: values })).toBe(0);
    expect(
      countErrors(
        { type: "array", items: { type: "number" } },
        list(500_000, (at) => at),
      ),
    ).toBe(0);
    expect(countErrors({ type: "string", maxLength: 5_000_000 }, "x".repeat(4_000_000))).toBe(0);
  });
});
