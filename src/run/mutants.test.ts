// Rules that a mutation run found unguarded: `npm run mutate` changed the kernel in one place, and nothing saw it.

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { startMachine } from "../testing/small-machine.ts";
import { decide } from "./decide.ts";
import type { Row } from "./model.ts";

const minute = 60_000;

/** The newest row of this role that serves the step. */
function rowOfRole(kernel: Kernel, step: string, role: Row["role"]): Row {
  const row = kernel.rows(step).findLast((one) => one.role === role);
  if (row === undefined) throw new Error(`no ${role} of "${step}"`);
  return row;
}

function startAsk(gate: JsonObject, options = {}): Kernel {
  const steps = { ask: { gate, next: "after" }, after: { tool: "log", done: true } };
  return startKernel({ format: "stepwell/v1", start: "ask", steps }, options);
}

describe("what a row says of itself", () => {
  it("another try after a crash is ready from then on, and not since the first one was", () => {
    const kernel = startKernel({ start: { tool: "look", effect: "read", done: true } });
    const before = kernel.now();
    kernel.admitAll();
    kernel.advance(minute);
    kernel.lose("start", "crash");
    const [first, second] = kernel.rows("start");
    expect(first).toMatchObject({ readyAt: before, createdAt: before });
    expect(second).toMatchObject({ readyAt: before + minute, createdAt: before + minute });
  });

  it("a state has started when the run came into it", () => {
    const kernel = startMachine({});
    kernel.advance(minute);
    kernel.fire("go");
    expect(kernel.row("there")).toMatchObject({ status: "pending", startedAt: kernel.now() });
  });

  it("the undoing of an item bears the item's index", () => {
    const kernel = startKernel({
      start: {
        tool: "book",
        each: { items: [10, 20], concurrency: 1 },
        compensate: { tool: "unbook", args: { of: "{{ result }}" } },
        next: "after",
      },
      after: { tool: "work", retry: false, done: true },
    });
    for (const result of ["a", "b"]) {
      kernel.admitAll();
      kernel.finish("start", result);
    }
    kernel.admitAll();
    kernel.fail("after");
    expect(rowOfRole(kernel, "start", "undo")).toMatchObject({ index: 1, args: { of: "b" } });
  });

  it("a sub-flow's input keeps secrets as placeholders, with their places", () => {
    const kernel = startKernel({ start: { flow: "child", input: { token: "{{ secrets.BANK }}" }, done: true } });
    expect(kernel.row("start").secrets).toMatchObject([{ name: "BANK", pointer: "/token" }]);
  });
});

describe("a gate", () => {
  it("gives the newest of several forms that agree", () => {
    const form = { type: "object", properties: { limit: { type: "integer" } } };
    const kernel = startAsk({ need: 2, form });
    kernel.answer("ask", { by: "bob", data: { limit: 1 } });
    kernel.answer("ask", { by: "cleo", data: { limit: 2 } });
    expect(kernel.row("ask")).toMatchObject({ status: "done", result: { limit: 2 } });
  });

  it("counts as one rest of the run", () => {
    const kernel = startAsk({});
    expect(kernel.run().restCount).toBe(0);
    kernel.answer("ask");
    expect(kernel.run().restCount).toBe(1);
  });

  it("has a notice that fails, and asks nobody, after three crashes of our own", () => {
    const kernel = startAsk({ notify: { tool: "chat.send", args: {} } }, { effects: { "chat.send": "read" } });
    for (let crash = 0; crash < 3; crash++) {
      kernel.admitAll();
      kernel.lose("ask", "crash");
    }
    expect(rowOfRole(kernel, "ask", "notify")).toMatchObject({ status: "failed", isHeld: false });
    expect(kernel.eventsOf("notify_failed")).toHaveLength(1);
    expect(kernel.run().attention).toBeNull();
    expect(codeOf(kernel.answer("ask"))).toBe("ok");
  });
});

describe("a wait", () => {
  it("until something that is no text fails as no time", () => {
    const asked: unknown[] = [];
    const resolveTime = (text: unknown): number => asked.push(text);
    const kernel = startKernel(
      { start: { wait: { until: "{{ input.at }}" }, done: true } },
      { input: { at: 12 }, resolveTime },
    );
    expect(kernel.row("start")).toMatchObject({ status: "failed", error: { code: "bad_time" } });
    expect(asked).toEqual([]);
  });
});

describe("a decision", () => {
  it("names the newest visit of a step as a change of kind `set`", () => {
    const kernel = startKernel({ start: { tool: "work", next: "after" }, after: { tool: "work", done: true } });
    kernel.admitAll();
    const { id, token } = kernel.row("start");
    const message = { id: "m", kind: "done", row: id, token: token ?? "", result: 1, outcome: null } as const;
    const decision = decide(kernel.plan, kernel.frontier, message, envAt(kernel.now()));
    const scopes = decision.kind === "decision" ? decision.changes.scopes : [];
    expect(scopes).toEqual([{ kind: "set", scope: "", step: "start", visit: { row: id, finishedNo: 1 } }]);
  });
});
