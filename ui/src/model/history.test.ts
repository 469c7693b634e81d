import { expect, test } from "vitest";
import { describe, isLog, kindOf } from "./history.ts";
import { sampleEntry as entry } from "./run-sample.ts";

test("an entry says in words how a step was come to", () => {
  expect(describe(entry({ kind: "entered", via: "start", attempt: 1 }))).toBe("entered as the first step");
  expect(describe(entry({ kind: "entered", via: "retry", attempt: 2 }))).toBe("entered to be tried again, attempt 2");
  expect(describe(entry({ kind: "entered", via: "route:empty", attempt: 1 }))).toBe('entered by the route "empty"');
  expect(describe(entry({ kind: "entered", via: "next", attempt: 1, item: 0 }))).toBe("item 1 entered as what follows");
});

test("an answer says who gave it, which one and with which words", () => {
  const answer = entry({
    kind: "event",
    event: "gate_answered",
    by: "ann",
    data: { outcome: "approved", comment: "fine" },
  });
  expect(describe(answer)).toBe('Answered by ann: approved ("fine")');
  expect(kindOf(answer)).toBe("human");
});

test("what somebody did says who, and then what or why", () => {
  const event = (name: string, data: Parameters<typeof entry>[0]["data"] = null) =>
    describe(entry({ kind: "event", event: name, by: "ann", data: data ?? null }));
  expect(event("cancelled", { reason: "too late" })).toBe("Cancelled by ann: too late");
  expect(event("paused")).toBe("Paused by ann");
  expect(event("chosen", { step: "send" })).toBe("Way chosen by ann: send");
});

test("a failure is a failure, whoever was at it", () => {
  const failed = entry({ kind: "ended", status: "failed", error: { code: "down", message: "It is down" } });
  expect(describe(failed)).toBe("failed: It is down");
  expect(kindOf(failed)).toBe("failed");
  expect(kindOf(entry({ kind: "started" }))).toBe("system");
});

test("an event that has no words here is told by its name", () => {
  expect(describe(entry({ kind: "event", event: "something_new" }))).toBe("something new");
});

test("only what was logged is a log, and it is told as it was said", () => {
  const log = entry({ kind: "event", event: "log", data: { message: "half way" } });
  expect(isLog(log)).toBe(true);
  expect(describe(log)).toBe("half way");
  expect(isLog(entry({ kind: "started" }))).toBe(false);
});
