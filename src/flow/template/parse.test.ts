import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { parseTemplate, referencesIn, secretsIn } from "./parse.ts";
import type { Template } from "./template.ts";

/** A template in short: `=x` is an expression, `$x` a secret, everything else the value itself. */
function show(template: Template): unknown {
  switch (template.kind) {
    case "value":
      return { value: template.value };
    case "expression":
      return `=${template.expression.source}`;
    case "secret":
      return `$${template.name}`;
    case "text":
      return template.parts.map((part) => (part.kind === "value" ? part.value : show(part)));
    case "list":
      return { list: template.items.map(show) };
    case "map":
      return { map: Object.fromEntries(template.entries.map(([key, member]) => [key, show(member)])) };
  }
}

function shown(value: Json): unknown {
  const { template, problems } = parseTemplate(value);
  return problems.length === 0 ? show(template) : problems;
}

describe("the parts of a template", () => {
  it.each<[Json, unknown]>([
    ["{{ input.x }}", "=input.x"],
    ["{{input.x}}", "=input.x"],
    ["{{\n  input.x ?? 1\n}}", "=input.x ?? 1"],
    ["Hello {{ input.name }}!", ["Hello ", "=input.name", "!"]],
    [" {{ input.x }}", [" ", "=input.x"]],
    ["{{ input.a }}{{ input.b }}", ["=input.a", "=input.b"]],
    ["{{ input.a }} and {{ input.b }}", ["=input.a", " and ", "=input.b"]],
    ['{{ "{{" }}', '="{{"'],
    ['{{ "}}" }} x', ['="}}"', " x"]],
    ["{{ '}}' + \"}}\" }}", "='}}' + \"}}\""],
    ["{{ {'a': 1}}}", "={'a': 1}"],
    ["{{ {'a': {'b': input.x}} }}", "={'a': {'b': input.x}}"],
    ["{{{'a': {'b': {}}}}}", "={'a': {'b': {}}}"],
    ["{{ secrets.API_KEY }}", "$API_KEY"],
    ["{{ secrets['api key'] }}", "$api key"],
    ["Bearer {{ secrets.API_KEY }}", ["Bearer ", "$API_KEY"]],
    ["{{ input.list.map(secrets, secrets.id) }}", "=input.list.map(secrets, secrets.id)"],
    [
      { a: ["{{ input.x }}", 1, { b: "{{ item }}" }], c: "plain", "{{ input.key }}": true },
      {
        map: {
          a: { list: ["=input.x", { value: 1 }, { map: { b: "=item" } }] },
          c: { value: "plain" },
          "{{ input.key }}": { value: true },
        },
      },
    ],
  ])("%j", (value, template) => {
    expect(shown(value)).toEqual(template);
  });

  it.each<Json>([
    "",
    "plain",
    "{ not } a {placeholder}",
    "}} {",
    0,
    null,
    true,
    [],
    {},
    [1, ["{x}"], { a: null }],
    { a: { b: { c: "text" } } },
    { "{{ input.x }}": "keys are not expanded" },
    "{{foo}}",
    "a {{ foo.bar }} b {{foo[0]['x']}}",
  ])("E0-34: %j has nothing to fill in and is kept whole", (value) => {
    const { template, problems } = parseTemplate(value);
    expect(template).toEqual({ kind: "value", value });
    expect(template.kind === "value" && template.value).toBe(value);
    expect(problems).toEqual([]);
  });

  it("keeps a placeholder of an unknown name as it was written, and lists it", () => {
    const { template, problems, unknownPlaceholders } = parseTemplate({
      a: ["{{foo}} {{ input.x }} {{  foo.bar }}"],
      "b/c": "{{ user['name'] }}",
    });
    expect(problems).toEqual([]);
    expect(show(template)).toEqual({
      map: {
        a: { list: [["{{foo}}", " ", "=input.x", " ", "{{  foo.bar }}"]] },
        "b/c": { value: "{{ user['name'] }}" },
      },
    });
    expect(unknownPlaceholders).toEqual([
      { pointer: "/a/0", text: "{{foo}}" },
      { pointer: "/a/0", text: "{{  foo.bar }}" },
      { pointer: "/b~1c", text: "{{ user['name'] }}" },
    ]);
  });

  it.each(["{{ foo + 1 }}", "{{ foo.bar ?? 'x' }}", "{{ foo[input.x] }}", "{{ size(foo) }}"])(
    "leaves the unknown name in %s to be reported as a reference",
    (text) => {
      const { template, unknownPlaceholders } = parseTemplate(text);
      expect(unknownPlaceholders).toEqual([]);
      expect(referencesIn(template).map(({ root }) => root)).toContain("foo");
    },
  );

  it("is frozen in its own parts and leaves the author's value alone", () => {
    const value = { a: ["{{ input.x }} and text", { b: 1 }], c: "{{ secrets.X }}" };
    const { template } = parseTemplate(value);
    expect(isFrozenTemplate(template)).toBe(true);
    expect(Object.isFrozen(value)).toBe(false);
  });
});

function isFrozenTemplate(template: Template): boolean {
  if (!Object.isFrozen(template)) return false;
  if (template.kind === "list") return Object.isFrozen(template.items) && template.items.every(isFrozenTemplate);
  if (template.kind === "text") return Object.isFrozen(template.parts) && template.parts.every(isFrozenTemplate);
  if (template.kind !== "map") return true;
  return template.entries.every((entry) => Object.isFrozen(entry) && isFrozenTemplate(entry[1]));
}

describe("what is wrong with a template", () => {
  it.each<[string, string, number, number, string]>([
    ["{{ input.x", "expression_syntax", 0, 10, "The placeholder that begins with {{ is not closed."],
    ["a {{ 'x }", "expression_syntax", 2, 9, "The placeholder that begins with {{ is not closed."],
    ["{{", "expression_syntax", 0, 2, "The placeholder that begins with {{ is not closed."],
    ["{{}}", "expression_syntax", 2, 2, "The expression is empty."],
    ["{{  }}", "expression_syntax", 4, 4, "The expression is empty."],
    ["ab {{ input.x and 1 }}", "expression_syntax", 14, 17, "and cannot stand here."],
    ["{{ 'x }}", "expression_syntax", 3, 5, "The text that begins with ' is not closed."],
    ["{{ { }}", "expression_syntax", 4, 4, "The expression ends too early."],
    ["{{ input.x } }}", "expression_syntax", 11, 12, "} cannot stand here."],
    ["{{#if x}}", "expression_syntax", 2, 3, "# is not part of an expression."],
    ["{{ sise(input) }}", "unknown_function", 3, 7, "There is no function sise."],
    ["{{ secrets.A + 'x' }}", "secret_outside_args", 0, 21, "A secret cannot be part of a larger expression"],
    ["x {{ lower(secrets.A) }}", "secret_outside_args", 2, 24, "A secret cannot be part of a larger expression"],
    ["{{ secrets }}", "secret_outside_args", 0, 13, "A secret cannot be part of a larger expression"],
    ["{{ secrets.a.b }}", "secret_outside_args", 0, 17, "A secret cannot be part of a larger expression"],
    ["{{ secrets[0] }}", "secret_outside_args", 0, 16, "A secret cannot be part of a larger expression"],
    ["{{ secrets[input.x] }}", "secret_outside_args", 0, 22, "A secret cannot be part of a larger expression"],
    ["{{ foo[secrets.x] }}", "secret_outside_args", 0, 20, "A secret cannot be part of a larger expression"],
  ])("%j has one problem at its place", (text, ...[code, at, end, message]) => {
    const { template, problems } = parseTemplate({ "a/b": [text] });
    expect(problems).toEqual([
      { code, message: expect.stringContaining(message), hint: expect.any(String), at, end, pointer: "/a~1b/0" },
    ]);
    expect(template).toEqual({ kind: "value", value: { "a/b": [text] } });
  });

  it("keeps to the limits of an expression", () => {
    const long = `{{ '${"x".repeat(5000)}' }}`;
    const deep = `x {{ ${"(".repeat(70)}1${")".repeat(70)} }}`;
    expect(parseTemplate([long, deep]).problems).toMatchObject([
      { code: "expression_too_long", at: 3, end: 5005, pointer: "/0" },
      { code: "expression_too_deep", at: 70, end: 71, pointer: "/1" },
    ]);
  });

  it("says how to write the braces themselves", () => {
    const [problem] = parseTemplate("{{ is how it begins").problems;
    expect(problem?.hint).toBe('Write }} at its end. For the two braces themselves, write {{ "{{" }}.');
  });

  it("reports every problem of a text and goes on behind each", () => {
    const { problems } = parseTemplate("{{ 1 + }} {{ input.x }} {{ 'a }} {{ or }} {{ )) }}");
    expect(problems.map(({ at }) => at)).toEqual([6, 27, 45]);
  });

  it("reports the problems of all texts", () => {
    const { problems } = parseTemplate({ a: "{{ 1 + }}", b: ["{{ ) }}", "{{ input.x }}"], c: "{{" });
    expect(problems.map(({ pointer }) => pointer)).toEqual(["/a", "/b/0", "/c"]);
  });

  it("leaves the rest of a text alone after ten problems", () => {
    expect(parseTemplate("{{ ) }}".repeat(1000)).problems).toHaveLength(10);
    expect(parseTemplate("{{ { }}".repeat(100_000)).problems.length).toBeLessThanOrEqual(10);
  });
});

describe("what a template mentions", () => {
  const { template } = parseTemplate({
    a: "{{ input.x }} {{ secrets.ONE }} {{ steps.look.result[0] }}",
    b: ["{{ secrets.TWO }}", "{{ item + index }}", "plain"],
    c: { d: "{{ secrets.ONE }}" },
  });

  it("is every reference of every placeholder, in order", () => {
    expect(referencesIn(template).map(({ root, path }) => [root, ...path].join("."))).toEqual([
      "input.x",
      "steps.look.result.0",
      "item",
      "index",
    ]);
  });

  it("is every secret once", () => {
    expect(secretsIn(template)).toEqual(["ONE", "TWO"]);
  });
});
