// Bugs that the simulator has found, each as small as it can be told.

import { describe, expect, it } from "vitest";
import type { Reply } from "./decision.ts";
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

  it("nobody chooses a step for a branch that would lead it out of its fork past the join", () => {
    const run = startKernel({
      start: { set: {}, parallel: ["look", "wait"], join: "merge" },
      look: { set: { size: 1 }, branch: [{ if: "result.size > 1", then: "large" }] },
      large: { tool: "work", join: "merge" },
      wait: { gate: { title: "Go on?" }, join: "merge" },
      merge: { set: {}, next: "last" },
      last: { tool: "work", done: true },
    });
    const choose = (step: string): Reply => run.send({ kind: "choose", row: run.row("look").id, step, by: "ann" });
    for (const step of ["last", "start"]) {
      expect(choose(step)).toMatchObject({ kind: "refused", code: "branch_leaves_fork" });
      expect(run.row("look").isHeld).toBe(true);
    }
    expect(choose("large")).toMatchObject({ kind: "ok" });
    expect(run.row("large").scope).toBe(run.row("look").scope);
  });

  it("a branch may be sent to the join of its fork, and a path outside all forks anywhere", () => {
    const held = { set: { size: 1 }, branch: [{ if: "result.size > 1", then: "large" }] };
    const inside = startKernel({
      start: { set: {}, parallel: ["look", "wait"], join: "merge" },
      look: held,
      large: { tool: "work" },
      wait: { gate: { title: "Go on?" } },
      merge: { tool: "work", done: true },
    });
    inside.send({ kind: "choose", row: inside.row("look").id, step: "merge", by: "ann" });
    expect(inside.row("look")).toMatchObject({ isHeld: false, arrived: true });
    const outside = startKernel({ start: held, large: { tool: "work", done: true } });
    outside.send({ kind: "choose", row: outside.row("start").id, step: "large", by: "ann" });
    expect(outside.row("large").status).toBe("ready");
  });
});
