import { expect, test } from "vitest";
import { isToolCall, activeRuns, canBeReady, currentStep, showResult, showSeedStep, type SeedStep } from "./seed.ts";
import type { Run } from "./run.ts";

const step: SeedStep = {
  id: 1,
  name: "fetch",
  role: "step",
  tool: "demo.feed",
  status: "done",
  outcome: null,
  result: null,
  error: null,
  attempt: 1,
  isHeld: false,
  hasGate: false,
  alarms: [],
};

const run: Run = {
  id: 1,
  uid: "u",
  name: "digest",
  status: "running",
  terminalKind: null,
  attention: null,
  ending: null,
  flow: "",
  input: null,
  output: null,
  error: null,
  data: null,
  createdBy: "ann",
  createdVia: null,
  createdAt: 0,
  updatedAt: 0,
  scheduledAt: null,
  startedAt: 0,
  completedAt: null,
  parent: null,
  origin: null,
  steps: null,
  doing: null,
};

test("AC-70: what a step gave is cut at 2,000 characters", () => {
  expect(showResult("x".repeat(2000))).toHaveLength(2000);
  expect(showResult("x".repeat(2001))).toBe(`${"x".repeat(2000)}…`);
  expect(showResult({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(showResult(null)).toBe("");
});

test("E3-35: a gate that is open can be let go on, and so can a step that waits for its time", () => {
  expect(canBeReady({ ...step, status: "pending", hasGate: true })).toBe(true);
  expect(canBeReady({ ...step, status: "pending", alarms: [{ kind: "retry", at: 1 }] })).toBe(true);
  expect(canBeReady({ ...step, status: "done", hasGate: true })).toBe(false);
  expect(canBeReady({ ...step, status: "pending" })).toBe(false);
});

test("a gate that is open waits for a person", () => {
  expect(showSeedStep({ ...step, status: "pending", hasGate: true }).word).toBe("waiting");
  expect(showSeedStep({ ...step, status: "pending", alarms: [{ kind: "retry", at: 1 }] }).word).toBe("retrying");
});

test("a run is at the step that runs, or else at the last that has not ended", () => {
  const running = { ...step, id: 2, status: "running" } as const;
  const pending = { ...step, id: 3, status: "pending" } as const;
  expect(currentStep([step, running, pending])?.id).toBe(2);
  expect(currentStep([step, pending])?.id).toBe(3);
  expect(currentStep([step])).toBeNull();
  expect(currentStep([{ ...step, id: 4, isHeld: true }, step])?.id).toBe(4);
});

test("AC-69: a run that has ended stays among the active ones for 10 seconds", () => {
  const ended = { ...run, id: 2, status: "completed", completedAt: 1000 } as const;
  const scheduled = { ...run, id: 3, status: "scheduled" } as const;
  expect(activeRuns([run, ended, scheduled], 10_999).map(({ id }) => id)).toEqual([1, 2]);
  expect(activeRuns([run, ended, scheduled], 11_000).map(({ id }) => id)).toEqual([1]);
});

test("a tool that somebody has tried is no workflow", () => {
  expect(isToolCall({ name: "call demo.echo", parent: null })).toBe(true);
  expect(isToolCall({ name: "call demo.echo", parent: 7 })).toBe(false);
  expect(isToolCall({ name: "call me back", parent: null })).toBe(false);
  expect(isToolCall({ name: "callback", parent: null })).toBe(false);
});
