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

describe("the action of a step", () => {
  const nothing =
    'does nothing. Give it a "tool", "gate", "wait", "flow" or "set", or "done": true if its path ends here.';

  test.each<[Json, readonly string[]]>([
    [{}, [`no_action /steps/ask Step "ask" ${nothing}`]],
    [{ next: "rest", args: {}, retry: false }, [`no_action /steps/ask Step "ask" ${nothing}`]],
    [{ done: false }, [`no_action /steps/ask Step "ask" ${nothing}`]],
    [
      { tool: "log", set: {} },
      [
        'several_actions /steps/ask/set Step "ask": "set" stands beside "tool", but a step does one thing. Move one of them to another step.',
      ],
    ],
    [
      { tool: null, wait: "5m" },
      [
        'several_actions /steps/ask/wait Step "ask": "wait" stands beside "tool", but a step does one thing. Move one of them to another step.',
      ],
    ],
    [
      { wait: "5m", flow: "a", set: {} },
      [
        'several_actions /steps/ask/flow Step "ask": "flow" stands beside "wait", but a step does one thing. Move one of them to another step.',
        'several_actions /steps/ask/set Step "ask": "set" stands beside "wait", but a step does one thing. Move one of them to another step.',
      ],
    ],
  ])("of %j is none or several", (step, expected) => {
    expect(lines(checkShape(flowOf(step)).findings)).toEqual(expected);
  });

  test.each<[string, Json]>([
    [
      "a tool with everything that goes with it",
      {
        tool: "a.b",
        args: {},
        each: { items: [1] },
        retry: "classic",
        timeout: "5s",
        effect: "write",
        on_unknown: "ask",
        probe: { tool: "a.c" },
        idempotency_key: "k",
        on_circuit_open: "fallback",
        fallback: "b.c",
        on_missing_tool: "skip",
        sanitize: "off",
        compensate: { tool: "a.d" },
        outcome: "result",
        routes: { empty: "rest" },
        on_no_match: "fail",
        cancel: "rest",
        input_from: "rest",
        attempt: 1,
        name: "x",
      },
    ],
    ["a gate as the seeds write it", { name: "request_approval", tool: null, args: {}, next: "rest" }],
    ["a gate that is also a null tool", { tool: null, gate: {}, args: {} }],
    ["a gate", { gate: { title: "Go on?" }, timeout: "2d", on: { rejected: "rest" }, on_error: "rest" }],
    ["a sleep", { wait: "30m", next: "rest" }],
    ["a wait until an instant", { wait: { until: "{{ input.due }}", zone: "Europe/Berlin" } }],
    ["a wait for an event", { wait: { event: "paid", match: "true" }, timeout: "2d", routes: { timeout: "rest" } }],
    [
      "a sub-flow",
      {
        flow: "refund@3",
        input: "{{ previous }}",
        each: { items: "{{ input.list }}" },
        retry: { attempts: 2, backoff: { base: "1s", max: "1m" } },
        compensate: { tool: "x" },
      },
    ],
    [
      "a computation",
      {
        set: { a: "{{ 1 }}" },
        outcome: "'a'",
        branch: [{ if: "true", then: "rest" }],
        else: "end",
        on_no_match: "fail",
      },
    ],
    ["an end after an action", { tool: "log", done: { kind: "failure", output: null, message: "m" } }],
    ["an end state by done", { done: true }],
    ["an end state by its kind", { terminal: "cancel" }],
    ["a fork", { tool: "log", parallel: ["rest"], join: "rest", on_branch_error: "collect" }],
    ["not done", { tool: "log", done: false, next: "rest" }],
  ])("%s is right", (_, step) => {
    expect(checkShape(flowOf(step)).findings).toEqual([]);
  });

  test.each<[Json, string]>([
    [{ gate: {}, args: { a: 1 } }, '/args Step "ask": "args" means nothing on a gate, it goes with a tool. Remove it.'],
    [
      { gate: {}, retry: false },
      '/retry Step "ask": "retry" means nothing on a gate, it goes with a tool or a flow. Remove it.',
    ],
    [
      { wait: "5m", effect: "read" },
      '/effect Step "ask": "effect" means nothing on a wait, it goes with a tool. Remove it.',
    ],
    [
      { set: {}, timeout: "5m" },
      '/timeout Step "ask": "timeout" means nothing on a set, it goes with a tool, a flow, a gate or a wait. Remove it.',
    ],
    [{ tool: "log", input: {} }, '/input Step "ask": "input" means nothing on a tool, it goes with a flow. Remove it.'],
    [
      { flow: "a", sanitize: "off" },
      '/sanitize Step "ask": "sanitize" means nothing on a flow, it goes with a tool. Remove it.',
    ],
    [
      { done: true, routes: {} },
      '/routes Step "ask": "routes" means nothing on an end state, it goes with a tool, a gate, a wait, a flow or a set. Remove it.',
    ],
    [{ tool: "log", else: "rest" }, '/else Step "ask": "else" means nothing without "branch". Remove it.'],
    [
      { tool: "log", on_branch_error: "fail" },
      '/on_branch_error Step "ask": "on_branch_error" means nothing without "parallel". Remove it.',
    ],
    [
      { tool: "log", on_no_match: "fail" },
      '/on_no_match Step "ask": "on_no_match" means nothing without "branch" or "routes". Remove it.',
    ],
    [
      { tool: "log", terminal: "success" },
      '/terminal Step "ask": "terminal" is for a step without an action. Write "done" in its place.',
    ],
    [
      { tool: "log", terminal: "failure" },
      '/terminal Step "ask": "terminal" is for a step without an action. Write "done" in its place.',
    ],
    [
      { tool: "log", fallback: "a", fallback_skill: "b" },
      '/fallback_skill Step "ask": "fallback_skill" says the same as "fallback", which is there. Remove it.',
    ],
    [
      { gate: { on_expire: "expired" } },
      '/gate/on_expire Step "ask": "gate.on_expire" means nothing without "expires_after". Remove it.',
    ],
    [
      { gate: { escalate_after: "1d" } },
      '/gate/escalate_after Step "ask": "gate.escalate_after" means nothing without "escalate_to". Remove it.',
    ],
  ])("%j has a key that means nothing there", (step, line) => {
    const document = flowOf(step);
    expect(lines(checkShape(document).findings)).toEqual([`misplaced_key /steps/ask${line}`]);
    expect(afterPatches(document)).toEqual([]);
  });

  test("terminal after an action becomes done with that kind", () => {
    const document = flowOf({ tool: "log", terminal: "failure" });
    const patched = checkShape(document).findings.reduce<Json>(
      (now, { patch }) => applyPatch(now, patch ?? []),
      document,
    );
    expect(patched).toEqual(flowOf({ tool: "log", done: { kind: "failure" } }));
    const twice = checkShape(flowOf({ tool: "log", terminal: "failure", done: true })).findings;
    expect(twice.map(({ code, patch }) => [code, patch?.length])).toEqual([
      ["misplaced_key", 1],
      ["several_transitions", undefined],
    ]);
  });

  test("a fallback needs the tool to fall back to, on steps and on actions of machines", () => {
    const line = 'needs the key "fallback", the tool to call when the circuit is open.';
    expect(lines(checkShape(flowOf({ tool: "log", on_circuit_open: "fallback" })).findings)).toEqual([
      `missing_key /steps/ask Step "ask" ${line}`,
    ]);
    const action = { tool: "log", on_circuit_open: "fallback" };
    const transitions = [{ name: "go", from: "a", to: "b", action }];
    expect(lines(checkShape({ states: { a: {}, b: {} }, transitions }).findings)).toEqual([
      `missing_key /transitions/0/action Transition "go": "action" ${line}`,
    ]);
  });
});

describe("steps of pipelines", () => {
  test.each<[Json, string]>([
    [
      { tool: "log", routes: { items: "end" }, on_no_match: "fail" },
      'misplaced_key /steps/0/on_no_match Step 1: "on_no_match" means nothing without "branch": in a pipeline the next position follows. Remove it.',
    ],
    [
      { tool: "log", on_no_match: "fail" },
      'misplaced_key /steps/0/on_no_match Step 1: "on_no_match" means nothing without "branch": in a pipeline the next position follows. Remove it.',
    ],
    [
      { skill: "log", args: {}, config: { limit: 3 } },
      'misplaced_key /steps/0/config Step 1: "config" stands beside "args", which says all that the tool is handed. Keep one of them.',
    ],
    [
      { skill: "log", args: {}, llm_model: "small" },
      'misplaced_key /steps/0/llm_model Step 1: "llm_model" stands beside "args", which says all that the tool is handed. Keep one of them.',
    ],
  ])("%j says something that nobody would hear", (step, line) => {
    expect(lines(checkShape({ steps: [step] }).findings)).toEqual([line]);
  });

  test("what a branch does without a match may be said", () => {
    const step = { tool: "log", branch: [{ if: "true", then: "end" }], on_no_match: "fail" };
    expect(checkShape({ steps: [step] }).findings).toEqual([]);
  });
});
