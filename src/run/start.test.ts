import { describe, expect, it } from "vitest";
import { codeOf, envAt, startKernel } from "../testing/kernel.ts";
import { decide } from "./decide.ts";
import type { Message } from "./message.ts";

const flow = { start: { tool: "work", args: { at: "{{ run.started_at }}" }, done: true } };

describe("a run that starts", () => {
  it("E3-13: is there with its first step ready, in one decision that answers with its id", () => {
    const kernel = startKernel(flow);
    expect(kernel.run()).toMatchObject({ status: "running", version: 1, startedAt: kernel.now(), createdBy: "ann" });
    expect(kernel.row("start")).toMatchObject({ status: "ready", causedBy: null, via: "start", visit: 1, attempt: 1 });
  });

  it("is started once, however often it is asked, and each time gets the same answer", () => {
    const kernel = startKernel(flow);
    const start = {
      kind: "start",
      id: "start",
      run: 1,
      uid: "run-uid",
      name: "flow",
      input: {},
      by: "ann",
      via: null,
      at: null,
      parent: null,
      again: null,
    } as const;
    expect(kernel.send(start)).toEqual({ kind: "ok", value: 1 });
    expect(kernel.rows()).toHaveLength(1);
  });

  it("at an instant that has passed starts now", () => {
    expect(startKernel(flow, { now: 5000, at: 4000 }).run()).toMatchObject({ status: "running", startedAt: 5000 });
  });

  it("before its first message takes no other", () => {
    const { plan } = startKernel(flow);
    const env = envAt(0);
    const messages: readonly Message[] = [
      { kind: "cancel", id: "a", by: "ann", reason: null },
      { kind: "pause", id: "b", by: "ann" },
      { kind: "resolve", id: "c", row: 1, by: "ann", how: "done", result: null },
      { kind: "alarm", id: "d" },
    ];
    for (const message of messages) {
      expect(decide(plan, null, message, env)).toMatchObject({
        kind: "decision",
        changes: { run: null, rows: [], events: [] },
      });
    }
  });
});

describe("a scheduled run", () => {
  it("E3-14: is scheduled, its first step pending, until its time", () => {
    const kernel = startKernel(flow, { now: 1000, at: 5000 });
    expect(kernel.run()).toMatchObject({ status: "scheduled", startedAt: null, alarms: [{ kind: "start", at: 5000 }] });
    expect(kernel.row("start")).toMatchObject({
      status: "pending",
      readyAt: null,
      alarms: [{ kind: "start", at: 5000 }],
    });
    kernel.admitAll();
    kernel.advance(3999);
    expect(kernel.run().status).toBe("scheduled");
    kernel.advance(1);
    expect(kernel.run()).toMatchObject({ status: "running", startedAt: 5000, alarms: [] });
    expect(kernel.row("start")).toMatchObject({ status: "ready", readyAt: 5000, alarms: [], args: { at: 5000 } });
    expect(kernel.rows()).toHaveLength(1);
  });

  it("begins now when its first step is made ready", () => {
    const kernel = startKernel(flow, { now: 1000, at: 5000 });
    expect(kernel.send({ kind: "ready", row: kernel.row("start").id, by: "ann" }).kind).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "running", startedAt: 1000, alarms: [] });
    expect(codeOf(kernel.send({ kind: "ready", row: kernel.row("start").id, by: "ann" }))).toBe("already_ready");
    kernel.advance(10_000);
    expect(kernel.rows()).toHaveLength(1);
  });

  it.each(["start", "run_timeout"] as const)("%s of the run is not what a row waits for", (kind) => {
    const kernel = startKernel(flow);
    const row = { ...kernel.row("start"), alarms: [{ kind, at: 0 }] };
    kernel.frontier.rows.set(row.id, row);
    kernel.send({ kind: "alarm" });
    expect(kernel.frontier.rows.get(row.id)).toEqual(row);
  });

  it("keeps a signal for a wait that has not begun", () => {
    const kernel = startKernel({ start: { wait: { event: "paid" }, done: true } }, { now: 1000, at: 5000 });
    kernel.send({ kind: "event", name: "paid", data: "lost" });
    kernel.send({ kind: "signal", name: "paid", data: "kept" });
    expect(kernel.run().status).toBe("scheduled");
    kernel.advance(4000);
    expect(kernel.run()).toMatchObject({ status: "completed", output: "kept" });
  });
});
