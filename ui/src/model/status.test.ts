import { describe, expect, test } from "vitest";
import { doingOf, shownStatusOf, showRun, showStep, type StepCondition } from "./status.ts";

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

describe("a run that goes on", () => {
  const run = { status: "running", needsPerson: false, ending: null } as const;

  test("is running while something of it works, and else what all of it waits for", () => {
    expect(doingOf(["sleeping", "running"])).toBe("work");
    expect(doingOf(["retrying", "ready"])).toBe("work");
    expect(doingOf(["sleeping", "retrying", "pending"])).toBe("retry");
    expect(doingOf(["sleeping", "waiting"])).toBe("event");
    expect(doingOf(["pending", "sleeping"])).toBe("sleep");
    expect(doingOf(["rest"])).toBe("rest");
    expect(doingOf([])).toBe("work");
  });

  test("is shown as that, but needs a person before all, and is on its way to its end before it sleeps", () => {
    expect(shownStatusOf({ ...run, doing: "work" })).toEqual({ token: "running", word: "running" });
    expect(shownStatusOf({ ...run, doing: "retry" })).toEqual({ token: "retrying", word: "retrying" });
    expect(shownStatusOf({ ...run, doing: "event" })).toEqual({ token: "waiting", word: "waiting" });
    expect(shownStatusOf({ ...run, doing: "sleep" })).toEqual({ token: "sleeping", word: "sleeping" });
    expect(shownStatusOf({ ...run, doing: "rest" })).toEqual({ token: "sleeping", word: "at rest" });
    expect(shownStatusOf({ ...run, doing: "person" }).word).toBe("waiting");
    expect(shownStatusOf({ ...run, needsPerson: true, doing: "work" }).word).toBe("waiting");
    expect(shownStatusOf({ ...run, ending: "cancel", doing: "sleep" }).word).toBe("cancelling");
    expect(shownStatusOf({ ...run, status: "paused", doing: "sleep" }).word).toBe("paused");
    expect(shownStatusOf({ ...run, status: "completed", doing: "person" }).word).toBe("completed");
  });
});
