import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";
import type { Reply } from "./decision.ts";
import type { ResolveMessage } from "./message.ts";

/** A write whose answer was lost, with another branch beside it. */
function startLost(step: JsonObject = {}, reason: "crash" | "connection" = "connection"): Kernel {
  const kernel = startKernel({
    start: { set: {}, parallel: ["pay", "other"], join: "meet" },
    pay: { tool: "pay", args: { n: 1 }, effect: "write", ...step },
    other: { tool: "work" },
    meet: { terminal: "success" },
  });
  kernel.admitAll();
  kernel.lose("pay", reason);
  kernel.admitAll();
  return kernel;
}

const probe = { probe: { tool: "look", args: { order: "{{ input.order ?? 'A7' }}" } } };

function resolve(
  kernel: Kernel,
  how: ResolveMessage["how"],
  result: Json = null,
  row: number = kernel.row("pay").id,
): Reply {
  return kernel.send({ kind: "resolve", row, by: "bob", how, result });
}

describe("a row for which no branch was found", () => {
  function startHeld(): Kernel {
    return startKernel({
      start: { set: { n: 1 }, branch: [{ if: "result.n > 5", then: "high" }] },
      high: { name: "top", tool: "work" },
    });
  }

  const choose = (kernel: Kernel, step: string | null): Reply =>
    kernel.send({ kind: "choose", row: kernel.row("start").id, step, by: "bob" });

  it.each(["high", "top"])("goes on to the step that a person names: %s", (step) => {
    const kernel = startHeld();
    expect(choose(kernel, step).kind).toBe("ok");
    expect(kernel.row("high")).toMatchObject({ status: "ready", via: "chosen", causedBy: kernel.row("start").id });
    expect(kernel.run().attention).toBeNull();
    expect(kernel.eventsOf("chosen")).toMatchObject([{ by: "bob", data: { step: "high" } }]);
  });

  it("ends its path when a person says so", () => {
    const kernel = startHeld();
    choose(kernel, null);
    expect(kernel.run()).toMatchObject({ status: "completed", output: { n: 1 } });
  });

  it("goes nowhere for a step that the flow does not have", () => {
    const kernel = startHeld();
    expect(codeOf(choose(kernel, "nowhere"))).toBe("unknown_step");
    expect(codeOf(choose(kernel, "__proto__"))).toBe("unknown_step");
    expect(kernel.rows()).toHaveLength(1);
    expect(kernel.run().attention?.code).toBe("no_branch_matched");
  });

  it("in a fork may be sent to its join, which is its arrival", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 1 }, branch: [{ if: "result.n > 5", then: "meet" }] },
      b: { tool: "work", join: "meet" },
      meet: { terminal: "success" },
    });
    kernel.admitAll();
    kernel.send({ kind: "choose", row: kernel.row("a").id, step: "meet", by: "bob" });
    kernel.finish("b", "B");
    expect(kernel.run().output).toEqual({ a: { n: 1 }, b: "B" });
  });
});

describe("the attention of a run", () => {
  it("stays with its first cause until that is gone, and then goes to the next", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c"] },
      a: { tool: "pay" },
      b: { set: { n: 1 }, branch: [{ if: "result.n > 5", then: "a" }] },
      c: { tool: "pay", ...probe },
    });
    const held = kernel.row("b").id;
    expect(kernel.run().attention).toMatchObject({ code: "no_branch_matched", row: held });
    kernel.admitAll();
    kernel.lose("c", "connection");
    kernel.lose("a", "connection");
    expect(kernel.run().attention?.row).toBe(held);
    kernel.send({ kind: "choose", row: held, step: null, by: "bob" });
    expect(kernel.run().attention).toMatchObject({ code: "uncertain", row: kernel.row("a").id });
    resolve(kernel, "done", 1, kernel.row("a").id);
    // The probe of the last one is still at work.
    expect(kernel.run().attention).toBeNull();
  });

  it("that concerns the run as a whole stays", () => {
    const kernel = startLost();
    kernel.frontier.run = { ...kernel.run(), attention: { code: "poison", row: null, value: "batch" } };
    resolve(kernel, "done");
    expect(kernel.run().attention).toMatchObject({ code: "poison", row: null });
  });
});
