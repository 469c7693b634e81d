import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { endStep, flowOf, found, type FindingCase } from "../../testing/findings.ts";
import { validate } from "./validate.ts";

describe("the graph", () => {
  const cases: readonly FindingCase[] = [
    ["a step that nothing leads to", flowOf({ a: endStep, b: endStep }), "unreachable_step", "/steps/b"],
    [
      "a loop without an exit",
      flowOf({ a: { tool: "x", next: "b" }, b: { wait: "1m", next: "a" } }),
      "no_way_to_end",
      "/steps/a",
    ],
    [
      "routes that only lead round and round",
      flowOf({ a: { gate: {}, routes: { approved: "a" } } }),
      "no_way_to_end",
      "/steps/a",
    ],
    [
      "a join that is one of the branches",
      flowOf({ a: { tool: "x", parallel: ["b", "c"] }, b: { tool: "x", join: "c" }, c: endStep }),
      "join_never_met",
      "/steps/a/parallel",
    ],
    [
      "a join on the fork at which no branch can arrive",
      flowOf({ a: { tool: "x", parallel: ["b"], join: "j" }, b: { terminal: "failure" }, j: endStep }),
      "join_never_met",
      "/steps/a/join",
    ],
    [
      "branches that name different joins",
      flowOf({
        a: { tool: "x", parallel: ["b", "c", "d"] },
        b: { tool: "x", join: "j" },
        c: { tool: "x", join: "j" },
        d: { tool: "x", join: "k" },
        j: { tool: "x", next: "k" },
        k: endStep,
      }),
      "different_joins",
      "/steps/d/join",
    ],
    [
      "a branch that leads back to its fork",
      flowOf({
        a: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: { tool: "x" },
        j: endStep,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
    [
      "a branch that leads to a step before its fork",
      flowOf({
        a: { wait: "1m", next: "f" },
        f: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { tool: "x", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: { tool: "x" },
        j: endStep,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
    [
      "a branch that leads past its join",
      flowOf({
        a: { tool: "x", parallel: ["b", "c"] },
        b: { tool: "x", join: "j" },
        c: { tool: "x", branch: [{ if: "result", then: "k" }], else: "j" },
        j: { tool: "x", next: "k" },
        k: endStep,
      }),
      "branch_leaves_fork",
      "/steps/c/branch/0/then",
    ],
    [
      "a fork without a join whose branch leads back to it",
      flowOf({
        a: { tool: "x", parallel: ["b", "c"] },
        b: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: endStep,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    const errors = validate(input).findings.filter(({ severity }) => severity === "error");
    expect(errors.map((each) => `${each.code} ${each.pointer}`)).toEqual([`${code} ${pointer}`]);
  });

  test("a loop without a wait is a warning, one with a wait or a gate is none", () => {
    const loop = (b: Json): Json => flowOf({ a: { tool: "x", branch: [{ if: "result", then: "b" }], else: "end" }, b });
    expect(found(loop({ tool: "y", next: "a" }))).toEqual(["loop_without_wait /steps/a"]);
    expect(found(loop({ wait: "1m", next: "a" }))).toEqual([]);
    expect(found(loop({ gate: {}, next: "a" }))).toEqual([]);
  });

  test("one alert for the failures inside and behind a fork is no way out of it", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["b", "c"], join: "j", on_error: "alert" },
      b: { tool: "x", on_error: "alert" },
      c: { tool: "x", on_error: "fix" },
      fix: { tool: "x" },
      j: { tool: "x", on_error: "alert", done: true },
      alert: { tool: "log", next: "bye" },
      bye: endStep,
    });
    expect(found(input)).toEqual([]);
  });

  const shared = (alert: Json): Json =>
    flowOf({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x", on_error: "alert" },
      c: { tool: "x" },
      j: { tool: "x", on_error: "alert", next: "k" },
      k: endStep,
      alert,
      bye: endStep,
    });

  test("what handles the failures of a fork and of the steps behind it must not go on with these steps", () => {
    expect(found(shared({ gate: {}, next: "k" }))).toEqual([
      "branch_leaves_fork /steps/alert/next",
      "unreachable_step /steps/bye",
    ]);
    expect(found(shared({ gate: {}, next: "a" }))).toEqual([
      "branch_leaves_fork /steps/alert/next",
      "unreachable_step /steps/bye",
    ]);
    expect(found(shared({ gate: {}, next: "bye" }))).toEqual([]);
    expect(found(shared({ gate: {}, routes: { approved: "bye", rejected: "k" } }))).toEqual([]);
  });

  test("a failure of the fork's own region may be mended in the branch", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["b", "c"] },
      b: { tool: "x", on_error: "mend", join: "j" },
      mend: { tool: "x", join: "j" },
      c: { tool: "x", join: "j" },
      j: endStep,
    });
    expect(found(input)).toEqual([]);
  });

  test("a fork inside a loop, closed before the loop goes round, is fine", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x" },
      c: { tool: "x" },
      j: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
    });
    expect(found(input)).toEqual([]);
  });

  test("a join that is the fork itself is found", () => {
    const input = flowOf({ a: { tool: "x", parallel: ["b"], join: "a" }, b: endStep });
    expect(found(input)).toEqual(["join_never_met /steps/a/join"]);
  });

  test("branches that only arrive at a join which leads back have no way to end", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x" },
      c: { tool: "x" },
      j: { wait: "1m", next: "a" },
    });
    expect(found(input)).toEqual(["no_way_to_end /steps/a"]);
  });

  test("a loop through a fork whose branches all wait for people is no spin", () => {
    const loop = (branch: Json): Json =>
      flowOf({
        a: { set: {}, parallel: ["b", "c"], join: "j" },
        b: branch,
        c: branch,
        j: { set: {}, branch: [{ if: "input.ok", then: "end" }], else: "a" },
      });
    expect(found(loop({ gate: {} }))).toEqual([]);
    expect(found(loop({ tool: "x" }))).toEqual(["loop_without_wait /steps/a"]);
    expect(found(flowOf({ a: { tool: "x", cancel: "a", done: true } }))).toEqual([]);
  });

  test("a branch that goes past an inner join which arrives by itself is found", () => {
    const input = flowOf({
      a: { tool: "x", parallel: ["c", "d"], join: "z" },
      c: { tool: "x", parallel: ["c1", "c2"], join: "cz" },
      c1: { tool: "x", next: "z" },
      c2: { tool: "x" },
      cz: { tool: "x" },
      d: { tool: "x" },
      z: endStep,
    });
    expect(found(input)).toEqual(["branch_leaves_fork /steps/c1/next"]);
  });

  test("thousands of unreachable steps are told in a moment, and the first brings the patch for all", () => {
    const steps = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`s${index}`, endStep]));
    const { findings } = validate(flowOf({ a: endStep, ...steps }));
    expect(findings).toHaveLength(6000);
    expect(findings.filter(({ patch }) => patch !== undefined)).toHaveLength(1);
  });

  test("side paths, escalation and clean-up, reach their steps", () => {
    const input = flowOf({
      a: { gate: { escalate_after: "1h", escalate_to: "remind" }, cancel: "tidy", done: true },
      remind: endStep,
      tidy: endStep,
    });
    expect(found(input)).toEqual([]);
  });
});
