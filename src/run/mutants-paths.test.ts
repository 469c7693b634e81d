// More rules that a mutation run found unguarded: branches that are given up, ends, and what is told of them.

import { describe, expect, it } from "vitest";
import { startKernel, type Kernel } from "../testing/kernel.ts";
import { historyOf } from "./history.ts";
import type { Row } from "./model.ts";

const hour = 3_600_000;

/** The newest row of this role that serves the step. */
function rowOfRole(kernel: Kernel, step: string, role: Row["role"]): Row {
  const row = kernel.rows(step).findLast((one) => one.role === role);
  if (row === undefined) throw new Error(`no ${role} of "${step}"`);
  return row;
}

describe("a branch that is given up", () => {
  /** In `right` the gate fails just when the naps of its sister and of the branch beside it are over. */
  function startNaps(): Kernel {
    return startKernel({
      start: { set: {}, parallel: ["left", "right"], on_branch_error: "collect" },
      left: { wait: "1h", next: "after_left" },
      after_left: { tool: "work", join: "joined" },
      right: { set: {}, parallel: ["nap", "ask"] },
      nap: { wait: "1h", next: "after_nap" },
      after_nap: { tool: "work", join: "inner" },
      ask: { gate: { expires_after: "1h" }, join: "inner" },
      inner: { set: {}, join: "joined" },
      joined: { set: { seen: "{{ keys(previous) }}" }, done: true },
    });
  }

  it("drops what was about to begin in it, and nothing of the branch beside it", () => {
    const kernel = startNaps();
    kernel.advance(hour);
    expect(kernel.row("ask")).toMatchObject({ status: "failed", error: { code: "expired" } });
    expect(kernel.rows("after_nap")).toEqual([]);
    expect(kernel.row("after_left").status).toBe("ready");
    kernel.admitAll();
    kernel.finish("after_left", 1);
    expect(kernel.run()).toMatchObject({ status: "completed", output: { seen: ["left", "right"] } });
  });
});

describe("a path beside the flow", () => {
  it("leaves nothing behind of what it has seen when it fails", () => {
    const kernel = startKernel({
      ask: { gate: { escalate_after: "1h", escalate_to: "look" }, done: true },
      look: { tool: "work", next: "call" },
      call: { tool: "work", retry: false, done: true },
    });
    kernel.advance(hour);
    kernel.admitAll();
    kernel.finish("look");
    expect([...kernel.frontier.scopes.keys()]).toEqual([`${kernel.row("ask").id}:side`]);
    kernel.admitAll();
    kernel.fail("call");
    expect(kernel.eventsOf("side_path_failed")).toHaveLength(1);
    expect([...kernel.frontier.scopes.keys()]).toEqual([]);
  });
});

describe("an event that a wait does not want", () => {
  it("writes no row", () => {
    const kernel = startKernel({ start: { wait: { event: "paid", match: "event.n == 1" }, done: true } });
    const before = kernel.row("start").version;
    kernel.send({ kind: "event", name: "paid", data: { n: 2 } });
    expect(kernel.row("start")).toMatchObject({ status: "pending", version: before });
    kernel.send({ kind: "event", name: "paid", data: { n: 1 } });
    expect(kernel.row("start")).toMatchObject({ status: "done", version: before + 1 });
  });
});

describe("what has ended badly", () => {
  it("counts as one completion of its run", () => {
    const kernel = startKernel({
      start: { tool: "work", retry: false, routes: { error: "after" } },
      after: { tool: "work", done: true },
    });
    kernel.admitAll();
    kernel.fail("start");
    expect(kernel.row("start").finishedNo).toBe(1);
    kernel.admitAll();
    kernel.finish("after");
    expect(kernel.row("after").finishedNo).toBe(2);
    expect(kernel.run().finishedCount).toBe(2);
  });

  it("a sub-flow that was cancelled keeps the output it had", () => {
    const kernel = startKernel({ start: { flow: "child", done: true } });
    const { id, childRun } = kernel.row("start");
    const end = { status: "cancelled", output: { half: true }, error: null } as const;
    kernel.send({ kind: "child", row: id, child: childRun ?? 0, ...end });
    expect(kernel.row("start")).toMatchObject({
      status: "failed",
      result: { half: true },
      error: { code: "cancelled" },
    });
  });

  it("a gate that runs out of its step's time says that it waited, and is a rest of the run", () => {
    const kernel = startKernel({ ask: { gate: {}, timeout: "1h", done: true } });
    kernel.advance(hour);
    const error = { code: "timeout", message: '"ask" waited longer than it may.' };
    expect(kernel.row("ask")).toMatchObject({ status: "failed", error });
    expect(kernel.run()).toMatchObject({ status: "failed", error, restCount: 1 });
  });

  it("an undoing that is held has no call under way", () => {
    const kernel = startKernel({
      start: { tool: "book", compensate: { tool: "unbook", args: {} }, retry: false, next: "after" },
      after: { tool: "work", retry: false, done: true },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("after");
    kernel.admitAll();
    kernel.fail("start");
    expect(rowOfRole(kernel, "start", "undo")).toMatchObject({
      status: "failed",
      isHeld: true,
      token: null,
      alarms: [],
      completedAt: kernel.now(),
    });
  });
});

describe("what is told", () => {
  it("a machine that is cancelled by a transition tells who cancelled it and why", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      name: "doc",
      states: { draft: { initial: true }, withdrawn: { terminal: "cancel" } },
      transitions: [{ name: "withdraw", from: "draft", to: "withdrawn" }],
    });
    kernel.send({ kind: "cancel", by: "ann", reason: "a mistake" });
    expect(kernel.run().status).toBe("cancelled");
    expect(kernel.eventsOf("cancelled")).toMatchObject([{ by: "ann", data: { reason: "a mistake" } }]);
  });

  it("the history has no end of what is still under way", () => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    kernel.admitAll();
    const kinds = (): readonly string[] => historyOf(kernel.rows(), kernel.events).map(({ kind }) => kind);
    expect(kinds()).toEqual(["entered", "started"]);
    kernel.finish("start");
    expect(kinds()).toEqual(["entered", "started", "ended"]);
  });

  it("a notice says that it came of its gate's `notify`", () => {
    const kernel = startKernel({ ask: { gate: { notify: { tool: "chat.send", args: {} } }, done: true } });
    const notice = { via: "notify", serves: kernel.row("ask").id, causedBy: kernel.row("ask").id };
    expect(rowOfRole(kernel, "ask", "notify")).toMatchObject(notice);
  });
});
