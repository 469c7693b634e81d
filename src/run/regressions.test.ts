// Bugs that the simulator has found, each as small as it can be told.

import { describe, expect, it } from "vitest";
import { morning, startKernel } from "../testing/kernel.ts";

describe("found by the simulator", () => {
  it("a scheduled run that is cancelled does not start at its time", () => {
    const flow = {
      start: { tool: "work", cancel: "tidy", done: true },
      tidy: { gate: { title: "Tidy?" }, done: true },
    };
    const run = startKernel(flow, { at: morning + 60_000 });
    run.send({ kind: "cancel", by: "ann", reason: null });
    const rows = run.rows();
    run.advance(60_000);
    expect(run.rows()).toEqual(rows);
    expect(run.run()).toMatchObject({ status: "cancelled", startedAt: null, live: 0 });
  });

  it("a fallback that is the step's own tool does not go in circles while its circuit is open", () => {
    const step = { tool: "work", on_circuit_open: "fallback", fallback: "work", done: true };
    const run = startKernel({ start: step });
    run.send({ kind: "admit", row: run.row("start").id, verdict: "circuit_open" });
    expect(run.row("start")).toMatchObject({
      status: "failed",
      key: "run-uid:start:1",
      error: { code: "circuit_open" },
    });
    expect(run.run()).toMatchObject({ status: "failed" });
  });
});
