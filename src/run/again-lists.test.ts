// What the new run takes over of steps over a list and of machines.

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

function keysOf(kernel: Kernel): readonly string[] {
  return kernel.calls.map(({ key }) => key);
}

describe("steps over a list", () => {
  const each: JsonObject = {
    start: {
      tool: "one",
      each: { items: "{{ input.list }}", concurrency: 2, on_item_error: "fail" },
      retry: false,
      next: "last",
    },
    last: { tool: "last", retry: false, done: true },
  };
  const list = ["a", "b", "c", "d", "e"];

  it("one that is done as a whole is copied without its items", () => {
    const kernel = startKernel(each, { input: { list } });
    for (const item of list) pass(kernel, "start", item);
    kernel.admitAll();
    kernel.fail("last");
    const again = startAgain(kernel);
    expect(again.rows().map(({ role, result }) => [role, result])).toEqual([
      ["step", list],
      ["step", null],
    ]);
  });

  it("one that was under way copies the items that are done, by index, and calls only the others", () => {
    const kernel = startKernel(each, { input: { list } });
    pass(kernel, "start", "A");
    pass(kernel, "start", "B");
    kernel.admitAll();
    kernel.fail("start");
    const again = startAgain(kernel);
    expect(again.row("start").open).toMatchObject({ started: 4, ended: 2, copied: [] });
    for (const item of ["C", "D", "E"]) pass(again, "start", item);
    expect(keysOf(again)).toEqual(["run-uid:start:1:2", "run-uid:start:1:3", "run-uid:start:1:4"]);
    expect(again.row("start")).toMatchObject({ status: "done", result: ["A", "B", "C", "D", "E"] });
  });

  it("copied items behind one that runs again are passed by later", () => {
    const kernel = startKernel(
      {
        ...each,
        start: {
          tool: "one",
          each: { items: "{{ input.list }}", concurrency: 1, on_item_error: "collect" },
          retry: false,
          next: "last",
        },
      },
      { input: { list } },
    );
    kernel.admitAll();
    kernel.fail("start");
    kernel.admitAll();
    kernel.fail("start");
    pass(kernel, "start", "C");
    pass(kernel, "start", "D");
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    const again = startAgain(kernel);
    expect(again.row("start").open).toMatchObject({ started: 1, ended: 0, copied: [[2, 4]] });
    for (const item of ["A", "B", "E"]) pass(again, "start", item);
    expect(again.calls.map(({ key }) => key.slice(-1))).toEqual(["0", "1", "4"]);
    expect(again.row("start").result).toEqual(["A", "B", "C", "D", "E"]);
  });

  it("items that were undone run again under new keys, and the others are copied", () => {
    const flow: Json = {
      start: { tool: "one", each: { items: "{{ input.list }}" }, compensate: { tool: "undo" }, next: "last" },
      last: { tool: "last", retry: false, done: true },
    };
    const kernel = startKernel(flow, { input: { list: ["a", "b"] } });
    kernel.admitAll();
    kernel.finish("start", "A");
    kernel.finish("start", "B");
    kernel.admitAll();
    kernel.fail("last");
    pass(kernel, "start");
    kernel.admitAll();
    kernel.fail("start", { code: "x", message: "x" }, "final");
    kernel.send({ kind: "skip", row: kernel.rows("start").at(-1)?.id ?? 0, by: "bob" });
    const again = startAgain(kernel);
    pass(again, "start", "B2");
    expect(keysOf(again)).toEqual(["new-uid:start:1:1"]);
    expect(again.row("start").result).toEqual(["A", "B2"]);
  });

  it("items of a done each that can be undone are copied for that", () => {
    const flow: Json = {
      start: {
        tool: "one",
        each: { items: "{{ input.list }}" },
        compensate: { tool: "undo", args: { item: "{{ item }}" } },
        next: "last",
      },
      last: { tool: "last", retry: false, done: true },
    };
    const kernel = startKernel(flow, { input: { list: ["a", "b"] } });
    kernel.admitAll();
    kernel.finish("start", "A");
    kernel.finish("start", "B");
    pass(kernel, "last");
    const again = startAgain(kernel, { how: "rerun", from: "last" });
    again.admitAll();
    again.fail("last");
    pass(again, "start");
    pass(again, "start");
    expect(again.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ["last", {}],
      ["undo", { item: "b" }],
      ["undo", { item: "a" }],
    ]);
  });

  it("one whose items are all done and that failed all the same is over at once", () => {
    const kernel = startKernel({ start: { tool: "one", each: { items: ["a"] }, outcome: "1 / 0", done: true } }, {});
    pass(kernel, "start", "A");
    expect(kernel.run().status).toBe("failed");
    const again = startAgain(kernel);
    expect(again.calls).toEqual([]);
    expect(again.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
  });

  it("a rerun from the step itself begins all items anew", () => {
    const kernel = startKernel(each, { input: { list } });
    for (const item of list) pass(kernel, "start", item);
    const again = startAgain(kernel, {
      how: "rerun",
      from: kernel.rows("start").find(({ role }) => role === "item")?.id ?? 0,
      input: { list: ["x"] },
    });
    pass(again, "start", "X");
    expect(again.row("start").result).toEqual(["X"]);
  });

  it("over sub-flows starts only the children that are missing", () => {
    const flow: Json = {
      start: { flow: "other", each: { items: "{{ input.list }}", concurrency: 2 }, retry: false, done: true },
    };
    const kernel = startKernel(flow, { input: { list: ["a", "b"] }, flowOf: () => "one" });
    const items = kernel.rows("start").filter(({ role }) => role === "item");
    const end = (at: number, status: "completed" | "failed"): void =>
      void kernel.send({
        kind: "child",
        row: items[at]?.id ?? 0,
        child: items[at]?.childRun ?? 0,
        status,
        output: "A",
        error: null,
      });
    end(0, "completed");
    end(1, "failed");
    const again = startAgain(kernel, {}, { limits: { instant: 0 }, flowOf: () => "two" });
    // The new run enters the step anew, and tells in which version what it took over was done.
    expect(again.sends.map(({ workflow }) => workflow?.flow)).toEqual(["two"]);
    expect(again.rows("start").map(({ role, childFlow }) => [role, childFlow])).toEqual([
      ["step", "two"],
      ["items", null],
      ["item", "one"],
      ["item", "two"],
    ]);
  });
});

describe("machines", () => {
  const machine: Json = {
    format: "stepwell/v1",
    name: "machine",
    states: {
      open: { initial: true },
      checked: {},
      stuck: {},
      done: { terminal: "success" },
      lost: { terminal: "failure" },
    },
    transitions: [
      {
        name: "check",
        from: "open",
        to: "checked",
        action: { tool: "check", retry: { attempts: 2, backoff: ["1m"] }, compensate: { tool: "uncheck" } },
      },
      { name: "skip", from: "open", to: "checked" },
      { name: "approve", from: "checked", to: "done", action: { tool: "approve", retry: false }, on_error: "stuck" },
      { name: "force", from: "stuck", to: "done" },
      { name: "give_up", from: ["checked", "stuck"], to: "lost" },
    ],
  };

  it("a retry of a machine copies its moves, its data and its actions, and waits where the bad transition was fired", () => {
    const kernel = startKernel(machine, { input: { a: 1 } });
    kernel.fire("skip", { data: { b: 2 } });
    kernel.admitAll();
    kernel.fire("approve");
    kernel.admitAll();
    kernel.fail("checked/approve");
    expect(kernel.row("stuck").status).toBe("pending");
    kernel.fire("give_up", { data: { c: 3 } });
    expect(kernel.run().status).toBe("failed");
    const again = startAgain(kernel);
    expect(again.run()).toMatchObject({ status: "running", data: { a: 1, b: 2 } });
    expect(again.row("stuck").status).toBe("pending");
    expect(again.calls).toEqual([]);
    again.fire("force");
    expect(again.run()).toMatchObject({ status: "completed", output: { a: 1, b: 2 } });
  });

  it("a state whose action was undone waits to be fired again", () => {
    const kernel = startKernel(machine);
    kernel.fire("check");
    pass(kernel, "open/check", "ok");
    kernel.fire("give_up");
    pass(kernel, "open/check");
    expect(kernel.run().status).toBe("failed");
    expect(startAgain(kernel).row("open").status).toBe("pending");
  });

  it("a fork from a state copies the actions before it, undoable as they were", () => {
    const kernel = startKernel(machine);
    kernel.fire("check");
    pass(kernel, "open/check", "ok");
    const again = startAgain(kernel, { how: "fork", from: "checked" });
    expect(again.row("checked").status).toBe("pending");
    again.fire("give_up");
    again.admitAll();
    expect(calledTools(again)).toEqual(["uncheck"]);
  });

  it("an action that failed and one that was done are both taken over, and the run has moved once", () => {
    const kernel = startKernel(machine);
    kernel.fire("check");
    kernel.admitAll();
    kernel.fail("open/check", { code: "x", message: "x" }, "final");
    kernel.fire("check", { data: { n: 1 } });
    kernel.admitAll();
    kernel.fail("open/check");
    kernel.advance(600_000);
    pass(kernel, "open/check", "ok");
    const again = startAgain(kernel, { how: "rerun", from: "checked" });
    expect(again.rows("open/check").map(({ status, visit }) => [status, visit])).toEqual([
      ["failed", 1],
      ["done", 2],
    ]);
    expect(again.row("checked")).toMatchObject({ status: "pending", causedBy: again.rows("open/check")[1]?.id });
    expect(again.rows("open/check").map(({ via }) => via)).toEqual(["fire:check", "fire:check"]);
    expect(again.run().data).toEqual({ n: 1 });
    again.fire("approve");
    again.admitAll();
    expect(keysOf(again)).toEqual(["new-uid:checked/approve:1"]);
  });

  it("an action that was under way is fired again by whoever wants it", () => {
    const kernel = startKernel(machine);
    kernel.fire("skip");
    kernel.fire("approve");
    const again = startAgain(kernel, { how: "rerun", from: "checked" });
    expect(again.row("checked")).toMatchObject({ status: "pending", firing: null });
    expect(again.rows("checked/approve")).toEqual([]);
  });

  it("an action is part of the state it was fired in", () => {
    const kernel = startKernel(machine);
    kernel.fire("check");
    pass(kernel, "open/check", "ok");
    const action = kernel.rows().find(({ firing }) => firing !== null);
    expect(startAgain(kernel, { how: "rerun", from: action?.id ?? 0 }).row("open").status).toBe("pending");
  });
});
