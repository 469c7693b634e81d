import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { compile } from "./compile.ts";
import { prepareInput, type PreparedInput } from "./input.ts";

const circle: Json = {
  properties: { a: { $ref: "#/$defs/x" } },
  $defs: { x: { allOf: [{ $ref: "#/$defs/y" }] }, y: { allOf: [{ $ref: "#/$defs/x" }] } },
};

function prepare(given: unknown, input: Json = {}, defaults: Json = {}): PreparedInput {
  const start = { tool: "log", done: true };
  return prepareInput(
    compile({ format: "stepwell/v1", name: "n", input, defaults: { input: defaults }, steps: { start } }),
    given,
  );
}

function codes(prepared: PreparedInput): readonly string[] {
  return prepared.ok ? [] : prepared.problems.map(({ code, pointer }) => `${code} ${pointer}`);
}

describe("the input of a run", () => {
  it("has the flow's defaults under it, at the top level", () => {
    const prepared = prepare({ b: { y: 2 } }, {}, { a: 1, b: { x: 1 } });
    expect(prepared).toEqual({ ok: true, input: { a: 1, b: { y: 2 } } });
  });

  it.each([null, undefined, {}])("is an empty object when %s is given", (given) => {
    expect(prepare(given)).toEqual({ ok: true, input: {} });
  });

  it.each([
    ["a list", []],
    ["a text", "a"],
    ["a number", 7],
    ["false", false],
  ])("must be an object, not %s", (_, given) => {
    expect(codes(prepare(given))).toEqual(["not_an_object "]);
  });

  it("is held against the schema after the defaults were put under it", () => {
    const schema = { type: "object", required: ["a", "b"], properties: { a: { type: "number" } } };
    expect(codes(prepare({ b: 1 }, schema, { a: 1 }))).toEqual([]);
    expect(codes(prepare({ b: 1, a: "x" }, schema, { a: 1 }))).toEqual(["bad_input /a"]);
  });

  it("is told every problem at once, each with its place and a sentence", () => {
    const schema = {
      type: "object",
      required: ["order"],
      additionalProperties: false,
      properties: {
        order: {},
        kind: { enum: ["a", "b"] },
        list: { type: "array", uniqueItems: true },
        flat: { uniqueItems: false },
        deep: { type: "object", properties: { n: { type: "integer" } } },
      },
    };
    const prepared = prepare(
      {
        kind: "c",
        list: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        flat: [1, 1],
        deep: { n: 1.5 },
        more: 1,
      },
      schema,
    );
    expect(
      prepared.ok ? [] : prepared.problems.toSorted((one, other) => (one.pointer < other.pointer ? -1 : 1)),
    ).toEqual([
      { code: "bad_input", pointer: "/deep/n", message: '"deep/n" must be integer.' },
      { code: "bad_input", pointer: "/kind", message: '"kind" must be equal to one of the allowed values: "a", "b".' },
      { code: "bad_input", pointer: "/list", message: '"list" must NOT have duplicate items.' },
      { code: "bad_input", pointer: "/more", message: '"more" is not among the properties of the input.' },
      { code: "bad_input", pointer: "/order", message: '"order" is missing.' },
    ]);
  });

  it("says a problem of the whole input of the input", () => {
    const prepared = prepare({}, { type: "object", minProperties: 1 });
    expect(prepared).toMatchObject({
      problems: [{ pointer: "", message: "The input must NOT have fewer than 1 properties." }],
    });
  });

  it("is at most 1 MB when it is written, the defaults included", () => {
    const mega = 1_048_576;
    expect(prepare({ a: "x".repeat(mega - 8) }).ok).toBe(true);
    expect(codes(prepare({ a: "x".repeat(mega - 7) }))).toEqual(["too_large "]);
    expect(codes(prepare({ a: "ä".repeat(mega / 2) }))).toEqual(["too_large "]);
    expect(codes(prepare({ a: Array.from({ length: 300_000 }, () => ({})) }))).toEqual(["too_large /a/0"]);
  });

  it("is at most 128 deep, also when it has no end", () => {
    const nested = (depth: number): unknown => {
      let value: unknown = 1;
      for (let at = 0; at < depth; at++) value = { a: value };
      return value;
    };
    expect(prepare(nested(128)).ok).toBe(true);
    expect(codes(prepare(nested(129)))[0]).toMatch(/^too_deep/);
    const endless: { self?: unknown } = {};
    endless.self = endless;
    expect(codes(prepare(endless))[0]).toMatch(/^too_deep/);
  });

  it.each([
    ["a date", new Date(0)],
    ["a function", prepare],
    ["infinity", Infinity],
    ["a big number", 1n],
    ["a symbol", Symbol("a")],
  ])("holds nothing that JSON cannot say, such as %s", (_, value) => {
    expect(codes(prepare({ a: { b: value } }))).toEqual(["not_json /a/b"]);
  });

  it("leaves out what is not set, and is a copy of what was given", () => {
    const given = { a: undefined, b: { c: 1 } };
    const prepared = prepare(given);
    given.b.c = 2;
    expect(prepared).toEqual({ ok: true, input: { b: { c: 1 } } });
  });

  it("keeps a key that is called __proto__ as a key", () => {
    const prepared = prepare(JSON.parse('{"__proto__": {"x": 1}}'));
    expect(JSON.stringify(prepared)).toBe('{"ok":true,"input":{"__proto__":{"x":1}}}');
  });

  it("is refused when the schema leads in a circle", () => {
    expect(codes(prepare({ a: 1 }, circle))).toEqual(["bad_schema "]);
  });

  it("is not held against patterns, since a hostile one takes for ever", () => {
    const pattern = { type: "object", properties: { a: { pattern: "^(a+)+$" } } };
    expect(prepare({ a: `${"a".repeat(50)}!` }, pattern).ok).toBe(true);
  });
});
