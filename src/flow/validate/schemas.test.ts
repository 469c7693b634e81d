import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { endStep, flowOf, found } from "../../testing/findings.ts";
import { applyPatch } from "../../testing/patch.ts";
import { validate } from "./validate.ts";

const circle = {
  properties: { a: { $ref: "#/$defs/x" } },
  $defs: { x: { allOf: [{ $ref: "#/$defs/y" }] }, y: { allOf: [{ $ref: "#/$defs/x" }] } },
};
const hostile = "^(a+)+$";
const slow = `${"a".repeat(26)}!`;
const draft7 = "http://json-schema.org/draft-07/schema#";

function withDefaults(schema: Json, defaults: JsonObject): readonly string[] {
  return found(flowOf({ a: endStep }, { input: schema, defaults: { input: defaults } }));
}

function withArguments(inputSchema: Json, args: Json): readonly string[] {
  return found(flowOf({ a: { tool: "t", args, done: true } }), { tools: [{ name: "t", inputSchema }] });
}

describe("the input of a run, which is an object,", () => {
  const text = { $ref: "#/$defs/text", $defs: { text: { type: "string" } } };
  const around = { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } };
  let chain: JsonObject = { type: "string" };
  for (let depth = 0; depth < 60; depth += 1) chain = { allOf: [chain] };

  test.each<[string, Json]>([
    ["a text", { type: "string" }],
    ["a list", { type: "array", items: { type: "object" } }],
    ["one of two types", { type: ["integer", "null"] }],
    ["one value", { const: "red" }],
    ["one of some values", { enum: ["red", 7, [{}]] }],
    ["nothing at all", false],
    ["a text behind a reference", text],
    ["a text behind many", chain],
    ["one of alternatives that are none", { anyOf: [{ type: "string" }, text], $defs: text.$defs }],
    ["exactly one of these", { oneOf: [{ const: 1 }, { const: 2 }] }],
    ["all of what contradicts it", { type: "object", allOf: [true, { type: "array" }] }],
  ])("cannot be %s", (_, input) => {
    expect(found(flowOf({ a: endStep }, { input }))).toEqual(["bad_schema /input"]);
  });

  test.each<[string, Json]>([
    ["anything", true],
    ["what has no type", { required: ["a"] }],
    ["an object or nothing", { type: ["null", "object"] }],
    ["an object or a text", { anyOf: [text, { required: ["a"] }], $defs: text.$defs }],
    ["one value that is one", { const: { a: 1 } }],
    ["one of some values", { enum: ["red", {}] }],
    ["what refers to itself", around],
  ])("may be %s", (_, input) => {
    expect(found(flowOf({ a: endStep }, { input }))).toEqual([]);
  });
});

describe("marks for headers in the input", () => {
  const mark = (name: Json, type = "string"): JsonObject => ({ type, "x-mcp-header": name });
  const input = {
    type: "object",
    properties: { a: mark("Region"), b: mark("a b"), c: { items: mark("C") }, d: mark("D") },
  };

  test("that are wrong are told where they stand, and the patch takes them out", () => {
    const flow = flowOf({ a: endStep }, { input });
    const { findings, plan } = validate(flow);
    expect(findings).toMatchObject([
      { code: "bad_header_mark", severity: "warning", pointer: "/input/properties/b/x-mcp-header" },
      { code: "bad_header_mark", severity: "warning", pointer: "/input/properties/c/items/x-mcp-header" },
    ]);
    expect(plan).not.toBeNull();
    const patched = findings.reduce<Json>((document, { patch = [] }) => applyPatch(document, patch), flow);
    expect(found(patched)).toEqual([]);
  });

  test("are not all told when there are many", () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, mark("a b")]));
    const codes = found(flowOf({ a: endStep }, { input: { type: "object", properties } }));
    expect(codes).toHaveLength(20);
  });

  test("hide nothing else that is wrong", () => {
    const defaults = { input: { a: 7 } };
    expect(found(flowOf({ a: endStep }, { input, defaults }))).toContain("bad_defaults /defaults/input/a");
  });
});

describe("the defaults of the input", () => {
  test.each<[string, Json, JsonObject, readonly string[]]>([
    ["a schema that leads in a circle is none", circle, { a: 1 }, ["bad_schema /input"]],
    ["a hostile pattern is not run", { properties: { a: { pattern: hostile } } }, { a: slow }, []],
    [
      "a hostile pattern behind a reference to anywhere is not run",
      { properties: { a: { $ref: "#/shared/a" } }, shared: { a: { pattern: hostile } } },
      { a: slow },
      [],
    ],
    ["patterns of names are not run", { propertyNames: { pattern: hostile } }, { [slow]: 1 }, []],
    [
      "patterns of properties are not run, and any name may fit them",
      { patternProperties: { [hostile]: { type: "string" } }, additionalProperties: false },
      { [slow]: 1 },
      [],
    ],
    [
      "a pattern that was not run settles no alternative",
      { properties: { a: { not: { pattern: "^x" } }, b: { oneOf: [{ pattern: "^x" }, { pattern: "^y" }] } } },
      { a: "y", b: "x" },
      [],
    ],
    [
      "beside a pattern the rest is checked",
      { properties: { a: { pattern: "^x", maxLength: 2 } } },
      { a: "xyz" },
      ["bad_defaults /defaults/input/a"],
    ],
    ["what is no pattern is told", { properties: { a: { pattern: "(" } } }, { a: "x" }, ["bad_schema /input"]],
    ["what is no pattern of names is told", { patternProperties: { "(": true } }, { a: "x" }, ["bad_schema /input"]],
    [
      "an older draft is read like this one",
      { $schema: draft7, properties: { a: { $ref: "#/definitions/n" } }, definitions: { n: { type: "number" } } },
      { a: "x" },
      ["bad_defaults /defaults/input/a"],
    ],
    ["a dialect that is no text is told", { $schema: 7 }, { a: "x" }, ["bad_schema /input"]],
    [
      "an unknown name where there may be none is told",
      { properties: { a: true }, required: ["a"], additionalProperties: false },
      { "b/c": 1 },
      ["bad_defaults /defaults/input/b~1c"],
    ],
    [
      "what is missing may come with the input",
      { required: ["a"], minProperties: 4, anyOf: [{ required: ["c"] }, { required: ["d"] }] },
      { b: 1 },
      [],
    ],
    [
      "so may what is missing behind a reference",
      { $ref: "#/$defs/all", $defs: { all: { required: ["a"], properties: { b: { type: "string" } } } } },
      { b: 1 },
      ["bad_defaults /defaults/input/b"],
    ],
    [
      "alternatives for the whole are left to the run",
      { allOf: [{ oneOf: [{ required: ["a"] }, { properties: { b: { const: 2 } } }] }] },
      { b: 1 },
      [],
    ],
    [
      "a reference into what is left out checks nothing",
      { properties: { a: { $ref: "#/anyOf/0" } }, anyOf: [{ type: "number" }, true] },
      { a: "x" },
      [],
    ],
    [
      "each wrong default is told once, where it is wrong",
      { properties: { a: { type: "string", enum: ["x"] }, b: { properties: { c: { type: "string" } } } } },
      { a: 1, b: { c: 2 }, ab: 3 },
      ["bad_defaults /defaults/input/a", "bad_defaults /defaults/input/b/c"],
    ],
  ])("%s", (_, schema, defaults, expected) => {
    expect(withDefaults(schema, defaults)).toEqual(expected);
  });
});

describe("the names of the input", () => {
  const closed = { properties: { b: { properties: { c: true } }, list: { type: "array" } } };
  const schema = { properties: { a: closed, open: { type: "object" } } };

  test.each<[string, string, string | undefined]>([
    ["the first", "input.z", "input.z"],
    ["the second", "input.a.z", "input.a.z"],
    ["the third", "input.a.b.z.y", "input.a.b.z"],
    ["one that is there", "input.a.b.c", undefined],
    ["one below an open object", "input.open.z", undefined],
    ["one of a list", "input.a.list[0].z", undefined],
    ["one that only a default has", "input.a.known", undefined],
    ["another root", "run.id", undefined],
  ])("are followed down the path: %s", (_, path, told) => {
    const flow = flowOf(
      { a: { tool: "x", args: { v: `{{ ${path} }}` }, done: true } },
      { input: schema, defaults: { input: { a: { known: 1 } } } },
    );
    const { findings } = validate(flow);
    expect(findings.map(({ pointer }) => pointer)).toEqual(told === undefined ? [] : ["/steps/a/args/v"]);
    expect(findings[0]?.message.split(" ")[0]).toBe(told === undefined ? undefined : `"${told}"`);
  });
});

describe("the arguments of a tool", () => {
  const union = {
    properties: { a: { anyOf: [{ $ref: "#/$defs/X" }, { $ref: "#/$defs/Y" }] }, b: { type: "integer" } },
    additionalProperties: false,
    $defs: {
      X: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] },
      Y: { type: "object", required: ["y"] },
    },
  };
  let endless: JsonObject = {};
  for (let depth = 0; depth < 20_000; depth += 1) endless = { not: endless };

  test.each<[string, Json, Json, readonly string[]]>([
    ["a schema that leads in a circle checks nothing", circle, { a: 1 }, []],
    ["a schema that is too deep checks nothing", endless, { a: 1 }, []],
    ["a hostile pattern is not run", { properties: { a: { pattern: hostile } } }, { a: slow }, []],
    [
      "an older draft is checked",
      { $schema: draft7, properties: { a: { type: "number" } } },
      { a: "x" },
      ["bad_arguments /steps/a/args/a"],
    ],
    ["alternatives behind references wait for a template", union, { a: { x: "{{ input.x }}" } }, []],
    [
      "alternatives without a template are told once",
      union,
      { a: { x: "one" }, b: "{{ input.b }}" },
      ["bad_arguments /steps/a/args/a"],
    ],
    [
      "what stands beside alternatives is told",
      union,
      { a: { x: "{{ input.x }}" }, b: "x", zzzzz: 1 },
      ["bad_arguments /steps/a/args/b", "bad_arguments /steps/a/args/zzzzz"],
    ],
    [
      "alternatives for the whole hide no unknown argument",
      { ...union, anyOf: [{ required: ["a"] }, { required: ["c"] }] },
      { zzzzz: "{{ input.z }}" },
      ["bad_arguments /steps/a/args/zzzzz"],
    ],
    [
      "alternatives inside alternatives are told once",
      { properties: { a: { anyOf: [{ properties: { b: { oneOf: [{ type: "string" }] } } }, { type: "null" }] } } },
      { a: { b: 1 } },
      ["bad_arguments /steps/a/args/a"],
    ],
  ])("%s", (_, schema, args, expected) => {
    expect(withArguments(schema, args)).toEqual(expected);
  });
});
