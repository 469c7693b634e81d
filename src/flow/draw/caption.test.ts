import { describe, expect, test } from "vitest";
import { buildPlan, expression, type Sketch } from "../../../test/golden/draw/plans.ts";
import type { Wait } from "../plan.ts";
import type { Template } from "../template/template.ts";
import { describeDuration, describeStep } from "./caption.ts";

test.each([
  [0, "0s"],
  [1, "1ms"],
  [1500, "1s 500ms"],
  [30_000, "30s"],
  [5_400_000, "1h 30m"],
  [86_400_000, "1d"],
  [0.5, "0.5ms"],
  [Infinity, "Infinityd"],
])("%d ms are %j", (ms, text) => {
  expect(describeDuration(ms)).toBe(text);
});

const until = (template: Template): Wait => ({ kind: "until", until: template, zone: null });

const sketches: readonly (readonly [string, Sketch])[] = [
  ["rss.fetch", { tool: "rss.fetch" }],
  ["rss.fetch for each item", { tool: "rss.fetch", each: true }],
  ["approval", { gate: {} }],
  ["2 approvals by user:ann, group:ops", { gate: { need: 2, approvers: ["user:ann", "group:ops"] } }],
  ["sleep 30m", { wait: { kind: "sleep", ms: 1_800_000 } }],
  ["event paid", { wait: { kind: "event", event: "paid", match: null } }],
  ["event paid [event.id == 1]", { wait: { kind: "event", event: "paid", match: expression("event.id == 1") } }],
  ["until tomorrow", { wait: until({ kind: "value", value: "tomorrow" }) }],
  ["until 12", { wait: until({ kind: "value", value: 12 }) }],
  ["until {{ input.at }}", { wait: until({ kind: "expression", expression: expression("input.at") }) }],
  ["until {{ secrets.WHEN }}", { wait: until({ kind: "secret", name: "WHEN" }) }],
  ["until …", { wait: until({ kind: "list", items: [] }) }],
  [
    "until day {{ input.day }} {{ secrets.X }}",
    {
      wait: until({
        kind: "text",
        parts: [
          { kind: "value", value: "day " },
          { kind: "expression", expression: expression("input.day") },
          { kind: "value", value: " " },
          { kind: "secret", name: "X" },
        ],
      }),
    },
  ],
  ["flow sign", { flow: "sign" }],
  ["flow sign@3 for each item", { flow: "sign", version: 3, each: true }],
  ["set a, b", { set: ["a", "b"] }],
  ["set", { set: [] }],
  ["", { terminal: "success" }],
  ["", { transitions: [] }],
];

describe("the second line of a step", () => {
  test.each(sketches)("%j", (text, sketch) => {
    const steps = Object.values(buildPlan("x", { only: sketch }).steps);
    expect(steps.map(describeStep)).toEqual([text]);
  });

  test.each<readonly [string, Template]>([
    ["set a, b", { kind: "value", value: { a: 1, b: null } }],
    ["set [1,2]", { kind: "value", value: [1, 2] }],
    ["set {{ input }}", { kind: "expression", expression: expression("input") }],
  ])("of values that are no map: %j", (text, values) => {
    const steps = Object.values(buildPlan("x", { only: { set: [] } }).steps);
    expect(steps.map((step) => (step.kind === "set" ? describeStep({ ...step, values }) : ""))).toEqual([text]);
  });
});
