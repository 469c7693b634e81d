// What the seeds 000, 001 and 003 tell of time and people, as it happens in the kernel: trying again, the watchdog,
// approval, escalation.

import { describe, expect, test } from "vitest";
import type { Json } from "../src/index.ts";
import { morning, startKernel, type Kernel } from "../src/testing/kernel.ts";
import { planOf, seeds } from "./example-files.ts";
import { called, day, minute, play, rowsSeen, second, startSeed, variant } from "./seed-runs.ts";

/** The time at which a row is due, from now. */
function dueIn(kernel: Kernel, step: string): readonly number[] {
  return kernel.row(step).alarms.map((alarm) => alarm.at - kernel.now());
}

describe("trying again", () => {
  const plan = planOf(`${seeds}/003-notify.json`);

  test("E0-29: a failure keeps its row and makes a new one like it, pending, with the next attempt and an alarm", () => {
    const kernel = startKernel(plan);
    kernel.admitAll();
    kernel.fail("send", { code: "offline", message: "No answer." });
    const [failed, next] = kernel.rows();
    expect(failed).toMatchObject({ status: "failed", attempt: 1, error: { code: "offline", message: "No answer." } });
    expect(next).toMatchObject({ status: "pending", attempt: 2, readyAt: null });
    const same = ["name", "tool", "args", "key"] as const;
    expect(same.map((column) => next?.[column])).toEqual(same.map((column) => failed?.[column]));
    expect(dueIn(kernel, "send")).toEqual([5 * second]);
  });

  test("E1-13: after five minutes the alarm unblocks the new row", () => {
    const kernel = startKernel(variant("003-notify", "start", { retry: { attempts: 3, backoff: ["5m"] } }));
    kernel.admitAll();
    kernel.fail("send");
    kernel.advance(5 * minute - 1);
    expect(rowsSeen(kernel)).toEqual(["send: failed", "send: pending"]);
    kernel.advance(1);
    expect(rowsSeen(kernel)).toEqual(["send: failed", "send: ready"]);
    play(kernel);
    expect(kernel.run().status).toBe("completed");
    expect(kernel.row("send")).toMatchObject({ attempt: 2, readyAt: morning + 5 * minute });
  });

  const classics: readonly (readonly [Json, readonly number[]])[] = [
    ["classic", [30, 120]],
    [{ attempts: 5, backoff: ["30s", "2m", "5m"] }, [30, 120, 300, 300]],
  ];

  test.each(classics)("E0-30: with retry %j it waits %j seconds", (retry, seconds) => {
    const kernel = startKernel(variant("003-notify", "start", { retry }));
    const waits: number[] = [];
    while (kernel.run().status === "running") {
      kernel.admitAll();
      kernel.fail("send");
      waits.push(...dueIn(kernel, "send"));
      kernel.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual(seconds.map((each) => each * second));
  });

  test("E3-41, E3-07, E0-31, E3-02: after 5 and 30 seconds the third failure fails the step and the run", () => {
    const kernel = startKernel(plan);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      kernel.admitAll();
      kernel.fail("send", { code: "offline", message: `No answer to try ${attempt}.` });
      const [due = 0] = dueIn(kernel, "send");
      waits.push(due);
      kernel.advance(due);
    }
    expect(waits).toEqual([5 * second, 30 * second, 0]);
    expect(kernel.rows().map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, "failed"],
      [2, "failed"],
      [3, "failed"],
    ]);
    expect(kernel.run()).toMatchObject({
      status: "failed",
      terminalKind: "failure",
      error: { code: "offline", message: "No answer to try 3." },
      completedAt: morning + 35 * second,
    });
  });

  test("E0-36, E3-46: a call that may be repeated fails after 120 seconds and is tried again", () => {
    const kernel = startSeed("000-research", { effects: { knowledge_search: "read" } });
    kernel.admitAll();
    kernel.advance(120 * second - 1);
    expect(rowsSeen(kernel)).toEqual(["search: running"]);
    kernel.advance(1);
    expect(rowsSeen(kernel)).toEqual(["search: failed", "search: pending"]);
    expect(kernel.rows("search")[0]?.error?.code).toBe("timeout");
    expect(kernel.aborts).toHaveLength(1);
  });

  test("E0-36: a write that took longer than 120 seconds may have happened, and is not repeated blindly", () => {
    const kernel = startSeed("003-notify", { effects: { pushover_send: "write" } });
    kernel.admitAll();
    kernel.advance(120 * second);
    expect(rowsSeen(kernel)).toEqual(["send: uncertain"]);
    expect(kernel.run()).toMatchObject({ status: "running", attention: { code: "uncertain" } });
  });

  test("E0-43: a step may have a time of its own", () => {
    const kernel = startKernel(variant("003-notify", "start", { timeout: "10s", effect: "idempotent" }));
    kernel.admitAll();
    kernel.advance(10 * second);
    expect(rowsSeen(kernel)).toEqual(["send: failed", "send: pending"]);
  });
});

describe("approval", () => {
  const input = { title: "Tea", body: "Boil water." };

  test("E0-40, E1-02, E3-02: a gate has no tool and waits, pending; the answer makes the next step ready", () => {
    const kernel = startSeed("000-request-approval", { input });
    kernel.advance(30 * day);
    kernel.admitAll();
    expect(kernel.row("request_approval")).toMatchObject({ status: "pending", tool: null, readyAt: null });
    expect(kernel.answer("request_approval")).toMatchObject({ kind: "ok" });
    expect(kernel.row("request_approval")).toMatchObject({ status: "done", result: "approved", outcome: "approved" });
    expect(kernel.row("execute_write").status).toBe("ready");
    kernel.admitAll();
    expect(kernel.row("execute_write").status).toBe("running");
    kernel.finish("execute_write", { id: 7 });
    expect(rowsSeen(kernel)).toEqual(["request_approval: done", "execute_write: done"]);
    expect(called(kernel)).toEqual([["knowledge_add", input]]);
  });

  test("E0-38, E1-05: ready with a step's id and done with its result are all that the run is told", () => {
    const kernel = startSeed("000-request-approval", { input });
    const gate = kernel.row("request_approval").id;
    expect(kernel.send({ kind: "ready", row: gate, by: "bob" })).toMatchObject({ kind: "ok" });
    kernel.admitAll();
    const { id, token } = kernel.row("execute_write");
    kernel.send({ kind: "done", row: id, token: token ?? "", result: "added", outcome: null });
    expect(kernel.row("request_approval").result).toBe("approved");
    expect(kernel.run()).toMatchObject({ status: "completed", output: "added" });
    expect(kernel.send({ kind: "ready", row: gate, by: "bob" })).toMatchObject({ code: "already_ready" });
  });

  test("E0-38: an alarm names the run alone; what is due stands in its rows", () => {
    const kernel = startSeed("003-notify");
    kernel.admitAll();
    kernel.fail("send");
    kernel.advance(5 * second);
    expect(kernel.row("send").status).toBe("ready");
    kernel.send({ kind: "alarm" });
    expect(rowsSeen(kernel)).toEqual(["send: failed", "send: ready"]);
  });

  test("E1-09: the approver is told when the gate opens, and nothing else happens until an answer comes", () => {
    const kernel = startSeed("001-escalation", { input: { title: "the budget" } });
    play(kernel);
    kernel.advance(day - 1);
    play(kernel);
    expect(called(kernel)).toEqual([["pushover_send", { message: "Your approval is needed" }]]);
    expect(kernel.row("await_approval").gate?.title).toBe("Approve the budget");
    kernel.answer("await_approval");
    play(kernel);
    expect(called(kernel).slice(1)).toEqual([["send_email", { title: "the budget" }]]);
    expect(kernel.run().status).toBe("completed");
  });

  test("E1-14: unanswered for 24 hours, it makes a notification step; the gate stays open and can still be answered", () => {
    const kernel = startSeed("001-escalation", { input: { title: "the budget" } });
    play(kernel);
    kernel.advance(day);
    expect(kernel.row("escalate")).toMatchObject({ status: "ready", side: "escalation" });
    play(kernel);
    expect(called(kernel)[1]).toEqual(["pushover_send", { message: "Nobody has answered for a day" }]);
    expect(kernel.run().status).toBe("running");
    expect(kernel.row("await_approval").status).toBe("pending");
    kernel.advance(10 * day);
    kernel.answer("await_approval");
    play(kernel, { send_email: "sent" });
    expect(kernel.rows("escalate")).toHaveLength(1);
    expect(kernel.run()).toMatchObject({ status: "completed", output: "sent" });
  });
});
