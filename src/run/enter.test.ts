import { describe, expect, it } from "vitest";
import { startKernel } from "../testing/kernel.ts";

describe("a loop", () => {
  const spinning = {
    start: { set: { n: "{{ steps.start.visits }}" }, branch: [{ if: "input.on", then: "start" }], else: "end" },
  };

  it("fails with step_limit after too many visits of one step without a gate or a wait", () => {
    const kernel = startKernel(spinning, { input: { on: true }, limits: { visits: 50 } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "step_limit" } });
    expect(kernel.rows("start")).toHaveLength(50);
  });

  it("stops after 1,000 visits unless it is set otherwise, going on with the admit of each batch", () => {
    const kernel = startKernel(spinning, { input: { on: true } });
    kernel.admitAll();
    expect(kernel.run().error?.code).toBe("step_limit");
    expect(kernel.rows("start")).toHaveLength(1000);
    expect(kernel.calls).toEqual([]);
  });

  it("through a wait or a gate is no spin", () => {
    const flow = {
      start: { wait: "1m", next: "look" },
      look: { set: {}, branch: [{ if: "steps.look.visits < 20", then: "start" }], else: "end" },
    };
    const kernel = startKernel(flow, { limits: { visits: 3 } });
    kernel.advance(20 * 60_000);
    expect(kernel.run()).toMatchObject({ status: "completed" });
    expect(kernel.row("look").visit).toBe(20);
  });

  it("that makes too many rows fails likewise", () => {
    const flow = {
      start: { wait: "1m", next: "look" },
      look: { set: {}, branch: [{ if: "true", then: "start" }], else: "end" },
    };
    const kernel = startKernel(flow, { limits: { rows: 10 } });
    kernel.advance(3_600_000);
    expect(kernel.run()).toMatchObject({ status: "failed", rowCount: 10, error: { code: "step_limit" } });
  });

  it("gives each visit a number and a key of its own", () => {
    const flow = { start: { tool: "look", branch: [{ if: "result < 3", then: "start" }], else: "end" } };
    const kernel = startKernel(flow);
    for (const result of [1, 2, 3]) {
      kernel.admitAll();
      kernel.finish("start", result);
    }
    expect(kernel.calls.map((call) => call.key)).toEqual(["run-uid:start:1", "run-uid:start:2", "run-uid:start:3"]);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 3 });
  });
});

describe("steps that call nothing", () => {
  it("run in the same decision, 100 at most; what is left stays ready and goes on with its admit", () => {
    const steps = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [
        `s${n}`,
        { set: { n }, ...(n < 249 ? { next: `s${n + 1}` } : { done: true }) },
      ]),
    );
    const kernel = startKernel({ format: "stepwell/v1", start: "s0", steps });
    expect(kernel.rows()).toHaveLength(101);
    expect(kernel.row("s100")).toMatchObject({ status: "ready", startedAt: null });
    kernel.send({ kind: "admit", row: kernel.row("s100").id, verdict: "go" });
    expect(kernel.row("s200").status).toBe("ready");
    kernel.send({ kind: "admit", row: kernel.row("s200").id, verdict: "go" });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { n: 249 } });
  });
});

describe("a choice", () => {
  const flow = {
    start: {
      tool: "rate",
      branch: [
        { if: "result >= 80", then: "high" },
        { if: "result >= 50", then: "middle" },
      ],
      else: "low",
    },
    high: { tool: "log" },
    middle: { tool: "log" },
    low: { tool: "log" },
  };

  it.each([
    [90, "high"],
    [60, "middle"],
    [10, "low"],
  ])("E0-15, E1-07: for %i the first true condition decides, and just one step is created: %s", (result, expected) => {
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.finish("start", result);
    expect(kernel.rows().map((row) => row.step)).toEqual(["start", expected]);
  });

  const open = { start: { tool: "rate", branch: [{ if: "result >= 80", then: "high" }] }, high: { tool: "log" } };

  it("E0-16: without a match creates nothing, and the run stays as it is and says so", () => {
    const kernel = startKernel(open);
    kernel.admitAll();
    kernel.finish("start", 10);
    expect(kernel.rows()).toHaveLength(1);
    expect(kernel.row("start")).toMatchObject({ status: "done", isHeld: true });
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
    expect(kernel.run().attention).toEqual({ code: "no_branch_matched", row: kernel.row("start").id, value: 10 });
  });

  it.each([
    ["fail", { status: "failed", error: { code: "no_branch_matched" } }],
    ["complete", { status: "completed", output: 10 }],
  ])("E0-16: without a match and on_no_match: %s", (how, expected) => {
    const kernel = startKernel({ ...open, start: { ...open.start, on_no_match: how } });
    kernel.admitAll();
    kernel.finish("start", 10);
    expect(kernel.run()).toMatchObject(expected);
  });

  it("by routes alone is held with the outcome's name when none fits", () => {
    const kernel = startKernel({ start: { tool: "rate", routes: { good: "end" } } });
    kernel.admitAll();
    kernel.finish("start", 10, "odd");
    expect(kernel.run().attention).toMatchObject({ code: "no_branch_matched", value: "odd" });
  });

  it.each([
    ["the end", { start: { tool: "rate", done: true } }, ["completed"]],
    ["nothing", open, ["running"]],
    ["one step", flow, ["running", "low"]],
    [
      "a list of steps",
      { start: { tool: "rate", parallel: ["high", "low"] }, high: { tool: "log" }, low: { tool: "log" } },
      ["running", "high", "low"],
    ],
  ])("E0-21: what is next is %s", (_, asked, expected) => {
    const kernel = startKernel(asked);
    kernel.admitAll();
    kernel.finish("start", 10);
    const created = kernel.rows().slice(1);
    expect([kernel.run().status, ...created.map((row) => row.step)]).toEqual(expected);
  });

  it("E0-19: done completes the run, with its time", () => {
    const kernel = startKernel({ start: { tool: "rate", done: true } });
    kernel.admitAll();
    kernel.advance(1000);
    kernel.finish("start", 10);
    expect(kernel.run()).toMatchObject({
      status: "completed",
      terminalKind: "success",
      completedAt: kernel.now(),
      output: 10,
    });
  });
});
