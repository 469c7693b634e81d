// 5.12: terminal is final. Retry, rerun and fork make new runs that take over what was done.

import { describe, expect, it } from "vitest";
import type { Json } from "../flow/json.ts";
import { codeOf, startAgain, startKernel, type Kernel } from "../testing/kernel.ts";
import { planAgain } from "./again.ts";

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

function calledTools(kernel: Kernel): readonly string[] {
  return kernel.calls.map(({ tool }) => tool);
}

function refusal(kernel: Kernel, asked: Partial<Parameters<typeof planAgain>[0]> = {}): string {
  const { plan } = kernel;
  const rows = [...kernel.history.values()];
  const planned = planAgain({ plan, run: kernel.run(), rows, how: "retry", from: null, input: null, ...asked });
  return planned.ok ? "ok" : planned.code;
}

describe("terminal is final", () => {
  it.each([
    { kind: "pause", by: "bob" },
    { kind: "resume", by: "bob" },
    { kind: "cancel", by: "bob", reason: null },
    { kind: "signal", name: "paid", data: null },
    { kind: "fire", transition: "go", by: "bob", reason: null, data: {} },
    { kind: "poison", error: { code: "x", message: "x" } },
  ] as const)("a run that has ended refuses $kind, and nothing changes", (message) => {
    const kernel = failedChain();
    const before = JSON.stringify([...kernel.history.values(), kernel.run()]);
    expect(codeOf(kernel.send(message))).toBe("already_ended");
    expect(JSON.stringify([...kernel.history.values(), kernel.run()])).toBe(before);
  });

  it("retrying leaves the first run as it is and makes a new one, linked to it by retry_of", () => {
    const kernel = failedChain();
    const before = JSON.stringify([...kernel.history.values(), kernel.run()]);
    const again = startAgain(kernel);
    expect(again.run()).toMatchObject({
      status: "running",
      uid: "new-uid",
      input: { order: 7 },
      origin: { kind: "retry", run: 1, uid: "run-uid", attempt: 2 },
    });
    expect(JSON.stringify([...kernel.history.values(), kernel.run()])).toBe(before);
  });

  it.each(["rerun", "fork"] as const)("a %s is linked to the run it came from by forked_from", (how) => {
    const again = startAgain(failedChain(), { how, from: "two" });
    expect(again.run().origin).toEqual({ kind: how, run: 1, uid: "run-uid" });
  });

  it("a run that was started by itself has no origin", () => {
    expect(failedChain().run()).toMatchObject({ origin: null, keys: null });
  });
});

describe("done rows before the chosen step", () => {
  it("are copied and call nothing; a retry goes on with what failed", () => {
    const kernel = failedChain();
    const again = startAgain(kernel);
    expect(again.calls).toEqual([]);
    expect(again.row("start")).toMatchObject({
      status: "done",
      result: "first",
      startedAt: null,
      copiedFrom: kernel.row("start").id,
    });
    expect(again.row("two")).toMatchObject({ status: "done", result: "second", args: { got: "first" } });
    expect(again.row("three")).toMatchObject({ status: "ready", copiedFrom: null, args: { got: "second" } });
    pass(again, "three", "third");
    expect(calledTools(again)).toEqual(["three"]);
    expect(again.run()).toMatchObject({ status: "completed", output: "third" });
  });

  it("are copied in the one decision that starts the run, however many they are", () => {
    const steps = Array.from({ length: 150 }, (_, at) => [`s${at}`, { set: { at }, next: `s${at + 1}` }]);
    const flow = {
      start: { set: {}, next: "s0" },
      ...Object.fromEntries(steps),
      s150: { tool: "x", retry: false, done: true },
    };
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.fail("s150");
    const again = startAgain(kernel);
    expect(again.rows().filter(({ copiedFrom }) => copiedFrom !== null)).toHaveLength(151);
    expect(again.row("s150").status).toBe("ready");
  });

  it("are those before it only: a rerun from a step calls that step and all after it", () => {
    const again = startAgain(failedChain(), { how: "rerun", from: "two" });
    pass(again, "two", "other");
    pass(again, "three");
    expect(calledTools(again)).toEqual(["two", "three"]);
    expect(again.row("three").args).toEqual({ got: "other" });
  });

  it("are none when a run is rerun from its start", () => {
    const again = startAgain(failedChain(), { how: "rerun", from: null });
    expect(again.rows().map(({ step, copiedFrom }) => [step, copiedFrom])).toEqual([["start", null]]);
  });

  it("stay as they were when a fork has another input, which the steps after them see", () => {
    const flow: Json = {
      start: { tool: "one", args: { order: "{{ input.order }}" }, next: "two" },
      two: { tool: "two", args: { order: "{{ input.order }}" }, done: true },
    };
    const kernel = startKernel(flow, { input: { order: 1 } });
    pass(kernel, "start");
    pass(kernel, "two");
    const again = startAgain(kernel, { how: "fork", from: "two", input: { order: 2 } });
    expect(again.row("start").args).toEqual({ order: 1 });
    expect(again.row("two").args).toEqual({ order: 2 });
  });

  it("lead where they led, although their conditions would say otherwise by now", () => {
    const flow: Json = {
      start: { tool: "one", branch: [{ if: "input.big", then: "large" }], else: "small" },
      large: { tool: "large", done: true },
      small: { tool: "small", done: true },
    };
    const kernel = startKernel(flow, { input: { big: true } });
    pass(kernel, "start");
    pass(kernel, "large");
    const again = startAgain(kernel, { how: "fork", from: "large", input: { big: false } });
    expect(again.rows().map(({ step }) => step)).toEqual(["start", "large"]);
  });

  it("are answered gates that nobody is asked about again, waits that are over and sub-flows that are not started", () => {
    const flow: Json = {
      start: { gate: { title: "Sure?" }, next: "nap" },
      nap: { wait: "1h", next: "paid" },
      paid: { wait: { event: "paid" }, next: "sub" },
      sub: { flow: "other", next: "last" },
      last: { tool: "last", retry: false, done: true },
    };
    const kernel = startKernel(flow);
    kernel.answer("start");
    kernel.advance(3_600_000);
    kernel.send({ kind: "signal", name: "paid", data: { order: 1 } });
    const { id, childRun } = kernel.row("sub");
    kernel.send({ kind: "child", row: id, child: childRun ?? 0, status: "completed", output: "of child", error: null });
    kernel.admitAll();
    kernel.fail("last");
    const again = startAgain(kernel);
    expect(again.sends).toEqual([]);
    expect(again.rows().map(({ step, status, result }) => [step, status, result])).toEqual([
      ["start", "done", "approved"],
      ["nap", "done", "approved"],
      ["paid", "done", { order: 1 }],
      ["sub", "done", "of child"],
      ["last", "ready", null],
    ]);
  });

  it("are failures for which the flow had a way, too", () => {
    const flow: Json = {
      start: { tool: "one", retry: false, on_error: "mend", next: "last" },
      mend: { tool: "mend", next: "last" },
      last: { tool: "last", retry: false, args: { seen: "{{ steps.start.error.code }}" }, done: true },
    };
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.fail("start");
    pass(kernel, "mend");
    kernel.admitAll();
    kernel.fail("last");
    const again = startAgain(kernel);
    expect(again.row("start")).toMatchObject({ status: "failed", error: { code: "broken" } });
    expect(again.row("last")).toMatchObject({ status: "ready", args: { seen: "broken" } });
  });

  it("are steps that were skipped, too", () => {
    const flow: Json = {
      start: { tool: "one", on_missing_tool: "skip", next: "last" },
      last: { tool: "last", retry: false, done: true },
    };
    const kernel = startKernel(flow, { input: { a: 1 } });
    kernel.send({ kind: "admit", row: kernel.row("start").id, verdict: "tool_missing" });
    kernel.admitAll();
    kernel.fail("last");
    expect(startAgain(kernel).row("start")).toMatchObject({ status: "skipped", result: { a: 1 } });
  });

  it("are followed where a person chose the way, or that there is none", () => {
    const flow: Json = {
      start: { tool: "one", branch: [{ if: "false", then: "left" }] },
      left: { tool: "left", retry: false, branch: [{ if: "false", then: "last" }] },
      last: { tool: "last", retry: false, done: true },
    };
    const kernel = startKernel(flow);
    pass(kernel, "start");
    kernel.send({ kind: "choose", row: kernel.row("start").id, step: "left", by: "bob" });
    pass(kernel, "left");
    kernel.send({ kind: "choose", row: kernel.row("left").id, step: "last", by: "bob" });
    kernel.admitAll();
    kernel.fail("last");
    expect(startAgain(kernel).row("last").status).toBe("ready");
  });

  it("are asked about again where nobody had chosen", () => {
    const flow: Json = {
      start: { tool: "one", branch: [{ if: "false", then: "left" }] },
      left: { tool: "left", done: true },
    };
    const kernel = startKernel(flow);
    pass(kernel, "start");
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    expect(startAgain(kernel).run()).toMatchObject({ status: "running", attention: { code: "no_branch_matched" } });
  });
});

describe("what is refused", () => {
  it("retrying a run that has not ended", () => {
    expect(refusal(startKernel(chain))).toBe("not_ended");
  });

  it("retrying a run that has completed: nothing is left to try", () => {
    const kernel = startKernel({ start: { set: {}, done: true } });
    expect(refusal(kernel)).toBe("nothing_to_retry");
    expect(refusal(kernel, { how: "rerun" })).toBe("ok");
  });

  it("a step that the flow does not have, or a row that the run does not have", () => {
    expect(refusal(failedChain(), { how: "rerun", from: "four" })).toBe("unknown_step");
    expect(refusal(failedChain(), { how: "fork", from: 99_999 })).toBe("unknown_step");
  });

  it("a step that the run was never in", () => {
    const kernel = startKernel(chain);
    expect(refusal(kernel, { how: "fork", from: "three" })).toBe("step_not_entered");
  });

  it("a row on a path beside the flow", () => {
    const kernel = startKernel({
      start: { gate: { title: "?", escalate_after: "1h", escalate_to: "wake" }, done: true },
      wake: { tool: "wake", done: true },
    });
    kernel.advance(3_600_000);
    expect(refusal(kernel, { how: "fork", from: kernel.row("wake").id })).toBe("step_not_entered");
  });
});

describe("a run that ended where its flow says so", () => {
  it("goes to the same end again, unless a step before it runs again", () => {
    const flow: Json = { start: { tool: "one", next: "bad" }, bad: { done: { kind: "failure" }, set: {} } };
    const kernel = startKernel(flow);
    pass(kernel, "start");
    expect(kernel.run().status).toBe("failed");
    expect(startAgain(kernel).run()).toMatchObject({ status: "failed", error: { code: "ended_with_failure" } });
  });
});
