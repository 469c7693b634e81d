import { expect, test } from "vitest";
import { sampleOutline, sampleRun, sampleStep } from "./run-sample.ts";
import type { Step } from "./run.ts";
import { endSentence, sayEarlier, sayError, sayStep, sayUnreached, type Sentence } from "./sentence.ts";

function toText(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if ("name" in piece) return `\`${piece.name}\``;
      if ("at" in piece) return `<at ${piece.at}>`;
      return "until" in piece ? `<until ${piece.until}>` : `<since ${piece.since}>`;
    })
    .join("");
}

const error = { code: "http", message: "upstream returned 503" };
const first = sampleStep({ id: 2, key: "sum", tool: "text.summarize", status: "failed", error, attemptsMax: 4 });
const second = { ...first, id: 3, attempt: 2 };
const outline = sampleOutline([]);

test("a step that is tried again says how often it failed, why, and when it goes on", () => {
  const third = sampleStep({
    id: 4,
    key: "sum",
    tool: "text.summarize",
    status: "pending",
    attempt: 3,
    attemptsMax: 4,
    nextTryAt: 9000,
    completedAt: null,
  });
  expect(toText(sayStep(third, [first, second, third], outline))).toBe(
    "Tool `text.summarize` failed twice: upstream returned 503. Next try <until 9000> (attempt 3 of 4).",
  );
});

test("a step that is tried again has the error of its last try, and says what became of it", () => {
  const told = { key: "sum", attempt: 3, attemptsMax: 4 } as const;
  const waits = sampleStep({ ...told, id: 4, status: "pending", nextTryAt: 9000 });
  const tried = sampleStep({ ...second, attempt: 2 });
  const said = (row: Step): string | null => {
    const earlier = sayEarlier(row, [first, tried, row]);
    return earlier === null ? null : `${earlier.error.message}: ${toText(earlier.sentence)}`;
  };
  expect(said(waits)).toBe(`${error.message}: Attempt 2 of 4; tried again <until 9000>.`);
  expect(said(sampleStep({ ...told, id: 4, status: "running" }))).toBe(
    `${error.message}: Attempt 2 of 4; tried again since.`,
  );
  expect(said(sampleStep({ ...told, id: 4, status: "done" }))).toBe(
    `${error.message}: Attempt 2 of 4; a later one went well.`,
  );
  expect(said(sampleStep({ ...told, id: 4, status: "failed", error }))).toBeNull();
  expect(sayEarlier(first, [first, tried])).toBeNull();
});

test("a step that runs says for how long", () => {
  const running = sampleStep({ id: 2, key: "a", tool: "feed", status: "running", completedAt: null });
  expect(toText(sayStep(running, [], outline))).toBe("Tool `feed` has been running for <since 1000>.");
});

test("many items are counted legibly", () => {
  const each = sampleStep({
    id: 2,
    key: "a",
    status: "pending",
    open: { kind: "each", count: 12_000, started: 1050, ended: 1000, failed: 0 },
  });
  expect(toText(sayStep(each, [], outline))).toBe("1,000 of 12,000 items have ended.");
});

test("a step that failed for good says after how many attempts", () => {
  expect(toText(sayStep(second, [first, second], outline))).toBe(
    "Tool `text.summarize` failed after 2 attempts: upstream returned 503.",
  );
});

test("a step whose server is gone says that first", () => {
  const gone = { code: "tool_server_exited", message: 'The server "files": Its program ended with 1.' };
  const told = `server not connected. ${gone.message}`;
  const failed = { ...first, error: gone };
  expect(toText(sayStep(failed, [failed], outline))).toBe(`Tool \`text.summarize\` failed: ${told}`);
  const next = { ...failed, id: 4, status: "pending" as const, error: null, nextTryAt: 9000, attempt: 2 };
  expect(toText(sayStep(next, [failed, next], outline))).toBe(
    `Tool \`text.summarize\` failed once: ${told} Next try <until 9000> (attempt 2 of 4).`,
  );
});

test("a step that is done says how long it took and with which outcome", () => {
  expect(toText(sayStep(sampleStep({ id: 2, key: "a", tool: "feed", outcome: "empty" }), [], outline))).toBe(
    "Tool `feed` answered in 1.0 s with `empty`.",
  );
});

test("what was cut off by a cancellation may have happened all the same", () => {
  const cancelled = sampleStep({ id: 2, key: "a", status: "cancelled", mayHaveHappened: true });
  expect(toText(sayStep(cancelled, [], outline))).toContain("may have happened");
});

test("a step that was never reached says whether it still may be", () => {
  expect(toText(sayUnreached(outline))).toBe("The run has not come here yet.");
  expect(toText(sayUnreached(sampleOutline([], { run: sampleRun({ status: "completed" }) })))).toBe(
    "The run ended without this step.",
  );
});

test("what begins later says when, the same way everywhere", () => {
  const later = { status: "pending", startedAt: null, completedAt: null } as const;
  const step = sampleStep({ id: 2, key: "a", ...later, alarms: [{ kind: "start", at: 9000 }] });
  expect(toText(sayStep(step, [step], outline))).toBe("Begins <at 9000>, <until 9000>.");
});

test("a step whose tool is out of order does not promise that it is tried again", () => {
  const open = { code: "circuit_open", message: "It is tried again in 5 minutes, at 2026-11-18T01:08:18.196Z." };
  const said = toText(sayStep({ ...first, error: open }, [], outline));
  expect(said).toContain("`text.summarize` was not called");
  expect(said).toMatch(/This step does not try again by itself\.$/);
  expect(said).not.toContain("2026");
});

test("what a breaker promises is told of its tool, and in words", () => {
  const told =
    "It has failed 3 times in a row and is not called for now; it is tried again in 5 minutes, at 2026-11-18T01:08:18.196Z. The last error: 421.";
  expect(sayError(told)).toMatch(/for now; it may be called again at \d\d:08\. The last error: 421\.$/);
  expect(sayError("Nothing of the kind.")).toBe("Nothing of the kind.");
});

test("a sentence ends once", () => {
  expect(endSentence("It is down")).toBe("It is down.");
  expect(endSentence("Why?")).toBe("Why?");
});
