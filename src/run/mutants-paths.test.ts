// More rules that a mutation run found unguarded: branches that are given up, ends, and what is told of them.

import { describe, expect, it } from "vitest";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { startMachine } from "../testing/small-machine.ts";
import { decide } from "./decide.ts";
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
      left: { set: { n: 7 }, next: "nap_left" },
      nap_left: { wait: "1h", next: "after_left" },
      after_left: { tool: "work", args: { n: "{{ steps.left.result.n }}" }, join: "joined" },
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
    expect(kernel.row("after_left")).toMatchObject({ status: "ready", args: { n: 7 } });
    kernel.admitAll();
    kernel.finish("after_left", 1);
    expect(kernel.run()).toMatchObject({ status: "completed", output: { seen: ["left", "right"] } });
  });
});

describe("a run that fails", () => {
  it("begins nothing of what was about to begin", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["left", "right"] },
      left: { wait: "1h", next: "after_left" },
      after_left: { tool: "work", done: true },
      right: { gate: { expires_after: "1h" }, done: true },
    });
    kernel.advance(hour);
    expect(kernel.row("left").status).toBe("done");
    expect(kernel.rows("after_left")).toEqual([]);
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expired" }, live: 0 });
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

describe("the steps that clean up", () => {
  it("run after a cancel, and not after a failure", () => {
    const flow = {
      start: { set: {}, parallel: ["left", "right"] },
      left: { tool: "work", effect: "read", cancel: "tidy", done: true },
      right: { tool: "work", effect: "read", retry: false, done: true },
      tidy: { tool: "sweep", done: true },
    };
    const failed = startKernel(flow);
    failed.admitAll();
    failed.fail("right");
    expect(failed.rows("tidy")).toEqual([]);
    expect(failed.run().status).toBe("failed");
    const cancelled = startKernel(flow);
    cancelled.admitAll();
    cancelled.send({ kind: "cancel", by: "ann", reason: null });
    expect(cancelled.rows("tidy")).toHaveLength(1);
  });
});

describe("`ready`, when nothing waits for its time any more,", () => {
  it.each([
    ["a sleep that is over was ready already", "1h", "already_ready"],
    ["a wait for an event never waits for that", { event: "paid" }, "not_waiting"],
  ])("is refused: %s", (_case, wait, code) => {
    const kernel = startKernel({ nap: { wait, next: "after" }, after: { tool: "work", done: true } });
    kernel.send({ kind: "event", name: "paid", data: null });
    kernel.advance(hour);
    expect(kernel.row("nap").status).toBe("done");
    expect(codeOf(kernel.send({ kind: "ready", row: kernel.row("nap").id, by: "bob" }))).toBe(code);
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

describe("what serves a step", () => {
  it("a notice that is cut off by a cancel is no write of the flow: nothing may have happened, nothing is undone", () => {
    const kernel = startKernel({ ask: { gate: { notify: { tool: "chat.send", args: {} } }, done: true } });
    kernel.admitAll();
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    const notice = { status: "cancelled", mayHaveHappened: false, isUndoable: false, finishedNo: null };
    expect(rowOfRole(kernel, "ask", "notify")).toMatchObject(notice);
    expect(kernel.run()).toMatchObject({ status: "cancelled", finishedCount: 0 });
  });

  it("an undoing whose answer is lost asks a person, whatever its step says of its own call", () => {
    const kernel = startKernel({
      start: { tool: "book", on_unknown: "fail", compensate: { tool: "unbook", args: {} }, next: "after" },
      after: { tool: "work", retry: false, done: true },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("after");
    kernel.admitAll();
    kernel.lose("start", "connection");
    expect(rowOfRole(kernel, "start", "undo").status).toBe("uncertain");
  });
});

describe("the effect that a step declares", () => {
  it("is that of its own call, not of the one that undoes it", () => {
    const compensate = { tool: "unbook", args: {} };
    const kernel = startKernel({
      start: { tool: "book", effect: "idempotent", compensate, next: "after" },
      after: { tool: "work", retry: false, done: true },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("after");
    kernel.admitAll();
    const effects = kernel.calls.map(({ tool, effect }) => [tool, effect]);
    expect(effects).toEqual([
      ["book", "idempotent"],
      ["work", "write"],
      ["unbook", "write"],
    ]);
  });
});

describe("a person's word on a lost call", () => {
  it.each([
    ["write", true],
    ["read", false],
  ])("to try a %s again leaves the lost try, and the next, with mayHaveHappened: %s", (effect, mayHaveHappened) => {
    const kernel = startKernel({ start: { tool: "pay", effect, on_unknown: "ask", done: true } });
    kernel.admitAll();
    kernel.lose("start", "connection");
    kernel.send({ kind: "resolve", row: kernel.row("start").id, by: "bob", how: "retry", result: null });
    const [lost, again] = kernel.rows("start");
    expect(lost).toMatchObject({ status: "failed", outcome: "error", mayHaveHappened });
    expect(again).toMatchObject({ status: "ready", mayHaveHappened });
  });
});

describe("a signal that no wait wants yet", () => {
  it("is taken with the answer that it is kept", () => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    const reply = kernel.send({ kind: "signal", name: "paid", data: 1 });
    expect(reply).toEqual({ kind: "ok", value: { kept: true } });
  });
});

describe("what a run remembers", () => {
  it("the ids of the newest 256 messages from outside, not more", () => {
    const kernel = startKernel({ start: { wait: { event: "paid" }, done: true } });
    for (let time = 1; time <= 300; time++) kernel.send({ id: `e${time}`, kind: "event", name: "other", data: null });
    const { seen } = kernel.run();
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([256, "e45", "e300"]);
  });

  it("no interruptions of a row that a person lets go on after three crashes", () => {
    const kernel = startKernel({ start: { tool: "look", effect: "read", done: true } });
    for (let crash = 0; crash < 3; crash++) {
      kernel.admitAll();
      kernel.lose("start", "crash");
    }
    const { id, interruptions } = kernel.row("start");
    expect(interruptions).toBe(3);
    kernel.send({ kind: "resolve", row: id, by: "bob", how: "retry", result: null });
    expect(kernel.row("start")).toMatchObject({ id, status: "ready", isHeld: false, interruptions: 0 });
  });

  it("nothing of a transition that its guard keeps from firing", () => {
    const kernel = startMachine({ guard: "data.isReady == true" });
    const before = kernel.row("here").version;
    expect(codeOf(kernel.fire("go"))).not.toBe("ok");
    expect(kernel.row("here").version).toBe(before);
  });
});

describe("what came due while nobody looked", () => {
  it.each([
    ["1h", "2h", "timeout"],
    ["2h", "1h", "expired"],
  ])("fires in order of time: a step's time of %s and an expiry after %s end as %s", (timeout, expiry, code) => {
    const kernel = startKernel({ ask: { gate: { expires_after: expiry }, timeout, done: true } });
    const late = { ...envAt(kernel.now() + 3 * hour), given: () => [] };
    const decision = decide(kernel.plan, kernel.frontier, { id: "m", kind: "alarm" }, late);
    const rows = decision.kind === "decision" ? decision.changes.rows : [];
    expect(rows).toMatchObject([{ name: "ask", status: "failed", error: { code } }]);
  });
});

describe("warnings", () => {
  const missing = [expect.stringContaining("input.gone")];

  it("of values that are set stay with the row, also when a branch is chosen after it", () => {
    const kernel = startKernel({
      start: { set: { text: "to {{ input.gone }}" }, branch: [{ if: "true", then: "after" }] },
      after: { tool: "work", done: true },
    });
    expect(kernel.row("start")).toMatchObject({ status: "done", warnings: missing });
  });

  it("of what a gate shows stay with it", () => {
    const shown = { title: "Title {{ input.gone }}", message: "Message {{ input.gone }}" };
    expect(startKernel({ ask: { gate: shown, done: true } }).row("ask").warnings).toHaveLength(2);
  });

  it("of the arguments of an undoing stay with it, secrets are placeholders, and one that is done has the outcome `success`", () => {
    const kernel = startKernel({
      start: {
        tool: "book",
        compensate: { tool: "unbook", args: { of: "of {{ input.gone }}", pin: "{{ secrets.BANK }}" } },
        next: "after",
      },
      after: { tool: "work", retry: false, done: true },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("after");
    kernel.admitAll();
    kernel.finish("start", "undone");
    const undone = { status: "done", outcome: "success", result: "undone", warnings: missing };
    expect(rowOfRole(kernel, "start", "undo")).toMatchObject({ ...undone, secrets: [{ name: "BANK" }] });
    expect(kernel.run().status).toBe("failed");
  });
});
