import { describe, expect, it } from "vitest";
import { startKernel, type Kernel } from "../testing/kernel.ts";
import { foldRows, historyOf, type HistoryEntry } from "./history.ts";
import { isLive } from "./model.ts";

function tell(entry: HistoryEntry): string {
  switch (entry.kind) {
    case "entered":
      return `${entry.name} ${entry.attempt} by ${entry.via}`;
    case "started":
      return "started";
    case "event":
      return `${entry.event} ${entry.by ?? ""}`.trim();
    case "ended":
      return `${entry.status} ${entry.outcome ?? ""}`.trim();
  }
}

function storyOf(kernel: Kernel): readonly string[] {
  return historyOf(kernel.rows(), kernel.events).map(tell);
}

function startStory(): Kernel {
  const kernel = startKernel({
    start: { tool: "work", next: "ask" },
    ask: { gate: {}, next: "after" },
    after: { tool: "log", done: true },
  });
  kernel.admitAll();
  kernel.advance(10);
  kernel.fail("start");
  kernel.advance(5000);
  kernel.admitAll();
  return kernel;
}

describe("the history of a run", () => {
  it("tells what led to each row, its attempts and outcomes, who answered and what came late, in order of time", () => {
    const kernel = startStory();
    kernel.advance(10);
    kernel.finish("start", 1);
    kernel.advance(10);
    kernel.answer("ask");
    kernel.advance(10);
    const [first] = kernel.rows("start");
    kernel.send({ kind: "done", row: first?.id ?? 0, token: "old", result: 1, outcome: null });
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    expect(storyOf(kernel)).toEqual([
      "start 1 by start",
      "started",
      "failed error",
      "start 2 by retry",
      "started",
      "done success",
      "ask 1 by next",
      "started",
      "gate_answered bob",
      "done approved",
      "after 1 by next",
      "cancelled ann",
      "late_result",
      "cancelled",
    ]);
  });

  it("has every row's cause among the rows before it", () => {
    const kernel = startStory();
    const entered = historyOf(kernel.rows(), kernel.events).filter((entry) => entry.kind === "entered");
    const ids = entered.map((entry) => entry.row);
    const causes = entered.map((entry) => ids.indexOf(entry.causedBy));
    expect(causes).toEqual([-1, 0]);
  });
});

describe("where a run stands", () => {
  it("follows from its rows alone", () => {
    const kernel = startStory();
    const folded = foldRows(kernel.rows());
    expect(folded.live).toEqual([...kernel.frontier.rows.keys()]);
    expect(folded.live).toHaveLength(kernel.run().live);
    expect(folded.liveSteps).toEqual(["start"]);
    expect(folded.counts).toMatchObject({ failed: 1, running: 1, done: 0 });
    expect(kernel.rows().filter(isLive)).toHaveLength(1);
  });
});
