import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";

const minute = 60_000;
const tool = (step: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...step });
const undo = (name: string): JsonObject => ({ compensate: { tool: name, args: { of: "{{ result }}" } } });

/** Lets every undoing that comes be done, and gives the tools and arguments in their order. */
function undoAll(kernel: Kernel): readonly unknown[] {
  const before = kernel.calls.length;
  for (let isMoving = true; isMoving;) {
    kernel.admitAll();
    const row = [...kernel.frontier.rows.values()].find((one) => one.role === "undo" && one.token !== null);
    isMoving = row !== undefined;
    if (row !== undefined)
      kernel.send({ kind: "done", row: row.id, token: row.token ?? "", result: "undone", outcome: null });
  }
  return kernel.calls.slice(before).map((call) => [call.tool, call.args]);
}

describe("the output of a run", () => {
  it.each([
    ["the result of the step its path ended in", { start: { set: { n: 1 } } }, { n: 1 }],
    [
      "done.output",
      { start: { set: { n: 1 }, done: { kind: "success", output: { was: "{{ result.n }}" } } } },
      { was: 1 },
    ],
    ["what led to an end state", { start: { set: { n: 1 }, next: "over" }, over: { terminal: "success" } }, { n: 1 }],
    ["of an end with failure its own output", { start: { set: {}, done: { kind: "failure", output: "bad" } } }, "bad"],
    ["of an end with failure else nothing", { start: { set: { n: 1 }, done: { kind: "failure" } } }, null],
    [
      "of several paths an object by the steps they ended in",
      {
        start: { set: {}, parallel: ["a", "b"] },
        a: { name: "first", set: { n: 1 } },
        b: { set: { n: 2 } },
      },
      { first: { n: 1 }, b: { n: 2 } },
    ],
    [
      "of a step in which several ended a list in the order of rows",
      {
        start: { set: {}, parallel: ["a", "b"] },
        a: { set: { n: 1 }, next: "c" },
        b: { set: { n: 2 }, next: "c" },
        c: { terminal: "success" },
      },
      { c: [{ n: 1 }, { n: 2 }] },
    ],
  ])("is %s", (_, flow, expected) => {
    expect(startKernel(flow).run().output).toEqual(expected);
  });

  it("has nothing of paths beside the flow", () => {
    const kernel = startKernel({
      start: { gate: { escalate_after: "1m", escalate_to: "tell" }, next: "end" },
      tell: { set: { n: 1 } },
    });
    kernel.advance(minute);
    kernel.answer("start");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "approved", endedCount: 1 });
  });
});

describe("an end", () => {
  it("of kind success ends its own path only", () => {
    const kernel = startKernel({ start: { set: {}, parallel: ["a", "b"] }, a: { set: {}, done: true }, b: tool() });
    expect(kernel.run()).toMatchObject({ status: "running", endedCount: 1 });
  });

  it.each([
    [
      "failure",
      { status: "failed", terminalKind: "failure", error: { code: "ended_with_failure", message: "too bad" } },
    ],
    ["cancel", { status: "cancelled", terminalKind: "cancel", error: null }],
  ])("of kind %s in a branch ends the run, aborts the rest and compensates", (kind, expected) => {
    const kernel = startKernel({
      start: tool({ ...undo("unstart"), parallel: ["a", "b"] }),
      a: tool({ done: { kind, message: "too bad", output: { was: "{{ result }}" } } }),
      b: tool(),
    });
    kernel.admitAll();
    kernel.finish("start", "S");
    kernel.admitAll();
    kernel.finish("a", "A");
    expect(kernel.row("b").status).toBe("cancelled");
    expect(kernel.run()).toMatchObject({ status: "running", ending: { phase: "undo" } });
    expect(undoAll(kernel)).toEqual([["unstart", { of: "S" }]]);
    expect(kernel.run()).toMatchObject({ ...expected, output: { was: "A" }, ending: null, completedAt: kernel.now() });
  });

  it("says which step it was when the author says nothing", () => {
    expect(startKernel({ start: { terminal: "failure" } }).run().error?.message).toContain('"start"');
  });
});

describe("the run's own timeout", () => {
  const flow = (first: JsonObject): JsonObject => ({
    format: "stepwell/v1",
    timeout: "10m",
    start: "first",
    steps: { first, alert: tool() },
  });

  it("counts from the start, waits included, asks no route and compensates", () => {
    const kernel = startKernel({
      ...flow({}),
      steps: {
        first: tool({ ...undo("unfirst"), next: "nap" }),
        nap: { wait: "1h", next: "last" },
        last: tool({ on_error: "alert" }),
        alert: tool(),
      },
    });
    kernel.admitAll();
    kernel.finish("first", "F");
    kernel.advance(10 * minute);
    expect(kernel.row("nap").status).toBe("cancelled");
    expect(undoAll(kernel)).toEqual([["unfirst", { of: "F" }]]);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
    expect(kernel.rows("alert")).toEqual([]);
  });

  it("counts pauses, and ends a paused run without a further word", () => {
    const kernel = startKernel(flow(tool({ next: "alert" })));
    kernel.send({ kind: "pause", by: "ann" });
    kernel.advance(10 * minute);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
  });

  it("does nothing to a run that is ending already", () => {
    const kernel = startKernel({
      ...flow({}),
      steps: { first: tool({ ...undo("unfirst"), next: "second" }), second: tool() },
    });
    kernel.admitAll();
    kernel.finish("first");
    kernel.admitAll();
    kernel.fail("second");
    kernel.admitAll();
    kernel.lose("first", "connection");
    kernel.advance(10 * minute);
    expect(kernel.run()).toMatchObject({ status: "running", ending: { error: { code: "broken" } } });
  });
});

describe("a run that has ended", () => {
  it("is final: no message changes it", () => {
    const kernel = startKernel({ start: tool({ done: true }) });
    kernel.admitAll();
    const { id, token } = kernel.row("start");
    kernel.finish("start");
    const run = kernel.run();
    const by = "ann";
    const replies = [
      kernel.send({ kind: "admit", row: id, verdict: "go" }),
      kernel.send({ kind: "lost", row: id, token: token ?? "", reason: "crash" }),
      kernel.send({ kind: "ready", row: id, by }),
      kernel.send({
        kind: "answer",
        row: id,
        by,
        via: null,
        outcome: "approved",
        data: null,
        comment: null,
        hash: null,
      }),
      kernel.send({ kind: "signal", name: "x", data: null }),
      kernel.send({ kind: "event", name: "x", data: null }),
      kernel.send({ kind: "alarm" }),
      kernel.send({ kind: "cancel", by, reason: null }),
      kernel.send({ kind: "pause", by }),
      kernel.send({ kind: "resume", by }),
      kernel.send({ kind: "resolve", row: id, by, how: "retry", result: null }),
      kernel.send({ kind: "skip", row: id, by }),
      kernel.send({ kind: "choose", row: id, step: null, by }),
      kernel.send({ kind: "fire", transition: "x", by, reason: null, data: {} }),
      kernel.send({ kind: "child", row: id, child: 5, status: "completed", output: null, error: null }),
    ];
    expect(kernel.run()).toEqual(run);
    expect(kernel.rows()).toHaveLength(1);
    expect(replies.filter((reply) => reply.kind === "refused").map((reply) => codeOf(reply))).toEqual(
      Array.from({ length: 10 }, () => "already_ended"),
    );
  });
});
