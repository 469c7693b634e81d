import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";
import type { Row } from "./model.ts";

const minute = 60_000;
const tool = (step: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...step });
const undo = (name: string): JsonObject => ({ compensate: { tool: name, args: { of: "{{ result }}" } } });

/** The newest undoing of the step. */
function undoingOf(kernel: Kernel, step: string): Row {
  const row = kernel.rows(step).findLast((one) => one.role === "undo");
  if (row === undefined) throw new Error(`nothing undoes "${step}"`);
  return row;
}

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

describe("compensation", () => {
  const flow = {
    start: tool({ ...undo("unstart"), next: "second" }),
    second: tool({ ...undo("unsecond"), next: "third" }),
    third: tool({ ...undo("unthird"), next: "end" }),
  };

  function failThird(changes: JsonObject = {}): Kernel {
    const kernel = startKernel({ ...flow, ...changes });
    for (const step of ["start", "second"]) {
      kernel.admitAll();
      kernel.finish(step, step);
    }
    kernel.admitAll();
    kernel.fail("third");
    return kernel;
  }

  it("undoes what is done, one at a time, newest completion first, and not what failed", () => {
    const kernel = failThird();
    expect(kernel.run()).toMatchObject({ status: "running", ending: { kind: "failure", phase: "undo" } });
    expect(kernel.rows().filter((row) => row.role === "undo")).toHaveLength(1);
    expect(undoAll(kernel)).toEqual([
      ["unsecond", { of: "second" }],
      ["unstart", { of: "start" }],
    ]);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "broken" } });
    expect(kernel.calls.at(-1)?.key).toBe("run-uid:start:1:undo");
    expect([...kernel.history.values()].some((row) => row.isUndoable)).toBe(false);
  });

  it("follows the order of completion, not of the steps", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c"] },
      a: tool({ ...undo("una") }),
      b: tool({ ...undo("unb") }),
      c: tool(),
    });
    kernel.admitAll();
    kernel.finish("b", "B");
    kernel.finish("a", "A");
    kernel.fail("c");
    expect(undoAll(kernel)).toEqual([
      ["una", { of: "A" }],
      ["unb", { of: "B" }],
    ]);
  });

  it("undoes each visit of a loop and each item of an each by itself, and never the each as a whole", () => {
    const kernel = startKernel(
      {
        start: tool({
          args: { n: "{{ item }}" },
          each: { items: "{{ input.list }}", concurrency: 2 },
          compensate: { tool: "unitem", args: { item: "{{ item }}", index: "{{ index }}", of: "{{ result }}" } },
          next: "loop",
        }),
        loop: tool({ ...undo("unloop"), branch: [{ if: "steps.loop.visits < 2", then: "loop" }], else: "last" }),
        last: tool(),
      },
      { input: { list: ["x", "y"] } },
    );
    kernel.admitAll();
    kernel.finish("start", "X");
    kernel.finish("start", "Y");
    for (const visit of [1, 2]) {
      kernel.admitAll();
      kernel.finish("loop", visit);
    }
    kernel.admitAll();
    kernel.fail("last");
    expect(undoAll(kernel)).toEqual([
      ["unloop", { of: 2 }],
      ["unloop", { of: 1 }],
      ["unitem", { item: "y", index: 1, of: "Y" }],
      ["unitem", { item: "x", index: 0, of: "X" }],
    ]);
    expect(kernel.calls.slice(-2).map((call) => call.key)).toEqual([
      "run-uid:start:1:1:undo",
      "run-uid:start:1:0:undo",
    ]);
  });

  it("undoes an item that needed a second try", () => {
    const each = { each: { items: "{{ ['x'] }}" }, compensate: { tool: "unitem", args: { item: "{{ item }}" } } };
    const kernel = startKernel({
      start: tool({ ...each, retry: { attempts: 2, backoff: ["1m"] }, next: "last" }),
      last: tool(),
    });
    kernel.admitAll();
    kernel.fail("start");
    kernel.advance(minute);
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("last");
    expect(undoAll(kernel)).toEqual([["unitem", { item: "x" }]]);
  });

  it("undoes a write that was cut off, with no result, and no read", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c"] },
      a: tool({ effect: "write", ...undo("una") }),
      b: tool({ effect: "read", ...undo("unb") }),
      c: tool(),
    });
    kernel.admitAll();
    kernel.fail("c");
    expect(kernel.row("b")).toMatchObject({ status: "cancelled", mayHaveHappened: false });
    expect(undoAll(kernel)).toEqual([["una", { of: null }]]);
  });

  it("does nothing for a run that ends well", () => {
    const kernel = startKernel({ start: tool({ ...undo("unstart"), done: true }) });
    kernel.admitAll();
    kernel.finish("start");
    expect(kernel.run().status).toBe("completed");
    expect(kernel.calls).toHaveLength(1);
  });

  it("undoes a call whose outcome could not be named: it was made", () => {
    const kernel = startKernel({ start: tool({ ...undo("unstart"), outcome: "1 / 0", done: true }) });
    kernel.admitAll();
    kernel.finish("start", "S");
    expect(undoAll(kernel)).toEqual([["unstart", { of: "S" }]]);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
  });

  it("is tried again like any call", () => {
    const kernel = failThird({
      second: { ...tool({ ...undo("unsecond"), next: "third" }), retry: { attempts: 2, backoff: ["1m"] } },
    });
    kernel.admitAll();
    kernel.fail("second");
    expect(undoingOf(kernel, "second")).toMatchObject({ role: "undo", status: "pending", attempt: 2 });
    kernel.advance(minute);
    expect(undoAll(kernel).map((call) => (Array.isArray(call) ? call[0] : null))).toEqual(["unsecond", "unstart"]);
    expect(kernel.run().status).toBe("failed");
  });

  it("that fails for good holds the run, until a person tries it again", () => {
    const kernel = failThird();
    kernel.admitAll();
    kernel.fail("second");
    const held = undoingOf(kernel, "second");
    expect(held).toMatchObject({ role: "undo", status: "failed", isHeld: true });
    expect(kernel.run().attention).toEqual({
      code: "compensation_failed",
      row: held.id,
      value: { code: "broken", message: "The tool is broken." },
    });
    expect(kernel.send({ kind: "resolve", row: held.id, by: "bob", how: "retry", result: null }).kind).toBe("ok");
    expect(kernel.run().attention).toBeNull();
    expect(kernel.eventsOf("resolved")).toMatchObject([{ by: "bob", row: held.id, data: { how: "retry" } }]);
    expect(undoingOf(kernel, "second")).toMatchObject({ status: "ready", attempt: 2, via: "resolve", key: held.key });
    expect(undoAll(kernel)).toHaveLength(2);
    expect(kernel.run().status).toBe("failed");
  });

  it.each([
    ["skips it", { kind: "skip", by: "bob" }, "skipped"],
    ["has done it by hand", { kind: "resolve", by: "bob", how: "done", result: "by hand" }, "done"],
  ] as const)("that fails for good goes by when a person %s", (_, message, status) => {
    const kernel = failThird();
    kernel.admitAll();
    kernel.fail("second");
    const held = undoingOf(kernel, "second").id;
    kernel.send({ ...message, row: held });
    expect(kernel.history.get(held)).toMatchObject({ status, isHeld: false });
    expect(kernel.rows("second")[0]?.isUndoable).toBe(false);
    expect(undoAll(kernel)).toEqual([["unstart", { of: "start" }]]);
    expect(kernel.run()).toMatchObject({ status: "failed", attention: null });
  });

  it("whose arguments cannot be computed holds the run, and trying again is refused", () => {
    const kernel = failThird({
      second: tool({ compensate: { tool: "unsecond", args: { n: "{{ 1 / 0 }}" } }, next: "third" }),
    });
    const held = undoingOf(kernel, "second");
    expect(kernel.run().attention).toMatchObject({ code: "compensation_failed", row: held.id });
    expect(codeOf(kernel.send({ kind: "resolve", row: held.id, by: "bob", how: "retry", result: null }))).toBe(
      "cannot_retry",
    );
    kernel.send({ kind: "skip", row: held.id, by: "bob" });
    expect(undoAll(kernel)).toHaveLength(1);
  });

  it("sees what its step saw", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 7 }, next: "a2" },
      a2: tool({ compensate: { tool: "una2", args: { n: "{{ steps.a.result.n }}", previous: "{{ previous.n }}" } } }),
      b: tool(),
    });
    kernel.admitAll();
    kernel.finish("a2");
    kernel.fail("b");
    expect(undoAll(kernel)).toEqual([["una2", { n: 7, previous: 7 }]]);
  });
});

describe("a write of which one try may have happened", () => {
  const write = {
    start: {
      tool: "w",
      effect: "write",
      on_unknown: "retry",
      retry: { attempts: 2 },
      compensate: { tool: "undo", args: {} },
      next: "last",
    },
    last: { tool: "x", retry: false, done: true },
  };

  it("is undone when the run is cancelled before the next try", () => {
    const kernel = startKernel(write);
    kernel.admitAll();
    kernel.lose("start", "connection");
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    kernel.admitAll();
    expect(kernel.calls.map((call) => call.tool)).toEqual(["w", "undo"]);
  });

  it("is undone when the next try fails in a way that is known", () => {
    const kernel = startKernel(write);
    kernel.admitAll();
    kernel.lose("start", "connection");
    kernel.advance(5000);
    kernel.admitAll();
    kernel.fail("start", { code: "refused", message: "no" });
    kernel.admitAll();
    expect(kernel.calls.map((call) => call.tool)).toEqual(["w", "w", "undo"]);
  });

  it("is undone once when the next try succeeds and the run fails later", () => {
    const kernel = startKernel(write);
    kernel.admitAll();
    kernel.lose("start", "connection");
    kernel.advance(5000);
    kernel.admitAll();
    kernel.finish("start", { id: 7 });
    kernel.admitAll();
    kernel.fail("last", { code: "refused", message: "no" });
    kernel.admitAll();
    kernel.finish("start");
    expect(kernel.calls.map((call) => call.tool)).toEqual(["w", "w", "x", "undo"]);
    expect(kernel.run().status).toBe("failed");
  });
});

it("what a machine does on its way to an end of kind cancel is not undone by that end", () => {
  const kernel = startKernel({
    format: "stepwell/v1",
    name: "m",
    states: { a: { initial: true }, done: { terminal: "success" }, off: { terminal: "cancel" } },
    transitions: [
      { name: "go", from: "a", to: "done" },
      {
        name: "stop",
        from: "a",
        to: "off",
        action: { tool: "release", args: {} },
        compensate: { tool: "undo", args: {} },
      },
    ],
  });
  kernel.send({ kind: "cancel", by: "ann", reason: null });
  kernel.admitAll();
  kernel.finish("a/stop");
  kernel.admitAll();
  expect(kernel.calls.map((call) => call.tool)).toEqual(["release"]);
  expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
});
