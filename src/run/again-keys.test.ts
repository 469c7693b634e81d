// Which keys a retry keeps.

import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { startAgain, startKernel, type Kernel } from "../testing/kernel.ts";

const chain: Json = {
  start: { tool: "one", next: "two" },
  two: { tool: "two", args: { got: "{{ steps.start.result }}" }, next: "three" },
  three: { tool: "three", retry: false, args: { got: "{{ previous }}" }, done: true },
};

/** One and two are done, three has failed. */
function failedChain(): Kernel {
  const kernel = startKernel(chain, { input: { order: 7 } });
  pass(kernel, "start", "first");
  pass(kernel, "two", "second");
  kernel.admitAll();
  kernel.fail("three");
  return kernel;
}

function pass(kernel: Kernel, step: string, result: Json = null): void {
  kernel.admitAll();
  kernel.finish(step, result);
}

function keysOf(kernel: Kernel): readonly string[] {
  return kernel.calls.map(({ key }) => key);
}

describe("keys", () => {
  it("a retry keeps the first run's keys", () => {
    const again = startAgain(failedChain());
    pass(again, "three");
    expect(keysOf(again)).toEqual(["run-uid:three:1"]);
  });

  it.each(["rerun", "fork"] as const)("a %s gets new keys throughout", (how) => {
    const again = startAgain(failedChain(), { how, from: "two" });
    pass(again, "two");
    pass(again, "three");
    expect(keysOf(again)).toEqual(["new-uid:two:1", "new-uid:three:1"]);
    expect(again.run().keys).toBe(null);
  });

  const undoable: JsonObject = {
    start: { tool: "book", compensate: { tool: "unbook" }, next: "note" },
    note: { tool: "note", next: "pay" },
    pay: { tool: "pay", retry: false, next: "thank" },
    thank: { tool: "thank", done: true },
  };

  /** Booked, noted, not paid: the booking is undone. */
  function undone(flow: Json = undoable): Kernel {
    const kernel = startKernel(flow, { input: { order: 7 } });
    pass(kernel, "start", "b-1");
    pass(kernel, "note");
    kernel.admitAll();
    kernel.fail("pay");
    pass(kernel, "start");
    return kernel;
  }

  it("steps that were compensated run again in a retry, with new keys; all others keep theirs", () => {
    const kernel = undone();
    expect(kernel.run().status).toBe("failed");
    const again = startAgain(kernel);
    for (const step of ["start", "note", "pay", "thank"]) pass(again, step);
    expect(keysOf(again)).toEqual(["new-uid:start:1", "run-uid:note:1", "run-uid:pay:1", "new-uid:thank:1"]);
  });

  it("a retry of a retry keeps the keys of both, and never one whose effect was undone", () => {
    const second = startAgain(undone());
    pass(second, "start", "b-2");
    pass(second, "note");
    second.admitAll();
    second.fail("pay");
    pass(second, "start");
    const third = startAgain(second, {}, { uid: "third" });
    for (const step of ["start", "note", "pay", "thank"]) pass(third, step);
    expect(keysOf(third)).toEqual(["third:start:1", "run-uid:note:1", "run-uid:pay:1", "third:thank:1"]);
  });

  it("what a retry did not come to is still known to the next one", () => {
    const second = startAgain(undone());
    second.admitAll();
    second.fail("start", { code: "x", message: "x" }, "final");
    const third = startAgain(second, {}, { uid: "third" });
    for (const step of ["start", "note", "pay"]) pass(third, step);
    expect(keysOf(third)).toEqual(["new-uid:start:1", "run-uid:note:1", "run-uid:pay:1"]);
  });

  it("a key that the author gives stays as it is given, unless its effect was undone", () => {
    const given: Json = {
      ...undoable,
      start: { tool: "book", idempotency_key: "b-{{ input.order }}", compensate: { tool: "unbook" }, next: "note" },
      pay: { tool: "pay", idempotency_key: "p-{{ input.order }}", retry: false, next: "thank" },
    };
    const again = startAgain(undone(given));
    for (const step of ["start", "note", "pay"]) pass(again, step);
    expect(keysOf(again)).toEqual(["b-7:new-uid", "run-uid:note:1", "p-7"]);
  });

  it("a visit that something else led to is another one and has a key of its own", () => {
    const flow: Json = {
      start: { tool: "a", retry: false, compensate: { tool: "undo" }, on_error: "alert", next: "b" },
      alert: { tool: "alert", next: "b" },
      b: { tool: "b", retry: false, on_error: "alert2", done: true },
      alert2: { tool: "alert2", next: "alert" },
    };
    const kernel = startKernel(flow);
    pass(kernel, "start");
    kernel.admitAll();
    kernel.fail("b");
    pass(kernel, "alert2");
    pass(kernel, "alert");
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    pass(kernel, "start");
    const again = startAgain(kernel);
    again.admitAll();
    again.fail("start");
    pass(again, "alert");
    expect(keysOf(again)).toEqual(["new-uid:start:1", "new-uid:alert:1"]);
  });

  it("what is copied and can be undone is undone in the new run, under the key by which it was done", () => {
    const kernel = startKernel(undoable);
    pass(kernel, "start", "b-1");
    pass(kernel, "note");
    pass(kernel, "pay");
    pass(kernel, "thank");
    const again = startAgain(kernel, { how: "fork", from: "pay" });
    again.admitAll();
    again.fail("pay");
    again.admitAll();
    expect(again.calls.map(({ tool, key }) => [tool, key])).toEqual([
      ["pay", "new-uid:pay:1"],
      ["unbook", "run-uid:start:1:undo"],
    ]);
  });

  it("an undoing that a person let go by has undone nothing: its row is copied", () => {
    const kernel = startKernel(undoable);
    pass(kernel, "start", "b-1");
    pass(kernel, "note");
    kernel.admitAll();
    kernel.fail("pay");
    kernel.admitAll();
    kernel.fail("start", { code: "x", message: "x" }, "final");
    kernel.send({ kind: "skip", row: kernel.rows("start").at(-1)?.id ?? 0, by: "bob" });
    expect(kernel.run().status).toBe("failed");
    expect(startAgain(kernel).row("start")).toMatchObject({ status: "done", result: "b-1" });
  });
});
