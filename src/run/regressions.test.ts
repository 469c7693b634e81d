// Bugs that the simulator has found, each as small as it can be told.

import { describe, expect, it } from "vitest";
import { morning, startKernel } from "../testing/kernel.ts";

describe("found by the simulator", () => {
  it("a scheduled run that is cancelled does not start at its time", () => {
    const flow = { start: { tool: "work", cancel: "tidy", done: true }, tidy: { gate: { title: "Tidy?" }, done: true } };
    const run = startKernel(flow, { at: morning + 60_000 });
    run.send({ kind: "cancel", by: "ann", reason: null });
    const rows = run.rows();
    run.advance(60_000);
    expect(run.rows()).toEqual(rows);
    expect(run.run()).toMatchObject({ status: "cancelled", startedAt: null, live: 0 });
  });
});
