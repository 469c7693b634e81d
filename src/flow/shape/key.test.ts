import { describe, expect, test } from "vitest";
import { applyPatch } from "../../testing/patch.ts";
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

/** What is left to say after the patches of all findings. */
function afterPatches(document: Json): readonly string[] {
  const { findings } = checkShape(document);
  return lines(checkShape(findings.reduce<Json>((now, { patch }) => applyPatch(now, patch ?? []), document)).findings);
}

describe("keys", () => {
  test.each<[string, Json, string]>([
    ["a misspelt key", { tol: "log", done: true }, '/tol Step "ask" has no key "tol". Write "tool".'],
    [
      "of two keys that are spelt alike, the one that can have the value",
      { tool: "log", net: "rest" },
      '/net Step "ask" has no key "net". Write "next".',
    ],
    [
      "a key that is there already",
      { tool: "log", too: "log", done: true },
      '/too Step "ask" has no key "too"; it looks like "tool", which is there already. Remove it.',
    ],
    [
      "a word of other languages",
      { tool: "log", params: {}, done: true },
      '/params Step "ask" has no key "params". Write "args".',
    ],
    [
      "a branch's word for what follows",
      { tool: "log", then: "rest" },
      '/then Step "ask" has no key "then". Write "next".',
    ],
    [
      "a key that nobody knows",
      { tool: "log", colour: "red", done: true },
      '/colour Step "ask" has no key "colour". Remove it, or call it "x-colour" if it is a note of your own.',
    ],
    [
      "a key of something inside",
      { tool: "log", attempts: 3, done: true },
      '/attempts Step "ask" has no key "attempts"; it belongs into "retry".',
    ],
    [
      "a key of something inside that is there",
      { tool: null, gate: {}, approvers: ["user:ann"] },
      '/approvers Step "ask" has no key "approvers"; it belongs into "gate".',
    ],
    [
      "a misspelt key further in",
      { tool: "log", retry: { atempts: 3 }, done: true },
      '/retry/atempts Step "ask": "retry" has no key "atempts". Write "attempts".',
    ],
    [
      "a misspelt key of an alternative",
      { wait: { evnt: "paid" } },
      '/wait/evnt Step "ask": "wait" has no key "evnt". Write "event".',
    ],
    [
      "__proto__",
      JSON.parse('{"tool": "log", "__proto__": 1}'),
      '/__proto__ Step "ask" has no key "__proto__". Remove it, or call it "x-__proto__" if it is a note of your own.',
    ],
  ])("%s is found, and the patch puts it right", (_, step, line) => {
    const document = flowOf(step);
    expect(lines(checkShape(document).findings)).toEqual([`unknown_key /steps/ask${line}`]);
    expect(afterPatches(document)).toEqual([]);
  });

  test.each<[string, Json]>([
    ["gate", { gate: { timeout: "1d" } }],
    ["wait", { wait: { event: "paid", timeout: "1d" } }],
    ["wait", { wait: { until: "2030-01-01", timeout: "1d" } }],
  ])("the timeout inside %s belongs on the step", (action, step) => {
    expect(lines(checkShape(flowOf(step)).findings)).toEqual([
      `unknown_key /steps/ask/${action}/timeout Step "ask": "${action}" has no key "timeout". Put it on the step, beside "${action}".`,
    ]);
  });

  test("a key that belongs into several things goes to the one that is there", () => {
    expect(afterPatches(flowOf({ done: {}, message: "over" }))).toEqual([]);
  });

  test("a key of something inside that has it already has no patch", () => {
    const { findings } = checkShape(flowOf({ gate: { need: 2 }, need: 3 }));
    expect(findings.map(({ code, patch }) => [code, patch])).toEqual([["unknown_key", undefined]]);
  });

  test("two misspellings of one key are not both moved", () => {
    expect(afterPatches(flowOf({ tol: "log", toool: "log" }))).toEqual([]);
  });

  test("a misspelt key counts as what it was taken for: its value is checked, and nothing is missing", () => {
    const slip = checkShape(flowOf({ tool: "log", timout: "soon" })).findings;
    expect(slip.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "unknown_key /steps/ask/timout",
      "bad_duration /steps/ask/timout",
    ]);
    expect(lines(checkShape(flowOf({ tool: "log", each: { itmes: "{{ input.list }}" } })).findings)).toEqual([
      'unknown_key /steps/ask/each/itmes Step "ask": "each" has no key "itmes". Write "items".',
    ]);
  });

  test("the key true is an on that a YAML 1.1 tool misread", () => {
    const document = flowOf({ tool: "log", true: { error: "rest" } });
    expect(lines(checkShape(document).findings)).toEqual([
      'misread_on /steps/ask/true Step "ask" has the key "true": a YAML 1.1 tool has read the key on as true. Write "routes".',
    ]);
    expect(afterPatches(document)).toEqual([]);
    expect(afterPatches(flowOf({ tool: "log", routes: { empty: "rest" }, true: { error: "rest" } }))).toEqual([]);
  });

  test("keys with x- are notes, wherever the keys are fixed", () => {
    const document = {
      "x-ui": {},
      steps: { ask: { gate: { "x-by": 1 }, "x-note": [] }, "x-ray": { tool: "scan", retry: { "x-why": "" } } },
      triggers: [{ webhook: "a", "x-a": 1 }],
    };
    expect(checkShape(document).findings).toEqual([]);
  });

  test("a machine has an initial state, not a start", () => {
    const document = { start: "a", states: { a: { terminal: "success" } }, transitions: [] };
    expect(lines(checkShape(document).findings)).toEqual([
      'unknown_key /start The document has no key "start". Write "initial".',
    ]);
  });
});
