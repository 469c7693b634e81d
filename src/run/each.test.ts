import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";
import type { Row } from "./model.ts";

function startEach(each: JsonObject, step: JsonObject = {}, options: KernelOptions = {}): Kernel {
  const work = { tool: "work", args: { item: "{{ item }}", index: "{{ index }}" }, retry: false, next: "after" };
  return startKernel(
    { start: { ...work, each: { items: "{{ input.list }}", ...each }, ...step }, after: { terminal: "success" } },
    { input: { list: ["a", "b", "c"] }, ...options },
  );
}

function items(kernel: Kernel): readonly Row[] {
  return kernel.rows("start").filter((row) => row.role === "item");
}

function parent(kernel: Kernel): Row | undefined {
  return kernel.rows("start").find((row) => row.role === "step");
}

/** The running call of the item answers. */
function answer(kernel: Kernel, index: number, result: Json): void {
  const row = items(kernel).findLast((item) => item.index === index);
  kernel.send({ kind: "done", row: row?.id ?? 0, token: row?.token ?? "", result, outcome: null });
}

function fail(kernel: Kernel, index: number): void {
  const row = items(kernel).findLast((item) => item.index === index);
  const error = { code: "broken", message: `item ${index}` };
  kernel.send({ kind: "failed", row: row?.id ?? 0, token: row?.token ?? "", error, isFinal: false });
}

describe("each", () => {
  it("runs once per item, with item and index and a key of its own", () => {
    const kernel = startEach({ concurrency: 5 });
    kernel.admitAll();
    expect(kernel.calls).toMatchObject([
      { args: { item: "a", index: 0 }, key: "run-uid:start:1:0" },
      { args: { item: "b", index: 1 }, key: "run-uid:start:1:1" },
      { args: { item: "c", index: 2 }, key: "run-uid:start:1:2" },
    ]);
    expect(items(kernel).every((row) => row.serves === parent(kernel)?.id)).toBe(true);
  });

  it("joins by itself, and its result is the list in the items' order", () => {
    const kernel = startEach({ concurrency: 5 });
    kernel.admitAll();
    for (const index of [2, 0, 1]) answer(kernel, index, `done ${index}`);
    expect(kernel.run()).toMatchObject({ status: "completed", output: ["done 0", "done 1", "done 2"] });
    expect(parent(kernel)).toMatchObject({ status: "done", outcome: "success", errors: null, open: null });
  });

  it("makes the rows of an item when it starts: as many as may run at once", () => {
    const kernel = startEach({ concurrency: 2 });
    kernel.admitAll();
    expect(items(kernel).map((row) => row.index)).toEqual([0, 1]);
    answer(kernel, 1, "b");
    expect(items(kernel).map((row) => row.index)).toEqual([0, 1, 2]);
    kernel.admitAll();
    answer(kernel, 2, "c");
    expect(parent(kernel)?.open).toMatchObject({ count: 3, started: 3, ended: 2 });
    answer(kernel, 0, "a");
    expect(kernel.run().output).toEqual(["a", "b", "c"]);
  });

  it("evaluates its items once, on entry", () => {
    const kernel = startEach({ items: "{{ [run.now, 1] }}", concurrency: 1 });
    kernel.admitAll();
    kernel.advance(1000);
    answer(kernel, 0, null);
    kernel.admitAll();
    const list = kernel.rows("start").find((row) => row.role === "items");
    expect(list).toMatchObject({ status: "done", result: [kernel.now() - 1000, 1] });
    expect(kernel.calls.at(-1)?.args).toEqual({ item: 1, index: 1 });
  });

  it("gives an empty list for an empty list, with the outcome empty", () => {
    const kernel = startEach(
      {},
      { outcome: "'asked'", routes: { empty: "after" }, next: "end" },
      { input: { list: [] } },
    );
    expect(parent(kernel)).toMatchObject({ status: "done", outcome: "empty", result: [], errors: null });
    expect(kernel.row("after").via).toBe("route:empty");
    expect(kernel.calls).toEqual([]);
  });

  it.each([
    ["no list", "text"],
    ["too long a list", [1, 2, 3, 4]],
  ])("fails with bad_items for %s", (_, list) => {
    const kernel = startEach({}, {}, { input: { list }, limits: { items: 3 } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "bad_items" } });
    expect(kernel.calls).toEqual([]);
  });

  it("may have items that are null", () => {
    const kernel = startEach({}, {}, { input: { list: [null] } });
    kernel.admitAll();
    expect(kernel.calls[0]?.args).toEqual({ item: null, index: 0 });
  });

  it("with result: none keeps no list", () => {
    const kernel = startEach({ result: "none", concurrency: 3 });
    kernel.admitAll();
    for (const index of [0, 1, 2]) answer(kernel, index, "big");
    expect(kernel.run()).toMatchObject({ status: "completed", output: null });
  });

  it("asks the outcome expression for the joined list", () => {
    const kernel = startEach(
      { concurrency: 3 },
      { outcome: "size(result) > 2 ? 'many' : 'few'", routes: { many: "after" }, next: "end" },
    );
    kernel.admitAll();
    for (const index of [0, 1, 2]) answer(kernel, index, index);
    expect(parent(kernel)?.outcome).toBe("many");
    expect(kernel.row("after").via).toBe("route:many");
  });
});

describe("an item that fails", () => {
  it("is tried again by itself, with the step's policy", () => {
    const kernel = startEach({ concurrency: 3 }, { retry: { attempts: 2, backoff: ["5s"] } });
    kernel.admitAll();
    fail(kernel, 1);
    kernel.advance(5000);
    kernel.admitAll();
    expect(kernel.calls).toHaveLength(4);
    expect(kernel.calls.at(-1)).toMatchObject({ args: { item: "b", index: 1 }, key: "run-uid:start:1:1" });
    for (const index of [0, 1, 2]) answer(kernel, index, index);
    expect(kernel.run().output).toEqual([0, 1, 2]);
  });

  it("fails the step and stops the others, unless they are collected", () => {
    const kernel = startEach({ concurrency: 2 }, { on_error: "after" });
    kernel.admitAll();
    fail(kernel, 0);
    expect(items(kernel).map((row) => row.status)).toEqual(["failed", "cancelled"]);
    expect(parent(kernel)).toMatchObject({ status: "failed", error: { code: "broken" }, open: null });
    expect(kernel.aborts).toHaveLength(1);
    expect(kernel.run().output).toEqual({ error: { code: "broken", message: "item 0" }, step: "start" });
  });

  it("collected is null in the list, with its error beside it, and the outcome is partial", () => {
    const kernel = startEach(
      { concurrency: 3, on_item_error: "collect" },
      { outcome: "'asked'", routes: { partial: "after" }, next: "end" },
    );
    kernel.admitAll();
    fail(kernel, 1);
    answer(kernel, 0, "A");
    answer(kernel, 2, "C");
    expect(parent(kernel)).toMatchObject({ status: "done", outcome: "partial", result: ["A", null, "C"] });
    expect(parent(kernel)?.errors).toEqual([{ index: 1, error: { code: "broken", message: "item 1" } }]);
    expect(kernel.row("after").via).toBe("route:partial");
  });

  it("collected keeps its error also where no list is kept", () => {
    const kernel = startEach({ concurrency: 3, on_item_error: "collect", result: "none" });
    kernel.admitAll();
    fail(kernel, 2);
    answer(kernel, 0, "A");
    answer(kernel, 1, "B");
    expect(parent(kernel)).toMatchObject({ outcome: "partial", result: null, errors: [{ index: 2 }] });
  });

  it("like all others makes the outcome error", () => {
    const kernel = startEach({ concurrency: 3, on_item_error: "collect" }, { on_error: "after" });
    kernel.admitAll();
    for (const index of [0, 1, 2]) fail(kernel, index);
    expect(parent(kernel)).toMatchObject({
      status: "failed",
      outcome: "error",
      error: { code: "all_items_failed" },
      result: [null, null, null],
    });
    expect(parent(kernel)?.errors).toHaveLength(3);
    expect(kernel.run().output).toMatchObject({ error: { code: "all_items_failed" } });
  });

  it("by its expression fails before any call of it", () => {
    const kernel = startEach({ concurrency: 3, on_item_error: "collect" }, { args: { n: "{{ 1 / index }}" } });
    kernel.admitAll();
    expect(kernel.calls).toHaveLength(2);
    answer(kernel, 1, 1);
    answer(kernel, 2, 2);
    expect(parent(kernel)).toMatchObject({
      outcome: "partial",
      errors: [{ index: 0, error: { code: "expression_error" } }],
    });
  });

  it("together with another one fails the step once", () => {
    const kernel = startEach({ concurrency: 2 }, { effect: "read", timeout: "10s", on_error: "after" });
    kernel.admitAll();
    kernel.advance(10_000);
    expect(items(kernel).map((row) => row.error?.code)).toEqual(["timeout", "timeout"]);
    expect(kernel.rows("after")).toHaveLength(1);
    expect(kernel.run().status).toBe("completed");
  });

  it("takes its probe with it when the others are stopped", () => {
    const kernel = startEach(
      { concurrency: 2 },
      { effect: "write", probe: { tool: "look", args: { item: "{{ item }}" } } },
    );
    kernel.admitAll();
    const [first] = items(kernel);
    kernel.send({ kind: "lost", row: first?.id ?? 0, token: first?.token ?? "", reason: "connection" });
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ tool: "look", args: { item: "a" }, key: "run-uid:start:1:0:probe" });
    fail(kernel, 1);
    expect(kernel.run()).toMatchObject({ status: "failed", live: 0 });
    expect(items(kernel)[0]).toMatchObject({ status: "cancelled", mayHaveHappened: true });
  });
});

describe("an item whose tool is out of order", () => {
  it.each([
    ["circuit_open", { on_circuit_open: "skip" }],
    ["tool_missing", { on_missing_tool: "skip" }],
  ] as const)("%s: is skipped, and is its own result", (verdict, step) => {
    const kernel = startEach({ concurrency: 3 }, step);
    const [first] = items(kernel);
    kernel.send({ kind: "admit", row: first?.id ?? 0, verdict });
    expect(items(kernel)[0]).toMatchObject({ status: "skipped", outcome: "skipped", result: "a" });
    kernel.admitAll();
    answer(kernel, 1, "B");
    answer(kernel, 2, "C");
    expect(kernel.run().output).toEqual(["a", "B", "C"]);
  });
});
