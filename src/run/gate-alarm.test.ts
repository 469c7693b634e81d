import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";

const hour = 3_600_000;

type Placed = { readonly routes?: { readonly [outcome: string]: string }; readonly timeout?: string };

/** One gate, and a step behind it and at the end of each of its routes. */
function startGate(gate: JsonObject, step: Placed = {}): Kernel {
  const places = ["after", ...Object.values(step.routes ?? {})].map(
    (name) => [name, { tool: "log", done: true }] as const,
  );
  const steps = { ask: { gate, next: "after", ...step }, ...Object.fromEntries(places) };
  return startKernel({ format: "stepwell/v1", start: "ask", steps });
}

describe("reminders", () => {
  it("repeat, ten at most, each an event and a notice under a key of its own", () => {
    const kernel = startGate({ remind_after: "4h", notify: { tool: "chat.send", args: {} } });
    kernel.admitAll();
    kernel.finish("ask");
    for (let hours = 0; hours < 100; hours++) {
      kernel.advance(hour);
      kernel.admitAll();
    }
    expect(kernel.eventsOf("gate_reminded").map((event) => event.data)).toEqual(
      Array.from({ length: 10 }, (_, n) => ({ reminder: n + 1 })),
    );
    expect(kernel.calls.map((call) => call.key)).toEqual(
      ["", ...Array.from({ length: 10 }, (_, n) => `:${n + 1}`)].map((end) => `run-uid:ask:1:notify${end}`),
    );
    expect(kernel.row("ask").status).toBe("pending");
  });

  it("without a notice are events", () => {
    const kernel = startGate({ remind_after: "4h" });
    kernel.advance(8 * hour);
    expect(kernel.eventsOf("gate_reminded")).toHaveLength(2);
    expect(kernel.rows()).toHaveLength(1);
  });

  it("that were missed come once", () => {
    const kernel = startGate({ remind_after: "4h" });
    kernel.send({ kind: "pause", by: "ann" });
    kernel.advance(20 * hour);
    kernel.send({ kind: "resume", by: "ann" });
    kernel.advance(0);
    expect(kernel.eventsOf("gate_reminded")).toHaveLength(1);
  });

  it("stop with the answer", () => {
    const kernel = startGate({ remind_after: "4h" });
    kernel.answer("ask");
    kernel.advance(24 * hour);
    expect(kernel.eventsOf("gate_reminded")).toEqual([]);
  });
});

describe("a gate that expires", () => {
  it("never means yes: without a route the run fails", () => {
    const kernel = startGate({ expires_after: "2d" }, { routes: { approved: "pay", default: "after" } });
    kernel.advance(48 * hour);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expired" } });
    expect(kernel.rows("pay")).toEqual([]);
    expect(kernel.rows("after")).toEqual([]);
  });

  it.each([
    ["expired", {}],
    ["rejected", { on_expire: "rejected" }],
  ])("takes the route %s", (outcome, said) => {
    const kernel = startGate({ expires_after: "2d", ...said }, { routes: { [outcome]: "late" } });
    kernel.advance(48 * hour - 1);
    expect(kernel.row("ask").status).toBe("pending");
    kernel.advance(1);
    expect(kernel.row("ask")).toMatchObject({ status: "done", outcome });
    expect(kernel.row("late").status).toBe("ready");
    expect(kernel.eventsOf("gate_expired")).toMatchObject([{ data: { outcome } }]);
    expect(codeOf(kernel.answer("ask"))).toBe("already_answered");
  });

  it("has the outcome `timeout` when it is the step's own timeout", () => {
    const kernel = startGate({}, { timeout: "1h", routes: { timeout: "late" } });
    kernel.advance(hour);
    expect(kernel.row("ask").outcome).toBe("timeout");
    expect(kernel.row("late").status).toBe("ready");
  });

  it("does all that is due in its order, and nothing after its end", () => {
    const gate = { remind_after: "1h", escalate_after: "2h", escalate_to: "late", expires_after: "3h" };
    const kernel = startGate(gate, { routes: { expired: "late" } });
    kernel.advance(10 * hour);
    const kinds = ["gate_reminded", "gate_escalated", "gate_reminded", "gate_expired"];
    expect(kernel.events.map((event) => event.kind)).toEqual(kinds);
    expect(kernel.row("ask").alarms).toEqual([]);
  });

  it.each(["approved", "expired"])("counts as a rest when it ended as %s: a loop through it does not spin", (how) => {
    const ask = { gate: { expires_after: "1h" }, routes: { approved: "ask", expired: "ask", enough: "end" } };
    const kernel = startKernel({ format: "stepwell/v1", start: "ask", steps: { ask } }, { limits: { visits: 3 } });
    for (let visits = 0; visits < 10; visits++) {
      if (how === "approved") kernel.answer("ask");
      else kernel.advance(hour);
    }
    expect(kernel.row("ask")).toMatchObject({ visit: 11, status: "pending" });
  });
});

describe("an escalation", () => {
  const gate = { escalate_after: "24h", escalate_to: "boss" };
  const start = (steps: JsonObject, options: KernelOptions = {}): Kernel =>
    startKernel(
      {
        format: "stepwell/v1",
        start: "ask",
        steps: { ask: { gate, next: "after" }, after: { tool: "log", done: true }, ...steps },
      },
      options,
    );

  it("E1-14: after 24 hours without an answer a notification step is created, and the gate stays open", () => {
    const seed = readFileSync(new URL("../../examples/seeds/001-escalation.json", import.meta.url), "utf8");
    const kernel = startKernel(seed, { input: { title: "the new page" } });
    kernel.admitAll();
    kernel.finish("await_approval");
    kernel.advance(24 * hour - 1);
    expect(kernel.rows("escalate")).toEqual([]);
    kernel.advance(1);
    expect(kernel.row("escalate")).toMatchObject({ status: "ready", side: "escalation", via: "escalate" });
    expect(kernel.row("await_approval").status).toBe("pending");
    kernel.admitAll();
    kernel.finish("escalate", "sent");
    expect(kernel.run().status).toBe("running");
    kernel.advance(48 * hour);
    expect(kernel.rows("escalate")).toHaveLength(1);
    kernel.answer("await_approval");
    kernel.admitAll();
    kernel.finish("send_email", "mailed");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "mailed" });
  });

  it("goes on by itself when the gate has been answered, and the run waits for it", () => {
    const kernel = start({ boss: { tool: "chat", next: "more" }, more: { tool: "log", done: true } });
    kernel.advance(24 * hour);
    kernel.answer("ask");
    kernel.admitAll();
    kernel.finish("after", "done");
    expect(kernel.run().status).toBe("running");
    kernel.finish("boss");
    kernel.admitAll();
    kernel.finish("more", "of no importance");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "done" });
  });

  it("that fails is an event; the gate stays open", () => {
    const kernel = start({ boss: { tool: "chat", retry: false, done: true } });
    kernel.advance(24 * hour);
    kernel.admitAll();
    kernel.fail("boss");
    expect(kernel.eventsOf("side_path_failed")).toMatchObject([
      { row: kernel.row("boss").id, data: { code: "broken" } },
    ]);
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
  });

  it.each(["failure", "cancel"])("that ends with %s ends alone", (terminal) => {
    const kernel = start({ boss: { terminal } });
    kernel.advance(24 * hour);
    expect(kernel.eventsOf("side_path_failed")).toMatchObject([{ data: { code: `ended_with_${terminal}` } }]);
    expect(kernel.run()).toMatchObject({ status: "running", live: 1, ending: null });
  });

  it("sees what the gate's branch has seen, and leads no branch to its join", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      start: "fork",
      steps: {
        fork: { set: {}, parallel: ["look", "work"], join: "both" },
        look: { tool: "look", next: "ask" },
        ask: { gate: { ...gate, escalate_to: "boss" } },
        boss: { tool: "chat", args: { text: "{{ steps.look.result }}" }, next: "end" },
        work: { tool: "work" },
        both: { tool: "both", done: true },
      },
    });
    kernel.admitAll();
    kernel.finish("look", "found");
    kernel.finish("work");
    kernel.advance(24 * hour);
    kernel.admitAll();
    expect(kernel.row("boss").args).toEqual({ text: "found" });
    kernel.finish("boss");
    expect(kernel.rows("both")).toEqual([]);
    expect(kernel.frontier.scopes.has(kernel.row("boss").scope)).toBe(false);
    kernel.answer("ask");
    expect(kernel.rows("both")).toHaveLength(1);
  });

  it("may itself fork and join", () => {
    const kernel = start({
      boss: { set: { told: true }, parallel: ["mail", "chat"], join: "told" },
      mail: { tool: "mail" },
      chat: { tool: "chat" },
      told: { tool: "log", args: { all: "{{ previous }}" }, done: true },
    });
    kernel.advance(24 * hour);
    kernel.admitAll();
    kernel.finish("mail", 1);
    kernel.finish("chat", 2);
    kernel.admitAll();
    expect(kernel.row("told").args).toEqual({ all: { mail: 1, chat: 2 } });
    kernel.finish("told");
    expect(kernel.run()).toMatchObject({ status: "running", live: 1, endedCount: 0 });
  });

  it("may fork into paths that end by themselves, and gives no output", () => {
    const kernel = start({
      boss: { set: {}, parallel: ["mail", "chat"] },
      mail: { tool: "mail", done: true },
      chat: { tool: "chat", done: true },
    });
    kernel.advance(24 * hour);
    kernel.admitAll();
    kernel.finish("mail", 1);
    kernel.finish("chat", 2);
    kernel.answer("ask");
    kernel.admitAll();
    kernel.finish("after", "done");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "done" });
  });

  it("that fails in one of its branches stops the others", () => {
    const kernel = start({
      boss: { set: {}, parallel: ["mail", "chat"], join: "told" },
      mail: { tool: "mail", retry: false, compensate: { tool: "unmail" } },
      chat: { tool: "chat", compensate: { tool: "unsay" } },
      told: { tool: "log", done: true },
    });
    kernel.advance(24 * hour);
    kernel.admitAll();
    kernel.fail("mail");
    expect(kernel.row("chat")).toMatchObject({ status: "cancelled", mayHaveHappened: true });
    expect(kernel.aborts).toHaveLength(1);
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
  });

  it("may collect the failures of its own branches", () => {
    const kernel = start({
      boss: { set: {}, parallel: ["mail", "chat"], join: "told", on_branch_error: "collect" },
      mail: { tool: "mail", retry: false },
      chat: { tool: "chat" },
      told: { tool: "log", args: { all: "{{ previous }}" }, done: true },
    });
    kernel.advance(24 * hour);
    kernel.admitAll();
    kernel.fail("mail");
    kernel.finish("chat", 2);
    expect(kernel.row("told").args).toMatchObject({ all: { mail: { error: { code: "broken" } }, chat: 2 } });
    expect(kernel.eventsOf("side_path_failed")).toEqual([]);
  });

  it("of a gate that is itself part of an escalation stands beside that one", () => {
    const kernel = start({
      boss: { gate: { escalate_after: "1h", escalate_to: "owner" }, done: true },
      owner: { tool: "chat", done: true },
    });
    kernel.advance(25 * hour);
    kernel.admitAll();
    kernel.finish("owner");
    expect(kernel.row("boss").status).toBe("pending");
    kernel.answer("boss");
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
  });
});
