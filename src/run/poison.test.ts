import { describe, expect, it } from "vitest";
import { codeOf, morning, startKernel, type Kernel } from "../testing/kernel.ts";

const hour = 3_600_000;
const error = { code: "poison", message: "It could not be written." };

function poison(kernel: Kernel): void {
  kernel.send({ kind: "poison", error });
}

describe("a run of which something cannot be written", () => {
  const flow = {
    format: "stepwell/v1",
    name: "n",
    timeout: "2h",
    steps: { start: { wait: "1h", next: "end" }, end: { set: {}, done: true } },
  };

  it("stands still and asks for a person", () => {
    const kernel = startKernel(flow);
    poison(kernel);
    const attention = { code: "poison", row: null, value: error.message };
    expect(kernel.run()).toMatchObject({ status: "paused", attention });
    expect(kernel.eventsOf("poisoned")).toMatchObject([{ data: error }]);
    kernel.advance(5 * hour);
    expect(kernel.run()).toMatchObject({ status: "paused", attention });
  });

  it("goes on when a person resumes it: what is due fires then", () => {
    const kernel = startKernel(flow);
    poison(kernel);
    kernel.advance(hour);
    kernel.send({ kind: "resume", by: "bob" });
    expect(kernel.run()).toMatchObject({ status: "completed", attention: null });
  });

  it("may be cancelled by the transition of a machine, whose action runs then", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      name: "order",
      states: { placed: { initial: true }, gone: { terminal: "cancel" } },
      transitions: [{ name: "withdraw", from: "placed", to: "gone", action: { tool: "refund", args: {} } }],
    });
    poison(kernel);
    expect(codeOf(kernel.send({ kind: "cancel", by: "bob", reason: null }))).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "running", attention: null });
  });

  it("that had not begun keeps signals until it has, and begins once", () => {
    const kernel = startKernel(
      {
        start: { wait: { event: "paid" }, next: "then" },
        then: { tool: "work", each: { items: "{{ [1, 2] }}" }, done: true },
      },
      { at: morning + hour },
    );
    poison(kernel);
    expect(kernel.send({ kind: "signal", name: "paid", data: 1 })).toMatchObject({ value: { kept: true } });
    kernel.send({ kind: "resume", by: "bob" });
    expect(kernel.run()).toMatchObject({ status: "scheduled", attention: null });
    kernel.advance(hour);
    expect(kernel.rows().filter(({ role }) => role === "items")).toHaveLength(1);
  });

  it("may be cancelled without being resumed", () => {
    const kernel = startKernel(flow);
    poison(kernel);
    expect(codeOf(kernel.send({ kind: "cancel", by: "bob", reason: null }))).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "cancelled", attention: null });
  });

  it("asks for what else needs a person once it goes on", () => {
    const kernel = startKernel({
      start: { set: {}, branch: [{ if: "false", then: "b" }] },
      b: { set: {}, done: true },
    });
    poison(kernel);
    expect(kernel.run().attention?.code).toBe("poison");
    kernel.send({ kind: "resume", by: "bob" });
    expect(kernel.run().attention).toMatchObject({ code: "no_branch_matched", row: kernel.row("start").id });
  });

  it("before its start waits for its time again, and begins when it is resumed after it, or made ready", () => {
    const scheduled = (): Kernel => {
      const kernel = startKernel(flow, { now: 0, at: hour });
      poison(kernel);
      return kernel;
    };
    const early = scheduled();
    early.send({ kind: "resume", by: "bob" });
    expect(early.run()).toMatchObject({ status: "scheduled", attention: null });
    const late = scheduled();
    late.advance(2 * hour);
    expect(late.run()).toMatchObject({ status: "paused", startedAt: null });
    late.send({ kind: "resume", by: "bob" });
    expect(late.run()).toMatchObject({ status: "running", startedAt: 2 * hour });
    const now = scheduled();
    now.send({ kind: "ready", row: now.row("start").id, by: "bob" });
    expect(now.run()).toMatchObject({ status: "running", startedAt: 0, attention: null });
  });

  it("that has ended ignores it", () => {
    const kernel = startKernel({ start: { set: {}, done: true } });
    const before = kernel.run();
    poison(kernel);
    expect(kernel.run()).toBe(before);
    expect(kernel.eventsOf("poisoned")).toEqual([]);
  });
});
