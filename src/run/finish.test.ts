import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";

/** One call, then another. */
function startCall(step: JsonObject = {}, options: KernelOptions = {}): Kernel {
  const flow = {
    start: { tool: "pay", next: "after", ...step },
    after: { tool: "log", args: { got: "{{ previous }}" }, done: true },
  };
  return startKernel(flow, options);
}

describe("the outcome of a call", () => {
  const routed = { routes: { good: "after", error: "end" }, on_no_match: "complete" };

  it.each([
    ["what the expression says", { outcome: "result.how" }, { how: "good" }, "bad", "good"],
    ["else what the tool declares", {}, 1, "good", "good"],
    ["else success", {}, 1, null, "success"],
    ["success for a name of the kernel's own", {}, 1, "approved", "success"],
    ["success for what is no name", { outcome: "result" }, 17, null, "success"],
    ["empty, if a tool says so", {}, 1, "empty", "empty"],
  ] as const)("is %s", (_, step, result, declared, expected) => {
    const kernel = startKernel({ start: { tool: "pay", ...routed, ...step }, after: { tool: "log" } });
    kernel.admitAll();
    kernel.finish("start", result, declared);
    expect(kernel.row("start").outcome).toBe(expected);
    expect(kernel.rows("after")).toHaveLength(expected === "good" ? 1 : 0);
  });

  it("comes with a warning when its name cannot be used", () => {
    const kernel = startCall();
    kernel.admitAll();
    kernel.finish("start", 1, "Not A Name");
    expect(kernel.row("start")).toMatchObject({
      outcome: "success",
      warnings: [expect.stringContaining("Not A Name")],
    });
  });
});
