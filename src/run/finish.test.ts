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
  ] as const)("is %s", (...[, step, result, declared, expected]) => {
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

describe("the ways a step leads on", () => {
  it("routes stand before the other kind: what they do not name takes that", () => {
    const flow = { start: { tool: "rate", routes: { good: "end" }, next: "after" }, after: { tool: "log" } };
    const named = startKernel(flow);
    named.admitAll();
    named.finish("start", 1, "good");
    expect(named.run().status).toBe("completed");
    const other = startKernel(flow);
    other.admitAll();
    other.finish("start", 1, "odd");
    expect(other.row("after").via).toBe("next");
  });

  it("default takes what no route names", () => {
    const kernel = startKernel({
      start: { tool: "rate", routes: { good: "end", default: "after" } },
      after: { tool: "log" },
    });
    kernel.admitAll();
    kernel.finish("start", 1, "odd");
    expect(kernel.row("after").via).toBe("route:odd");
  });

  it("routes for failures only are no transition: success then ends the path", () => {
    const kernel = startKernel({ start: { tool: "rate", on_error: "after" }, after: { tool: "log" } });
    kernel.admitAll();
    kernel.finish("start", 1);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 1 });
  });

  it("a skipped step that has routes only is held", () => {
    const kernel = startKernel(
      { start: { tool: "rate", on_missing_tool: "skip", routes: { good: "end" } } },
      { input: { n: 1 } },
    );
    kernel.send({ kind: "admit", row: kernel.row("start").id, verdict: "tool_missing" });
    expect(kernel.run().attention).toMatchObject({ code: "no_branch_matched", value: "skipped" });
    kernel.send({ kind: "choose", row: kernel.row("start").id, step: null, by: "bob" });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { n: 1 } });
  });

  it("an end of kind failure or cancel in a path beside the flow ends that path only", () => {
    const kernel = startKernel({
      start: { gate: { escalate_after: "1m", escalate_to: "stop" }, next: "end" },
      stop: { terminal: "cancel" },
    });
    kernel.advance(60_000);
    expect(kernel.eventsOf("side_path_failed")).toMatchObject([{ data: { code: "ended_with_cancel" } }]);
    expect(kernel.run().status).toBe("running");
  });
});
