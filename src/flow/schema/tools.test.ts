import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { flowSchemaFor } from "./editor.ts";
import { toolDefinitions } from "./tools.ts";

/** Against the tool's part of the schema alone: the whole is shown once, below. */
function problems(inputSchema: Json, args: Json): readonly string[] {
  const definitions = toolDefinitions([{ name: "mail.send", inputSchema }]);
  const schema = { $ref: "#/definitions/toolCall", definitions };
  const ajv = new Ajv({ strict: false, allErrors: true });
  expect(ajv.validateSchema(schema)).toBe(true);
  const check = ajv.compile(schema);
  if (check({ tool: "mail.send", args })) return [];
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function argumentsFor(inputSchema: Json): Json | undefined {
  return toolDefinitions([{ name: "mail.send", inputSchema }])["tool1"];
}

function schemaOfSize(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => `property_${index}`);
  return { properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
}

const mail = {
  type: "object",
  required: ["to"],
  additionalProperties: false,
  properties: {
    to: { type: "string", maxLength: 20 },
    count: { type: "integer", minimum: 1 },
    priority: { enum: ["low", "high"] },
    lines: { type: "array", items: { type: "number" } },
    head: { type: "object", properties: { depth: { type: "integer" } }, additionalProperties: { type: "boolean" } },
  },
};

describe("the arguments of a tool", () => {
  test.each<[string, Json, boolean]>([
    ["right values", { to: "ann", count: 2, priority: "low", lines: [1], head: { depth: 1, big: true } }, true],
    [
      "templates in place of values",
      {
        to: "{{ input.long_name_of_something }}",
        count: "{{ c }}",
        priority: "{{ p }}",
        lines: ["{{ l }}"],
        head: "{{ h }}",
      },
      true,
    ],
    ["templates further in", { to: "ann", head: { depth: "{{ d }}", big: "{{ b }}" }, lines: "{{ l }}" }, true],
    ["one template for all", "{{ previous }}", true],
    ["a missing argument", { count: 1 }, false],
    ["an unknown argument", { to: "ann", too: "ben" }, false],
    ["a value of the wrong type", { to: 3 }, false],
    ["a text that is no template", { to: "ann", count: "many" }, false],
    ["a value that is not allowed", { to: "ann", priority: "urgent" }, false],
    ["a wrong value further in", { to: "ann", head: { depth: "deep" } }, false],
  ])("%s", (_, args, isRight) => {
    expect(problems(mail, args).length === 0).toBe(isRight);
  });

  test("stand wherever the tool is called, and under its short name if no other tool has it", () => {
    const schema = flowSchemaFor([
      { name: "mail.send", description: "Sends a mail.", inputSchema: mail },
      { name: "chat.send", title: "Chat", inputSchema: {} },
      { name: "chat.list", inputSchema: mail },
      { name: "chat.list", inputSchema: mail },
    ]);
    expect(schema["definitions"]).toMatchObject({
      toolName: { enum: ["mail.send", "chat.send", "chat.list"], enumDescriptions: ["Sends a mail.", "Chat", ""] },
    });
    const check = new Ajv({ strict: false }).compile(schema);
    const isRight = (step: Json): boolean => check({ steps: { a: step } });
    expect(isRight({ tool: "list", args: {}, done: true })).toBe(false);
    expect(isRight({ tool: "send", args: {}, done: true })).toBe(true);
    expect(isRight({ tool: "x", compensate: { tool: "mail.send", args: {} }, done: true })).toBe(false);
    expect(isRight({ gate: { notify: { tool: "mail.send", args: {} } }, done: true })).toBe(false);
    expect(check({ steps: [{ tool: "mail.send", args: {} }] })).toBe(false);
    expect(
      check({ states: {}, transitions: [{ name: "a", from: "a", to: "b", action: { tool: "mail.send", args: {} } }] }),
    ).toBe(false);
    expect(isRight({ tool: null, done: true })).toBe(true);
  });

  test("follow references inside their own schema", () => {
    const schema = {
      properties: { who: { $ref: "#/$defs/person" }, when: { $ref: "#/definitions/day" }, again: { $ref: "#" } },
      $defs: { person: { type: "object", required: ["name"], properties: { boss: { $ref: "#/$defs/person" } } } },
      definitions: { day: { type: "integer" } },
    };
    expect(problems(schema, { who: { name: "ann" }, when: 5, again: { when: 6 } })).toEqual([]);
    expect(problems(schema, { who: { name: "ann", boss: {} } }).length).toBeGreaterThan(0);
    expect(problems(schema, { again: { again: { when: "soon" } } }).length).toBeGreaterThan(0);
  });

  test.each<[string, Json]>([
    ["a foreign reference", { properties: { a: { $ref: "https://example.org/evil.json" } } }],
    ["a reference to a file", { $ref: "file:///etc/passwd" }],
    ["a reference into the flow's own schema", { properties: { a: { $ref: "#/definitions/step" } } }],
    ["a reference that is no text", { properties: { a: { $ref: 5 } } }],
    [
      "references in a circle",
      { properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { $ref: "#/$defs/y" }, y: { $ref: "#/$defs/x" } } },
    ],
    [
      "alternatives in a circle",
      { properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { anyOf: [{ $ref: "#/$defs/x" }] } } },
    ],
    ["a schema that is itself", { allOf: [{ oneOf: [{ $ref: "#" }] }] }],
    [
      "a hostile pattern",
      {
        properties: { a: { type: "string", pattern: "(a+)+$" } },
        patternProperties: { "(a+)+$": {} },
        additionalProperties: false,
      },
    ],
    ["an identity", { $id: "https://stepwell.dev/schema/flow.json", $schema: "x", $anchor: "y" }],
    [
      "keywords of the wrong kind",
      {
        type: "thing",
        enum: [],
        required: "a",
        properties: [],
        items: 5,
        minLength: -1,
        maximum: "1",
        anyOf: [],
        allOf: {},
        title: 1,
        examples: 1,
      },
    ],
    ["true", true],
    ["a text", "schema"],
  ])("%s checks nothing and leads nowhere", (_, schema) => {
    expect(problems(schema, { a: "a".repeat(40), b: 1 })).toEqual([]);
  });

  test("alternatives are any of, since a template may fit several", () => {
    const schema = {
      properties: {
        a: { oneOf: [{ type: "string" }, { type: "integer" }] },
        b: { allOf: [{ minimum: 1 }, { maximum: 5 }] },
      },
    };
    expect(problems(schema, { a: "{{ x }}", b: 3 })).toEqual([]);
    expect(problems(schema, { a: true }).length).toBeGreaterThan(0);
    expect(problems(schema, { b: 6 }).length).toBeGreaterThan(0);
  });

  test("defaults, constants and examples are kept for completion", () => {
    const schema = { properties: { a: { const: 1, default: 1 }, b: { examples: ["x"], minLength: 1, maxItems: 3 } } };
    expect(argumentsFor(schema)).toMatchObject({
      properties: { a: { anyOf: [{ const: 1, default: 1 }, {}] }, b: { anyOf: [schema.properties.b, {}] } },
    });
  });

  test("a definition may offer alternatives that are definitions", () => {
    const $defs = {
      shape: { anyOf: [{ $ref: "#/$defs/circle" }, { type: "null" }] },
      circle: { required: ["radius"] },
    };
    const schema = { properties: { a: { $ref: "#/$defs/shape" } }, $defs };
    expect(problems(schema, { a: { radius: 1 } })).toEqual([]);
    expect(problems(schema, { a: {} }).length).toBeGreaterThan(0);
  });

  test("tuples are checked item by item, and keep their descriptions", () => {
    const schema = {
      properties: { pair: { description: "Two numbers.", prefixItems: [{ type: "integer" }, { type: "integer" }] } },
    };
    expect(problems(schema, { pair: [1, "{{ x }}"] })).toEqual([]);
    expect(problems(schema, { pair: [1, true] }).length).toBeGreaterThan(0);
    expect(argumentsFor(schema)).toMatchObject({ properties: { pair: { description: "Two numbers." } } });
  });

  test("a schema over 64 KB is left out", () => {
    expect(argumentsFor(schemaOfSize(3000))).toEqual({});
    expect(argumentsFor(schemaOfSize(10))).toHaveProperty("properties.property_9");
  });

  test("a schema that is nested too deep is cut off", () => {
    let deep: Json = { type: "string" };
    for (let depth = 0; depth < 100_000; depth += 1) deep = { type: "array", items: deep };
    const text = JSON.stringify(argumentsFor({ properties: { deep } }));
    expect(text.split('"items"').length).toBeLessThan(30);
  });

  test("__proto__ is a name like any other", () => {
    const schema: Json = JSON.parse('{"properties": {"__proto__": {"type": "integer"}}, "required": ["__proto__"]}');
    expect(JSON.stringify(argumentsFor(schema))).toContain('"__proto__"');
  });
});
