import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyPatch } from "../../../src/flow/patch-value.ts";
import { validate } from "../../../src/flow/validate/validate.ts";
import type { Json, JsonObject } from "./json.ts";
import { findStep, type StepPlace } from "./step-form.ts";
import { hasWrapper, moveStep, orderOf, removeStep } from "./step-order.ts";

const pipeline: Json = {
  steps: [
    { name: "a", tool: "x", routes: { empty: 3, error: "c" } },
    { name: "b", tool: "x", branch: [{ if: "true", then: 1 }], else: 3 },
    { name: "c", tool: "x", routes: [{ branch: "again", goto: 2 }], input_from: 1 },
  ],
};

function stepOf(flow: Json, ...path: readonly string[]): StepPlace {
  const place = findStep(flow, path);
  if (place === null) throw new Error("There is no step.");
  return place;
}

test("AC-68: a step that is moved takes along those that lead to it by its number", () => {
  expect(orderOf(pipeline, stepOf(pipeline, "steps", "1"))).toEqual({ at: 1, count: 3, problem: null });
  expect(moveStep(pipeline, 1, 0)).toEqual([
    { op: "move", from: "/steps/1", path: "/steps/0" },
    { op: "replace", path: "/steps/0/branch/0/then", value: 2 },
    { op: "replace", path: "/steps/2/input_from", value: 2 },
    { op: "replace", path: "/steps/2/routes/0/goto", value: 1 },
  ]);
});

test("AC-68: behind a step that is removed the numbers move up, and what led to the last one ends", () => {
  expect(removeStep(pipeline, stepOf(pipeline, "steps", "1"))).toEqual([
    { op: "remove", path: "/steps/1" },
    { op: "replace", path: "/steps/0/routes/empty", value: 2 },
  ]);
  expect(removeStep(pipeline, stepOf(pipeline, "steps", "2"))).toEqual([
    { op: "remove", path: "/steps/2" },
    { op: "replace", path: "/steps/0/routes/empty", value: "end" },
    { op: "replace", path: "/steps/1/else", value: "end" },
  ]);
  const flow: Json = { steps: { a: { set: {}, next: "b" }, b: { set: {} } } };
  expect(removeStep(flow, stepOf(flow, "steps", "b"))).toEqual([{ op: "remove", path: "/steps/b" }]);
});

/** Steps whose tools tell which is which; the flow must be one that can be saved. */
function listOf(...steps: readonly JsonObject[]): Json {
  return { steps: steps.map((step, at) => ({ tool: "abcdef"[at] ?? "", ...step })) };
}

/** By tool: where each leads and what it reads, also by tools. */
function meaningOf(flow: Json): unknown {
  const { plan, findings } = validate(flow);
  if (plan === null) throw new Error(findings.map(({ message }) => message).join(" "));
  const toolOf = (key: string): string => {
    const step = plan.steps[key];
    return step?.kind === "tool" ? step.tool : key;
  };
  const byTool = (_: string, value: unknown): unknown => (typeof value === "string" ? toolOf(value) : value);
  const meant = Object.entries(plan.steps).map(([key, { routes, transition, inputFrom, mentions }]) => [
    toolOf(key),
    JSON.stringify([routes, transition, inputFrom, mentions], byTool),
  ]);
  return { start: toolOf(plan.start), steps: new Map(meant.map(([tool = "", meaning]) => [tool, meaning])) };
}

test("AC-68: numbers are found wherever a step may be named by one, also as texts", () => {
  const flow: Json = {
    start: "1",
    steps: [
      { name: "a", tool: "x", on: { empty: 3, odd: "2" }, next: "3" },
      { name: "b", tool: "x", on: [{ branch: "on_items", goto: 3 }], cancel: "3" },
      { name: "c", gate: { escalate_after: "1h", escalate_to: "2" }, input_from: "2" },
    ],
  };
  expect(moveStep(flow, 2, 1)).toEqual([
    { op: "move", from: "/steps/2", path: "/steps/1" },
    { op: "replace", path: "/steps/0/next", value: "2" },
    { op: "replace", path: "/steps/0/on/empty", value: 2 },
    { op: "replace", path: "/steps/0/on/odd", value: "3" },
    { op: "replace", path: "/steps/2/cancel", value: "2" },
    { op: "replace", path: "/steps/2/on/0/goto", value: 2 },
    { op: "replace", path: "/steps/1/input_from", value: "3" },
    { op: "replace", path: "/steps/1/gate/escalate_to", value: "3" },
  ]);
  expect(moveStep(flow, 0, 1)[1]).toEqual({ op: "replace", path: "/start", value: "2" });
});

test("AC-68: a step without a name that others call step_2 is given that name before it moves", () => {
  const flow = listOf({ routes: { empty: "step_3" } }, {}, { args: { a: "{{ steps.step_2.result }}" } });
  expect(moveStep(flow, 2, 1)).toEqual([
    { op: "add", path: "/steps/1/name", value: "step_2" },
    { op: "add", path: "/steps/2/name", value: "step_3" },
    { op: "move", from: "/steps/2", path: "/steps/1" },
  ]);
  expect(removeStep(flow, stepOf(flow, "steps", "0"))).toEqual([
    { op: "add", path: "/steps/1/name", value: "step_2" },
    { op: "add", path: "/steps/2/name", value: "step_3" },
    { op: "remove", path: "/steps/0" },
  ]);
  expect(moveStep({ start: "step_2", ...(listOf({}, {}) as JsonObject) }, 1, 0)).toHaveLength(3);
  // What nobody calls anything needs no name.
  expect(moveStep(listOf({}, {}, {}), 2, 1)).toHaveLength(1);
  expect(moveStep(listOf({}, { args: { all: "{{ keys(steps) }}" } }), 1, 0)).toHaveLength(3);
});

test("AC-68: no step takes the name that another has, or that was removed", () => {
  const taken = listOf({ name: "step_2" }, { name: "b" }, {});
  expect(moveStep(taken, 2, 1)[0]).toEqual({ op: "add", path: "/steps/2/name", value: "step_3" });
  const gone = listOf({ next: "step_2" }, {}, { done: true });
  const left = applyPatch(gone, removeStep(gone, stepOf(gone, "steps", "1")));
  expect(validate(left).findings).toMatchObject([{ code: "dangling_name", pointer: "/steps/0/next" }]);
});

test("AC-68: what read the result of a removed step, or cleaned up by it, does so no more", () => {
  const flow: Json = {
    steps: [
      { name: "a", tool: "x", routes: { odd: 3 } },
      { name: "b", tool: "x", cancel: "3", input_from: "a" },
      { name: "c", tool: "x", input_from: 2 },
    ],
  };
  expect(removeStep(flow, stepOf(flow, "steps", "1"))).toEqual([
    { op: "remove", path: "/steps/1" },
    { op: "replace", path: "/steps/0/routes/odd", value: 2 },
    { op: "remove", path: "/steps/1/input_from" },
  ]);
  expect(removeStep(flow, stepOf(flow, "steps", "2"))).toEqual([
    { op: "remove", path: "/steps/2" },
    { op: "replace", path: "/steps/0/routes/odd", value: "end" },
    { op: "remove", path: "/steps/1/cancel" },
  ]);
  expect(removeStep(flow, stepOf(flow, "steps", "0"))).toContainEqual({ op: "remove", path: "/steps/0/input_from" });
});

test("AC-68: a step that is called end is not taken for the end; the number then leads nowhere, and that is found", () => {
  const flow: Json = { steps: [{ name: "end", tool: "x" }, { tool: "y", routes: { odd: 3 } }, { tool: "z" }] };
  expect(removeStep(flow, stepOf(flow, "steps", "2"))).toEqual([{ op: "remove", path: "/steps/2" }]);
});

test("AC-68: a pipeline in which numbers cannot be told from names is not moved", () => {
  const problemOf = (flow: Json): string | null => orderOf(flow, stepOf(flow, "steps", "0")).problem;
  expect(problemOf(listOf({ name: "1" }, {}))).toMatch(/called by a number/);
  for (const read of ["steps[1].result", 'steps["1"].result', "steps[input.at]", "steps['step_' + 'a']"]) {
    expect(problemOf(listOf({}, { args: { a: [`see {{ ${read} }}`] } }))).toMatch(/by its number/);
    expect(problemOf(listOf({}, { branch: [{ if: read, then: 1 }] }))).toMatch(/by its number/);
    expect(problemOf(listOf({}, { outcome: read }))).toMatch(/by its number/);
  }
  const harmless = ["{{ steps.step_1.result }}", '{{ steps["step_1"].result }}', "{{ input.steps[0] }}", "steps[0]"];
  expect(problemOf(listOf({}, { args: { harmless } }))).toBeNull();
});

/** A step as the form or a hand may write it, of four. */
const anyStep = (at: number): fc.Arbitrary<JsonObject> => {
  const target = fc.constantFrom<Json>(1, 2, 3, 4, "1", "2", "3", "4", "end", "step_4", "n", "m");
  const before = fc.constantFrom<Json>(...[1, "1", "n"].slice(0, at === 0 ? 0 : 3), null);
  return fc
    .record({ next: target, routes: fc.tuple(fc.constantFrom("routes", "on"), target), error: target, from: before })
    .map(({ next, routes: [key, odd], error, from }) => ({
      next,
      [key]: { odd, error },
      ...(from === null ? {} : { input_from: from, args: { a: "{{ steps.n.result }}" } }),
    }));
};

test("AC-68: whatever steps say, they mean the same steps wherever one of them is moved", () => {
  const flows = fc.tuple(anyStep(0), anyStep(1), anyStep(2), anyStep(3)).map(([one, two, three, four]) =>
    // A way through all of them, so that nothing else is wrong with the flow.
    listOf(
      { ...one, name: "n", next: 2 },
      { ...two, next: "3" },
      { ...three, name: "m", next: "step_4" },
      { ...four, next: "end" },
    ),
  );
  const moves = fc.constantFrom<readonly [number, number]>([0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]);
  fc.assert(
    fc.property(flows, moves, (flow, [from, to]) => {
      const moved = { ...(applyPatch(flow, moveStep(flow, from, to)) as JsonObject) };
      // Where a pipeline begins is its order's to say.
      expect(meaningOf({ ...moved, start: "n" })).toEqual(meaningOf({ ...(flow as JsonObject), start: "n" }));
    }),
    { numRuns: 300 },
  );
});

test("AC-68: where the order means nothing, or steps number themselves, nothing is moved", () => {
  const flow: Json = { steps: { a: { set: {} } } };
  expect(orderOf(flow, stepOf(flow, "steps", "a")).at).toBeNull();
  const numbered: Json = {
    steps: [
      { tool: "x", position: 10 },
      { tool: "x", position: 20 },
    ],
  };
  expect(orderOf(numbered, stepOf(numbered, "steps", "0")).problem).toMatch(/positions themselves/);
});

test("a bare map of steps has no place for a name", () => {
  expect([hasWrapper({ start: { tool: "x" } }), hasWrapper({ steps: {} })]).toEqual([false, true]);
});
