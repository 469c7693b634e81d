import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";
import type { Reply } from "./decision.ts";

const hour = 3_600_000;

function ready(kernel: Kernel, by = "bob", row: number = kernel.row("ask").id): Reply {
  return kernel.send({ kind: "ready", row, by });
}

type Placed = { readonly routes?: { readonly [outcome: string]: string }; readonly timeout?: string };

/** One gate, and a step behind it and at the end of each of its routes. */
function startGate(gate: JsonObject, step: Placed = {}, options: KernelOptions = {}): Kernel {
  const places = ["after", ...Object.values(step.routes ?? {})].map(
    (name) => [name, { tool: "log", done: true }] as const,
  );
  const steps = { ask: { gate, next: "after", ...step }, ...Object.fromEntries(places) };
  return startKernel({ format: "stepwell/v1", start: "ask", steps }, options);
}

describe("a gate that opens", () => {
  it("E0-40: is pending, not ready, and goes on with the result `approved`", () => {
    const kernel = startKernel({ ask: { tool: null, next: "after" }, after: { tool: "log", done: true } });
    expect(kernel.row("ask")).toMatchObject({ status: "pending", readyAt: null, role: "step" });
    kernel.admitAll();
    expect(kernel.calls).toEqual([]);
    kernel.answer("ask");
    expect(kernel.row("ask")).toMatchObject({ status: "done", outcome: "approved", result: "approved" });
    expect(kernel.row("after")).toMatchObject({ status: "ready", causedBy: kernel.row("ask").id });
  });

  it("E1-09: tells the approver, then does nothing until somebody answers", () => {
    const kernel = startGate(
      { notify: { tool: "chat.send", args: { text: "Please look at {{ input.order }}" } } },
      {},
      { input: { order: "A7" } },
    );
    kernel.admitAll();
    expect(kernel.calls).toMatchObject([
      { tool: "chat.send", args: { text: "Please look at A7" }, key: "run-uid:ask:1:notify" },
    ]);
    const notice = kernel.rows("ask").find((row) => row.role === "notify");
    expect(notice).toMatchObject({ status: "running", serves: kernel.row("ask").id });
    kernel.finish("ask", "sent");
    kernel.advance(30 * 24 * hour);
    expect([...kernel.frontier.rows.values()]).toMatchObject([{ id: kernel.row("ask").id, status: "pending" }]);
  });

  it("shows a title and a message that are rendered once", () => {
    const kernel = startGate(
      { title: "Refund {{ input.order }}?", message: "{{ input.lines }}" },
      {},
      { input: { order: "A7", lines: [1] } },
    );
    expect(kernel.row("ask").gate).toMatchObject({ title: "Refund A7?", message: "[1]" });
  });

  it("warns about a reference that leads nowhere", () => {
    expect(startGate({ title: "Refund {{ input.order }}?" }).row("ask").warnings).toHaveLength(1);
  });

  it.each(["title", "message"])("fails when its %s cannot be rendered", (key) => {
    const kernel = startGate({ [key]: "{{ 1 / 0 }}" });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
  });

  it("has a hash of what it shows: title, message and form", () => {
    const hashes = [{}, { title: "a" }, { message: "a" }, { form: { type: "object" } }].map(
      (gate) => startGate(gate).row("ask").gate?.hash,
    );
    expect(new Set(hashes).size).toBe(4);
    expect(startGate({ title: "a" }).row("ask").gate?.hash).toBe(hashes[1]);
  });

  it("waits for ever unless it is told otherwise", () => {
    expect(startGate({}).row("ask").alarms).toEqual([]);
  });
});

describe("a notice", () => {
  const notifying = { notify: { tool: "chat.send", args: { text: "Please look" } } };

  it.each(["fails", "is lost", "takes too long", "has no tool"])("that %s is an event and stops nothing", (how) => {
    const kernel = startGate(notifying, {}, { effects: { "chat.send": "write" } });
    kernel.admitAll(how === "has no tool" ? "tool_missing" : "go");
    if (how === "fails") kernel.fail("ask");
    if (how === "is lost") kernel.lose("ask");
    if (how === "takes too long") kernel.advance(120_000);
    expect(kernel.eventsOf("notify_failed")).toHaveLength(1);
    kernel.answer("ask");
    expect(kernel.row("after").status).toBe("ready");
  });

  it("that was cut off and does no harm twice is sent again under the same key", () => {
    const kernel = startGate(notifying, {}, { effects: { "chat.send": "idempotent" } });
    kernel.admitAll();
    kernel.lose("ask");
    kernel.admitAll();
    expect(kernel.calls.map((call) => call.key)).toEqual(["run-uid:ask:1:notify", "run-uid:ask:1:notify"]);
  });

  it("whose words cannot be computed is an event and calls nothing", () => {
    const kernel = startGate({ notify: { tool: "chat.send", args: { text: "{{ 1 / 0 }}" } } });
    kernel.admitAll();
    expect(kernel.calls).toEqual([]);
    expect(kernel.eventsOf("notify_failed")).toMatchObject([{ data: { code: "expression_error" } }]);
    expect(kernel.run().status).toBe("running");
  });

  it("does not take the time that the answer may take", () => {
    const kernel = startGate(notifying, { timeout: "2d" });
    kernel.admitAll();
    expect(kernel.calls).toMatchObject([{ timeoutMs: 120_000 }]);
  });
});

describe("an answer", () => {
  it("E1-10: of any way in gives the result `approved`", () => {
    const byAnswer = startGate({});
    byAnswer.answer("ask", { via: "token:phone" });
    const byReady = startGate({});
    ready(byReady);
    for (const kernel of [byAnswer, byReady]) expect(kernel.row("ask").result).toBe("approved");
  });

  it("gives what the form says", () => {
    const kernel = startGate({ form: { type: "object" } });
    kernel.answer("ask", { data: { amount: 5 } });
    expect(kernel.row("ask")).toMatchObject({ outcome: "approved", result: { amount: 5 } });
  });

  it("takes the route of its name", () => {
    const kernel = startGate({}, { routes: { approved: "pay" } });
    kernel.answer("ask");
    expect(kernel.row("pay").status).toBe("ready");
  });

  it("may be any name in routes", () => {
    const kernel = startGate({}, { routes: { revise: "rework" } });
    kernel.answer("ask", { outcome: "revise" });
    expect(kernel.row("ask")).toMatchObject({ outcome: "revise", result: "revise" });
    expect(kernel.row("rework").status).toBe("ready");
  });

  it.each(["postpone", "expired", "error", "default", "toString"])("that says %s is refused", (outcome) => {
    const kernel = startGate({}, { routes: { expired: "late", error: "alert", default: "after" } });
    expect(codeOf(kernel.answer("ask", { outcome }))).toBe("unknown_outcome");
    expect(kernel.row("ask").status).toBe("pending");
  });

  it("W22: is an event with who, when, which way and the comment", () => {
    const kernel = startGate({});
    kernel.answer("ask", { by: "bob", via: "token:phone", comment: "fine" });
    expect(kernel.eventsOf("gate_answered")).toMatchObject([
      {
        at: kernel.now(),
        row: kernel.row("ask").id,
        by: "bob",
        data: { outcome: "approved", comment: "fine", via: "token:phone" },
      },
    ]);
  });

  it("may carry the hash of what was seen", () => {
    const kernel = startGate({ title: "Refund?" });
    expect(codeOf(kernel.answer("ask", { hash: "of something else" }))).toBe("gate_changed");
    expect(codeOf(kernel.answer("ask", { hash: kernel.row("ask").gate?.hash ?? "" }))).toBe("ok");
  });

  it("is taken while the run is paused, and what follows stays ready", () => {
    const kernel = startGate({});
    kernel.send({ kind: "pause", by: "ann" });
    expect(codeOf(kernel.answer("ask"))).toBe("ok");
    kernel.admitAll();
    expect(kernel.row("after").status).toBe("ready");
  });

  it("to something that is no open gate is refused", () => {
    const kernel = startGate({ notify: { tool: "chat.send", args: {} } });
    const notice = kernel.rows("ask").find((row) => row.role === "notify");
    const silent = {
      kind: "answer",
      by: "bob",
      via: null,
      outcome: "approved",
      data: null,
      comment: null,
      hash: null,
    } as const;
    expect(codeOf(kernel.send({ ...silent, row: notice?.id ?? 0 }))).toBe("not_waiting");
    expect(codeOf(kernel.send({ ...silent, row: 999 }))).toBe("not_waiting");
  });

  it("that comes second is refused, also when the run has ended", () => {
    const kernel = startGate({});
    kernel.answer("ask");
    expect(codeOf(kernel.answer("ask", { by: "eve", outcome: "rejected" }))).toBe("already_answered");
    kernel.admitAll();
    kernel.finish("after");
    expect(kernel.run().status).toBe("completed");
    expect(codeOf(kernel.answer("ask", { by: "eve" }))).toBe("already_answered");
    expect(codeOf(ready(kernel, "bob", 999))).toBe("already_ended");
  });

  it("to a gate that was stopped finds nothing that waits", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      start: "fork",
      steps: {
        fork: { set: {}, parallel: ["ask", "work"], on_branch_error: "collect", join: "end" },
        ask: { gate: {}, next: "end" },
        work: { tool: "w", retry: false, next: "end" },
        end: { terminal: "success" },
      },
      timeout: "1h",
    });
    kernel.advance(hour);
    expect(kernel.row("ask").status).toBe("cancelled");
    expect(codeOf(kernel.answer("ask"))).toBe("already_ended");
  });
});

describe("who may answer", () => {
  it.each([
    ["user:bob", "bob", "ok"],
    ["user:ann", "bob", "not_allowed"],
    ["group:finance", "group:finance", "ok"],
    ["group:finance", "bob", "not_allowed"],
  ])("W22: with approvers %s the answer of %s is %s", (approver, by, code) => {
    const kernel = startGate({ approvers: [approver] });
    expect(codeOf(kernel.answer("ask", { by }))).toBe(code);
    expect(kernel.eventsOf("gate_answered")).toHaveLength(code === "ok" ? 1 : 0);
  });

  it("is whoever is in one of the groups", () => {
    const approvers = ["group:finance", "group:law"];
    expect(codeOf(startGate({ approvers }).answer("ask", { by: "bob", groups: ["ops", "law"] }))).toBe("ok");
    expect(codeOf(startGate({ approvers }).answer("ask", { by: "bob", groups: ["ops"] }))).toBe("not_allowed");
  });

  it.each([
    ["the run's creator", { by: "ann" }],
    ["the token that started it", { by: "bob", via: "token:1" }],
  ])("W22: without self approval it is not %s", (_, given) => {
    const kernel = startGate({ self_approval: false }, {}, { by: "ann", via: "token:1" });
    expect(codeOf(kernel.answer("ask", given))).toBe("not_allowed");
    expect(codeOf(kernel.answer("ask", { by: "bob", via: "token:2" }))).toBe("ok");
  });

  it("includes the run's creator unless the gate says otherwise", () => {
    expect(codeOf(startGate({}).answer("ask", { by: "ann" }))).toBe("ok");
  });

  it("counts different people when it needs several", () => {
    const kernel = startGate({ need: 2 });
    expect(kernel.answer("ask", { by: "bob" })).toMatchObject({ value: { given: 1, need: 2 } });
    expect(codeOf(kernel.answer("ask", { by: "bob" }))).toBe("already_answered");
    expect(codeOf(ready(kernel, "bob"))).toBe("already_ready");
    expect(kernel.row("ask").status).toBe("pending");
    kernel.answer("ask", { by: "eve" });
    expect(kernel.row("ask")).toMatchObject({ status: "done", gate: { answers: [{ by: "bob" }, { by: "eve" }] } });
  });

  it("keeps what the form said when a later approval says nothing", () => {
    const kernel = startGate({ need: 2 });
    kernel.answer("ask", { by: "bob", data: { amount: 5 } });
    kernel.answer("ask", { by: "eve" });
    expect(kernel.row("ask").result).toEqual({ amount: 5 });
  });

  it("needs as many people for any other answer, and one may change their mind", () => {
    const kernel = startGate({ need: 2 }, { routes: { revise: "rework" } });
    kernel.answer("ask", { by: "bob" });
    kernel.answer("ask", { by: "eve", outcome: "revise" });
    expect(kernel.row("ask").status).toBe("pending");
    kernel.answer("ask", { by: "bob", outcome: "revise" });
    expect(kernel.row("ask").outcome).toBe("revise");
  });

  it("needs one to reject", () => {
    const kernel = startGate({ need: 3 });
    kernel.answer("ask", { by: "bob" });
    kernel.answer("ask", { by: "eve", outcome: "rejected", comment: "too much" });
    expect(kernel.run()).toMatchObject({
      status: "failed",
      error: { code: "rejected", message: '"ask" was rejected by eve: too much.' },
    });
  });
});

describe("a rejection", () => {
  it("without a route fails the run, with the code `rejected`", () => {
    const kernel = startGate({});
    kernel.answer("ask", { outcome: "rejected" });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "rejected" } });
  });

  it.each(["rejected", "error"])("takes the route %s", (route) => {
    const kernel = startGate({}, { routes: { [route]: "alert" } });
    kernel.answer("ask", { outcome: "rejected" });
    expect(kernel.row("alert").status).toBe("ready");
    expect(kernel.run().status).toBe("running");
  });

  it("never takes `default` nor `next`", () => {
    const kernel = startGate({}, { routes: { default: "after" } });
    kernel.answer("ask", { outcome: "rejected" });
    expect(kernel.rows("after")).toEqual([]);
    expect(kernel.run().status).toBe("failed");
  });
});

describe("`ready`", () => {
  it("W22: on a gate is approval, with its rights", () => {
    const kernel = startGate({ approvers: ["user:bob"], self_approval: false });
    expect(codeOf(ready(kernel, "ann"))).toBe("not_allowed");
    expect(codeOf(ready(kernel, "bob"))).toBe("ok");
    expect(codeOf(ready(kernel, "bob"))).toBe("already_ready");
    expect(kernel.row("after").status).toBe("ready");
  });

  it("on a row that waits for its next try means now, and tells who said so", () => {
    const kernel = startKernel({ work: { tool: "w", done: true } });
    kernel.admitAll();
    kernel.fail("work");
    const { id, status } = kernel.row("work");
    expect(status).toBe("pending");
    expect(codeOf(ready(kernel, "bob", id))).toBe("ok");
    expect(kernel.row("work")).toMatchObject({ id, status: "ready", alarms: [] });
    expect(kernel.eventsOf("made_ready")).toMatchObject([{ row: id, by: "bob" }]);
    expect(codeOf(ready(kernel, "bob", id))).toBe("already_ready");
    kernel.admitAll();
    expect(codeOf(ready(kernel, "bob", id))).toBe("already_ready");
    kernel.finish("work");
    expect(codeOf(ready(kernel, "bob", id))).toBe("already_ready");
    expect(kernel.calls).toHaveLength(2);
  });

  it("on a sleep ends it", () => {
    const kernel = startKernel({ nap: { wait: "8h", next: "work" }, work: { tool: "w", done: true } });
    expect(codeOf(ready(kernel, "bob", kernel.row("nap").id))).toBe("ok");
    expect(kernel.row("work").status).toBe("ready");
    expect(codeOf(ready(kernel, "bob", kernel.row("nap").id))).toBe("already_ready");
  });

  it("on anything else is refused", () => {
    const kernel = startKernel({ work: { tool: "w", next: "paid" }, paid: { wait: { event: "paid" }, done: true } });
    kernel.admitAll();
    expect(codeOf(ready(kernel, "bob", kernel.row("work").id))).toBe("not_waiting");
    kernel.finish("work");
    expect(codeOf(ready(kernel, "bob", kernel.row("work").id))).toBe("not_waiting");
    expect(codeOf(ready(kernel, "bob", kernel.row("paid").id))).toBe("not_waiting");
    expect(codeOf(ready(kernel, "bob", 999))).toBe("not_waiting");
    expect(kernel.events).toEqual([]);
  });
});
