import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { found, type FindingCase } from "../../testing/findings.ts";

const go = { name: "go", from: "a", to: "z" };

function machine(states: Json, transitions: Json): Json {
  return { format: "stepwell/v1", states, transitions };
}

const ends = { a: { initial: true }, z: { terminal: "success" } };

describe("machines", () => {
  test.each<FindingCase>([
    [
      "a transition to no state",
      machine(ends, [go, { name: "on", from: "a", to: "y" }]),
      "unknown_state",
      "/transitions/1/to",
    ],
    [
      "a transition from no state",
      machine(ends, [go, { name: "on", from: ["a", "q"], to: "z" }]),
      "unknown_state",
      "/transitions/1/from/1",
    ],
    [
      "an initial state that is no state",
      { ...(machine({ a: {}, z: { terminal: "success" } }, [go]) as object), initial: "aa" },
      "unknown_state",
      "/initial",
    ],
    ["no state that is initial", machine({ a: {}, z: { terminal: "success" } }, [go]), "no_initial_state", "/states"],
    [
      "two states that are initial",
      machine({ ...ends, b: { initial: true } }, [go, { name: "on", from: "b", to: "z" }]),
      "several_initial_states",
      "/states/b/initial",
    ],
    [
      "a state that nothing leads to",
      machine({ ...ends, b: {} }, [go, { name: "on", from: "b", to: "z", action: { tool: "x" } }]),
      "unreachable_state",
      "/states/b",
    ],
    [
      "a state without a way to end",
      machine({ ...ends, b: {} }, [go, { name: "on", from: "a", to: "b" }]),
      "no_way_to_end",
      "/states/b",
    ],
    [
      "two transitions of one name from one state",
      machine(ends, [go, go]),
      "duplicate_transition",
      "/transitions/1/name",
    ],
    [
      "a transition that leaves an end",
      machine(ends, [go, { name: "back", from: "z", to: "a" }]),
      "transition_from_terminal",
      "/transitions/1/from",
    ],
    [
      "an action that fails into no state",
      machine(ends, [{ ...go, action: { tool: "x" }, on_error: "q" }]),
      "unknown_state",
      "/transitions/0/on_error",
    ],
    [
      "a guard that does not parse",
      machine(ends, [{ ...go, guard: "data. >" }]),
      "expression_syntax",
      "/transitions/0/guard",
    ],
    [
      "a compensation that does not parse",
      machine(ends, [{ ...go, action: { tool: "x" }, compensate: { tool: "y", args: { v: "{{ 1 + }}" } } }]),
      "expression_syntax",
      "/transitions/0/compensate/args/v",
    ],
  ])("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("when no state is initial and just one is led to by none, the patch marks it", () => {
    expect(
      found(machine({ a: {}, b: {}, z: { terminal: "success" } }, [go, { name: "on", from: "b", to: "z" }])),
    ).toEqual(["no_initial_state /states"]);
  });
});
