import { expect, test } from "vitest";
import { filterWorkflows, flakiest, likeliestWorkflows, meanMs, saySteps, slowest, textOf } from "./workflow.ts";

const calls = [
  { step: "first", tool: "log", total: 10, failed: 1, spentMs: 100 },
  { step: "second", tool: "log", total: 2, failed: 1, spentMs: 4000 },
  { step: "third", tool: "mail", total: 1, failed: 0, spentMs: 50 },
  { step: "last", tool: "log", total: 0, failed: 0, spentMs: 0 },
];

test("the slowest and the flakiest steps come first, also of one tool", () => {
  expect(slowest(calls, 2).map(({ step }) => step)).toEqual(["second", "third"]);
  expect(flakiest(calls, 5).map(({ step }) => step)).toEqual(["second", "first"]);
  expect(meanMs({ step: "last", tool: "log", total: 0, failed: 0, spentMs: 0 })).toBe(0);
});

test("AC-66: workflows are found by words of their names and descriptions", () => {
  const all = [
    { name: "publish-digest", description: "Every morning" },
    { name: "hello", description: null },
  ];
  expect(filterWorkflows(all, "DIG morning").map(({ name }) => name)).toEqual(["publish-digest"]);
  expect(filterWorkflows(all, "")).toEqual(all);
});

test("to choose one, those whose names begin with what was typed come first", () => {
  const all = [
    { name: "hello", description: "Says hello to people" },
    { name: "people", description: null },
    { name: "wait", description: null },
  ];
  expect(likeliestWorkflows(all, " Pe").map(({ name }) => name)).toEqual(["people", "hello"]);
  expect(likeliestWorkflows(all, "")).toEqual(all);
});

test("AC-66: its steps are told by their number, where it is known", () => {
  expect([1, 3, null].map((stepCount) => saySteps({ stepCount }))).toEqual(["1 step", "3 steps", null]);
});

test("its text is as it was written, else JSON", () => {
  expect(textOf({ text: "a: 1", flow: { a: 1 } })).toBe("a: 1");
  expect(textOf({ text: null, flow: { a: 1 } })).toBe('{\n  "a": 1\n}\n');
});
