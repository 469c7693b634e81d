// What the new run takes over of forks and loops.

import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { startAgain, startKernel, type Kernel } from "../testing/kernel.ts";

function pass(kernel: Kernel, step: string, result: Json = null): void {
  kernel.admitAll();
  kernel.finish(step, result);
}

function calledTools(kernel: Kernel): readonly string[] {
  return kernel.calls.map(({ tool }) => tool);
}

describe("forks and joins", () => {
  const forked: Json = {
    start: { tool: "start", parallel: ["a", "b"], join: "end" },
    a: { tool: "a", next: "a2" },
    a2: { tool: "a2", retry: false, next: "end" },
    b: { tool: "b", next: "end" },
    end: { tool: "end", retry: false, args: { got: "{{ previous }}" }, done: true },
  };

  it("a branch that was done is copied; the join waits for the one that runs again", () => {
    const kernel = startKernel(forked);
    pass(kernel, "start");
    pass(kernel, "b", "of b");
    pass(kernel, "a", "of a");
    kernel.admitAll();
    kernel.fail("a2");
    const again = startAgain(kernel);
    expect(again.row("start").open).toEqual({ kind: "fork", open: 1, arrived: 1 });
    pass(again, "a2", "of a2");
    pass(again, "end");
    expect(calledTools(again)).toEqual(["a2", "end"]);
    expect(again.row("end").args).toEqual({ got: { a: "of a2", b: "of b" } });
    expect(again.row("end").visit).toBe(1);
  });

  it("a join that was done is copied with its fork", () => {
    const kernel = startKernel({
      ...forked,
      end: { tool: "end", next: "last" },
      last: { tool: "last", retry: false, done: true },
    });
    pass(kernel, "start");
    pass(kernel, "b");
    pass(kernel, "a");
    pass(kernel, "a2");
    pass(kernel, "end", "joined");
    kernel.admitAll();
    kernel.fail("last");
    const again = startAgain(kernel);
    expect(again.rows().map(({ step, status }) => `${step} ${status}`)).toEqual([
      "start done",
      "a done",
      "b done",
      "a2 done",
      "end done",
      "last ready",
    ]);
  });

  it("a rerun from a step of a branch copies the other branch and runs the join again", () => {
    const kernel = startKernel(forked);
    for (const step of ["start", "b", "a", "a2", "end"]) pass(kernel, step);
    const again = startAgain(kernel, { how: "rerun", from: "a" });
    for (const step of ["a", "a2", "end"]) pass(again, step);
    expect(calledTools(again)).toEqual(["a", "a2", "end"]);
    expect(again.run().status).toBe("completed");
  });

  it("a branch whose failure was collected is copied", () => {
    const kernel = startKernel({
      start: { tool: "start", parallel: ["a", "b"], join: "end", on_branch_error: "collect" },
      a: { tool: "a", retry: false, done: true },
      b: { tool: "b", done: true },
      end: { tool: "end", retry: false, done: true },
    });
    pass(kernel, "start");
    kernel.admitAll();
    kernel.fail("a");
    kernel.finish("b", "of b");
    kernel.admitAll();
    kernel.fail("end");
    const again = startAgain(kernel);
    expect(again.row("a")).toMatchObject({ status: "failed", arrived: true });
    expect(again.row("end").status).toBe("ready");
  });

  it("the outputs of paths that ended are taken over", () => {
    const kernel = startKernel(
      {
        start: { tool: "start", parallel: ["a", "b"] },
        a: { tool: "a", done: { output: "{{ input.x }}" } },
        b: { tool: "b", retry: false, done: true },
      },
      { input: { x: 5 } },
    );
    pass(kernel, "start");
    pass(kernel, "a");
    kernel.admitAll();
    kernel.fail("b");
    const again = startAgain(kernel);
    pass(again, "b", "late");
    expect(again.run().output).toEqual({ a: 5, b: "late" });
  });
});

describe("more of forks", () => {
  it("an inner fork with a common join comes back as the arrival of its branch", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "end" },
      a: { set: {}, parallel: ["a1", "a2"], join: "end" },
      a1: { tool: "a1", next: "end" },
      a2: { tool: "a2", next: "end" },
      b: { tool: "b", next: "end" },
      end: { tool: "end", retry: false, done: true },
    });
    for (const step of ["a1", "a2", "b"]) pass(kernel, step, step);
    kernel.admitAll();
    kernel.fail("end");
    const again = startAgain(kernel);
    expect(again.rows("end").map(({ status, visit }) => [status, visit])).toEqual([["ready", 1]]);
    expect(again.calls).toEqual([]);
    pass(again, "end");
    expect(again.run().status).toBe("completed");
  });

  it("a branch that was given up with its inner fork runs again, and so does what follows the join", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "end", on_branch_error: "collect" },
      a: { set: {}, parallel: ["a1", "a2"] },
      a1: { tool: "a1", retry: false, done: true },
      a2: { wait: "1h", done: true },
      b: { tool: "b", done: true },
      end: { tool: "end", retry: false, done: true },
    });
    kernel.admitAll();
    kernel.fail("a1");
    kernel.finish("b");
    kernel.admitAll();
    kernel.fail("end");
    const again = startAgain(kernel);
    expect(again.row("a1").status).toBe("ready");
    expect(again.row("a2").status).toBe("pending");
    expect(again.row("b").copiedFrom).not.toBe(null);
    expect(again.rows("end")).toEqual([]);
  });

  it("compensation goes back along the completions of both runs, also across branches", () => {
    const undo = (name: string): JsonObject => ({ compensate: { tool: name } });
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "end" },
      a: { tool: "a", ...undo("un-a"), next: "end" },
      b: { tool: "b", ...undo("un-b"), next: "b2" },
      b2: { tool: "b2", ...undo("un-b2"), next: "end" },
      end: { tool: "end", retry: false, done: true },
    });
    for (const step of ["b", "b2", "a", "end"]) pass(kernel, step);
    const again = startAgain(kernel, { how: "rerun", from: "end" });
    again.admitAll();
    again.fail("end");
    for (const step of ["a", "b2", "b"]) pass(again, step);
    expect(calledTools(again)).toEqual(["end", "un-a", "un-b2", "un-b"]);
  });
});

describe("loops", () => {
  const loop: Json = {
    start: { tool: "one", branch: [{ if: "result == 3", then: "last" }], else: "start" },
    last: { tool: "last", retry: false, done: true },
  };

  it("every visit that was done is copied as the visit it was", () => {
    const kernel = startKernel(loop);
    for (const turn of [1, 2, 3]) pass(kernel, "start", turn);
    kernel.admitAll();
    kernel.fail("last");
    const again = startAgain(kernel);
    expect(again.rows("start").map(({ visit, result, finishedNo }) => [visit, result, finishedNo])).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
    ]);
  });

  it("a step is rerun from its newest visit, or from the row that is named", () => {
    const kernel = startKernel(loop);
    for (const turn of [1, 2, 3]) pass(kernel, "start", turn);
    const copied = (from: number | string): number =>
      startAgain(kernel, { how: "rerun", from })
        .rows()
        .filter((row) => row.copiedFrom !== null).length;
    expect(copied("start")).toBe(2);
    expect(copied(kernel.rows("start")[1]?.id ?? 0)).toBe(1);
  });

  it("copied visits do not count as going in circles", () => {
    const kernel = startKernel(loop, { limits: { visits: 4 } });
    for (const turn of [1, 2, 2]) pass(kernel, "start", turn);
    kernel.admitAll();
    kernel.fail("start", { code: "x", message: "x" }, "final");
    const again = startAgain(kernel, {}, { limits: { visits: 2 } });
    pass(again, "start", 2);
    pass(again, "start", 2);
    expect(again.run().status).toBe("running");
    pass(again, "start", 2);
    expect(again.run().error?.code).toBe("step_limit");
  });
});
