import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { canCancel, previewCancel, type CancelPreview, type CanCancel } from "./cancel.ts";
import type { Reply } from "./decision.ts";

const tool = (step: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...step });
const undo = (name: string): JsonObject => ({ compensate: { tool: name, args: { of: "{{ result }}" } } });

function cancel(kernel: Kernel, by = "ann", reason: string | null = null): Reply {
  return kernel.send({ kind: "cancel", by, reason });
}

function verdictOf(kernel: Kernel): CanCancel {
  return canCancel(kernel.plan, kernel.frontier, envAt(kernel.now()));
}

function previewOf(kernel: Kernel): CancelPreview {
  const undoable = [...kernel.history.values()].filter((row) => row.isUndoable);
  return previewCancel(kernel.plan, kernel.frontier, envAt(kernel.now()), undoable);
}

describe("cancelling a flow", () => {
  it("E3-20: stops calls, waiting rows, gates and held rows, and ends with who and why on record", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["call", "retry", "ask", "nap", "odd"] },
      call: tool(),
      retry: { tool: "work" },
      ask: { gate: {} },
      nap: { wait: "1h" },
      odd: { set: { n: 1 }, branch: [{ if: "result.n > 5", then: "call" }] },
    });
    kernel.admitAll();
    kernel.fail("retry");
    const { token } = kernel.row("call");
    expect(cancel(kernel, "ann", "no longer needed")).toEqual({ kind: "ok", value: null });
    expect(kernel.run()).toMatchObject({
      status: "cancelled",
      terminalKind: "cancel",
      cancelledAt: kernel.now(),
      completedAt: kernel.now(),
      live: 0,
      attention: null,
    });
    expect(["call", "retry", "ask", "nap"].map((step) => kernel.row(step).status)).toEqual(
      Array.from({ length: 4 }, () => "cancelled"),
    );
    expect(kernel.row("odd")).toMatchObject({ status: "done", isHeld: false });
    expect(kernel.rows().flatMap((row) => row.alarms)).toEqual([]);
    expect(kernel.aborts).toEqual([token]);
    expect(kernel.eventsOf("cancelled")).toMatchObject([{ by: "ann", data: { reason: "no longer needed" } }]);
  });

  it("marks a write that was under way, and no read", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: tool({ effect: "write" }),
      b: tool({ effect: "read" }),
    });
    kernel.admitAll();
    cancel(kernel);
    expect([kernel.row("a").mayHaveHappened, kernel.row("b").mayHaveHappened]).toEqual([true, false]);
  });

  it("is refused while a live step says cancel: false, and allowed after it", () => {
    const kernel = startKernel({ start: tool({ cancel: false, next: "after" }), after: tool() });
    kernel.admitAll();
    expect(codeOf(cancel(kernel, "ann", "too dear"))).toBe("step_refuses");
    expect(kernel.eventsOf("cancel_refused")).toMatchObject([
      { by: "ann", data: { code: "step_refuses", reason: "too dear" } },
    ]);
    expect(verdictOf(kernel)).toMatchObject({
      allowed: false,
      reason: "step_refuses",
      message: expect.stringContaining('"start"'),
    });
    expect(kernel.run().status).toBe("running");
    kernel.finish("start");
    expect(verdictOf(kernel)).toEqual({ allowed: true });
    expect(cancel(kernel).kind).toBe("ok");
  });

  it("SB-22: is never allowed where the flow says never", () => {
    const kernel = startKernel({ format: "stepwell/v1", cancel: "never", start: "a", steps: { a: tool() } });
    expect(codeOf(cancel(kernel))).toBe("never");
    expect(verdictOf(kernel)).toMatchObject({ allowed: false, reason: "never" });
  });

  it("SB-22: where it is declared needs one move from each live step to an end of kind cancel", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      cancel: "declared",
      start: "split",
      steps: {
        split: { set: {}, parallel: ["a", "b"] },
        a: { gate: {}, routes: { stop: "stopped", approved: "end" } },
        b: tool(),
        stopped: { terminal: "cancel" },
      },
    });
    expect(codeOf(cancel(kernel))).toBe("not_declared");
    kernel.admitAll();
    kernel.finish("b");
    expect(verdictOf(kernel)).toEqual({ allowed: true });
    cancel(kernel);
    expect(kernel.run().status).toBe("cancelled");
  });

  it("takes back a run that is scheduled, and one that is paused", () => {
    const scheduled = startKernel(
      { format: "stepwell/v1", cancel: "never", start: "a", steps: { a: tool() } },
      { at: 9e15 },
    );
    expect(scheduled.run().status).toBe("scheduled");
    cancel(scheduled);
    expect(scheduled.run()).toMatchObject({ status: "cancelled", startedAt: null, alarms: [] });
    expect(scheduled.rows()).toMatchObject([{ step: "a", status: "cancelled" }]);
    const paused = startKernel({ start: tool({ ...undo("unstart"), next: "after" }), after: tool() });
    paused.admitAll();
    paused.finish("start", "S");
    paused.send({ kind: "pause", by: "ann" });
    cancel(paused);
    paused.admitAll();
    expect(paused.calls.at(-1)).toMatchObject({ tool: "unstart", args: { of: "S" } });
    paused.finish("start");
    expect(paused.run().status).toBe("cancelled");
  });

  it("gives the same answer again; while ending with failure: already_ending; ended: already_ended", () => {
    const flow = { start: tool({ ...undo("unstart"), next: "after" }), after: tool() };
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.finish("start");
    const first = cancel(kernel, "ann");
    expect(cancel(kernel, "bob")).toEqual(first);
    expect(kernel.run()).toMatchObject({ status: "running", ending: { kind: "cancel", by: "ann" } });
    kernel.admitAll();
    kernel.finish("start");
    expect(kernel.run().status).toBe("cancelled");
    expect(cancel(kernel)).toEqual(first);
    expect(kernel.eventsOf("cancelled")).toHaveLength(1);

    const failing = startKernel(flow);
    failing.admitAll();
    failing.finish("start");
    failing.admitAll();
    failing.fail("after");
    expect(codeOf(cancel(failing))).toBe("already_ending");
    failing.admitAll();
    failing.finish("start");
    expect(codeOf(cancel(failing))).toBe("already_ended");
    expect(verdictOf(failing)).toMatchObject({ allowed: false, reason: "already_ended" });
  });

  it("runs the steps that clean up, each once, then compensates", () => {
    const kernel = startKernel({
      start: tool({ ...undo("unstart"), parallel: ["a", "b"] }),
      a: tool({ args: { n: "{{ previous }}" }, cancel: "tidy" }),
      b: { gate: {}, cancel: "tidy" },
      tidy: tool({ args: { from: "{{ steps.start.result }}" }, ...undo("never"), next: "swept" }),
      swept: tool(),
    });
    kernel.admitAll();
    kernel.finish("start", "S");
    kernel.admitAll();
    cancel(kernel);
    expect(kernel.rows("tidy")).toMatchObject([
      { status: "ready", via: "cancel", side: "cleanup", args: { from: "S" } },
    ]);
    expect(kernel.run()).toMatchObject({ status: "running", ending: { kind: "cancel", phase: "cleanup" } });
    kernel.admitAll();
    kernel.finish("tidy");
    kernel.admitAll();
    kernel.finish("swept");
    expect(kernel.run().ending?.phase).toBe("undo");
    kernel.admitAll();
    expect(kernel.calls.map((call) => call.tool)).toEqual(["work", "work", "work", "work", "unstart"]);
    kernel.finish("start");
    expect(kernel.run()).toMatchObject({ status: "cancelled", output: null, endedCount: 0 });
  });

  it("goes on to undo when cleaning up fails, after its retries, and says so", () => {
    const tidy = { tool: "work", retry: { attempts: 2, backoff: ["1m"] } };
    const kernel = startKernel({ start: { gate: {}, cancel: "tidy" }, tidy });
    cancel(kernel);
    kernel.admitAll();
    kernel.fail("tidy");
    kernel.advance(60_000);
    kernel.admitAll();
    kernel.fail("tidy");
    expect(kernel.eventsOf("side_path_failed")).toHaveLength(1);
    expect(kernel.run().status).toBe("cancelled");
  });

  it("gives up cleaning up that goes in circles, with all its forks, and still ends", () => {
    const kernel = startKernel(
      {
        start: { gate: {}, cancel: "tidy" },
        tidy: { set: {}, parallel: ["a", "b"] },
        a: { set: {}, next: "again" },
        again: { set: {}, branch: [{ if: "true", then: "a" }], else: "end" },
        b: tool(),
      },
      { limits: { visits: 5 } },
    );
    cancel(kernel);
    expect(kernel.eventsOf("side_path_failed")).toMatchObject([{ data: { code: "step_limit" } }]);
    expect(kernel.row("b").status).toBe("cancelled");
    expect(kernel.run()).toMatchObject({ status: "cancelled", live: 0 });
  });

  it("a failure runs no clean-up steps", () => {
    const kernel = startKernel({ start: tool({ cancel: "tidy" }), tidy: tool() });
    kernel.admitAll();
    kernel.fail("start");
    expect(kernel.rows("tidy")).toEqual([]);
    expect(kernel.run().status).toBe("failed");
  });

  it("of a parent stops its sub-runs, whatever their own flows say", () => {
    const never = { format: "stepwell/v1", cancel: "never", start: "a", steps: { a: tool() } };
    const child = startKernel(never, { parent: { run: 77, row: 5, depth: 1 } });
    expect(codeOf(cancel(child, "run:78"))).toBe("never");
    expect(cancel(child, "run:77").kind).toBe("ok");
    expect(child.run().status).toBe("cancelled");
    expect(child.sends).toMatchObject([{ to: 77, message: { kind: "child", row: 5, child: 1, status: "cancelled" } }]);
    expect(cancel(child, "run:77")).toEqual({ kind: "ok", value: null });
  });
});

describe("a preview", () => {
  const flow = {
    start: tool({ ...undo("unstart"), next: "second" }),
    second: tool({ ...undo("unsecond"), parallel: ["a", "b", "c"], join: "meet" }),
    a: tool({ effect: "write", ...undo("una"), cancel: "tidy" }),
    b: { gate: {} },
    c: tool({ ...undo("unc") }),
    meet: tool(),
    tidy: tool(),
  };

  it("says what would be aborted and undone, in this order, and that is what then happens", () => {
    const kernel = startKernel(flow);
    for (const step of ["start", "second"]) {
      kernel.admitAll();
      kernel.finish(step, step);
    }
    kernel.admitAll();
    kernel.finish("c", "C");
    const before = structuredClone({ run: kernel.run(), rows: kernel.rows() });
    const preview = previewOf(kernel);
    expect({ run: kernel.run(), rows: kernel.rows() }).toEqual(before);
    expect(preview).toMatchObject({
      transition: null,
      aborted: [
        { name: "a", mayHaveHappened: true },
        { name: "b", mayHaveHappened: false },
      ],
      cleanup: ["tidy"],
      undone: [{ name: "a" }, { name: "c" }, { name: "second" }, { name: "start" }],
    });

    cancel(kernel);
    const aborted = kernel.rows().filter((row) => row.status === "cancelled");
    expect(aborted.map((row) => [row.id, row.mayHaveHappened])).toEqual(
      preview.aborted.map((row) => [row.row, row.mayHaveHappened]),
    );
    expect(
      kernel
        .rows()
        .filter((row) => row.side === "cleanup")
        .map((row) => row.step),
    ).toEqual(preview.cleanup);
    kernel.admitAll();
    kernel.finish("tidy");
    for (const { name } of preview.undone) {
      kernel.admitAll();
      kernel.finish(name);
    }
    expect(
      kernel
        .rows()
        .filter((row) => row.role === "undo")
        .map((row) => row.serves),
    ).toEqual(preview.undone.map((row) => row.row));
    expect(kernel.run().status).toBe("cancelled");
  });

  it("of a run that cannot be cancelled is empty", () => {
    const kernel = startKernel({ start: tool({ cancel: false }) });
    expect(previewOf(kernel)).toEqual({ transition: null, aborted: [], cleanup: [], undone: [] });
  });
});
