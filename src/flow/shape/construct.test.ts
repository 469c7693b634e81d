import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valueAt } from "../../testing/patch.ts";
import type { Finding } from "../finding.ts";
import type { Json, JsonObject } from "../json.ts";
import { checkShape } from "./shape.ts";

/** A flow of two steps, the first of which is under test. */
function flowOf(step: Json): JsonObject {
  return { steps: { ask: step, rest: { terminal: "success" } } };
}

function lines(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`);
}

function machineOf(state: JsonObject): JsonObject {
  return {
    states: { draft: { initial: true }, end: state },
    transitions: [{ name: "go", from: ["draft"], to: "end" }],
  };
}

describe("machines", () => {
  test.each<[JsonObject, string]>([
    [
      { terminal: true },
      'terminal_without_kind /terminal "terminal" ends the run without saying how. Write "success", "failure" or "cancel".',
    ],
    [
      { kind: "success" },
      'non_terminal_with_kind /kind "kind" is for states that end the run, and this one does not. Write "terminal" in its place, or remove it.',
    ],
    [
      { terminal: false, terminal_kind: "success" },
      'non_terminal_with_kind /terminal_kind "terminal_kind" is for states that end the run, and this one does not. Write "terminal" in its place, or remove it.',
    ],
    [
      { terminal: "cancl" },
      'invalid_terminal_kind /terminal "terminal" must be "success", "failure" or "cancel", not the text "cancl". Write "cancel".',
    ],
    [
      { terminal: true, kind: "over" },
      'invalid_terminal_kind /kind "kind" must be "success", "failure" or "cancel", not the text "over".',
    ],
    [
      { terminal: "success", kind: "success" },
      'misplaced_key /kind "kind" stands beside "terminal", which says the kind already. Remove it.',
    ],
    [
      { terminal: 3 },
      'wrong_type /terminal "terminal" must be "success", "failure" or "cancel" or true or false, not 3.',
    ],
  ])("the state %j is refused", (state, line) => {
    const [code = "", pointer = "", ...message] = line.split(" ");
    expect(lines(checkShape(machineOf(state)).findings)).toEqual([
      `${code} /states/end${pointer} State "end": ${message.join(" ")}`,
    ]);
  });

  test.each<JsonObject>([
    { terminal: "success" },
    { terminal: true, kind: "cancel" },
    { terminal: true, terminal_kind: "failure" },
    { terminal: false },
    { label: "End", description: "Over", metadata: { a: 1 } },
  ])("the state %j is right", (state) => {
    expect(checkShape(machineOf(state)).findings).toEqual([]);
  });

  test("a machine is in one state at a time", () => {
    const states = { a: { parallel: ["b", "c"], join: "d" }, b: {} };
    const transitions = [{ name: "go", from: "a", to: ["b"], parallel: ["b"] }];
    expect(checkShape({ states, transitions }).findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "fan_out_not_allowed /states/a/parallel",
      "fan_out_not_allowed /states/a/join",
      "wrong_type /transitions/0/to",
      "fan_out_not_allowed /transitions/0/parallel",
    ]);
  });

  test("what undoes an action, or follows its failure, needs an action", () => {
    const transition = { name: "go", from: "a", to: "b", compensate: { tool: "x" }, on_error: "a" };
    const document = { states: { a: {}, b: {} }, transitions: [transition, { from: "a", to: "b" }] };
    expect(lines(checkShape(document).findings)).toEqual([
      'misplaced_key /transitions/0/compensate Transition "go": "compensate" means nothing without "action". Remove it.',
      'misplaced_key /transitions/0/on_error Transition "go": "on_error" means nothing without "action". Remove it.',
      'missing_key /transitions/1 Transition 2 needs the key "name".',
    ]);
  });

  test("transitions may have everything that the language gives them", () => {
    const action = {
      tool: "cms.publish",
      args: {},
      retry: { attempts: 2 },
      timeout: "5s",
      effect: "write",
      probe: { tool: "x" },
    };
    const transition = {
      name: "go",
      from: "a",
      to: "b",
      guard: "true",
      requires_reason: true,
      set: { a: 1 },
      action,
      compensate: { tool: "y" },
      on_error: "a",
      after: "24h",
      description: "d",
    };
    const document = { initial: "a", states: { a: {}, b: { terminal: "success" } }, transitions: [transition] };
    expect(checkShape(document)).toEqual({ notation: "machine", isBare: false, findings: [] });
  });
});

describe("documents", () => {
  test("a document may have everything that the language gives it", () => {
    const document = {
      format: "stepwell/v1",
      name: "refund",
      description: "d",
      input: true,
      defaults: { input: { amount: 0 }, timeout: "120s", retry: false },
      cancel: "never",
      timeout: "30d",
      strict: true,
      triggers: [
        { cron: "0 8 * * 1-5", zone: "Europe/Berlin", missed: "once", overlap: "skip" },
        { webhook: "refund" },
      ],
      resources: { feed: { type: "rss", url: "u", tags: ["a"] } },
      requires_2fa: false,
      start: "look",
      steps: { look: { tool: "log", done: true } },
      "x-ui": {},
    };
    expect(checkShape(document)).toEqual({ notation: "flow", isBare: false, findings: [] });
  });

  test("findings stand in the order of the document", () => {
    const document = {
      steps: { b: { tool: 1, nxt: "a" }, a: { retry: { attempts: 0 } } },
      cancel: "sometimes",
      name: "",
      triggers: [{ webhook: "a", zone: "b" }, { cron: 5 }],
    };
    expect(checkShape(document).findings.map(({ pointer }) => pointer)).toEqual([
      "/steps/b/tool",
      "/steps/b/nxt",
      "/steps/a",
      "/steps/a/retry/attempts",
      "/cancel",
      "/name",
      "/triggers/0/zone",
      "/triggers/1/cron",
    ]);
  });

  test("no value makes the check throw, and its findings point into the document", () => {
    const words = [
      "steps",
      "states",
      "transitions",
      "start",
      "tool",
      "gate",
      "each",
      "routes",
      "retry",
      "branch",
      "true",
    ];
    const key = fc.oneof(fc.constantFrom(...words, "version", "workflow", "format", "__proto__"), fc.string());
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "medium" },
        fc.constantFrom<Json>(null, true, false, 0, 1.5, "", "x", "{{ a }}", "approved", "success"),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 5, noNullPrototype: false }),
      ),
    }));
    fc.assert(
      fc.property(tree, (document) => {
        for (const { pointer } of checkShape(document).findings) expect(valueAt(document, pointer)).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  test("free values are not entered, however deep they are", () => {
    let deep: Json = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(checkShape(flowOf({ tool: "log", args: { deep } })).findings).toEqual([]);
    expect(checkShape(deep).findings.map(({ code }) => code)).toEqual(["not_a_flow"]);
  });
});
