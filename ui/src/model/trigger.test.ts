import { expect, test } from "vitest";
import { sampleRun } from "./run-sample.ts";
import { showDay } from "./time.ts";
import { triggerOf } from "./trigger.ts";

test.each([
  [{ parent: 7 }, "child", "part of 7", 7],
  [{ origin: { kind: "retry", id: 4 } }, "retry", "retry of 4", 4],
  [{ origin: { kind: "rerun", id: 4 } }, "rerun", "rerun of 4", 4],
  [{ origin: { kind: "fork", id: 4 } }, "fork", "fork of 4", 4],
  [{ createdVia: "session" }, "page", "started from the page", null],
  [{ createdVia: "mcp" }, "mcp", "started through MCP", null],
  [{ createdVia: "tok_1" }, "token", "started with a token", null],
  [{}, "direct", "started", null],
] as const)("what set %j going is told in a word, with the run that it comes from", (run, kind, word, from) => {
  expect(triggerOf(sampleRun(run))).toEqual({ kind, word, run: from, at: null });
});

test("a run for later says for when, also once it has begun; its retry is a retry", () => {
  const at = Date.UTC(2026, 10, 19, 9);
  expect(triggerOf(sampleRun({ scheduledAt: at, createdVia: "session" }))).toEqual({
    kind: "schedule",
    word: `scheduled for ${showDay(at)}`,
    run: null,
    at,
  });
  expect(triggerOf(sampleRun({ scheduledAt: at, origin: { kind: "retry", id: 4 } })).kind).toBe("retry");
});
