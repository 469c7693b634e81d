import { expect, test } from "vitest";
import type { Json } from "./json.ts";
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
