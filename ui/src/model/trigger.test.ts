import { expect, test } from "vitest";
import { triggers } from "../../../src/run/trigger.ts";
import { sampleRun } from "./run-sample.ts";
import { showDay } from "./time.ts";
import { triggerOf, type TriggerKind } from "./trigger.ts";

test.each([
  [{ parent: 7 }, "child", "part of 7", 7],
  [{ origin: { kind: "retry", id: 4, attempt: 2 } }, "retry", "retry of 4", 4],
  [{ origin: { kind: "rerun", id: 4, attempt: null } }, "rerun", "rerun of 4", 4],
  [{ origin: { kind: "fork", id: 4, attempt: null } }, "fork", "fork of 4", 4],
  [{ createdVia: "session" }, "page", "started from the page", null],
  [{ createdVia: "mcp" }, "mcp", "started through MCP", null],
  [{ createdVia: "tok_1" }, "token", "started with a token", null],
  [{}, "direct", "started", null],
] as const)("what set %j going is told in a word, with the run that it comes from", (run, kind, word, from) => {
  expect(triggerOf(sampleRun(run))).toEqual({ kind, word, run: from, at: null });
});

test("a run for later says for when, and once it has begun that it was; its retry is a retry", () => {
  const at = Date.UTC(2026, 10, 19, 9);
  expect(triggerOf(sampleRun({ scheduledAt: at, createdVia: "session" }))).toEqual({
    kind: "schedule",
    word: `scheduled for ${showDay(at)}`,
    run: null,
    at,
  });
  const begun = triggerOf(sampleRun({ createdAt: at - 1000, startedAt: at, createdVia: "session" }));
  expect(begun).toEqual({ kind: "schedule", word: "scheduled", run: null, at: null });
  const again = { scheduledAt: at, origin: { kind: "retry", id: 4, attempt: 2 } };
  expect(triggerOf(sampleRun(again)).kind).toBe("retry");
});

test("the page knows what sets runs going by the words by which the server looks for them", () => {
  const kinds: readonly TriggerKind[] = triggers;
  const every: { readonly [kind in TriggerKind]: true } = {
    child: true,
    retry: true,
    rerun: true,
    fork: true,
    schedule: true,
    page: true,
    mcp: true,
    token: true,
    direct: true,
  };
  expect(kinds.toSorted()).toEqual(Object.keys(every).toSorted());
});
