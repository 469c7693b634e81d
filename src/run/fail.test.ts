import { describe, expect, it } from "vitest";
import { startKernel, type Kernel } from "../testing/kernel.ts";
import type { JsonObject } from "../flow/json.ts";

const once = { retry: false } as const;

function startFailing(step: JsonObject, others: JsonObject = {}): Kernel {
  const kernel = startKernel({ start: { tool: "fetch", ...once, ...step }, ...others });
  kernel.admitAll();
  return kernel;
}

describe("a step that failed for good", () => {
  const alert = {
    alert: { tool: "log", args: { text: "{{ previous.step }}: {{ previous.error.code }}" }, done: true },
  };

  it("goes by its error route, where previous is the error and the step", () => {
    const kernel = startFailing({ name: "fetch_it", next: "end", on_error: "alert" }, alert);
    kernel.fail("start");
    expect(kernel.row("alert")).toMatchObject({
      via: "route:error",
      args: { text: "fetch_it: broken" },
      status: "ready",
    });
    kernel.admitAll();
    kernel.finish("alert", "told");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "told" });
  });

  it("never takes the default route nor the next step", () => {
    const kernel = startFailing({ routes: { items: "alert", default: "alert" } }, alert);
    kernel.fail("start");
    expect(kernel.run().status).toBe("failed");
    expect(kernel.rows("alert")).toEqual([]);
  });

  it("may end its path by the error route", () => {
    const kernel = startFailing({ next: "alert", on_error: "end" }, alert);
    kernel.fail("start");
    expect(kernel.run()).toMatchObject({ status: "completed", output: null });
  });

  it("goes by the timeout route when nobody answered in time, else by the error route", () => {
    const late = { late: { tool: "log", done: true } };
    const timed = { timeout: "10s", effect: "read", next: "end" };
    const kernel = startFailing({ ...timed, routes: { timeout: "late", error: "alert" } }, { ...alert, ...late });
    kernel.advance(10_000);
    expect(kernel.row("start")).toMatchObject({ status: "failed", outcome: "timeout", error: { code: "timeout" } });
    expect(kernel.row("late").via).toBe("route:timeout");
    const other = startFailing({ ...timed, on_error: "alert" }, alert);
    other.advance(10_000);
    expect(other.row("alert").args).toEqual({ text: "start: timeout" });
  });

  it("shows itself to later steps as steps.x", () => {
    const flow = {
      note: {
        set: { was: "{{ steps.start.outcome }}/{{ steps.start.error.code }}/{{ steps.start.attempts }}" },
        done: true,
      },
    };
    const kernel = startFailing({ next: "end", on_error: "note" }, flow);
    kernel.fail("start");
    expect(kernel.run().output).toEqual({ was: "error/broken/1" });
  });
});

describe("an expression that cannot be computed", () => {
  it.each([
    ["args", { tool: "fetch", args: { n: "{{ 1 / 0 }}" } }],
    ["idempotency_key", { tool: "fetch", idempotency_key: "{{ 1 / 0 }}" }],
    ["set", { set: { n: "{{ 1 / 0 }}" } }],
    ["items", { tool: "fetch", each: { items: "{{ 1 / 0 }}" } }],
  ])("in %s fails the step before any call, without a retry", (_, step) => {
    const kernel = startKernel({ start: { ...step, done: true } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
    expect(kernel.calls).toEqual([]);
  });

  it("in outcome fails the step, and the error route takes it", () => {
    const flow = {
      start: { tool: "fetch", outcome: "1 / 0", next: "end", on_error: "note" },
      note: { set: { e: "{{ previous.error.code }}" }, done: true },
    };
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.finish("start", 1);
    expect(kernel.row("start")).toMatchObject({
      status: "failed",
      outcome: "error",
      error: { code: "expression_error" },
    });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { e: "expression_error" } });
  });

  it("in done.output fails the run", () => {
    const kernel = startKernel({ start: { set: {}, done: { kind: "success", output: "{{ 1 / 0 }}" } } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
  });

  it("in a condition is false, with a warning on the row", () => {
    const kernel = startKernel({
      start: { set: { n: 1 }, branch: [{ if: "1 / 0 > 1", then: "end" }], else: "other" },
      other: { set: {}, done: true },
    });
    expect(kernel.row("start").warnings).toHaveLength(1);
    expect(kernel.row("other")).toMatchObject({ status: "done", via: "else" });
  });

  it("in a strict flow is also a reference that leads nowhere, before the call", () => {
    const flow = {
      format: "stepwell/v1",
      strict: true,
      start: "a",
      steps: { a: { tool: "fetch", args: { x: "{{ input.nothing }}" }, done: true } },
    };
    expect(startKernel(flow).run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
    const lenient = startKernel({ ...flow, strict: false });
    expect(lenient.row("a")).toMatchObject({ status: "ready", args: { x: "" } });
    expect(lenient.row("a").warnings).toHaveLength(1);
  });
});

describe("a branch that fails", () => {
  function startFork(fork: JsonObject, branches: JsonObject = {}): Kernel {
    const kernel = startKernel({
      start: { set: { n: 1 }, parallel: ["a", "b"], join: "meet", ...fork },
      a: { tool: "left", ...once },
      b: { tool: "right", ...once },
      meet: { set: { got: "{{ previous }}" }, done: true },
      ...branches,
    });
    kernel.admitAll();
    return kernel;
  }

  it("fails the run and aborts its siblings", () => {
    const kernel = startFork({});
    const token = kernel.row("b").token;
    kernel.fail("a");
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "broken" } });
    expect(kernel.row("b")).toMatchObject({ status: "cancelled", token: null, mayHaveHappened: true });
    expect(kernel.aborts).toEqual([token]);
    expect(kernel.row("start")).toMatchObject({ status: "done", open: null });
  });

  it("arrives with its error where the fork collects", () => {
    const kernel = startFork({ on_branch_error: "collect" });
    kernel.fail("a");
    expect(kernel.run().status).toBe("running");
    kernel.finish("b", "fine");
    expect(kernel.run().output).toEqual({
      got: { a: { error: { code: "broken", message: "The tool is broken." } }, b: "fine" },
    });
  });

  it("gives no output where it is collected and nothing joins", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], on_branch_error: "collect" },
      a: { tool: "left", ...once },
      b: { tool: "right", ...once },
    });
    kernel.admitAll();
    kernel.fail("a");
    kernel.fail("b");
    expect(kernel.run()).toMatchObject({ status: "completed", output: null, endedCount: 0 });
  });

  it("takes the inner fork that it was part of along, to the nearest fork that collects", () => {
    const kernel = startFork(
      { on_branch_error: "collect" },
      {
        a: { tool: "left", ...once, parallel: ["x", "y"], join: "inner" },
        x: { tool: "x", ...once },
        y: { tool: "y", ...once, compensate: { tool: "undo_y" } },
        inner: { tool: "never" },
      },
    );
    kernel.finish("a", 1);
    kernel.admitAll();
    kernel.fail("x");
    expect(kernel.row("y")).toMatchObject({ status: "cancelled", mayHaveHappened: true });
    expect(kernel.rows("inner")).toEqual([]);
    expect(kernel.row("a")).toMatchObject({ status: "done", arrived: true, open: null, error: { code: "broken" } });
    kernel.finish("b", "fine");
    expect(kernel.run()).toMatchObject({ status: "completed" });
    expect(kernel.run().output).toMatchObject({ got: { a: { error: { code: "broken" } }, b: "fine" } });
  });

  it("drops what was to follow elsewhere in the branch that is given up", () => {
    const inner = { set: {}, parallel: ["x", "y"], join: "inner" };
    const kernel = startFork(
      { on_branch_error: "collect" },
      { a: inner, x: { set: { n: "{{ 1 / 0 }}" } }, y: { set: { n: 2 } }, inner: { tool: "never" } },
    );
    expect(kernel.row("y").status).toBe("cancelled");
    kernel.finish("b", 1);
    expect(kernel.run()).toMatchObject({ status: "completed", live: 0 });
  });
});

describe("a path beside the flow that fails", () => {
  it("is an event, and the flow goes on", () => {
    const kernel = startKernel({
      start: { gate: { escalate_after: "1h", escalate_to: "tell" }, next: "end" },
      tell: { tool: "chat", ...once },
    });
    kernel.advance(3_600_000);
    kernel.admitAll();
    kernel.fail("tell");
    expect(kernel.eventsOf("side_path_failed")).toMatchObject([
      { row: kernel.row("tell").id, data: { code: "broken" } },
    ]);
    expect(kernel.run().status).toBe("running");
    kernel.answer("start");
    expect(kernel.run().status).toBe("completed");
  });

  it("takes its own forks along, and nothing else", () => {
    const kernel = startKernel({
      start: { gate: { escalate_after: "1h", escalate_to: "split" }, next: "end" },
      split: { set: {}, parallel: ["x", "y"], join: "both" },
      x: { tool: "x", ...once },
      y: { tool: "y", ...once },
      both: { tool: "never" },
    });
    kernel.advance(3_600_000);
    kernel.admitAll();
    kernel.fail("x");
    expect(kernel.row("y").status).toBe("cancelled");
    expect(kernel.row("start").status).toBe("pending");
    expect(kernel.run().live).toBe(1);
  });
});
