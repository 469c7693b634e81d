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

describe("a call", () => {
  it("E0-26: is running with its start on record before anything is called", () => {
    const kernel = startCall({ args: { order: "{{ input.order }}" } }, { input: { order: "A7" } });
    expect(kernel.calls).toEqual([]);
    kernel.admitAll();
    const row = kernel.row("start");
    expect(row).toMatchObject({ status: "running", startedAt: kernel.now(), token: `${row.id}.e1` });
    expect(kernel.calls).toEqual([
      {
        row: row.id,
        token: row.token,
        tool: "pay",
        args: { order: "A7" },
        secrets: [],
        key: "run-uid:start:1",
        handle: null,
        timeoutMs: 120_000,
        effect: "write",
      },
    ]);
  });

  it("E0-37: is admitted once, however often it is admitted (W9)", () => {
    const kernel = startCall();
    const { id } = kernel.row("start");
    for (let time = 0; time < 1000; time++) kernel.send({ kind: "admit", row: id, verdict: "go" });
    expect(kernel.calls).toHaveLength(1);
    kernel.finish("start");
    kernel.send({ kind: "admit", row: id, verdict: "go" });
    expect(kernel.calls).toHaveLength(1);
  });

  it("E0-28, E0-14: done, its result and time are on record, and just the next step follows", () => {
    const kernel = startCall();
    kernel.admitAll();
    kernel.advance(500);
    kernel.finish("start", { paid: true });
    expect(kernel.row("start")).toMatchObject({
      status: "done",
      result: { paid: true },
      completedAt: kernel.now(),
      outcome: "success",
      token: null,
    });
    expect(kernel.rows()).toHaveLength(2);
    expect(kernel.row("after")).toMatchObject({
      status: "ready",
      causedBy: kernel.row("start").id,
      via: "next",
      args: { got: { paid: true } },
    });
  });

  it("keeps secrets as placeholders in args and key", () => {
    const kernel = startCall({ args: { token: "Bearer {{ secrets.BANK }}" } });
    kernel.admitAll();
    expect(kernel.calls).toMatchObject([
      { args: { token: "Bearer {{ secrets.BANK }}" }, secrets: [{ name: "BANK", offset: 7 }] },
    ]);
  });
});

describe("a duplicate or late result", () => {
  it("W9: the same result twice changes nothing but the record", () => {
    const kernel = startCall();
    kernel.admitAll();
    const { id, token } = kernel.row("start");
    const done = { kind: "done", row: id, token: token ?? "", result: 1, outcome: null } as const;
    kernel.send({ ...done, id: "result" });
    const rows = kernel.rows();
    for (let time = 0; time < 1000; time++) kernel.send({ ...done, id: "result" });
    expect(kernel.rows()).toEqual(rows);
    expect(new Set(kernel.eventsOf("late_result").map((event) => event.id))).toEqual(new Set(["result#0"]));
  });

  it("W10: the result of a try that has timed out is recorded and creates nothing", () => {
    const kernel = startCall({ effect: "read", timeout: "10s" });
    kernel.admitAll();
    const { id, token } = kernel.row("start");
    kernel.advance(10_000);
    expect(kernel.aborts).toEqual([token]);
    expect(kernel.rows("start").map((row) => row.status)).toEqual(["failed", "pending"]);
    kernel.send({ kind: "done", row: id, token: token ?? "", result: "late", outcome: null });
    expect(kernel.eventsOf("late_result")).toMatchObject([{ row: id, data: { kind: "done", token } }]);
    expect(kernel.rows("start").map((row) => row.status)).toEqual(["failed", "pending"]);
    expect(kernel.rows("after")).toEqual([]);
  });

  it.each(["done", "failed", "lost"] as const)(
    "E0-20: %s for a row that the run does not have creates nothing",
    (kind) => {
      const kernel = startCall();
      const common = { row: 999, token: "999.e1" };
      const before = kernel.rows();
      if (kind === "done") kernel.send({ kind, ...common, result: 1, outcome: null });
      if (kind === "failed") kernel.send({ kind, ...common, error: { code: "x", message: "x" }, isFinal: true });
      if (kind === "lost") kernel.send({ kind, ...common, reason: "crash" });
      expect(kernel.rows()).toEqual(before);
      expect(kernel.eventsOf("late_result")).toHaveLength(1);
    },
  );

  it("the token of another owner is worth nothing", () => {
    const kernel = startCall();
    kernel.admitAll();
    const { id } = kernel.row("start");
    kernel.send({ kind: "done", row: id, token: `${id}.older`, result: 1, outcome: null });
    expect(kernel.row("start").status).toBe("running");
  });

  it("a result for a run that has ended is recorded", () => {
    const kernel = startCall();
    kernel.admitAll();
    const { id, token } = kernel.row("start");
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    const run = kernel.run();
    kernel.send({ kind: "done", row: id, token: token ?? "", result: 1, outcome: null });
    expect(kernel.run()).toEqual(run);
    expect(kernel.eventsOf("late_result")).toHaveLength(1);
  });
});

describe("an unknown outcome", () => {
  it.each([
    ["a read", { effect: "read" }, {}, "pending"],
    ["an idempotent call", { effect: "idempotent" }, {}, "pending"],
    ["a write", { effect: "write" }, {}, "uncertain"],
    ["a call of which nobody says anything", {}, {}, "uncertain"],
    ["what the operator calls a read", {}, { pay: "read" }, "pending"],
    ["what the step calls a write, whatever the operator says", { effect: "write" }, { pay: "read" }, "uncertain"],
    ["a write with on_unknown: retry", { effect: "write", on_unknown: "retry" }, {}, "pending"],
    ["a read with on_unknown: ask", { effect: "read", on_unknown: "ask" }, {}, "uncertain"],
    ["a write with on_unknown: fail", { effect: "write", on_unknown: "fail" }, {}, "failed"],
  ] as const)("by effect: %s", (_, step, effects, expected) => {
    const kernel = startCall(step, { effects });
    kernel.admitAll();
    kernel.lose("start", "connection");
    expect(kernel.row("start").status).toBe(expected);
  });

  it("an error that the tool answered is known, whatever the effect", () => {
    const kernel = startCall({ effect: "write" });
    kernel.admitAll();
    kernel.fail("start");
    expect(kernel.row("start")).toMatchObject({ status: "pending", attempt: 2 });
  });

  it("a write that failed so may have happened, and is undone when the run fails", () => {
    const kernel = startCall({ on_unknown: "fail", compensate: { tool: "refund", args: { of: "{{ result }}" } } });
    kernel.admitAll();
    kernel.lose("start", "connection");
    expect(kernel.rows("start")[0]).toMatchObject({
      status: "failed",
      mayHaveHappened: true,
      isUndoable: true,
      error: { code: "unknown_outcome" },
    });
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ tool: "refund", args: { of: null }, key: "run-uid:start:1:undo" });
    kernel.finish("start");
    expect(kernel.run().status).toBe("failed");
  });
});

describe("a try cut off by our own crash", () => {
  it("makes a new row at once that counts as no attempt", () => {
    const kernel = startCall({ effect: "read", retry: { attempts: 2, backoff: ["5s"] } });
    kernel.admitAll();
    kernel.lose("start");
    expect(kernel.rows("start")).toMatchObject([
      { status: "failed", attempt: 1, error: { code: "interrupted" } },
      { status: "ready", attempt: 1, interruptions: 1, via: "interrupted", key: "run-uid:start:1" },
    ]);
    kernel.admitAll();
    kernel.fail("start");
    expect(kernel.row("start")).toMatchObject({ status: "pending", attempt: 2, interruptions: 0 });
    expect(kernel.calls).toHaveLength(2);
  });

  it("three times in a row holds the run as poison, until a person lets it go on", () => {
    const kernel = startCall({ effect: "read" });
    for (let crash = 1; crash <= 3; crash++) {
      kernel.admitAll();
      kernel.lose("start");
    }
    const row = kernel.row("start");
    expect(row).toMatchObject({ status: "pending", isHeld: true, interruptions: 3 });
    expect(kernel.run()).toMatchObject({ status: "running", attention: { code: "poison", row: row.id, value: 3 } });
    kernel.admitAll();
    expect(kernel.calls).toHaveLength(3);
    kernel.send({ kind: "resolve", row: row.id, by: "bob", how: "retry", result: null });
    expect(kernel.run().attention).toBeNull();
    expect(kernel.row("start")).toMatchObject({ id: row.id, status: "ready", isHeld: false, interruptions: 0 });
    kernel.admitAll();
    kernel.finish("start");
    expect(kernel.row("after").status).toBe("ready");
  });
});

describe("a tool that is out of order", () => {
  const admit = (kernel: Kernel, verdict: "go" | "tool_missing" | "circuit_open" | "refused"): void => {
    kernel.send({ kind: "admit", row: kernel.row("start").id, verdict });
  };

  it.each([
    ["tool_missing", "unknown_tool"],
    ["circuit_open", "circuit_open"],
    ["refused", "not_allowed"],
  ] as const)("AC-34: %s halts by default: the step has failed without a retry", (verdict, code) => {
    const kernel = startCall();
    admit(kernel, verdict);
    expect(kernel.rows("start")).toHaveLength(1);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code } });
  });

  it.each([
    ["tool_missing", { on_missing_tool: "skip" }],
    ["tool_missing", { on_missing_skill: "skip" }],
    ["circuit_open", { on_circuit_open: "skip" }],
  ] as const)(
    "AC-35, AC-36: %s with %o: its own input becomes its result, and routes are not asked",
    (verdict, step) => {
      const kernel = startCall({ ...step, routes: { skipped: "end", default: "end" } }, { input: { order: "A7" } });
      admit(kernel, verdict);
      expect(kernel.row("start")).toMatchObject({
        status: "skipped",
        outcome: "skipped",
        result: { order: "A7" },
        completedAt: kernel.now(),
      });
      expect(kernel.row("after")).toMatchObject({ status: "ready", args: { got: { order: "A7" } } });
    },
  );

  it("AC-36: in a pipeline a skipped step goes to the next position", () => {
    const flow = {
      steps: [
        { tool: "pay", on_circuit_open: "skip", routes: { items: 3, skipped: 3 } },
        { tool: "two" },
        { tool: "three" },
      ],
    };
    const kernel = startKernel(flow, { input: { n: 1 } });
    kernel.send({ kind: "admit", row: kernel.row(kernel.plan.start).id, verdict: "circuit_open" });
    expect(kernel.rows().at(-1)).toMatchObject({ tool: "two", args: { input: { n: 1 } } });
  });

  it("AC-34, AC-35: an open circuit may use the fallback, on the same path and under a key of its own", () => {
    const kernel = startCall({ on_circuit_open: "fallback", fallback: "pay_by_hand", args: { n: 1 } });
    admit(kernel, "circuit_open");
    expect(kernel.row("start")).toMatchObject({ status: "ready", tool: "pay_by_hand" });
    admit(kernel, "go");
    expect(kernel.calls).toMatchObject([{ tool: "pay_by_hand", args: { n: 1 }, key: "run-uid:start:1:fallback" }]);
    kernel.fail("start");
    kernel.advance(5000);
    expect(kernel.row("start")).toMatchObject({ tool: "pay_by_hand", attempt: 2 });
    admit(kernel, "circuit_open");
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "circuit_open" } });
  });

  it("AC-37: a fallback that is not there is a failure of its own name, which an error route can take", () => {
    const kernel = startCall({ on_circuit_open: "fallback", fallback: "pay_by_hand", on_error: "after" });
    admit(kernel, "circuit_open");
    admit(kernel, "tool_missing");
    expect(kernel.row("start")).toMatchObject({
      status: "failed",
      error: { code: "fallback_not_found", message: "Unknown tool: pay_by_hand." },
    });
    expect(kernel.row("after").status).toBe("ready");
  });

  it("fails with what the dispatcher says of it", () => {
    const kernel = startCall();
    kernel.send({ kind: "admit", row: kernel.row("start").id, verdict: "refused", reason: "Ann may not pay." });
    expect(kernel.run().error).toEqual({ code: "not_allowed", message: "Ann may not pay." });
  });

  it("with a fallback that nobody named halts", () => {
    const { start, ...plan } = startCall().plan.steps;
    if (start?.kind !== "tool") throw new Error("no tool step");
    const steps = { ...plan, start: { ...start, onCircuitOpen: "fallback", fallback: null } as const };
    const kernel = startKernel({ ...startCall().plan, steps });
    admit(kernel, "circuit_open");
    expect(kernel.run().status).toBe("failed");
  });
});
