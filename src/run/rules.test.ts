// Rules of the language that no other test says in so many words. The numbers are those of the chapter on what the
// kernel does.

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { decide } from "./decide.ts";

const hour = 3_600_000;
const tool = (step: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...step });

function pass(kernel: Kernel, step: string): void {
  kernel.admitAll();
  kernel.finish(step);
}

describe("5.1: rows", () => {
  it("a row is one attempt of one visit of one step, and of one item", () => {
    const kernel = startKernel({
      start: { tool: "one", retry: { attempts: 2, backoff: ["1m"] }, next: "list" },
      list: {
        tool: "many",
        each: { items: "{{ [1, 2] }}" },
        branch: [{ if: "steps.list.visits < 2", then: "start" }],
        else: "end",
      },
      end: { set: {}, done: true },
    });
    kernel.admitAll();
    kernel.fail("start");
    kernel.advance(60_000);
    pass(kernel, "start");
    kernel.admitAll();
    kernel.finish("list");
    kernel.finish("list");
    pass(kernel, "start");
    const seen = kernel.rows().map(({ step, role, visit, index, attempt }) => [step, role, visit, index, attempt]);
    expect(new Set(seen.map((row) => row.join())).size).toBe(seen.length);
    expect(seen.filter(([step]) => step === "start")).toEqual([
      ["start", "step", 1, null, 1],
      ["start", "step", 1, null, 2],
      ["start", "step", 2, null, 1],
    ]);
  });

  it("a run that is held says so in attention, and one that is undoing in ending", () => {
    const kernel = startKernel({
      start: tool({ compensate: { tool: "undo" }, branch: [{ if: "false", then: "never" }] }),
      never: tool({ done: true }),
    });
    pass(kernel, "start");
    expect(kernel.run()).toMatchObject({ attention: { code: "no_branch_matched" }, ending: null });
    kernel.send({ kind: "cancel", by: "ann", reason: "enough" });
    expect(kernel.run()).toMatchObject({
      status: "running",
      attention: null,
      ending: { kind: "cancel", phase: "undo" },
    });
  });

  it.each([
    ["success", "completed"],
    ["failure", "failed"],
    ["cancel", "cancelled"],
  ] as const)("a run that ended with %s is %s, with its kind and its time", (kind, status) => {
    const kernel = startKernel({ start: { set: {}, done: { kind } } });
    expect(kernel.run()).toMatchObject({ status, terminalKind: kind, completedAt: kernel.now(), live: 0 });
  });
});

describe("5.3: fork and join", () => {
  it("an arrival lowers the number of open branches in the decision that brings it", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b", "c"], join: "end" },
      a: tool({ next: "end" }),
      b: tool({ next: "end" }),
      c: tool({ next: "end" }),
      end: tool({ done: true }),
    });
    for (const [step, open] of [
      ["a", 2],
      ["b", 1],
    ] as const) {
      pass(kernel, step);
      expect(kernel.row("start").open).toMatchObject({ open });
      expect(kernel.rows("end")).toEqual([]);
    }
    pass(kernel, "c");
    expect(kernel.row("start").open).toBe(null);
    expect(kernel.rows("end")).toHaveLength(1);
  });

  it("a step shared by branches runs in the branch that reached it, and keeps the others waiting for nothing", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "end" },
      a: tool({ on_error: "alert", next: "end" }),
      b: tool({ on_error: "alert", next: "end" }),
      alert: tool({ next: "end" }),
      end: tool({ done: true }),
    });
    kernel.admitAll();
    kernel.fail("a");
    expect(kernel.row("alert").scope).toBe(kernel.row("a").scope);
    pass(kernel, "b");
    expect(kernel.rows("end")).toEqual([]);
    pass(kernel, "alert");
    expect(kernel.rows("end")).toHaveLength(1);
  });
});

describe("5.4: the end", () => {
  it.each(["failure", "cancel"] as const)(
    "an end of kind %s in a branch ends the run, aborts the rest and compensates",
    (kind) => {
      const kernel = startKernel({
        start: tool({ compensate: { tool: "undo" }, parallel: ["a", "b"] }),
        a: { set: {}, done: { kind, output: "mine" } },
        b: { wait: "1h", done: true },
      });
      pass(kernel, "start");
      expect(kernel.row("b").status).toBe("cancelled");
      pass(kernel, "start");
      expect(kernel.calls.map((call) => call.tool)).toEqual(["work", "undo"]);
      expect(kernel.run()).toMatchObject({ terminalKind: kind, output: "mine" });
    },
  );

  it("a run completes only when nothing is live: not before its side path has ended", () => {
    const kernel = startKernel({
      start: { gate: { escalate_after: "1h", escalate_to: "wake" }, done: true },
      wake: tool({ done: true }),
    });
    kernel.advance(hour);
    kernel.answer("start");
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
    pass(kernel, "wake");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "approved" });
  });
});

describe("5.5: failure", () => {
  it("arguments against the schema are not retried: the dispatcher says that this is final", () => {
    const kernel = startKernel({ start: { tool: "work", retry: { attempts: 5 }, done: true } });
    kernel.admitAll();
    kernel.fail("start", { code: "bad_arguments", message: "order must be a number" }, "final");
    expect(kernel.rows()).toHaveLength(1);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "bad_arguments" } });
  });
});

describe("5.7: every message has an id, and deciding it twice changes nothing", () => {
  it.each([
    { kind: "signal", name: "paid", data: 1 },
    { kind: "event", name: "paid", data: 1 },
    { kind: "pause", by: "ann" },
    { kind: "cancel", by: "ann", reason: null },
    { kind: "poison", error: { code: "x", message: "x" } },
    { kind: "answer", by: "bob", via: null, outcome: "approved", data: null, comment: null, hash: null },
  ] as const)("$kind", (message) => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["ask", "paid"] },
      ask: { gate: { need: 2 }, done: true },
      paid: { wait: { event: "paid" }, next: "nap" },
      nap: { wait: "1h", done: true },
    });
    const again = message.kind === "answer" ? { ...message, row: kernel.row("ask").id } : message;
    kernel.send({ ...again, id: "same" });
    const before = JSON.stringify([kernel.run(), kernel.rows(), kernel.events, kernel.frontier.signals]);
    kernel.send({ ...again, id: "same" });
    expect(JSON.stringify([kernel.run(), kernel.rows(), kernel.events, kernel.frontier.signals])).toBe(before);
  });
});

describe("5.10: loops", () => {
  it("count visits since the last rest anew: the limit is met by visits without one only", () => {
    const kernel = startKernel(
      {
        start: {
          set: { n: "{{ input.n }}" },
          branch: [
            { if: "steps.start.visits % 3 == 0", then: "ask" },
            { if: "false", then: "end" },
          ],
          else: "start",
        },
        ask: { gate: {}, next: "start" },
        end: { set: {}, done: true },
      },
      { input: { n: 1 }, limits: { visits: 3 } },
    );
    for (const visits of [3, 6, 9]) {
      expect(kernel.frontier.visits.get("start")).toMatchObject({ all: visits, sinceRest: 3 });
      kernel.answer("ask");
    }
    expect(kernel.run().status).toBe("running");
  });
});

describe("5.11: versions", () => {
  it("a run goes on by the plan that it was started with, whatever else is saved meanwhile", () => {
    const kernel = startKernel({ start: tool({ next: "old" }), old: tool({ done: true }) });
    const other = startKernel({ start: tool({ next: "new" }), new: tool({ done: true }) });
    expect(other.plan.hash).not.toBe(kernel.plan.hash);
    pass(kernel, "start");
    expect(kernel.rows().map(({ step }) => step)).toEqual(["start", "old"]);
  });
});

describe("5.13: gates", () => {
  it("a person who answers differently has given one answer, the newest", () => {
    const kernel = startKernel({
      start: { gate: { need: 2 }, routes: { later: "end" }, next: "end" },
      end: { set: {}, done: true },
    });
    kernel.answer("start", { by: "ann", outcome: "approved" });
    kernel.answer("start", { by: "bob", outcome: "later" });
    kernel.answer("start", { by: "ann", outcome: "later" });
    expect(kernel.row("start").gate?.answers.map(({ by, outcome }) => [by, outcome])).toEqual([
      ["bob", "later"],
      ["ann", "later"],
    ]);
    expect(kernel.row("start")).toMatchObject({ status: "done", outcome: "later" });
  });
});

describe("5.16: pause", () => {
  it("a run that was resumed and has ended is not resumed again", () => {
    const kernel = startKernel({ start: tool({ done: true }) });
    kernel.send({ kind: "pause", by: "ann" });
    kernel.send({ kind: "resume", by: "ann" });
    pass(kernel, "start");
    expect(codeOf(kernel.send({ kind: "resume", by: "ann" }))).toBe("already_ended");
    expect(kernel.eventsOf("resumed")).toHaveLength(1);
  });
});

describe("5.17: sub-flows", () => {
  it("are never uncertain: what is lost is the child's own", () => {
    const kernel = startKernel({ start: { flow: "other", done: true } });
    const row = kernel.row("start").id;
    for (const reason of ["crash", "connection"] as const) kernel.send({ kind: "lost", row, token: "", reason });
    expect(kernel.row("start").status).toBe("running");
  });
});

describe("what a decision asks for", () => {
  it("is only the results that an expression names, unless it computes the name", () => {
    const needsOf = (args: string): readonly unknown[] => {
      const kernel = startKernel(
        {
          start: tool({ next: "b" }),
          b: tool({ next: "c" }),
          c: tool({ next: "d" }),
          d: { tool: "work", args: { x: args }, done: true },
        },
        { input: { which: "b" } },
      );
      for (const step of ["start", "b"]) pass(kernel, step);
      kernel.admitAll();
      const { id, token } = kernel.row("c");
      const done = { kind: "done", id: "x", row: id, token: token ?? "", result: 1, outcome: null } as const;
      const decided = decide(kernel.plan, kernel.frontier, done, { ...envAt(kernel.now()), newId: () => 99 });
      return decided.kind === "need" ? decided.needs : [];
    };
    expect(needsOf("{{ steps.b.result }}")).toHaveLength(1);
    expect(needsOf("{{ steps[input.which].result }}")).toHaveLength(2);
  });
});

describe("warnings stay with their row", () => {
  it("of the items of an each, beside what it is told later", () => {
    const kernel = startKernel({
      start: { tool: "work", each: { items: ["{{ input.gone }} {{ input.lost }}"] }, done: true },
    });
    expect(kernel.row("start").warnings).toHaveLength(2);
    pass(kernel, "start");
    expect(kernel.row("start")).toMatchObject({
      status: "done",
      warnings: [{}, {}].map(() => expect.stringContaining("has no value")),
    });
  });

  it("of the words of a wait", () => {
    const kernel = startKernel({ start: { wait: { until: "2026-01-05T09:00:00Z{{ input.gone }}" }, done: true } });
    expect(kernel.row("start").warnings).toEqual([expect.stringContaining("input.gone")]);
    kernel.advance(hour);
    expect(kernel.row("start")).toMatchObject({ status: "done", warnings: [expect.stringContaining("input.gone")] });
  });

  it("of an item's arguments", () => {
    const kernel = startKernel({
      start: { tool: "work", each: { items: [1] }, args: { x: "{{ input.gone }}" }, done: true },
    });
    expect(kernel.rows("start").find(({ role }) => role === "item")?.warnings).toHaveLength(1);
  });
});

describe("the result of an each", () => {
  it("is in the items' order, whichever was done first, also beside errors", () => {
    const kernel = startKernel({
      start: {
        tool: "work",
        each: { items: ["a", "b", "c", "d"], concurrency: 4, on_item_error: "collect" },
        retry: false,
        done: true,
      },
    });
    kernel.admitAll();
    const items = kernel.rows("start").filter(({ role }) => role === "item");
    for (const at of [3, 0]) {
      const item = items[at];
      const { id: row = 0 } = item ?? {};
      kernel.send({ kind: "done", row, token: kernel.history.get(row)?.token ?? "", result: `r${at}`, outcome: null });
    }
    for (const at of [2, 1]) {
      const { id: row = 0 } = items[at] ?? {};
      const error = { code: `e${at}`, message: "no" };
      kernel.send({ kind: "failed", row, token: kernel.history.get(row)?.token ?? "", error, isFinal: true });
    }
    expect(kernel.row("start")).toMatchObject({
      outcome: "partial",
      result: ["r0", null, null, "r3"],
      errors: [
        { index: 1, error: { code: "e1" } },
        { index: 2, error: { code: "e2" } },
      ],
    });
  });
});
