// Bugs that the simulator has found, each as small as it can be told.

import { describe, expect, it } from "vitest";
import { morning, startKernel } from "../testing/kernel.ts";

describe("found by the simulator", () => {
  it("a scheduled run that is cancelled does not start at its time while it is still cleaning up", () => {
    const run = startKernel(
      {
        start: { tool: "work", cancel: "tidy", next: "last" },
        last: { tool: "work", done: true },
        tidy: { gate: { title: "Tidied up?" }, done: true },
      },
      { at: morning + 60_000 },
    );
    run.send({ kind: "cancel", by: "ann", reason: null });
    const tidying = run.row("tidy");
    run.advance(60_000);
    expect(run.row("tidy")).toEqual(tidying);
    expect(run.run()).toMatchObject({ startedAt: null, ending: { kind: "cancel" } });
  });
});
