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

describe("values", () => {
  test.each<[Json, string, Json | undefined]>([
    [{ tool: 5 }, 'wrong_type /tool "tool" must be a text or null, not 5.', undefined],
    [{ tool: "" }, 'wrong_value /tool "tool" must be a text or null, not the text "".', undefined],
    [
      { tool: "log", args: [] },
      'wrong_type /args "args" must be an object or an expression in double braces, such as "{{ previous }}", not a list.',
      undefined,
    ],
    [
      { tool: "log", args: "previous" },
      'wrong_value /args "args" must be an expression in double braces, such as "{{ previous }}", not the text "previous".',
      undefined,
    ],
    [
      { tool: "log", args: null },
      'wrong_type /args "args" must be an object or an expression in double braces, such as "{{ previous }}", not null.',
      {},
    ],
    [{ gate: null }, 'wrong_type /gate "gate" must be an object, not null.', {}],
    [{ gate: true }, 'wrong_type /gate "gate" must be an object, not true.', {}],
    [
      { gate: { self_approval: "false" } },
      'wrong_type /gate/self_approval "gate.self_approval" must be true or false, not the text "false".',
      false,
    ],
    [
      { gate: { approvers: "user:ann" } },
      'wrong_type /gate/approvers "gate.approvers" must be a list, not the text "user:ann".',
      ["user:ann"],
    ],
    [
      { gate: { approvers: [] } },
      'wrong_value /gate/approvers "gate.approvers" is empty. Put at least one entry into it, or leave it out.',
      undefined,
    ],
    [
      { gate: { approvers: ["user:ann", "ben"] } },
      'wrong_value /gate/approvers/1 "gate.approvers.1" must be a person or a group, such as "user:ann" or "group:finance", not the text "ben".',
      undefined,
    ],
    [
      { gate: { approvers: ["user:"] } },
      'wrong_value /gate/approvers/0 "gate.approvers.0" must be a person or a group, such as "user:ann" or "group:finance", not the text "user:".',
      undefined,
    ],
    [
      { gate: { approvers: ["user:ann", "user:ben", "user:ann"], need: 3 } },
      'wrong_value /gate/need "gate.need" must be at most 2, since no more people may approve, not 3.',
      undefined,
    ],
    [{ gate: { need: 0 } }, 'wrong_value /gate/need "gate.need" must be at least 1, not 0. Write 1.', 1],
    [
      { tool: "log", retry: { jitter: 5 } },
      'wrong_value /retry/jitter "retry.jitter" must be at most 1, not 5.',
      undefined,
    ],
    [
      { tool: "log", retry: { jitter: "0.5" } },
      'wrong_type /retry/jitter "retry.jitter" must be a number, not the text "0.5".',
      0.5,
    ],
    [
      { tool: "log", retry: { attempts: 1.5 } },
      'wrong_type /retry/attempts "retry.attempts" must be a whole number, not 1.5.',
      undefined,
    ],
    [
      { tool: "log", retry: { attempts: "1.5" } },
      'wrong_type /retry/attempts "retry.attempts" must be a whole number, not the text "1.5".',
      undefined,
    ],
    [
      { tool: "log", retry: { attempts: "3" } },
      'wrong_type /retry/attempts "retry.attempts" must be a whole number, not the text "3".',
      3,
    ],
    [
      { tool: "log", retry: true },
      'wrong_value /retry "retry" must be an object, "classic" or false, not true.',
      undefined,
    ],
    [
      { tool: "log", retry: "clasic" },
      'wrong_value /retry "retry" must be "classic", not the text "clasic". Write "classic".',
      "classic",
    ],
    [
      { tool: "log", retry: { backoff: [] } },
      'wrong_value /retry/backoff "retry.backoff" is empty. Put at least one entry into it, or leave it out.',
      undefined,
    ],
    [
      { tool: "log", retry: { backoff: { factor: 2 } } },
      'missing_key /retry/backoff "retry.backoff" needs the key "base".',
      undefined,
    ],
    [
      { tool: "log", effect: "wrte" },
      'wrong_value /effect "effect" must be "read", "idempotent" or "write", not the text "wrte". Write "write".',
      "write",
    ],
    [
      { tool: "log", effect: "purple" },
      'wrong_value /effect "effect" must be "read", "idempotent" or "write", not the text "purple".',
      undefined,
    ],
    [
      { tool: "log", timeout: "5" },
      'bad_duration /timeout "timeout" must be a duration with its unit, such as "30s", "5m", "1h30m" or "2 days", not the text "5".',
      undefined,
    ],
    [
      { tool: "log", timeout: 30 },
      'bad_duration /timeout "timeout" must be a duration with its unit, such as "30s", "5m", "1h30m" or "2 days", not 30.',
      undefined,
    ],
    [
      { wait: "soon" },
      'bad_duration /wait "wait" must be a duration with its unit, such as "30s", "5m", "1h30m" or "2 days", not the text "soon".',
      undefined,
    ],
    [{ wait: {} }, 'missing_key /wait "wait" needs the key "until".', undefined],
    [
      { flow: "refund@0" },
      'wrong_value /flow "flow" must be a workflow\'s name, such as "refund", or with a version, such as "refund@3", not the text "refund@0".',
      undefined,
    ],
    [
      { tool: "log", each: { items: "input.list" } },
      'wrong_value /each/items "each.items" must be an expression in double braces, such as "{{ previous }}", not the text "input.list".',
      undefined,
    ],
    [
      { tool: "log", branch: { if: "true", then: "rest" } },
      'wrong_type /branch "branch" must be a list, not an object.',
      [{ if: "true", then: "rest" }],
    ],
    [{ tool: "log", branch: [{ if: "true" }] }, 'missing_key /branch/0 "branch.0" needs the key "then".', undefined],
    [
      { tool: "log", parallel: [] },
      'empty_parallel /parallel "parallel" is empty. Put at least one entry into it, or leave it out.',
      undefined,
    ],
    [{ tool: "log", next: ["rest"] }, 'wrong_type /next "next" must be a text, not a list.', undefined],
    [
      { terminal: "sucess" },
      'invalid_terminal_kind /terminal "terminal" must be "success", "failure" or "cancel", not the text "sucess". Write "success".',
      "success",
    ],
    [
      { tool: "log", routes: { "Bad-Name": "rest" } },
      'bad_outcome_name /routes/Bad-Name "routes.Bad-Name" must be an outcome\'s name: small letters, digits and _, a letter first, 40 characters at most, not the text "Bad-Name".',
      undefined,
    ],
  ])("of a step: %j", (step, line, cure) => {
    const { findings } = checkShape(flowOf(step));
    const [code = "", pointer = "", ...message] = line.split(" ");
    expect(lines(findings)).toEqual([`${code} /steps/ask${pointer} Step "ask": ${message.join(" ")}`]);
    const path = `/steps/ask${pointer}`;
    expect(findings[0]?.patch).toEqual(cure === undefined ? undefined : [{ op: "replace", path, value: cure }]);
  });

  test.each<[Json, Json | undefined]>([
    [{ webhook: "refund" }, [{ webhook: "refund" }]],
    [5, undefined],
  ])("%j is no list of triggers, and becomes one only if it is a trigger", (triggers, cure) => {
    const { findings } = checkShape({ triggers, steps: { a: { done: true } } });
    expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(["wrong_type /triggers"]);
    const patch = [{ op: "replace", path: "/triggers", value: cure }];
    expect(findings[0]?.patch).toEqual(cure === undefined ? undefined : patch);
  });

  test("an object becomes a list of one only if it has what an entry needs", () => {
    const machine = (transitions: Json): JsonObject => ({ states: { a: { terminal: "success" } }, transitions });
    const [map] = checkShape(machine({ go: { from: "a", to: "a" } })).findings;
    expect([map?.code, map?.pointer, map?.patch]).toEqual(["wrong_type", "/transitions", undefined]);
    expect(afterPatches(machine({ name: "go", from: "a", to: "a" }))).toEqual([]);
  });

  test.each<Json>([
    { approvers: ["user:ann", "group:finance"], need: 3 },
    { approvers: ["user:ann", "user:ben"], need: 2 },
    { need: 3 },
  ])("the gate %j can be approved", (gate) => {
    expect(checkShape(flowOf({ gate })).findings).toEqual([]);
  });

  test("which alternative a value is taken for does not depend on the order of its keys", () => {
    const strays = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x-${index}`, index]));
    for (const wait of [
      { event: "paid", ...strays },
      { ...strays, event: "paid" },
      { ...strays, evnt: "paid" },
    ]) {
      expect(afterPatches(flowOf({ wait }))).toEqual([]);
    }
  });

  test("long texts are cut in messages", () => {
    const [found] = checkShape(flowOf({ tool: "log", effect: "x".repeat(5000) })).findings;
    expect(found?.message.length).toBeLessThan(200);
  });

  test("a format of another version is refused, and the patch names ours", () => {
    for (const format of ["stepwell/v2", 1]) {
      const document = { format, steps: { a: { done: true } } };
      expect(checkShape(document).findings.map(({ code, pointer }) => [code, pointer])).toEqual([
        ["unknown_format", "/format"],
      ]);
      expect(afterPatches(document)).toEqual([]);
    }
  });

  test.each(["on_", "on_1", "on_on_x", "1st", "", "a".repeat(41), `on_${"a".repeat(41)}`, "é"])(
    "%j is no outcome's name",
    (name) => {
      const { findings } = checkShape(flowOf({ tool: "log", routes: { [name]: "rest" } }));
      expect(findings.map(({ code }) => code)).toEqual(["bad_outcome_name"]);
    },
  );

  test.each(["items", "on_items", "a", "a".repeat(40), `on_${"a".repeat(40)}`])("%j is an outcome's name", (name) => {
    expect(checkShape(flowOf({ tool: "log", routes: { [name]: "rest" } })).findings).toEqual([]);
  });

  test("a branch that stands in parallel twice is found where it stands again", () => {
    const document = flowOf({ tool: "log", parallel: ["a", "b", "a"] });
    expect(lines(checkShape(document).findings)).toEqual([
      'duplicate_branch /steps/ask/parallel/2 Step "ask": "parallel" names the text "a" twice. Name each branch once.',
    ]);
    expect(afterPatches(document)).toEqual([]);
  });

  test("steps of lists are named by their name, else by their place", () => {
    const document = { steps: [{ name: "fetch", tool: 1 }, { tool: 2 }, 3] };
    expect(checkShape(document).findings.map(({ message }) => message)).toEqual([
      'Step "fetch": "tool" must be a text or null, not 1.',
      'Step 2: "tool" must be a text or null, not 2.',
      '"steps.2" must be an object, not 3.',
    ]);
  });

  test("pipelines take positions as targets, and the list form of routes", () => {
    const step = { tool: "log", branch: [{ if: "true", then: 2 }], else: "b", on_error: 3, input_from: 1 };
    const routed = {
      skill: "rss",
      config: {},
      routes: [
        { branch: "on_items", goto: 2 },
        { branch: "empty", goto: "end" },
      ],
    };
    expect(checkShape({ start: 1, steps: [step, routed] }).findings).toEqual([]);
    expect(checkShape(flowOf({ tool: "log", next: 2 })).findings.map(({ code }) => code)).toEqual(["wrong_type"]);
  });
});
