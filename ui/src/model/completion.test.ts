import { describe, expect, test } from "vitest";
import { flowSchema } from "../../../src/flow/schema/editor.ts";
import { completeFlow, stepNames, toolNamed } from "./completion.ts";
import { scanFlow } from "./flow-text.ts";
import type { Json } from "./json.ts";
import type { Tool } from "./tool.ts";

function tool(name: string, input: Json = null): Tool {
  return { name, description: `What ${name} does`, effect: "read", input, output: null, outcomes: [], server: null };
}

const tools = [
  tool("demo.echo", {
    type: "object",
    required: ["text"],
    properties: { text: { description: "What to say" }, loud: { type: "boolean" } },
  }),
  tool("web.fetch"),
];

/** What is offered at `|`. */
function offered(marked: string): readonly string[] {
  const at = marked.lastIndexOf("|");
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const syntax = text.startsWith("{") ? "json" : "yaml";
  const found = completeFlow(text, at, { schema: flowSchema(), tools, workflows: ["refund"], syntax });
  return found?.options.map(({ insert }) => insert) ?? [];
}

const head =
  "name: x\ninput: { type: object, properties: { topic: { type: string } } }\nsteps:\n  one:\n    tool: demo.echo\n    next: two\n  two:\n";

describe("keys", () => {
  test("of the document, of a step, and of what is in it", () => {
    expect(offered("na|")).toEqual(expect.arrayContaining(["name: ", "steps: ", "start: "]));
    expect(offered(`${head}    to|`)).toEqual(expect.arrayContaining(["tool: ", "next: ", "gate: "]));
    expect(offered(`${head}    gate: { |`)).toEqual(expect.arrayContaining(["title: ", "expires_after: "]));
    expect(offered("steps:\n  - tool: log\n    |")).toContain("routes: ");
    expect(offered("states:\n  a: { in|")).toContain("initial: ");
    expect(offered("start:\n  tool: log\n  ne|")).toContain("next: ");
  });

  test("come in the order in which they are used", () => {
    expect(offered(`${head}    |`).slice(0, 3)).toEqual(["tool: ", "args: ", "gate: "]);
  });

  test("that stand there already are not offered again", () => {
    expect(offered("steps:\n  one:\n    tool: log\n    |\n    next: two\n")).not.toContain("next: ");
    expect(offered("steps:\n  one:\n    tool: log\n    |")).not.toContain("tool: ");
  });

  test("in JSON they stand in quotes", () => {
    expect(offered('{"steps": {"a": { |')).toContain('"tool": ');
    expect(offered('{"steps": {"a": {"to|')).toContain("tool");
  });
});

describe("values", () => {
  test("names of steps where something leads", () => {
    expect(offered(`${head}    next: |`)).toEqual(["one", "end"]);
    expect(offered(`${head}    routes: { error: |`)).toContain("one");
    expect(offered(`${head}    parallel: [|`)).toContain("one");
    expect(offered(`${head}    branch:\n      - if: x\n        then: |`)).toContain("one");
    expect(offered("states:\n  a: {}\n  b: {}\ntransitions:\n  - { name: go, from: |")).toEqual(["a", "b"]);
  });

  test("tools and workflows by their names", () => {
    expect(offered(`${head}    tool: |`)).toEqual(["demo.echo", "web.fetch"]);
    expect(offered(`${head}    flow: re|`)).toEqual(["refund"]);
  });

  test("what a key may be", () => {
    expect(offered(`${head}    effect: |`)).toEqual(expect.arrayContaining(["read", "idempotent", "write"]));
    expect(offered(`${head}    terminal: |`)).toEqual(["success", "failure", "cancel"]);
  });
});

describe("arguments of a tool", () => {
  test("are those of its schema", () => {
    expect(offered("steps:\n  one:\n    tool: demo.echo\n    args:\n      |")).toEqual(["text: ", "loud: "]);
    expect(offered("steps:\n  one: { tool: echo, args: { |")).toEqual(["text: ", "loud: "]);
    expect(offered("steps:\n  one: { tool: demo.echo, args: { loud: |")).toEqual(["true", "false"]);
    expect(offered("steps:\n  one: { tool: web.fetch, args: { |")).toEqual([]);
  });

  test("a short name is a tool where just one has it", () => {
    expect(toolNamed(tools, "fetch")?.name).toBe("web.fetch");
    expect(toolNamed([...tools, tool("other.fetch")], "fetch")).toBeNull();
  });
});

describe("expressions", () => {
  test("read the input, the steps and the run", () => {
    expect(offered(`${head}    args: { a: "{{ |`)).toEqual(
      expect.arrayContaining(["input", "previous", "steps", "secrets"]),
    );
    expect(offered(`${head}    args: { a: "{{ input.|`)).toEqual(["topic"]);
    expect(offered(`${head}    args: { a: "{{ size(steps.|`)).toEqual(["one", "two"]);
    expect(offered(`${head}    args: { a: "{{ steps.one.re|`)).toContain("result");
    expect(offered(`${head}    branch:\n      - if: previous.x == run.|`)).toContain("uid");
    expect(offered(`${head}    args: { a: "{{ input.topic }} |`)).toEqual([]);
  });

  test("nothing is offered in a comment", () => {
    expect(offered("name: x # st|")).toEqual([]);
  });
});

test("steps are known by their keys, in a list by their names", () => {
  expect(stepNames(scanFlow(head).entries)).toEqual(["one", "two"]);
  expect(stepNames(scanFlow("steps:\n  - { tool: log, name: a }\n").entries)).toEqual(["a"]);
});
