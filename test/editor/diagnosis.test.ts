// What editors underline and explain, in JSON and in YAML.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { flowSchema, flowSchemaFor } from "../../src/flow/schema/editor.ts";
import { jsonEditor, yamlEditor } from "./editors.ts";
import { tools } from "./tools.ts";

const plain = { json: jsonEditor(flowSchema()), yaml: yamlEditor(flowSchema()) };
const withTools = { json: jsonEditor(flowSchemaFor(tools)), yaml: yamlEditor(flowSchemaFor(tools)) };

const wrongJson = `{
  "format": "stepwell/v2",
  "timeout": "5",
  "steps": {
    "look": {
      "tol": "shop.find",
      "next": "ask"
    },
    "ask": {
      "gate": { "need": "two" },
      "routes": { "Not-A-Name": "look" },
      "retry": { "attempts": 0 },
      "effect": "wrte"
    },
    "wait": { "wait": { "until": 5 } },
    "fork": { "tool": "a", "parallel": [] }
  }
}`;

const wrongYaml = `format: stepwell/v2
timeout: "5"
steps:
  look:
    tol: shop.find
    next: ask
  ask:
    gate: { need: two }
    routes: { Not-A-Name: look }
    retry: { attempts: 0 }
    effect: wrte
  wait: { wait: { until: 5 } }
  fork: { tool: a, parallel: [] }
`;

const wrongMachineJson = `{
  "states": {
    "draft": { "initial": "yes" },
    "over": { "terminal": "sucess" }
  },
  "transitions": [
    { "name": "go",
      "from": "draft" },
    { "name": "stay", "from": "draft", "to": "draft", "gard": "true" }
  ]
}`;

const wrongMachineYaml = `states:
  draft: { initial: yes }
  over: { terminal: sucess }
transitions:
  - name: go
    from: draft
  - { name: stay, from: draft, to: draft, gard: "true" }
`;

const wrongArgumentsJson = `{
  "steps": {
    "a": {
      "tool": "mail.send",
      "args": {
        "too": "ann",
        "to": 3,
        "copies": "many",
        "priority": "urgent"
      },
      "done": true
    },
    "b": { "tool": "mail.send", "args": { "to": "{{ input.to }}", "subject": "x", "copies": "{{ input.n }}" }, "done": true }
  }
}`;

const wrongArgumentsYaml = `steps:
  a:
    tool: mail.send
    args:
      too: ann
      to: 3
      copies: many
      priority: urgent
    done: true
  b:
    tool: mail.send
    args: { to: "{{ input.to }}", subject: x, copies: "{{ input.n }}" }
    done: true
`;

describe("mistakes are underlined on their own lines", () => {
  test("in a flow", async () => {
    expect(await plain.json.diagnose(wrongJson)).toMatchInlineSnapshot(`
      [
        "2: Value must be "stepwell/v1".",
        "3: Must be a duration with its unit, such as "30s", "5m", "1h30m" or "2 days".",
        "6: Property tol is not allowed.",
        "10: Incorrect type. Expected "integer".",
        "11: Must be an outcome's name: small letters, digits and _, a letter first, 40 characters at most.",
        "12: Value is below the minimum of 1.",
        "13: Value is not accepted. Valid values: "read", "idempotent", "write".",
        "15: Incorrect type. Expected "string".",
        "16: Array has too few items. Expected 1 or more.",
      ]
    `);
    expect(await plain.yaml.diagnose(wrongYaml)).toMatchInlineSnapshot(`
      [
        "1: Value must be "stepwell/v1".",
        "2: Must be a duration with its unit, such as "30s", "5m", "1h30m" or "2 days".",
        "5: Property tol is not allowed.",
        "8: Incorrect type. Expected "integer".",
        "9: Must be an outcome's name: small letters, digits and _, a letter first, 40 characters at most.",
        "10: Value is below the minimum of 1.",
        "11: Value is not accepted. Valid values: "read", "idempotent", "write".",
        "12: Incorrect type. Expected "string".",
        "13: Array has too few items. Expected 1 or more.",
      ]
    `);
  });

  test("in a machine", async () => {
    expect(await plain.json.diagnose(wrongMachineJson)).toMatchInlineSnapshot(`
      [
        "3: Incorrect type. Expected "boolean".",
        "4: Value is not accepted. Valid values: "success", "failure", "cancel".",
        "7: Missing property "to".",
        "9: Property gard is not allowed.",
      ]
    `);
    expect(await plain.yaml.diagnose(wrongMachineYaml)).toMatchInlineSnapshot(`
      [
        "2: Incorrect type. Expected "boolean".",
        "3: Value is not accepted. Valid values: "success", "failure", "cancel".",
        "5: Missing property "to".",
        "7: Property gard is not allowed.",
      ]
    `);
  });

  test("in the arguments of a tool, where templates may stand for every value", async () => {
    expect(await withTools.json.diagnose(wrongArgumentsJson)).toMatchInlineSnapshot(`
      [
        "5: Missing property "subject".",
        "6: Property too is not allowed.",
        "7: Incorrect type. Expected "string".",
        "8: Incorrect type. Expected "integer".",
        "9: Value is not accepted. Valid values: "low", "high".",
      ]
    `);
    expect(await withTools.yaml.diagnose(wrongArgumentsYaml)).toMatchInlineSnapshot(`
      [
        "4: Missing property "subject".",
        "5: Property too is not allowed.",
        "6: Incorrect type. Expected "string".",
        "7: Incorrect type. Expected "integer".",
        "8: Value is not accepted. Valid values: "low", "high".",
      ]
    `);
  });
});

describe("a tool's schema that leads back to itself", () => {
  const tree = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
  };
  const loop = { properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { anyOf: [{ $ref: "#/$defs/x" }] } } };
  const schema = flowSchemaFor([
    { name: "tree.grow", inputSchema: tree },
    { name: "loop.run", inputSchema: loop },
  ]);

  // The YAML service says on the console that it cannot check such a schema itself, and goes on.
  beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());
  afterEach(() => void vi.restoreAllMocks());

  test("is followed as deep as the arguments go", async () => {
    const args = { name: "a", children: [{ name: "b", children: [{ name: 5 }] }] };
    const text = JSON.stringify({ steps: { a: { tool: "tree.grow", args, done: true } } });
    expect(await jsonEditor(schema).diagnose(text)).toEqual(['1: Incorrect type. Expected "string".']);
    expect(await yamlEditor(schema).diagnose(text)).toEqual(['1: Incorrect type. Expected "string".']);
  });

  test("does not hang an editor", async () => {
    const json = '{ "steps": { "a": { "tool": "loop.run", "args": { "a": 5, | } } } }';
    expect(await jsonEditor(schema).complete(json)).toEqual([]);
    expect(await yamlEditor(schema).diagnose("steps: { a: { tool: loop.run, args: { a: 5 } } }")).toEqual([]);
  });
});

describe("hovering explains", () => {
  test("a key by its own description, not by that of its type", async () => {
    const description = "Close the gate after this time";
    expect(await plain.json.hover('{ "steps": { "a": { "gate": { "expires|_after": "2d" } } } }')).toContain(
      description,
    );
    expect(await plain.yaml.hover("steps:\n  a:\n    gate:\n      expires|_after: 2d")).toContain(description);
  });

  test("a key with its example, in YAML", async () => {
    expect(await plain.yaml.hover("steps:\n  a:\n    time|out: 5m")).toContain("120s");
  });

  test("an argument by the tool's own words", async () => {
    const json = '{ "steps": { "a": { "tool": "mail.send", "args": { "t|o": "ann" } } } }';
    expect(await withTools.json.hover(json)).toContain("Who gets it");
    expect(await withTools.yaml.hover("steps:\n  a:\n    tool: mail.send\n    args:\n      t|o: ann")).toContain(
      "Who gets it",
    );
  });
});
