import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOf, morning, startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";
import type { Reply } from "./decision.ts";
import type { Env } from "./env.ts";

const hour = 3_600_000;

/** One wait, and a step behind it that is called with its result. */
function startWait(wait: Json, step: JsonObject = {}, options: KernelOptions = {}): Kernel {
  const after = { tool: "log", args: { got: "{{ previous }}" }, done: true };
  const steps = { hold: { wait, next: "after", ...step }, after, late: { tool: "log", done: true } };
  const routed = step["routes"] === undefined ? { hold: steps.hold, after } : steps;
  return startKernel({ format: "stepwell/v1", start: "hold", steps: routed }, options);
}

function signal(kernel: Kernel, name: string, data: Json = null): Reply {
  return kernel.send({ kind: "signal", name, data });
}

describe("a sleep", () => {
  it("lasts as long as it says, and hands on what led to it", () => {
    const kernel = startWait("30m", {}, { input: { order: "A7" } });
    expect(kernel.row("hold")).toMatchObject({
      status: "pending",
      readyAt: null,
      alarms: [{ kind: "sleep", at: morning + hour / 2 }],
    });
    kernel.advance(hour / 2 - 1);
    expect(kernel.rows("after")).toEqual([]);
    kernel.advance(1);
    expect(kernel.row("hold")).toMatchObject({
      status: "done",
      outcome: "success",
      result: { order: "A7" },
      alarms: [],
    });
    expect(kernel.row("after").args).toEqual({ got: { order: "A7" } });
  });

  it("hands on the result of a step that has left the frontier", () => {
    const kernel = startKernel({ work: { tool: "w", next: "nap" }, nap: { wait: "1h", done: true } });
    kernel.admitAll();
    kernel.finish("work", 42);
    kernel.advance(hour);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 42 });
  });

  it("of no time is over at once", () => {
    expect(startWait("0s").row("after").status).toBe("ready");
  });

  it("may name its outcome", () => {
    const kernel = startWait("1h", { outcome: "'late'", routes: { late: "late" } });
    kernel.advance(hour);
    expect(kernel.row("late").status).toBe("ready");
  });

  it("goes on after a pause when it has come due meanwhile", () => {
    const kernel = startWait("1h");
    kernel.send({ kind: "pause", by: "ann" });
    kernel.advance(2 * hour);
    expect(kernel.row("hold").status).toBe("pending");
    kernel.send({ kind: "resume", by: "ann" });
    kernel.advance(0);
    expect(kernel.row("after").status).toBe("ready");
  });

  it("counts as a rest: a loop through it does not spin", () => {
    const nap = { wait: "1h", outcome: "'again'", routes: { again: "nap", enough: "end" } };
    const kernel = startKernel({ format: "stepwell/v1", start: "nap", steps: { nap } }, { limits: { visits: 3 } });
    kernel.advance(10 * hour);
    expect(kernel.row("nap")).toMatchObject({ visit: 11, status: "pending" });
  });
});

describe("a wait until", () => {
  const at = "2026-01-05T09:00:00Z";

  it("is resolved once on entry", () => {
    const kernel = startWait({ until: "{{ input.at }}" }, {}, { input: { at } });
    expect(kernel.row("hold").alarms).toEqual([{ kind: "sleep", at: morning + hour }]);
    kernel.advance(hour);
    expect(kernel.row("after").status).toBe("ready");
  });

  it.each([
    ["in its own zone", { zone: "Europe/Berlin" }, "Europe/Berlin"],
    ["in the engine's zone", {}, null],
  ])("hands its words to the resolver, %s", (_, zone, expected) => {
    const asked: Json[] = [];
    const resolveTime: Env["resolveTime"] = (text, where, now) => {
      asked.push([text, where, now]);
      return { ok: true, at: morning + hour };
    };
    const kernel = startWait({ until: "tomorrow at 9am", ...zone }, {}, { resolveTime });
    expect(kernel.row("hold").status).toBe("pending");
    expect(asked).toEqual([["tomorrow at 9am", expected, morning]]);
  });

  it("in the past is over at once", () => {
    expect(startWait({ until: "2020-01-01T00:00:00Z" }).row("after").status).toBe("ready");
  });

  it.each([["soon"], [17]])("fails with `bad_time` when %j is not understood, and is not tried again", (words) => {
    const kernel = startWait({ until: "{{ input.at }}" }, {}, { input: { at: words } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "bad_time" } });
    expect(kernel.rows("hold")).toHaveLength(1);
  });

  it("that cannot be computed fails", () => {
    expect(startWait({ until: "{{ 1 / 0 }}" }).run().error?.code).toBe("expression_error");
  });
});

describe("a wait for an event", () => {
  it("gives the event's data", () => {
    const kernel = startWait({ event: "paid" });
    expect(kernel.row("hold")).toMatchObject({ status: "pending", alarms: [] });
    expect(signal(kernel, "paid", { amount: 5 })).toMatchObject({ value: { kept: false } });
    expect(kernel.row("hold")).toMatchObject({ status: "done", result: { amount: 5 } });
    expect(kernel.row("after").args).toEqual({ got: { amount: 5 } });
    expect(kernel.frontier.signals).toEqual([]);
  });

  it("takes only what its condition wants", () => {
    const kernel = startWait(
      { event: "paid", match: "event.order == input.order && data.order == 'A7'" },
      {},
      { input: { order: "A7" } },
    );
    expect(signal(kernel, "sent", { order: "A7" })).toMatchObject({ value: { kept: true } });
    expect(signal(kernel, "paid", { order: "B1" })).toMatchObject({ value: { kept: true } });
    expect(kernel.row("hold").status).toBe("pending");
    signal(kernel, "paid", { order: "A7" });
    expect(kernel.row("hold").status).toBe("done");
    expect(kernel.frontier.signals).toHaveLength(2);
  });

  it("may compare with results of old rows", () => {
    const kernel = startKernel({
      order: { tool: "order", next: "hold" },
      hold: { wait: { event: "paid", match: "event.order == steps.order.result" }, done: true },
    });
    kernel.admitAll();
    kernel.finish("order", "A7");
    signal(kernel, "paid", { order: "A7" });
    expect(kernel.run()).toMatchObject({ status: "completed", output: { order: "A7" } });
  });

  it("counts a condition that cannot be evaluated as false, and says so once", () => {
    const kernel = startWait({ event: "paid", match: "1 / event.zero == 1" });
    signal(kernel, "paid", { zero: 0 });
    signal(kernel, "paid", { zero: 0 });
    expect(kernel.row("hold")).toMatchObject({ status: "pending" });
    expect(kernel.row("hold").warnings).toHaveLength(1);
  });

  it("times out when the step gives a time", () => {
    const kernel = startWait({ event: "paid" }, { timeout: "7d", routes: { timeout: "late" } });
    kernel.advance(7 * 24 * hour);
    expect(kernel.row("hold")).toMatchObject({ status: "done", outcome: "timeout" });
    expect(kernel.row("late").status).toBe("ready");
    expect(signal(kernel, "paid")).toMatchObject({ value: { kept: true } });
  });
});

describe("a signal", () => {
  const two = { first: { wait: { event: "paid" }, next: "second" }, second: { wait: { event: "paid" }, done: true } };

  it("may come before its wait, which takes the oldest, one for one", () => {
    const kernel = startKernel({ work: { tool: "w", next: "first" }, ...two });
    for (const data of [1, 2, 3]) signal(kernel, "paid", data);
    kernel.admitAll();
    kernel.finish("work");
    expect(kernel.row("first").result).toBe(1);
    expect(kernel.row("second").result).toBe(2);
    expect(kernel.frontier.signals).toMatchObject([{ name: "paid", data: 3 }]);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 2 });
  });

  it("that does not match stays for another wait", () => {
    const kernel = startKernel({
      work: { tool: "w", next: "hold" },
      hold: { wait: { event: "paid", match: "event == 2" }, done: true },
    });
    for (const data of [1, 2]) signal(kernel, "paid", data);
    kernel.admitAll();
    kernel.finish("work");
    expect(kernel.row("hold").result).toBe(2);
    expect(kernel.frontier.signals).toMatchObject([{ data: 1 }]);
  });

  it("is taken by one wait, the one that has been open longest", () => {
    const wait = { wait: { event: "paid" }, done: true };
    const kernel = startKernel({ fork: { set: {}, parallel: ["one", "other"] }, one: wait, other: wait });
    signal(kernel, "paid");
    expect([kernel.row("one").status, kernel.row("other").status]).toEqual(["done", "pending"]);
  });

  it("is kept for a run that is scheduled", () => {
    const kernel = startWait({ event: "paid" }, {}, { at: morning + hour });
    signal(kernel, "paid", 1);
    kernel.advance(hour);
    expect(kernel.row("hold").result).toBe(1);
  });

  it("is taken while the run is paused, and what follows stays ready", () => {
    const kernel = startWait({ event: "paid" });
    kernel.send({ kind: "pause", by: "ann" });
    signal(kernel, "paid");
    kernel.admitAll();
    expect(kernel.row("hold").status).toBe("done");
    expect(kernel.row("after").status).toBe("ready");
  });

  it("is refused when too many are kept", () => {
    const kernel = startWait("1h", {}, { limits: { signals: 2 } });
    expect(["a", "b", "c"].map((name) => codeOf(signal(kernel, name)))).toEqual(["ok", "ok", "too_many_signals"]);
    expect(kernel.frontier.signals).toHaveLength(2);
  });

  it("to a run that has ended is refused", () => {
    const kernel = startWait("0s");
    kernel.admitAll();
    kernel.finish("after");
    expect(codeOf(signal(kernel, "paid"))).toBe("already_ended");
    expect(kernel.frontier.signals).toEqual([]);
  });

  it("with an id that was seen before changes nothing", () => {
    const kernel = startWait("1h");
    for (let times = 0; times < 2; times++) kernel.send({ kind: "signal", id: "s1", name: "paid", data: 1 });
    expect(kernel.frontier.signals).toEqual([{ id: "s1", name: "paid", data: 1 }]);
  });
});

describe("an event without a run", () => {
  const wait = { wait: { event: "paid", match: "event.amount > 1" }, done: true };
  const start = (step: JsonObject = {}): Kernel =>
    startKernel({ fork: { set: {}, parallel: ["one", "other"] }, one: { ...wait, ...step }, other: wait });

  it("goes to all waits that are open and want it", () => {
    const kernel = start();
    expect(kernel.send({ kind: "event", name: "paid", data: { amount: 1 } })).toMatchObject({ value: { taken: 0 } });
    expect(kernel.send({ kind: "event", name: "paid", data: { amount: 2 } })).toMatchObject({ value: { taken: 2 } });
    expect(kernel.run().status).toBe("completed");
  });

  it("is not kept", () => {
    const kernel = startWait("1h");
    kernel.send({ kind: "event", name: "paid", data: 1 });
    expect(kernel.frontier.signals).toEqual([]);
  });

  it("that fails the run in one wait leaves the others stopped", () => {
    const kernel = start({ outcome: "1 / 0" });
    kernel.send({ kind: "event", name: "paid", data: { amount: 2 } });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "expression_error" } });
    expect(kernel.row("other").status).toBe("cancelled");
  });

  it("finds nothing in a run that has ended", () => {
    const kernel = startWait("0s");
    kernel.admitAll();
    kernel.finish("after");
    expect(kernel.send({ kind: "event", name: "paid", data: 1 })).toMatchObject({ value: { taken: 0 } });
  });
});

describe("the example with three waits", () => {
  it("sleeps, wakes in the morning and goes on when the payment comes", () => {
    const flow = readFileSync(new URL("../../examples/language/wait.yaml", import.meta.url), "utf8");
    const kernel = startKernel(flow, {
      input: { order: "A7" },
      resolveTime: () => ({ ok: true, at: morning + 25 * hour }),
    });
    kernel.advance(25 * hour);
    expect(kernel.row("payment")).toMatchObject({ status: "pending", alarms: [{ kind: "timeout" }] });
    signal(kernel, "paid", { order: "A7", amount: 5 });
    expect(kernel.row("thank").args).toEqual({ message: "5 arrived for A7" });
  });
});
