import { describe, expect, test } from "vitest";
import { showRun, showStep, type StepCondition } from "./status.ts";

const step: StepCondition = {
  status: "pending",
  attempt: 1,
  needsPerson: false,
  nextTryAt: null,
  isWaiting: false,
  isTimedOut: false,
};

describe("the word for a step", () => {
  test("that has not begun says why", () => {
    expect(showStep(step).word).toBe("pending");
    expect(showStep({ ...step, needsPerson: true }).word).toBe("waiting");
    expect(showStep({ ...step, nextTryAt: 5 }).word).toBe("retrying");
    expect(showStep({ ...step, isWaiting: true }).word).toBe("sleeping");
  });

  test("that failed by its time says so, in the colours of a failure", () => {
    expect(showStep({ ...step, status: "failed", isTimedOut: true })).toEqual({ token: "failed", word: "timed out" });
  });
});

describe("the word for a run", () => {
  const run = { status: "running", needsPerson: false, ending: null } as const;

  test("that runs says whether it needs somebody, or is on its way to its end", () => {
    expect(showRun(run).word).toBe("running");
    expect(showRun({ ...run, needsPerson: true }).word).toBe("waiting");
    expect(showRun({ ...run, ending: "cancel" }).word).toBe("cancelling");
    expect(showRun({ ...run, ending: "failure" }).word).toBe("failing");
  });

  test("that has ended needs nobody any more", () => {
    expect(showRun({ status: "failed", needsPerson: true, ending: null }).word).toBe("failed");
  });
});
