import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { costKeyword, prepareSchema } from "./prepare.ts";

const list = <T>(length: number, make: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => make(at));
const map = (length: number, value: Json): JsonObject => Object.fromEntries(list(length, (at) => [`k${at}`, value]));

/** Without what things cost. */
function prepared(schema: Json, canRun: (pattern: string) => boolean = () => true): Json {
  const result = prepareSchema(schema, canRun);
  if (!result.ok) return `${result.at} ${result.reason}`;
  return JSON.parse(JSON.stringify(result.schema, (key, value: unknown) => (key === costKeyword ? undefined : value)));
}

describe("a schema that is too much is refused", () => {
  let nested: JsonObject = { type: "string" };
  for (let depth = 1; depth < 64; depth += 1) nested = { not: nested };
  const loop: { [key: string]: Json } = {};
  loop["not"] = loop;

  test.each<[string, Json, RegExp]>([
    ["no schema at all", 7, /^ it must be an object/],
    ["too long", { title: "x".repeat(262_144) }, /^ it is longer than 262144 characters$/],
    ["too deep", { not: nested }, /not it is nested more than 64 deep$/],
    ["too deep for a stack", list(20_000, () => 0).reduce<JsonObject>((inner) => ({ not: inner }), {}), /^ it is too/],
    ["a circle in memory", loop, /circular/i],
    ["too many parts", { properties: map(5000, {}) }, /it has more than 5000 parts$/],
    ["too many dependencies", { dependentRequired: map(5000, []) }, /it has more than 5000 parts$/],
    [
      "too many references",
      { allOf: list(1001, (at) => ({ $ref: `#/$defs/k${at}` })), $defs: map(1001, true) },
      /more than 1000 references$/,
    ],
    ["too many patterns", { allOf: list(101, (at) => ({ pattern: `${at}` })) }, /more than 100 patterns$/],
    ["more types than there are", { type: list(17, String) }, /^\/type it lists more types/],
    ["a reference to elsewhere", { not: { $ref: "other.json" } }, /^\/not\/\$ref it refers to "other.json"/],
    ["a reference that is none", { $ref: "#/%" }, /URI/],
    ["a reference to a name that is nowhere", { $ref: "#n" }, /"#n" in it leads nowhere/],
    ["a dynamic reference", { $dynamicRef: "#n" }, /^\/\$dynamicRef \$dynamicRef is not supported/],
  ])("%s", (_, schema, reason) => {
    expect(prepared(schema)).toMatch(reason);
  });

  test("as deep as it may be it is taken", () => {
    expect(prepared(nested)).toEqual(nested);
  });
});

describe("a schema is taken over", () => {
  test.each<[string, Json, Json]>([
    ["that is true", true, true],
    [
      "without its names",
      { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", not: { $id: "#/y" } },
      { not: {} },
    ],
    ["with a dialect that is no text, which is for others to refuse", { $schema: 7 }, { $schema: 7 }],
    [
      "with references anywhere inside it",
      { $ref: "#/shared/list/0", shared: { list: [{ $id: "x", $ref: "#/shared/no/1" }] } },
      { $ref: "#/shared/list/0", shared: { list: [{ $ref: "#/shared/no/1" }] } },
    ],
    [
      "with a name inside it",
      { $ref: "#n", $defs: { a: { $anchor: "n" } } },
      { $ref: "#n", $defs: { a: { $anchor: "n" } } },
    ],
    [
      "with tuples as they are written now",
      { items: [{}, true], additionalItems: false },
      { prefixItems: [{}, true], additionalItems: false, items: false },
    ],
    ["with no tuple at all", { items: [] }, {}],
    [
      "with tuples of both kinds, which is for others to refuse",
      { items: [{}], prefixItems: [{}] },
      { items: [{}], prefixItems: [{}] },
    ],
    [
      "with lists and maps that are none, which is for others to refuse",
      { allOf: 1, properties: [], patternProperties: 2, pattern: 3 },
      { allOf: 1, properties: [], patternProperties: 2, pattern: 3 },
    ],
  ])("%s", (_, schema, expected) => {
    expect(prepared(schema)).toEqual(expected);
  });

  test("without the patterns that nobody can run, and what rests on them", () => {
    const canRun = (pattern: string): boolean => pattern !== "no";
    const schema = {
      patternProperties: { yes: { pattern: "no" }, no: {} },
      additionalProperties: false,
      unevaluatedProperties: false,
      not: { pattern: "yes" },
      if: { patternProperties: { yes: {} }, additionalProperties: false },
    };
    expect(prepared(schema, canRun)).toEqual({ not: { pattern: "yes" }, if: schema.if });
    expect(prepared(schema)).toEqual(schema);
    expect(prepareSchema({ pattern: "no" }, canRun)).toMatchObject({ isLoose: true });
    expect(prepared({ pattern: "x".repeat(1001) })).toEqual({});
  });

  test("costs more the more it says, without what only explains", () => {
    const costOf = (schema: JsonObject): Json | undefined => {
      const result = prepareSchema(schema, () => true);
      return result.ok ? (result.schema as JsonObject)[costKeyword] : undefined;
    };
    expect(costOf({ description: "x".repeat(1000) })).toBe(costOf({}));
    const costs = [{}, { items: {} }, { allOf: [{}, {}, {}] }, { enum: list(100, String) }].map(costOf);
    expect(costs).toEqual(costs.toSorted((one, other) => Number(one) - Number(other)));
    expect(new Set(costs).size).toBe(4);
  });
});
