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

describe("the transition of a step", () => {
  const oneWay = "but a step has one way on. Keep one of them.";
  test.each<[Json, string, boolean]>([
    [{ tool: "log", next: "rest", done: true }, `/done Step "ask": "done" stands beside "next", ${oneWay}`, false],
    [
      { tool: "log", parallel: ["rest"], next: "rest" },
      `/next Step "ask": "next" stands beside "parallel", ${oneWay}`,
      false,
    ],
    [{ tool: "log", join: "rest", next: "rest" }, `/join Step "ask": "join" stands beside "next", ${oneWay}`, false],
    [{ done: true, terminal: "success" }, `/terminal Step "ask": "terminal" stands beside "done", ${oneWay}`, false],
    [
      { tool: "log", branch: [{ if: "true", then: "rest" }], next: "rest" },
      '/next Step "ask": "next" stands beside "branch", but a step has one way on. Write "else".',
      true,
    ],
    [
      { tool: "log", branch: [{ if: "true", then: "rest" }], else: "rest", next: "rest" },
      `/next Step "ask": "next" stands beside "branch", ${oneWay}`,
      false,
    ],
    [
      { tool: "log", routes: { on_empty: "rest", empty: "rest" } },
      '/routes/on_empty Step "ask": "routes.on_empty" is a second route for the outcome "empty". Keep one of them.',
      true,
    ],
    [
      { tool: "log", routes: { error: "rest" }, on_error: "ask" },
      '/on_error Step "ask": "on_error" is a second route for the outcome "error". Keep one of them.',
      false,
    ],
  ])("of %j is one too many", (step, line, isCured) => {
    const document = flowOf(step);
    expect(lines(checkShape(document).findings)).toEqual([`several_transitions /steps/ask${line}`]);
    expect(afterPatches(document).length === 0).toBe(isCured);
  });

  test("the list form of routes names each outcome once", () => {
    const routes = [{ branch: "on_items", goto: 1 }, { branch: "items", goto: 1 }, { branch: 5, goto: 1 }, "x"];
    const { findings } = checkShape({ steps: [{ tool: "log", routes }] });
    expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "several_transitions /steps/0/routes/1",
      "bad_outcome_name /steps/0/routes/2/branch",
      "wrong_type /steps/0/routes/3",
    ]);
  });

  test("routes may stand beside another kind", () => {
    const step = { tool: "log", next: "rest", routes: { empty: "end" }, on: { items: "rest" }, on_error: "rest" };
    expect(checkShape(flowOf(step)).findings).toEqual([]);
    expect(checkShape(flowOf({ tool: "log", routes: "rest" })).findings.map(({ code }) => code)).toEqual([
      "wrong_type",
    ]);
  });

  test.each<[Json, Json]>([
    [
      { tool: "a", parallel: ["b"] },
      { tool: "a", next: "b" },
    ],
    [
      { tool: "a", parallel: ["b"], next: "b" },
      { tool: "a", next: "b" },
    ],
    [{ tool: "a", parallel: [] }, { tool: "a" }],
    [{ tool: "a", join: "b" }, { tool: "a" }],
    [
      { tool: "a", parallel: ["b", "c"] },
      { tool: "a", parallel: ["b", "c"] },
    ],
  ])("in a pipeline %j is a fork, and is refused", (step, cured) => {
    const { findings } = checkShape({ steps: [step] });
    expect(findings.map(({ code }) => code)).toEqual(["fan_out_not_allowed"]);
    expect(applyPatch({ steps: [step] }, findings[0]?.patch ?? [])).toEqual({ steps: [cured] });
    expect(findings[0]?.message).toMatch(
      /^Step 1 cannot have "(parallel|join)": a pipeline follows one path\. Remove it, or write a flow, whose steps may fork\.$/,
    );
  });

  test("silence is no yes: a gate cannot expire into approved", () => {
    for (const on_expire of ["approved", "on_approved"]) {
      const document = flowOf({ gate: { expires_after: "2d", on_expire } });
      expect(lines(checkShape(document).findings)).toEqual([
        'expiry_means_yes /steps/ask/gate/on_expire Step "ask": "gate.on_expire" cannot be "approved": a gate that nobody answered is no yes. Write "rejected".',
      ]);
      expect(afterPatches(document)).toEqual([]);
    }
  });

  test("the step under start and a step named start cannot both be there", () => {
    const done = { tool: "log", done: true };
    expect(lines(checkShape({ start: done, steps: { start: done } }).findings)).toEqual([
      'duplicate_name /start "start" holds a step, and "steps" has one named "start" as well. Rename one of them.',
    ]);
    expect(checkShape({ start: done, steps: { other: done } }).findings).toEqual([]);
    expect(lines(checkShape({ start: { tol: 1 }, steps: {} }).findings)).toEqual([
      'unknown_key /start/tol Step "start" has no key "tol". Write "tool".',
      'wrong_type /start/tol Step "start": "tol" must be a text or null, not 1.',
    ]);
  });
});
