// Rules that a mutation run found unguarded: `npm run mutate` changed the kernel in one place, and nothing saw it.

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { startMachine } from "../testing/small-machine.ts";
import { decide } from "./decide.ts";
import { defaultLimits, type Env } from "./env.ts";
import { foldRows } from "./history.ts";
import type { Row } from "./model.ts";
import { delayAfter } from "./retry.ts";

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

/** A row of the step `only` that has done nothing yet, but for what a try of it knows. */
const untouched = {
  step: "only",
  name: "only",
  role: "step",
  status: "ready",
  version: 1,
  visit: 1,
  index: null,
  attempt: 1,
  interruptions: 0,
  scope: "",
  side: null,
  previous: { kind: "input" },
  tool: "look",
  args: {},
  secrets: [],
  key: "run-uid:only:1",
  token: null,
  handle: null,
  result: null,
  errors: null,
  outcome: null,
  error: null,
  warnings: [],
  alarms: [],
  startedAt: null,
  completedAt: null,
  finishedNo: null,
  open: null,
  arrived: false,
  ended: null,
  mayHaveHappened: false,
  isHeld: false,
  isUndoable: false,
  childRun: null,
  childFlow: null,
  gate: null,
  firing: null,
  serves: null,
  copiedFrom: null,
} as const;

describe("what a row says of itself", () => {
  it("a new row, and every new try of it, is ready and says nothing that has not happened", () => {
    const kernel = startKernel({ only: { tool: "look", args: {}, effect: "read", done: true } });
    const { id, createdAt } = kernel.row("only");
    const first = { id, causedBy: null, via: "start", createdAt, readyAt: createdAt };
    expect(kernel.row("only")).toEqual({ ...untouched, ...first });
    kernel.admitAll();
    kernel.advance(1000);
    kernel.lose("only", "crash");
    const second = { id: kernel.row("only").id, causedBy: id, via: "interrupted", interruptions: 1 };
    const times = { createdAt: createdAt + 1000, readyAt: createdAt + 1000 };
    expect(kernel.row("only")).toEqual({ ...untouched, ...second, ...times });
  });

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

  it("the probe of an item bears the item's index", () => {
    const probe = { tool: "look", args: {} };
    const kernel = startKernel({
      start: { tool: "book", effect: "write", probe, each: { items: [10, 20], concurrency: 2 }, done: true },
    });
    kernel.admitAll();
    const [, second] = [...kernel.frontier.rows.values()].filter((row) => row.role === "item");
    kernel.send({ kind: "lost", row: second?.id ?? 0, token: second?.token ?? "", reason: "connection" });
    expect(rowOfRole(kernel, "start", "probe")).toMatchObject({ index: 1, serves: second?.id });
  });

  it("a step whose outcome cannot be computed has failed with the outcome `error`", () => {
    const kernel = startKernel({ start: { tool: "work", outcome: "result.kind + 1", done: true } });
    kernel.admitAll();
    kernel.finish("start", { kind: "small" });
    expect(kernel.row("start")).toMatchObject({ status: "failed", outcome: "error" });
  });

  it("a try that a person asks for begins without interruptions", () => {
    const kernel = startKernel({ start: { tool: "pay", effect: "write", done: true } });
    kernel.admitAll();
    kernel.lose("start", "crash");
    const { id } = kernel.row("start");
    kernel.send({ kind: "resolve", row: id, by: "bob", how: "retry", result: null });
    expect(kernel.row("start")).toMatchObject({ status: "ready", attempt: 2, interruptions: 0, isHeld: false });
  });
});

describe("the jitter of a retry", () => {
  // Whoever decides the message again, perhaps a later version, must find the same instant.
  it.each([
    [1, 1_408_349_081_873_894],
    [0xffff_ffff, 1_403_938_429_895_789],
    [2 ** 40 + 12_345, 1_886_650_458_909_571],
    [2 ** 52 + 7, 1_371_613_553_259_522],
  ])("is the same for row %i in every version", (row, delay) => {
    const retry = { attempts: 3, backoff: { kind: "list", delaysMs: [1e15] }, jitter: 1 } as const;
    expect(delayAfter(retry, 1, row)).toBe(delay);
  });
});

describe("a gate", () => {
  it("tells people with the same `previous` as it has itself", () => {
    const kernel = startKernel({
      start: { tool: "work", next: "ask" },
      ask: { gate: { notify: { tool: "chat.send", args: { of: "{{ previous }}" } } }, done: true },
    });
    kernel.admitAll();
    kernel.finish("start", "done");
    expect(rowOfRole(kernel, "ask", "notify").previous).toEqual(kernel.row("ask").previous);
  });

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
  it("until something that is neither text nor number fails as no time", () => {
    const asked: unknown[] = [];
    const resolveTime: Env["resolveTime"] = (text) => ({ ok: true, at: asked.push(text) });
    const kernel = startKernel(
      { start: { wait: { until: "{{ input.at }}" }, done: true } },
      { input: { at: ["noon"] }, resolveTime },
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

describe("a message", () => {
  it("from a person that comes twice is answered alike, and changes nothing the second time", () => {
    const kernel = startAsk({});
    const ready = { id: "once", kind: "ready", row: kernel.row("ask").id, by: "bob" } as const;
    expect(codeOf(kernel.send(ready))).toBe("ok");
    const before = kernel.rows();
    expect(codeOf(kernel.send(ready))).toBe("ok");
    expect(kernel.rows()).toEqual(before);
  });

  it("under a key that asked for something else is refused, and changes nothing", () => {
    const kernel = startAsk({});
    const signal = (id: string): string => codeOf(kernel.send({ id, kind: "signal", name: "paid", data: id }));
    expect([signal("key#one"), signal("key#one"), signal("key#two"), signal("ke#two"), signal("#two")]).toEqual([
      "ok",
      "ok",
      "key_reused",
      "ok",
      "ok",
    ]);
    expect(kernel.frontier.signals.map(({ data }) => data)).toEqual(["key#one", "ke#two", "#two"]);
  });

  it("that is refused is refused alike when it comes again, whatever has changed", () => {
    const kernel = startAsk({});
    const resume = { id: "key#on", kind: "resume", by: "bob" } as const;
    const code = codeOf(kernel.send(resume));
    expect(code).not.toBe("ok");
    kernel.send({ id: "p", kind: "pause", by: "bob" });
    const before = JSON.stringify(kernel.run());
    expect([codeOf(kernel.send(resume)), JSON.stringify(kernel.run())]).toEqual([code, before]);
    expect(codeOf(kernel.send({ ...resume, id: "other#on" }))).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "running", seen: [`key#on!${code}`, "p", "other#on"] });
  });

  it("from a call, the dispatcher or the clock is not remembered: tokens and rows tell it apart", () => {
    const kernel = startKernel({ start: { tool: "look", effect: "read", done: true } });
    kernel.admitAll();
    kernel.lose("start", "crash");
    kernel.admitAll();
    kernel.fail("start");
    kernel.advance(minute);
    kernel.admitAll();
    kernel.finish("start");
    expect(kernel.run()).toMatchObject({ status: "completed", seen: [] });
  });

  it("to resume a run that is not paused fires nothing that is due", () => {
    const kernel = startKernel({ start: { wait: "1m", done: true } });
    const now = kernel.now() + 2 * minute;
    const message = { id: "m", kind: "resume", by: "bob" } as const;
    const decision = decide(kernel.plan, kernel.frontier, message, envAt(now));
    expect(decision).toMatchObject({ reply: { kind: "refused", code: "not_paused" }, changes: { rows: [] } });
  });
});

describe("what expressions see", () => {
  it("`steps.x` of a gate is its answer, also when the notice of it is done later", () => {
    const kernel = startKernel({
      ask: { gate: { notify: { tool: "chat.send", args: {} } }, next: "middle" },
      middle: { tool: "work", next: "last" },
      last: { set: { seen: "{{ steps.ask.result }}" }, done: true },
    });
    kernel.admitAll();
    kernel.answer("ask");
    kernel.admitAll();
    kernel.finish("ask", "sent");
    kernel.finish("middle");
    expect(kernel.run().output).toEqual({ seen: "approved" });
  });

  it("a sub-flow's input that has no value leaves a warning on the row", () => {
    const kernel = startKernel({ start: { flow: "child", input: { text: "to {{ input.missing }}" }, done: true } });
    expect(kernel.row("start").warnings).toEqual([expect.stringContaining("input.missing")]);
  });
});

describe("what people read", () => {
  it.each([
    [null, '"ask" was rejected by bob.'],
    ["too dear", '"ask" was rejected by bob: too dear.'],
  ])("a rejection with the comment %j says who, and why if they said it", (comment, message) => {
    const kernel = startAsk({});
    kernel.answer("ask", { outcome: "rejected", comment });
    expect(kernel.row("ask").error).toEqual({ code: "rejected", message });
  });

  it("a gate takes no answer whose name only the kernel gives, even with a route for it", () => {
    const routes = {
      error: "after",
      expired: "after",
      timeout: "after",
      skipped: "after",
      cancelled: "after",
      partial: "after",
    };
    const kernel = startKernel({
      ask: { gate: {}, routes, next: "after" },
      after: { tool: "log", done: true },
    });
    for (const outcome of Object.keys(routes)) {
      expect(codeOf(kernel.answer("ask", { outcome }))).toBe("unknown_outcome");
    }
  });

  it("the counts of a folded run name every status, with nothing where there is none", () => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    const none = { pending: 0, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0, uncertain: 0 };
    expect(foldRows(kernel.rows()).counts).toEqual({ ...none, ready: 1 });
  });

  it("an item that is done has the outcome `success`", () => {
    const kernel = startKernel({ start: { tool: "work", each: { items: [1] }, done: true } });
    kernel.admitAll();
    kernel.finish("start", 2);
    expect(rowOfRole(kernel, "start", "item")).toMatchObject({ status: "done", outcome: "success" });
  });
});

describe("limits", () => {
  it("are those of the language unless an operator sets others", () => {
    expect(defaultLimits).toEqual({
      visits: 1000,
      rows: 1_000_000,
      instant: 100,
      signals: 1000,
      depth: 8,
      items: 100_000,
    });
  });

  it("the run's own time stands on the run as `run_timeout`", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      timeout: "1m",
      start: "only",
      steps: { only: { tool: "work", done: true } },
    });
    expect(kernel.run().alarms).toEqual([{ kind: "run_timeout", at: kernel.now() + minute }]);
  });
});
