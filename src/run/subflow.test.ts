import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";
import type { ChildMessage } from "./message.ts";
import type { Failure } from "./model.ts";

const minute = 60_000;
const broken: Failure = { code: "broken", message: "The child is broken." };

function startParent(step: JsonObject = {}, options: KernelOptions = {}): Kernel {
  const flow = {
    start: { flow: "child", input: { order: "{{ input.order }}" }, next: "after", ...step },
    after: { terminal: "success" },
  };
  return startKernel(flow, { input: { order: "A7" }, ...options });
}

/** The newest child of the step has ended. */
function end(
  kernel: Kernel,
  status: ChildMessage["status"],
  { output = null, error = null }: { output?: Json; error?: Failure | null } = {},
): void {
  const { id, childRun } = kernel.row("start");
  kernel.send({ kind: "child", row: id, child: childRun ?? 0, status, output, error });
}

describe("a sub-flow", () => {
  it("is created in its parent's decision, runs as the parent's creator, and the step waits for it", () => {
    const kernel = startParent({}, { by: "ann", via: "token" });
    const row = kernel.row("start");
    expect(row).toMatchObject({ status: "running", startedAt: kernel.now(), args: { order: "A7" }, token: null });
    expect(kernel.sends).toMatchObject([
      {
        to: row.childRun,
        workflow: { name: "child", version: null, flow: null },
        message: {
          kind: "start",
          run: row.childRun,
          uid: `run-uid.${row.id}`,
          name: "child",
          input: { order: "A7" },
          by: "ann",
          via: "token",
          at: null,
          parent: { run: 1, row: row.id, depth: 1 },
        },
      },
    ]);
    expect(kernel.calls).toEqual([]);
  });

  it.each([
    ["a version that is named", { flow: "child@3" }, 3],
    ["the newest one else", {}, null],
  ])("follows %s", (_, step, version) => {
    const flowOf = (name: string, no: number | null): string => `hash of ${name}@${no}`;
    const kernel = startParent(step, { flowOf });
    expect(kernel.sends[0]?.workflow).toEqual({ name: "child", version, flow: `hash of child@${version}` });
    expect(kernel.row("start").childFlow).toBe(`hash of child@${version}`);
  });

  it("keeps the version of its first try, whatever is saved meanwhile; the next visit takes the newest", () => {
    let newest = "one";
    const flow = {
      start: { flow: "child", retry: { attempts: 2, backoff: ["1m"] }, next: "again" },
      again: { flow: "child", branch: [{ if: "result == 1", then: "start" }], else: "end" },
    };
    const kernel = startKernel(flow, { flowOf: () => newest });
    newest = "two";
    end(kernel, "failed", { error: broken });
    kernel.advance(minute);
    end(kernel, "completed");
    const again = kernel.row("again");
    newest = "three";
    kernel.send({
      kind: "child",
      row: again.id,
      child: again.childRun ?? 0,
      status: "completed",
      output: 1,
      error: null,
    });
    expect(kernel.sends.map(({ workflow }) => workflow?.flow)).toEqual(["one", "one", "two", "three"]);
    expect(kernel.rows("start").map(({ childFlow }) => childFlow)).toEqual(["one", "one", "three"]);
  });

  it("without input is started with an empty object", () => {
    const kernel = startKernel({ start: { flow: "child", done: true } });
    expect(kernel.sends).toMatchObject([{ message: { input: {} } }]);
    const none = startKernel({ start: { flow: "child", input: "{{ input.nothing ?? null }}", done: true } });
    expect(none.sends).toMatchObject([{ message: { input: {} } }]);
  });

  it("completed is the step's result", () => {
    const kernel = startParent();
    end(kernel, "completed", { output: { paid: true } });
    expect(kernel.row("start")).toMatchObject({ status: "done", result: { paid: true }, outcome: "success" });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { paid: true } });
  });

  it("failed is the step's failure: retried as a new child of the same visit with the same input", () => {
    const kernel = startParent({
      retry: { attempts: 2, backoff: ["1m"] },
      input: { at: "{{ run.now }}" },
      on_error: "after",
    });
    end(kernel, "failed", { error: broken });
    expect(kernel.row("start")).toMatchObject({ status: "pending", attempt: 2, childRun: null });
    kernel.advance(minute);
    const [first, second] = kernel.sends;
    expect(second?.to).not.toBe(first?.to);
    expect(second).toMatchObject({ message: { kind: "start", input: { at: kernel.now() - minute } } });
    expect(kernel.row("start")).toMatchObject({ status: "running", visit: 1, childRun: second?.to });
    end(kernel, "failed", { error: null });
    expect(kernel.run().output).toMatchObject({ step: "start", error: { code: "child_failed" } });
  });

  it.each(["too_deep", "bad_input", "unknown_workflow", "workflow_disabled"])("is not tried again for %s", (code) => {
    const kernel = startParent();
    end(kernel, "failed", { error: { code, message: "no" } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code } });
  });

  it("cancelled by someone is the outcome cancelled, which takes only a route of its own", () => {
    const routed = startParent({ routes: { cancelled: "after" }, next: "end" });
    end(routed, "cancelled", { output: "so far" });
    expect(routed.row("start")).toMatchObject({ status: "done", outcome: "cancelled", result: "so far" });
    expect(routed.row("after").via).toBe("route:cancelled");
    const unrouted = startParent();
    end(unrouted, "cancelled");
    expect(unrouted.run()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    expect(unrouted.rows("start")).toHaveLength(1);
  });

  it("that took too long is cancelled, and the outcome is timeout", () => {
    const kernel = startParent({ timeout: "5m", routes: { timeout: "after" }, next: "end" });
    const { childRun } = kernel.row("start");
    kernel.advance(5 * minute);
    expect(kernel.sends.at(-1)).toMatchObject({ to: childRun, message: { kind: "cancel", by: "run:1" } });
    expect(kernel.row("start")).toMatchObject({ status: "done", outcome: "timeout" });
    expect(kernel.run().status).toBe("completed");
  });

  it("is cancelled with its parent, and when the parent fails", () => {
    const cancelled = startParent();
    cancelled.send({ kind: "cancel", by: "ann", reason: null });
    expect(cancelled.sends.at(-1)).toMatchObject({ to: cancelled.row("start").childRun, message: { kind: "cancel" } });
    expect(cancelled.row("start")).toMatchObject({ status: "cancelled", mayHaveHappened: false });
    const failing = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { flow: "child" },
      b: { tool: "work", retry: false },
    });
    failing.admitAll();
    failing.fail("b");
    expect(failing.sends.at(-1)).toMatchObject({ to: failing.row("a").childRun, message: { kind: "cancel" } });
  });

  it("that was given up changes nothing any more: what it did is a late result, that it stopped no news", () => {
    const kernel = startParent({ timeout: "5m", on_error: "after" });
    const { id, childRun } = kernel.row("start");
    kernel.advance(5 * minute);
    const run = kernel.run();
    const late = { kind: "child", row: id, child: childRun ?? 0, output: 1, error: null } as const;
    kernel.send({ ...late, status: "cancelled" });
    expect(kernel.eventsOf("late_result")).toEqual([]);
    kernel.send({ ...late, status: "completed" });
    expect(kernel.eventsOf("late_result")).toMatchObject([{ row: id, data: { child: childRun, status: "completed" } }]);
    expect(kernel.run()).toEqual(run);
  });

  it("a child of an earlier try is late", () => {
    const kernel = startParent({ retry: { attempts: 2, backoff: ["1m"] } });
    const first = kernel.row("start");
    end(kernel, "failed", { error: broken });
    kernel.advance(minute);
    kernel.send({
      kind: "child",
      row: kernel.row("start").id,
      child: first.childRun ?? 0,
      status: "completed",
      output: 1,
      error: null,
    });
    expect(kernel.row("start").status).toBe("running");
    expect(kernel.eventsOf("late_result")).toHaveLength(1);
  });

  it("may be nested eight deep, not more, and that is not retried", () => {
    const deep = startParent({}, { parent: { run: 9, row: 9, depth: 7 } });
    expect(deep.sends).toMatchObject([{ message: { parent: { depth: 8 } } }]);
    const tooDeep = startParent({}, { parent: { run: 9, row: 9, depth: 8 } });
    expect(tooDeep.run()).toMatchObject({ status: "failed", error: { code: "too_deep" } });
    expect(tooDeep.sends).toMatchObject([
      { to: 9, message: { kind: "child", row: 9, child: 1, status: "failed", error: { code: "too_deep" } } },
    ]);
  });

  it.each([
    ["an expression that fails", { order: "{{ 1 / 0 }}" }, "expression_error"],
    ["what is no object", "{{ [1] }}", "bad_input"],
  ])("with %s as input fails before any child is made, without a retry", (_, input, code) => {
    const kernel = startParent({ input });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code } });
    expect(kernel.sends).toEqual([]);
  });

  it("is undone like a call, under the key of its visit", () => {
    const kernel = startKernel({
      start: { flow: "child", compensate: { tool: "refund", args: { of: "{{ result }}" } }, next: "after" },
      after: { tool: "work", retry: false },
    });
    end(kernel, "completed", { output: "C" });
    kernel.admitAll();
    kernel.fail("after");
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({
      tool: "refund",
      args: { of: "C" },
      key: "run-uid:start:1:undo",
      timeoutMs: 120_000,
    });
  });

  it("tells its parent how it ended", () => {
    const child = startKernel({ start: { tool: "work", done: true } }, { parent: { run: 77, row: 5, depth: 1 } });
    child.admitAll();
    child.finish("start", "out");
    expect(child.sends).toMatchObject([
      {
        to: 77,
        workflow: null,
        message: { kind: "child", row: 5, child: 1, status: "completed", output: "out", error: null },
      },
    ]);
  });
});
