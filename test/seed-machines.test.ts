// What the language alone can show of what seed 004 asks: machines, their ends and where they can be cancelled.

import { describe, expect, test } from "vitest";
import { validate, type Json, type JsonObject, type Plan, type StateTransition } from "../src/index.ts";
import { codesOf, planOf, retryOf, seeds } from "./example-files.ts";

describe("seed 004", () => {
  const validation = planOf(`${seeds}/004-validation.json`);
  const orders = planOf(`${seeds}/004-order-fulfilment.json`);

  test("SB-01: a machine is data: a name, states, an initial state, transitions", () => {
    expect(validation).toMatchObject({ notation: "machine", name: "validation", start: "starting" });
    const states = Object.values(validation.steps).filter((step) => step.kind === "state");
    expect(states.map((state) => state.key)).toEqual(["starting", "running", "results_pending"]);
    expect(transitionsFrom(validation, "results_pending").map(({ name, to }) => [name, to])).toEqual([
      ["accept", "complete"],
      ["refuse", "invalid"],
      ["break", "errored"],
      ["cancel", "cancelled"],
    ]);
  });

  test("SB-02: a state is its name and, where it is terminal, its kind", () => {
    expect(kindsOf(orders)).toEqual({ delivered: "success", cancelled: "cancel", refunded: "cancel" });
  });

  test("SB-03: every terminal state declares success, failure or cancel", () => {
    expect(kindsOf(validation)).toEqual({
      complete: "success",
      invalid: "failure",
      errored: "failure",
      cancelled: "cancel",
    });
    expect(codesOf(validate(machineWith({ done: { terminal: true } })))).toContain("terminal_without_kind");
    expect(codesOf(validate(machineWith({ done: { terminal: "maybe" } })))).toContain("invalid_terminal_kind");
    expect(validate(machineWith({ done: { terminal: "failure" } })).ok).toBe(true);
  });

  test("SB-05: a machine is flat: no states in states, no parallel regions", () => {
    expect(validate(machineWith({})).ok).toBe(true);
    for (const extra of [{ states: {} }, { parallel: ["a", "b"] }])
      expect(validate(machineWith({ open: { initial: true, ...extra } })).ok).toBe(false);
  });

  test("SB-06: transitions are named and carry actions and compensating actions", () => {
    const [pay] = transitionsFrom(orders, "confirmed");
    expect(pay).toMatchObject({ name: "pay", to: "paid" });
    expect(orders.steps[pay?.action ?? ""]).toMatchObject({
      kind: "tool",
      tool: "payment.charge",
      compensate: { tool: "payment.refund" },
      transition: { kind: "next", to: { kind: "step", step: "paid" } },
    });
  });

  test("SB-20: cancelling is a transition to an end of kind cancel", () => {
    expect(cancelling(validation, "running").map(({ name, to }) => [name, to])).toEqual([["cancel", "cancelled"]]);
  });

  test("SB-21: where no transition leads to an end of kind cancel there is nothing to fire", () => {
    expect(cancelling(planOf(`${seeds}/004-cancellable-in-some-states.json`), "working")).toEqual([]);
  });

  test.each([
    ["004-cancellable.json", ["queued", "working"]],
    ["004-cancellable-in-some-states.json", ["queued", "reserved"]],
    ["004-uncancellable.json", []],
  ])("SB-22: the author decides where %s can be cancelled: %j", (name, states) => {
    const plan = planOf(`${seeds}/${name}`);
    expect(plan.cancel).toBe("declared");
    expect(Object.keys(plan.steps).filter((state) => cancelling(plan, state).length > 0)).toEqual(states);
  });

  test("SB-33: validation goes from starting over running and results_pending to complete", () => {
    const path = [
      ["starting", "begin"],
      ["running", "checked_all"],
      ["results_pending", "accept"],
    ] as const;
    const visited = path.map(
      ([state, name]) => transitionsFrom(validation, state).find((each) => each.name === name)?.to,
    );
    expect(visited).toEqual(["running", "results_pending", "complete"]);
  });

  test("SB-34: each check is a transition of its own, and the ends say what kind of done it was", () => {
    const check = transitionsFrom(validation, "running").find((each) => each.name === "check");
    expect(check).toMatchObject({ to: "running", set: { kind: "map" } });
    expect(kindsOf(validation)).toMatchObject({ complete: "success", invalid: "failure", cancelled: "cancel" });
  });

  test("SB-41: a machine's action is tried once unless it says otherwise", () => {
    const [pay] = transitionsFrom(orders, "confirmed");
    expect(retryOf(orders.steps[pay?.action ?? ""])).toMatchObject({ attempts: 1 });
  });
});

/** The smallest machine, with other states in place of its own. */
function machineWith(states: JsonObject): Json {
  return {
    states: { open: { initial: true }, done: { terminal: "success" }, ...states },
    transitions: [{ name: "go", from: "open", to: "done" }],
  };
}

function transitionsFrom(plan: Plan, name: string): readonly StateTransition[] {
  const state = plan.steps[name];
  return state?.kind === "state" ? state.transitions : [];
}

function kindsOf(plan: Plan): { readonly [state: string]: string } {
  return Object.fromEntries(
    Object.values(plan.steps).flatMap(({ key, transition }) =>
      transition.kind === "end" ? [[key, transition.terminal]] : [],
    ),
  );
}

/** The transitions that lead from a state straight to an end of kind cancel. */
function cancelling(plan: Plan, name: string): readonly StateTransition[] {
  return transitionsFrom(plan, name).filter(({ to, action }) => action === null && kindsOf(plan)[to] === "cancel");
}
