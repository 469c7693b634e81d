import { describe, expect, test } from "vitest";
import { applyPatch } from "../../testing/patch.ts";
import type { Finding } from "../finding.ts";
import type { Json } from "../json.ts";
import { checkShape } from "./shape.ts";

function lines(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`);
}

/** What is left to say after the patches of all findings. */
function afterPatches(document: Json): readonly string[] {
  const { findings } = checkShape(document);
  return lines(checkShape(findings.reduce<Json>((now, { patch }) => applyPatch(now, patch ?? []), document)).findings);
}

describe("the notation", () => {
  const call = { tool: "log", done: true };
  test.each<[string, Json, ReturnType<typeof checkShape>["notation"], boolean]>([
    ["a map of steps", { steps: { a: call } }, "flow", false],
    ["a map of steps with its format", { format: "stepwell/v1", steps: { a: call } }, "flow", false],
    ["a bare map", { start: call, other: call }, "flow", true],
    ["a bare map with notes", { start: call, "x-ui": 1 }, "flow", true],
    ["a list of steps", { steps: [call] }, "pipeline", false],
    ["an empty list of steps", { steps: [] }, "pipeline", false],
    ["states", { states: { a: { initial: true, terminal: "success" } }, transitions: [] }, "machine", false],
    ["an export of AlexClaw", { version: 1, workflow: { name: "News" }, steps: [] }, "alexclaw", false],
    ["a bare map with a step called step", { start: call, step: call }, "flow", true],
    ["a bare map with steps called version and workflow", { version: call, workflow: call }, "flow", true],
  ])("%s is recognised", (_, document, notation, isBare) => {
    expect(checkShape(document)).toEqual({ notation, isBare, findings: [] });
  });

  test.each<[Json, string]>([
    [null, "A flow is an object, not null."],
    [[], "A flow is an object, not a list."],
    ["flow", 'A flow is an object, not the text "flow".'],
    [{}, 'This is not a flow: it has neither "steps" nor "states".'],
    [{ "x-ui": {} }, 'This is not a flow: it has neither "steps" nor "states".'],
    [{ name: "stepwell", version: "0.1.0", scripts: {} }, 'This is not a flow: it has neither "steps" nor "states".'],
    [{ name: "refund", start: { tool: "log" } }, 'This is not a flow: it has neither "steps" nor "states".'],
    [{ stepss: { start: { tool: "log" } } }, 'This is not a flow: it has "stepss" where "steps" should be.'],
    [
      { defaults: {}, "x-ui": {}, State: { draft: { terminal: "success" } } },
      'This is not a flow: it has "State" where "states" should be.',
    ],
    [{ name: "refund", stpes: {} }, 'This is not a flow: it has "stpes" where "steps" should be.'],
  ])("%j is no flow, and the message shows the smallest one", (document, opening) => {
    const { notation, isBare, findings } = checkShape(document);
    expect({ notation, isBare }).toEqual({ notation: undefined, isBare: false });
    const example = '{"steps": {"hello": {"tool": "log", "args": {"message": "Hello"}, "done": true}}}';
    expect(lines(findings)).toEqual([`not_a_flow  ${opening} The smallest flow is ${example}.`]);
  });

  test("the smallest flow that the message shows is right", () => {
    const [found] = checkShape(null).findings;
    const example = /\{.*\}/.exec(found?.message ?? "")?.[0] ?? "";
    expect(checkShape(JSON.parse(example))).toEqual({ notation: "flow", isBare: false, findings: [] });
  });

  test.each<[Json, string]>([
    [{ version: 1, name: "n", steps: { a: call } }, "flow"],
    [{ version: 1, name: "n", steps: [call] }, "pipeline"],
  ])("a version alone makes no export: %j", (document, notation) => {
    const { findings, notation: found } = checkShape(document);
    expect(found).toBe(notation);
    expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(["unknown_key /version"]);
  });

  test("a step called step that is wrong is still a step", () => {
    expect(checkShape({ start: call, step: { tol: "x" } }).isBare).toBe(true);
    expect(checkShape({ start: call, step: {} }).isBare).toBe(true);
    expect(checkShape({ start: call, step: 5 }).isBare).toBe(true);
  });

  test("a misspelt steps is put right by the patch", () => {
    expect(afterPatches({ name: "refund", stpes: { a: { done: true } } })).toEqual([]);
  });

  test("what only lacks a part is checked as what it is", () => {
    expect(lines(checkShape({ format: "stepwell/v1", name: "a" }).findings)).toEqual([
      'missing_key  The document needs the key "steps".',
    ]);
    expect(lines(checkShape({ steps: 5 }).findings)).toEqual(['wrong_type /steps "steps" must be an object, not 5.']);
    expect(checkShape({ steps: 5 }).notation).toBeUndefined();
    expect(lines(checkShape({ transitions: [] }).findings)).toEqual([
      'missing_key  The document needs the key "states".',
    ]);
    expect(lines(checkShape({ start: { tool: "log" }, next: "start" }).findings)).toEqual([
      'wrong_type /next "next" must be an object, not the text "start".',
    ]);
  });

  test.each<[Json, string]>([
    [{ version: 2, workflow: { name: "a" }, steps: [] }, 'wrong_value /version "version" must be 1, not 2. Write 1.'],
    [{ version: 1, steps: [{ skill: "a" }] }, 'missing_key  The document needs the key "workflow".'],
    [{ version: 1, workflow: { name: "a" } }, 'missing_key  The document needs the key "steps".'],
    [{ workflow: { name: "a" }, steps: [] }, 'missing_key  The document needs the key "version".'],
    [{ version: 1, workflow: {}, steps: [] }, 'missing_key /workflow "workflow" needs the key "name".'],
    [
      { version: 1, workflow: { name: "" }, steps: [] },
      'wrong_value /workflow/name "workflow.name" must be a text that is not empty, not the text "".',
    ],
    [{ version: 1, workflow: { name: "a" }, steps: [{}] }, 'missing_key /steps/0 Step 1 needs the key "skill".'],
  ])("an export of AlexClaw that lacks something says what: %j", (document, line) => {
    const { notation, findings } = checkShape(document);
    expect(notation).toBe("alexclaw");
    expect(lines(findings)).toEqual([line]);
  });

  test("an export of AlexClaw may hold keys of its own and nulls", () => {
    const step = { position: 5, name: null, skill: "rss", config: null, routes: null, input_from: null, colour: 1 };
    const document = { version: 1, workflow: { name: "a", schedule: null }, steps: [step], resources: null, by: "me" };
    expect(checkShape(document).findings).toEqual([]);
  });
});
