import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectFrom, type Json } from "../json.ts";
import { expandTemplate, type Expansion } from "./expand.ts";
import { parseTemplate } from "./parse.ts";

const roots: { readonly [root: string]: Json } = {
  input: {
    name: "Ada",
    count: 3,
    ratio: 0.5,
    flag: false,
    none: null,
    empty: "",
    list: [1, "two", null],
    map: { a: 1, b: [2] },
    hostile: "{{ secrets.API_KEY }} {{ input.name }}",
  },
};

function expand(value: Json, options: { strict?: boolean; input?: Json } = {}): Expansion {
  const { template, problems } = parseTemplate(value);
  expect(problems).toEqual([]);
  const values = options.input === undefined ? roots : { input: options.input };
  const scope = { lookup: (root: string) => (Object.hasOwn(values, root) ? values[root] : undefined) };
  return expandTemplate(template, scope, { strict: options.strict ?? false });
}

function expanded(value: Json, input?: Json): Json {
  const result = expand(value, input === undefined ? {} : { input });
  return result.ok ? result.value : `<${result.problem.code}>`;
}

describe("a placeholder alone", () => {
  it.each<[string, Json]>([
    ["{{input.name}}", "Ada"],
    ["{{input.count}}", 3],
    ["{{input.flag}}", false],
    ["{{input.none}}", null],
    ["{{input.list}}", [1, "two", null]],
    ["{{input.map}}", { a: 1, b: [2] }],
    ["{{ input.count > 2 }}", true],
    ["{{ input.list[2] }}", null],
    ["{{ [input.missing] }}", [null]],
  ])("E0-33: %s keeps the type of %j", (text, value) => {
    expect(expanded(text)).toEqual(value);
  });

  it("E0-33, E0-11: a key that was not supplied becomes the empty text, with a warning", () => {
    expect(expand({ id: "{{input.doc_id}}" }, { input: { topic: "AI safety" } })).toEqual({
      ok: true,
      value: { id: "" },
      missing: ["input.doc_id"],
      secrets: [],
    });
    expect(expanded("{{input.doc_id}}", {})).toBe("");
    expect(expanded("{{ steps.look.result }}")).toBe("");
  });

  it("is the empty text when a choice ends in something missing", () => {
    expect(expanded("{{ input.flag ? 1 : input.missing }}")).toBe("");
    expect(expanded("{{ input.missing ?? input.other }}")).toBe("");
    expect(expanded("{{ input.missing ?? null }}")).toBe(null);
  });
});

describe("placeholders in longer text, lists and maps", () => {
  it.each<[string, string]>([
    ["Hello {{input.name}}", "Hello Ada"],
    ["{{input.name}}{{input.count}}", "Ada3"],
    [" {{ input.count }}", " 3"],
    ["{{ input.ratio }} {{ input.flag }}", "0.5 false"],
    ["<{{ input.missing }}>", "<>"],
    ["<{{ input.none }}>", "<>"],
    ["<{{ input.empty }}>", "<>"],
    ["{{ input.list }}!", '[1,"two",null]!'],
    ["{{ input.map }}!", '{"a":1,"b":[2]}!'],
    ['{{ "{{" }} and {{ "}}" }}', "{{ and }}"],
    ["{{foo}} {{ input.name }}", "{{foo}} Ada"],
  ])("E3-42: %s becomes %j", (text, value) => {
    expect(expanded(text)).toBe(value);
  });

  it('E0-34: a whole "{{" is written with its own placeholder', () => {
    expect(expanded('{{ "{{" }}')).toBe("{{");
  });

  it("E3-42: works in lists and maps to any depth, and leaves everything else unchanged", () => {
    const value = { a: [[{ b: "{{ input.name }}", n: 1 }], null], "{{ input.name }}": [true, "plain"] };
    expect(expanded(value)).toEqual({ a: [[{ b: "Ada", n: 1 }], null], "{{ input.name }}": [true, "plain"] });
  });

  it("E3-42: a missing key is empty text inside longer text, and is listed once", () => {
    expect(expand(["a {{ input.x }} {{ input.x }}", "{{ input.y }}"])).toEqual({
      ok: true,
      value: ["a  ", ""],
      missing: ["input.x", "input.y"],
      secrets: [],
    });
  });

  it("E3-43: the documented example is filled in", () => {
    const args = {
      message: "Hello {{input.name}}",
      recipients: ["{{input.to}}"],
      config: { region: "{{input.region}}" },
    };
    expect(expanded(args, { name: "World", to: "ops@example.com", region: "eu" })).toEqual({
      message: "Hello World",
      recipients: ["ops@example.com"],
      config: { region: "eu" },
    });
  });

  it("E0-34: args without a placeholder are handed on as they are", () => {
    const args = { message: "Research complete", n: [1, { deep: null }] };
    expect(expanded(args)).toBe(args);
  });

  it("takes a key called __proto__ for data", () => {
    const value = objectFrom<Json>([["__proto__", "{{ input.name }}"]]);
    const result = expanded(value);
    expect(JSON.stringify(result)).toBe('{"__proto__":"Ada"}');
  });

  it("expands once: what comes out of data is never a template", () => {
    expect(expand(["{{ input.hostile }}", "x {{ input.hostile }}"])).toMatchObject({
      value: ["{{ secrets.API_KEY }} {{ input.name }}", "x {{ secrets.API_KEY }} {{ input.name }}"],
      secrets: [],
    });
  });

  it("text without braces expands to itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const value = toJson(json);
        fc.pre(!JSON.stringify(value).includes("{{"));
        expect(expanded(["{{ input.x }}", value], { x: value })).toEqual([value, value]);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

/** The value without what JSON cannot tell apart, such as minus zero. */
function toJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value));
  return json;
}

describe("secrets", () => {
  it("stay placeholders, and every place is listed", () => {
    const args = {
      token: "{{secrets.API_KEY}}",
      headers: [{ "x/auth": "{{ input.name }}: Bearer {{ secrets.API_KEY }}, {{ secrets['other'] }}." }],
    };
    const result = expand(args);
    const text = "Ada: Bearer {{ secrets.API_KEY }}, {{ secrets.other }}.";
    expect(result).toEqual({
      ok: true,
      value: { token: "{{ secrets.API_KEY }}", headers: [{ "x/auth": text }] },
      missing: [],
      secrets: [
        { pointer: "/token", offset: 0, length: 21, name: "API_KEY" },
        { pointer: "/headers/0/x~1auth", offset: 12, length: 21, name: "API_KEY" },
        { pointer: "/headers/0/x~1auth", offset: 35, length: 19, name: "other" },
      ],
    });
    expect(text.slice(12, 12 + 21)).toBe("{{ secrets.API_KEY }}");
    expect(text.slice(35, 35 + 19)).toBe("{{ secrets.other }}");
  });

  it("alone are the whole value", () => {
    expect(expand("{{ secrets.X }}")).toEqual({
      ok: true,
      value: "{{ secrets.X }}",
      missing: [],
      secrets: [{ pointer: "", offset: 0, length: 15, name: "X" }],
    });
  });

  it("are not filled where data only looks like one", () => {
    const result = expand("{{ input.hostile }} {{ secrets.API_KEY }}");
    expect(result).toMatchObject({ secrets: [{ offset: 39, length: 21 }] });
  });
});

describe("a strict flow", () => {
  it.each([
    ["{{ input.missing }}", "/a/0"],
    ["x {{ input.missing }}", "/a/0"],
    ["{{ input.missing == null }}", "/a/0"],
  ])("refuses %s", (text, pointer) => {
    expect(expand({ a: [text] }, { strict: true })).toEqual({
      ok: false,
      problem: {
        code: "missing_reference",
        message: "input.missing is missing, and this flow is strict. Give it a value, or a default with ??.",
        at: 0,
        pointer,
        source: text.slice(text.indexOf("{{") + 2, -2).trim(),
      },
    });
  });

  it.each(["{{ input.none }}", "{{ input.missing ?? '' }}", "{{ has(input.missing) }}", "{{ input.name }}", "plain"])(
    "takes %s",
    (text) => {
      expect(expand(text, { strict: true })).toMatchObject({ ok: true });
    },
  );
});

describe("problems and limits", () => {
  it("names the place and the expression that failed", () => {
    expect(expand({ a: ["x", "{{ input.name + 1 }}"] })).toEqual({
      ok: false,
      problem: {
        code: "wrong_operand",
        message: expect.stringContaining("+ cannot take a text and 1."),
        at: 11,
        pointer: "/a/1",
        source: "input.name + 1",
      },
    });
  });

  it("has one budget of fuel for the whole template", () => {
    const heavy = "{{ input.map(a, size(input.map(b, b + 0))) }}";
    const input = Array.from({ length: 120 }, (_, index) => index);
    expect(expanded([heavy], input)).toEqual([input.map(() => 120)]);
    expect(expanded([heavy, heavy, heavy, heavy, heavy], input)).toBe("<fuel_exhausted>");
  });

  it("has one budget of text for the whole template", () => {
    const input = "x".repeat(500_000);
    expect(expanded(["{{ input }}!", "{{ input }}!"], input)).toEqual([`${input}!`, `${input}!`]);
    expect(expanded(["{{ input }}!", "{{ input }}!", "{{ input }}!"], input)).toBe("<text_too_long>");
  });

  it("hands on a value of any size alone, and pays for it inside others", () => {
    const input = Array.from({ length: 200_000 }, () => [1]);
    expect(expanded("{{ input }}", input)).toBe(input);
    expect(expanded({ items: "{{ input }}" }, input)).toEqual({ items: input });
    expect(
      expanded(
        Array.from({ length: 10 }, () => "{{ input }}"),
        input,
      ),
    ).toBe("<fuel_exhausted>");
  });

  it("gives no value deeper than 128", () => {
    const nest = (depth: number, leaf: Json): Json => (depth === 0 ? leaf : [nest(depth - 1, leaf)]);
    expect(expanded(nest(64, "{{ input }}"), nest(64, 1))).toEqual(nest(128, 1));
    expect(expanded(nest(64, "{{ input }}"), nest(65, 1))).toBe("<too_deep>");
  });

  it("gives the same answer every time", () => {
    const { template } = parseTemplate({ a: "{{ input.list.map(x, {'v': x}) }}", b: "{{ input.missing }} x" });
    const scope = { lookup: (root: string) => roots[root] };
    expect(expandTemplate(template, scope, { strict: false })).toEqual(
      expandTemplate(template, scope, { strict: false }),
    );
  });
});
