import { describe, expect, it } from "vitest";
import type { Backoff } from "../flow/plan.ts";
import { startKernel } from "../testing/kernel.ts";
import { delayAfter, delayAskedFor } from "./retry.ts";

const second = 1000;
const minute = 60 * second;

describe("the wait before the next try", () => {
  const list: Backoff = { kind: "list", delaysMs: [5 * second, 30 * second, 60 * second] };
  const growing: Backoff = { kind: "exponential", baseMs: second, factor: 3, maxMs: 20 * second };

  it.each([
    ["the list's own", list, 1, 5 * second],
    ["the list's own", list, 3, 60 * second],
    ["the last of a list that is too short", list, 9, 60 * second],
    ["nothing for an empty list", { kind: "list", delaysMs: [] } as const, 1, 0],
    ["the base first", growing, 1, second],
    ["multiplied each time", growing, 3, 9 * second],
    ["never more than the maximum", growing, 4, 20 * second],
  ])("is %s", (_, backoff, attempt, expected) => {
    expect(delayAfter({ attempts: 5, backoff, jitter: 0 }, attempt, 7)).toBe(expected);
  });

  it("is up to the jitter later, never earlier, and the same for the same row", () => {
    const retry = { attempts: 3, backoff: list, jitter: 0.1 };
    const delays = Array.from({ length: 500 }, (_, row) => delayAfter(retry, 1, 1_767_600_000_000 + row));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5 * second);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5.5 * second);
    expect(new Set(delays).size).toBeGreaterThan(200);
    expect(delayAfter(retry, 1, 42)).toBe(delayAfter(retry, 1, 42));
  });
});

describe("a try that failed", () => {
  it("E0-29: makes a new row with the same name, tool and args, pending, its attempt raised, with an alarm", () => {
    const kernel = startKernel(
      { start: { tool: "fetch", args: { url: "{{ input.url }}" }, done: true } },
      { input: { url: "x" } },
    );
    kernel.admitAll();
    kernel.fail("start", { code: "http_500", message: "no" });
    const [first, next] = kernel.rows("start");
    expect(first).toMatchObject({
      status: "failed",
      attempt: 1,
      error: { code: "http_500", message: "no" },
      outcome: "error",
    });
    expect(next).toMatchObject({ status: "pending", attempt: 2, tool: "fetch", args: { url: "x" }, name: "start" });
    expect(next).toMatchObject({ causedBy: first?.id, via: "retry", outcome: null, error: null, readyAt: null });
    expect(next?.alarms).toEqual([{ kind: "retry", at: kernel.now() + 5 * second }]);
  });

  it.each([
    ["waits for at least as long as it asks for", { retryAfterMs: 30 * second }, 30 * second],
    ["waits for as long as the step says when that is more", { retryAfterMs: second }, 5 * second],
    ["waits for an hour when it asks for a day", { retryAfterMs: 1440 * minute }, 60 * minute],
    ["waits for as long as the step says when it asks for nothing", {}, 5 * second],
  ])("M11: %s", (_, asked, expected) => {
    const kernel = startKernel({ start: { tool: "fetch", done: true } });
    kernel.admitAll();
    const { id: row, token } = kernel.row("start");
    const error = { code: "busy", message: "Not now." };
    kernel.send({ kind: "failed", row, token: token ?? "", error, isFinal: false, ...asked });
    expect(kernel.row("start").alarms).toEqual([{ kind: "retry", at: kernel.now() + expected }]);
  });

  it("M11: a read of which nobody knows whether it happened waits for as long as it was asked to, too", () => {
    const kernel = startKernel({ start: { tool: "fetch", effect: "read", done: true } });
    kernel.admitAll();
    const { id: row, token } = kernel.row("start");
    kernel.send({ kind: "lost", row, token: token ?? "", reason: "connection", retryAfterMs: 30 * second });
    expect(kernel.row("start").alarms).toEqual([{ kind: "retry", at: kernel.now() + 30 * second }]);
  });

  it("M11: does not come back at the very instant that was asked for when the step has a jitter", () => {
    const retry = { attempts: 3, backoff: { kind: "list", delaysMs: [second] }, jitter: 0.1 } as const;
    const delays = Array.from({ length: 500 }, (_, row) => delayAskedFor(retry, 1_767_600_000_000 + row, minute));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(minute);
    expect(Math.max(...delays)).toBeLessThanOrEqual(66 * second);
    expect(new Set(delays).size).toBeGreaterThan(200);
  });

  it("M11: never waits for more than an hour, whatever the jitter", () => {
    const retry = { attempts: 3, backoff: { kind: "list", delaysMs: [second] }, jitter: 0.5 } as const;
    for (const asked of [59 * minute, 60 * minute, 1440 * minute]) {
      const delays = Array.from({ length: 100 }, (_, row) => delayAskedFor(retry, 1_767_600_000_000 + row, asked));
      expect(Math.max(...delays)).toBe(60 * minute);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(Math.min(asked, 60 * minute));
    }
  });

  it("E1-13: after 5 minutes the alarm unblocks the new row", () => {
    const kernel = startKernel({ start: { tool: "fetch", retry: { attempts: 2, backoff: ["5m"] }, done: true } });
    kernel.admitAll();
    kernel.fail("start");
    kernel.advance(5 * minute - 1);
    expect(kernel.row("start")).toMatchObject({ status: "pending", attempt: 2 });
    kernel.advance(1);
    expect(kernel.row("start")).toMatchObject({ status: "ready", attempt: 2, alarms: [] });
    kernel.admitAll();
    expect(kernel.calls).toHaveLength(2);
  });

  it("E3-06: goes from ready to running to failed, and again, and the third success is the step's", () => {
    const kernel = startKernel({ start: { tool: "fetch", done: true } });
    for (const delay of [5 * second, 30 * second]) {
      expect(kernel.row("start").status).toBe("ready");
      kernel.admitAll();
      expect(kernel.row("start").status).toBe("running");
      kernel.fail("start");
      kernel.advance(delay);
    }
    kernel.admitAll();
    kernel.finish("start", "at last");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "at last" });
    expect(kernel.rows("start").map((row) => row.status)).toEqual(["failed", "failed", "done"]);
  });

  it("keeps the idempotency key and the arguments over all attempts", () => {
    const flow = {
      start: {
        tool: "pay",
        args: { at: "{{ run.now }}" },
        idempotency_key: "{{ run.now }}-{{ input.order }}",
        done: true,
      },
    };
    const kernel = startKernel(flow, { input: { order: "A7" } });
    kernel.admitAll();
    kernel.fail("start");
    kernel.advance(5 * second);
    kernel.admitAll();
    const [first, again] = kernel.calls;
    expect(again?.key).toBe(first?.key);
    expect(again?.args).toEqual(first?.args);
    expect(again?.token).not.toBe(first?.token);
  });

  it("E0-31, E3-07: the third failure fails the step and the run", () => {
    const kernel = startKernel({ start: { tool: "fetch", done: true } });
    for (const delay of [5 * second, 30 * second, 0]) {
      kernel.admitAll();
      kernel.fail("start");
      kernel.advance(delay);
    }
    expect(kernel.rows("start").map((row) => row.status)).toEqual(["failed", "failed", "failed"]);
    expect(kernel.run()).toMatchObject({
      status: "failed",
      terminalKind: "failure",
      error: { code: "broken" },
      output: null,
    });
    expect(kernel.run().completedAt).toBe(kernel.now());
  });

  it.each([
    ["a pipeline", { steps: [{ tool: "fetch" }] }],
    ["retry: false", { start: { tool: "fetch", retry: false, done: true } }],
  ])("is the last one in %s", (_, flow) => {
    const kernel = startKernel(flow);
    kernel.admitAll();
    kernel.fail(kernel.plan.start);
    expect(kernel.run().status).toBe("failed");
  });

  it("is not repeated when the tool says that this is final", () => {
    const kernel = startKernel({ start: { tool: "fetch", done: true } });
    kernel.admitAll();
    kernel.fail("start", { code: "bad_arguments", message: "no url" }, "final");
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "bad_arguments" } });
  });
});
