import { expect, test } from "vitest";
import { argsTemplateOf } from "./template.ts";

test("what a step is given is found in a map of steps and in a bare map", () => {
  const steps = { fetch: { tool: "feed", args: { topic: "{{ input.topic }}" } } };
  expect(argsTemplateOf({ steps }, "fetch", null)).toEqual({ topic: "{{ input.topic }}" });
  expect(argsTemplateOf(steps, "fetch", null)).toEqual({ topic: "{{ input.topic }}" });
});

test("in other notations the pointer leads to it", () => {
  const flow = { transitions: [{ name: "go", action: { tool: "log", args: { message: "x" } } }] };
  expect(argsTemplateOf(flow, "go", "/transitions/0")).toEqual({ message: "x" });
  expect(argsTemplateOf({ steps: [{ tool: "log", args: { a: 1 } }] }, "1", "/steps/0")).toEqual({ a: 1 });
});

test("a step that is given nothing has no template", () => {
  expect(argsTemplateOf({ steps: { end: { terminal: "success" } } }, "end", null)).toBeNull();
  expect(argsTemplateOf({ steps: {} }, "gone", "/steps/gone")).toBeNull();
});
