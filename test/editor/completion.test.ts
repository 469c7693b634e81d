// What editors offer: the same questions to the JSON service and to the YAML service.

import { describe, expect, test } from "vitest";
import { flowSchema, flowSchemaFor } from "../../src/flow/schema/editor.ts";
import { jsonEditor, yamlEditor } from "./editors.ts";
import { tools } from "./tools.ts";

const plain = { json: jsonEditor(flowSchema()), yaml: yamlEditor(flowSchema()) };
const withTools = { json: jsonEditor(flowSchemaFor(tools)), yaml: yamlEditor(flowSchemaFor(tools)) };

/** Labels without the quotes that JSON has around texts. */
function words(labels: readonly string[]): readonly string[] {
  return labels.map((label) => label.replaceAll('"', "")).toSorted();
}

const documentKeys =
  "cancel defaults description format input name requires_2fa resources strict timeout triggers x-ui";
const stepKeys =
  "args attempt branch cancel compensate done each effect else fallback fallback_skill flow gate idempotency_key input input_from join name next on on_branch_error on_circuit_open on_error on_missing_skill on_missing_tool on_no_match on_unknown outcome parallel probe retry routes sanitize set terminal timeout tool wait";
const pipelineOnly = "config llm_model llm_tier position prompt_template skill";
const forkOnly = new Set(["join", "on_branch_error", "parallel"]);
const transitionKeys = "action after compensate description from guard name on_error requires_reason set to";

/** What the YAML service offers besides: the skeleton of the whole object, by its name. */
const skeletons = new Set([
  "flow",
  "machine",
  "tool step",
  "gate step",
  "wait step",
  "transition",
  "waitUntil",
  "waitEvent",
]);

function sorted(...lists: readonly (string | readonly string[])[]): readonly string[] {
  return lists.flatMap((list) => (typeof list === "string" ? list.split(" ") : list)).toSorted();
}

function isSkeleton(label: string, expected: readonly string[]): boolean {
  return skeletons.has(label) && !expected.includes(label);
}

describe("completion offers", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["the keys of a document", "{ | }", "|", sorted(documentKeys, "start states steps transitions")],
    [
      "the keys that a flow does not have yet",
      '{ "steps": {}, "name": "a", | }',
      "steps: {}\nname: a\n|",
      sorted(documentKeys, "start states transitions").filter((key) => key !== "name"),
    ],
    [
      "the keys of a machine, once there are states",
      '{ "states": {}, | }',
      "states: {}\n|",
      sorted(documentKeys, "initial transitions"),
    ],
    ["the keys of a step", '{ "steps": { "a": { | } } }', "steps:\n  a:\n    |", sorted(stepKeys)],
    [
      "the keys of a step in a pipeline, which cannot fork",
      '{ "steps": [{ "next": 2, | }] }',
      "steps:\n  - next: 2\n    |",
      sorted(stepKeys, pipelineOnly).filter((key) => !forkOnly.has(key) && key !== "next"),
    ],
    [
      "the keys of a transition",
      '{ "states": {}, "transitions": [{ "to": "a", | }] }',
      "states: {}\ntransitions:\n  - to: a\n    |",
      sorted(transitionKeys).filter((key) => key !== "to"),
    ],
    [
      "the keys of retry, of which there are also short forms",
      '{ "steps": { "a": { "retry": { | } } } }',
      "steps:\n  a:\n    retry:\n      |",
      ["attempts", "backoff", "jitter"],
    ],
    [
      "the keys of both waits",
      '{ "steps": { "a": { "wait": { | } } } }',
      "steps:\n  a:\n    wait:\n      |",
      ["event", "match", "until", "zone"],
    ],
    [
      "the values of a choice",
      '{ "steps": { "a": { "effect": "|" } } }',
      "steps:\n  a:\n    effect: |",
      ["idempotent", "read", "write"],
    ],
    [
      "the kinds of a state's end",
      '{ "states": { "a": { "terminal": | } } }',
      "states:\n  a:\n    terminal: |",
      ["cancel", "failure", "false", "success", "true"],
    ],
    ["the format", '{ "format": | }', "format: |", ["stepwell/v1"]],
  ])("%s", async (_, json, yaml, expected) => {
    expect(words(await plain.json.complete(json))).toEqual(expected);
    expect((await plain.yaml.complete(yaml)).filter((label) => !isSkeleton(label, expected))).toEqual(expected);
  });

  test.each<[string, string, string, readonly string[]]>([
    [
      "the names of tools",
      '{ "steps": { "a": { "tool": "|" } } }',
      "steps:\n  a:\n    tool: |",
      ["chat.post", "mail.send"],
    ],
    [
      "the names of tools where a step is undone",
      '{ "steps": { "a": { "compensate": { "tool": "|" } } } }',
      "steps:\n  a:\n    compensate:\n      tool: |",
      ["chat.post", "mail.send"],
    ],
    [
      "the arguments of the tool",
      '{ "steps": { "a": { "tool": "mail.send", "args": { | } } } }',
      "steps:\n  a:\n    tool: mail.send\n    args:\n      |",
      ["copies", "priority", "subject", "to"],
    ],
    [
      "the arguments that are not there yet, in a pipeline, by the tool's short name",
      '{ "steps": [{ "tool": "send", "args": { "to": "a", | } }] }',
      "steps:\n  - tool: send\n    args:\n      to: a\n      |",
      ["copies", "priority", "subject"],
    ],
    [
      "the values of an argument",
      '{ "steps": { "a": { "tool": "mail.send", "args": { "priority": | } } } }',
      "steps:\n  a:\n    tool: mail.send\n    args:\n      priority: |",
      ["high", "low"],
    ],
  ])("%s", async (_, json, yaml, expected) => {
    expect(words(await withTools.json.complete(json))).toEqual(expect.arrayContaining([...expected]));
    const offered = await withTools.yaml.complete(yaml);
    expect(offered).toEqual(expect.arrayContaining([...expected]));
    expect(offered).not.toContain("text");
  });

  test("skeletons of whole steps", async () => {
    const expected = ["gate step", "tool step", "wait step"];
    expect(await plain.json.complete('{ "steps": { "a": | } }')).toEqual(expect.arrayContaining(expected));
    expect(await plain.yaml.complete("steps:\n  a:\n    |")).toEqual(expect.arrayContaining(expected));
  });
});
