import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { startKernel, type Kernel } from "../testing/kernel.ts";

const tool = (next: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...next });

function statuses(kernel: Kernel, ...steps: string[]): readonly string[] {
  return steps.map((step) => kernel.row(step).status);
}

describe("a fork", () => {
  const flow = {
    start: tool({ parallel: ["a", "b", "c"] }),
    a: tool({ join: "meet" }),
    b: tool({ join: "meet" }),
    c: tool({ join: "meet" }),
    meet: tool({ args: { got: "{{ previous }}" }, done: true }),
  };

  it("E0-17: creates all branches at once, all ready, with the forking step's result as previous", () => {
    const kernel = startKernel({ ...flow, a: tool({ args: { x: "{{ previous }}" }, join: "meet" }) });
    kernel.admitAll();
    kernel.finish("start", 7);
    expect(statuses(kernel, "a", "b", "c")).toEqual(["ready", "ready", "ready"]);
    expect(kernel.row("start")).toMatchObject({ status: "done", open: { kind: "fork", open: 3, arrived: 0 } });
    expect(kernel.row("a")).toMatchObject({ args: { x: 7 }, via: "fork", causedBy: kernel.row("start").id });
  });

  it("E0-18, E1-08: runs them concurrently, and creates the join once, when the last one is done", () => {
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    expect(statuses(kernel, "a", "b", "c")).toEqual(["running", "running", "running"]);
    kernel.finish("b", "B");
    kernel.finish("a", "A");
    expect(kernel.rows("meet")).toEqual([]);
    expect(kernel.row("start").open).toMatchObject({ open: 1, arrived: 2 });
    kernel.finish("c", "C");
    expect(kernel.rows("meet")).toHaveLength(1);
    expect(kernel.row("meet")).toMatchObject({
      status: "ready",
      via: "join",
      args: { got: { a: "A", b: "B", c: "C" } },
    });
  });

  it("E0-41: is judged from stored rows: a frontier read anew gives the same join", () => {
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.finish("a", "A");
    // As after a restart: nothing is kept but what the rows say.
    const live = [...kernel.history.values()].filter((row) => kernel.frontier.rows.has(row.id));
    kernel.frontier.rows.clear();
    for (const row of live) kernel.frontier.rows.set(row.id, structuredClone(row));
    kernel.finish("b", "B");
    expect(kernel.rows("meet")).toEqual([]);
    kernel.finish("c", "C");
    expect(kernel.row("meet").args).toEqual({ got: { a: "A", b: "B", c: "C" } });
  });

  it("gives each branch's last result, whatever the length of the branch", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 1 }, next: "a2" },
      a2: { set: { n: 2 }, join: "meet" },
      b: { set: { n: 3 }, join: "meet" },
      meet: { terminal: "success" },
    });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { a: { n: 2 }, b: { n: 3 } } });
  });

  it("without a join lets each branch end by itself, and a shared step run once in each", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 1 }, next: "shared" },
      b: { set: { n: 2 }, next: "shared" },
      shared: { set: { was: "{{ previous.n }}" }, done: true },
    });
    expect(kernel.rows("shared").map((row) => row.visit)).toEqual([1, 2]);
    expect(kernel.run().output).toEqual({ shared: [{ was: 1 }, { was: 2 }] });
  });

  it("that is skipped by a route of the forking step opens nothing", () => {
    const kernel = startKernel({
      start: tool({ outcome: "result", routes: { empty: "end" }, parallel: ["a", "b"], join: "meet" }),
      a: tool(),
      b: tool(),
      meet: tool(),
    });
    kernel.admitAll();
    kernel.finish("start", "empty");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "empty", endedCount: 1 });
  });
});

describe("a join on the forking step", () => {
  it("lets every branch arrive that ends without failure, with what it gives", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c"], join: "meet" },
      a: { set: { n: 1 } },
      b: { set: { n: 2 }, done: { kind: "success", output: "given" } },
      c: { set: { n: 3 }, next: "end" },
      meet: { terminal: "success" },
    });
    expect(kernel.run().output).toEqual({ a: { n: 1 }, b: "given", c: { n: 3 } });
    expect(kernel.run().endedCount).toBe(1);
  });

  it("waits for the branches of inner forks that have no join of their own", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "meet" },
      a: { set: {}, parallel: ["x", "y"] },
      x: { set: { n: 1 } },
      y: { set: { n: 2 } },
      b: { set: { n: 3 } },
      meet: { terminal: "success" },
    });
    expect(kernel.run().output).toEqual({ a: { x: { n: 1 }, y: { n: 2 } }, b: { n: 3 } });
  });
});

describe("a join on the branches", () => {
  const flow = (first: JsonObject, second: JsonObject): JsonObject => ({
    start: { set: {}, parallel: ["a", "b"] },
    a: { set: { n: 1 }, ...first },
    b: { set: { n: 2 }, ...second },
    meet: { terminal: "success" },
  });

  it("is created if at least one branch arrived; the other gives its own output", () => {
    const kernel = startKernel(flow({ join: "meet" }, { branch: [{ if: "result.n > 1", then: "end" }], else: "meet" }));
    expect(kernel.run().output).toEqual({ b: { n: 2 }, meet: { a: { n: 1 } } });
  });

  it("is not created when none arrived", () => {
    const leave = { branch: [{ if: "result.n > 0", then: "end" }], else: "meet" };
    const kernel = startKernel(flow({ ...leave }, { routes: { none: "meet" }, join: "meet", outcome: "'success'" }));
    expect(kernel.rows("meet")).toHaveLength(1);
    const nobody = startKernel({
      ...flow({ ...leave }, { ...leave }),
      start: { set: {}, parallel: ["a", "b", "c"] },
      c: { set: { n: 0 }, join: "meet", outcome: "'other'", routes: { other: "end" } },
    });
    expect(nobody.rows("meet")).toEqual([]);
    expect(nobody.run()).toMatchObject({ status: "completed", output: { a: { n: 1 }, b: { n: 2 }, c: { n: 0 } } });
  });

  it("is reached by any transition: next, a condition, a route, an error route", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c", "d"] },
      a: { set: { n: 1 }, join: "meet" },
      b: { set: { n: 2 }, branch: [{ if: "true", then: "meet" }], else: "end" },
      c: { set: { n: 3 }, outcome: "'good'", routes: { good: "meet" } },
      d: tool({ join: "meet", on_error: "meet" }),
      meet: { terminal: "success" },
    });
    kernel.admitAll();
    kernel.fail("d");
    expect(kernel.rows("meet")).toHaveLength(1);
    expect(kernel.run().output).toMatchObject({
      a: { n: 1 },
      b: { n: 2 },
      c: { n: 3 },
      d: { error: { code: "broken" } },
    });
  });

  it("outside any fork acts as next", () => {
    const kernel = startKernel({ start: { set: { n: 1 }, join: "meet" }, meet: { terminal: "success" } });
    expect(kernel.run().output).toEqual({ n: 1 });
  });
});

describe("nested forks", () => {
  const inner = {
    a: { set: {}, parallel: ["x", "y"] },
    x: tool({ join: "inner" }),
    y: tool({ join: "inner" }),
  };

  it("join inside out: the inner join is a step of the outer branch", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      ...inner,
      inner: { set: { got: "{{ previous }}" }, join: "outer" },
      b: { set: { n: 3 }, join: "outer" },
      outer: { terminal: "success" },
    });
    kernel.admitAll();
    kernel.finish("x", 1);
    kernel.finish("y", 2);
    expect(kernel.rows("outer")).toHaveLength(1);
    expect(kernel.run().output).toEqual({ a: { got: { x: 1, y: 2 } }, b: { n: 3 } });
  });

  it("with a common join: closing the inner fork is the arrival of its branch, and the join runs once", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: {}, parallel: ["x", "y"] },
      x: tool({ join: "meet" }),
      y: tool({ join: "meet" }),
      b: tool({ join: "meet" }),
      meet: { terminal: "success" },
    });
    kernel.admitAll();
    kernel.finish("y", 2);
    kernel.finish("b", 3);
    expect(kernel.rows("meet")).toEqual([]);
    kernel.finish("x", 1);
    expect(kernel.rows("meet")).toHaveLength(1);
    expect(kernel.run().output).toEqual({ a: { x: 1, y: 2 }, b: 3 });
  });

  it("leave an arrival by a route to the forking step that left its own fork closed as it is", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 1 }, outcome: "'none'", routes: { none: "meet" }, parallel: ["x", "y"] },
      x: tool({ join: "meet" }),
      y: tool({ join: "meet" }),
      b: { set: { n: 3 }, join: "meet" },
      meet: { terminal: "success" },
    });
    expect(kernel.run().output).toEqual({ a: { n: 1 }, b: { n: 3 } });
  });
});
