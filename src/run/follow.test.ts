import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";

function startCall(step: JsonObject = {}): Kernel {
  const kernel = startKernel({
    pay: { tool: "pay", args: { n: 1 }, effect: "write", next: "end", ...step },
    end: { terminal: "success" },
  });
  kernel.admitAll();
  return kernel;
}

function tellAlive(kernel: Kernel, { until, handle = null }: { until: number; handle?: string | null }): void {
  const { id, token } = kernel.row("pay");
  kernel.send({ kind: "alive", row: id, token: token ?? "", handle, until });
}

function hold(kernel: Kernel): void {
  const { id, token } = kernel.row("pay");
  const error = { code: "tool_changed", message: "It has a new argument." } as const;
  kernel.send({ kind: "held", row: id, token: token ?? "", error });
}

describe("a call that says that it goes on", () => {
  it("has until then, and is lost only after it", () => {
    const kernel = startCall();
    const { startedAt } = kernel.row("pay");
    const until = (startedAt ?? 0) + 500_000;
    tellAlive(kernel, { until });
    expect(kernel.row("pay")).toMatchObject({ status: "running", alarms: [{ kind: "timeout", at: until }], startedAt });
    kernel.advance(499_999);
    expect(kernel.row("pay").status).toBe("running");
    kernel.advance(1);
    expect(kernel.row("pay").status).toBe("uncertain");
  });

  it("changes nothing when it is over, or when another try is under way", () => {
    const kernel = startCall();
    const { id } = kernel.row("pay");
    kernel.send({ kind: "alive", row: id, token: "an old one", handle: "h", until: 9e15 });
    expect(kernel.row("pay").handle).toBeNull();
    kernel.finish("pay", "paid");
    const before = kernel.history.get(id);
    kernel.send({ kind: "alive", row: id, token: `${id}.e1`, handle: "h", until: 9e15 });
    expect(kernel.history.get(id)).toEqual(before);
    expect(kernel.eventsOf("late_result")).toEqual([]);
  });
});

describe("a call that goes on elsewhere", () => {
  it("is followed in the same row when our own process ends, without a doubt and without a new call", () => {
    const kernel = startCall();
    const { id, startedAt } = kernel.row("pay");
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    kernel.advance(1000);
    kernel.lose("pay", "crash");
    expect(kernel.row("pay")).toMatchObject({ id, status: "ready", handle: "task 7", attempt: 1, interruptions: 1 });
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ row: id, handle: "task 7" });
    expect(kernel.row("pay")).toMatchObject({ id, status: "running", startedAt });
    kernel.finish("pay", "paid");
    expect(kernel.run()).toMatchObject({ status: "completed", attention: null });
  });

  it("is held when that happens three times in a row, and goes on when a person says so", () => {
    const kernel = startCall();
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    const { id } = kernel.row("pay");
    for (let crashes = 0; crashes < 3; crashes++) {
      kernel.lose("pay", "crash");
      kernel.admitAll();
    }
    expect(kernel.row("pay")).toMatchObject({ id, status: "pending", isHeld: true, handle: "task 7" });
    expect(kernel.run().attention).toMatchObject({ code: "poison", row: id });
    kernel.send({ kind: "resolve", row: id, by: "ann", how: "retry", result: null });
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ row: id, handle: "task 7" });
  });

  it("may outlive our process as often as it takes, if it is heard of in between", () => {
    const kernel = startCall();
    for (let day = 1; day <= 5; day++) {
      tellAlive(kernel, { until: 9e15 + day, handle: "task 7" });
      kernel.lose("pay", "crash");
      kernel.admitAll();
    }
    expect(kernel.row("pay")).toMatchObject({ status: "running", isHeld: false, handle: "task 7" });
    expect(kernel.run().attention).toBeNull();
  });

  it("is followed also when the circuit of its tool has opened: it was made already, and no fallback takes its place", () => {
    const kernel = startCall({ on_circuit_open: "fallback", fallback: "pay.by.mail" });
    const { id, key } = kernel.row("pay");
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    kernel.lose("pay", "crash");
    kernel.admitAll("circuit_open");
    expect(kernel.calls.at(-1)).toMatchObject({ row: id, tool: "pay", key, handle: "task 7" });
    expect(kernel.row("pay")).toMatchObject({ id, status: "running", tool: "pay", key });
  });

  it("is in doubt when nobody has its tool any more, and not passed by as if nothing had been called", () => {
    const kernel = startCall({ on_missing_tool: "skip" });
    const { id } = kernel.row("pay");
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    kernel.lose("pay", "crash");
    kernel.admitAll("tool_missing");
    expect(kernel.row("pay")).toMatchObject({ id, status: "uncertain", error: { code: "unknown_outcome" } });
    expect(kernel.run().attention).toMatchObject({ row: id });
  });

  it("that only read is tried anew when nobody has its tool any more", () => {
    const kernel = startCall({ effect: "read", retry: { attempts: 2, backoff: ["1s"] } });
    const { id } = kernel.row("pay");
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    kernel.lose("pay", "crash");
    kernel.admitAll("tool_missing");
    expect(kernel.history.get(id)).toMatchObject({ status: "failed", error: { code: "unknown_outcome" } });
    expect(kernel.row("pay")).toMatchObject({ attempt: 2, handle: null });
  });

  it("is lost as any other when it is not known there any more, and another try begins anew", () => {
    const kernel = startCall({ effect: "read", retry: { attempts: 2, backoff: ["1s"] } });
    tellAlive(kernel, { until: 9e15, handle: "task 7" });
    kernel.lose("pay", "connection");
    kernel.advance(1000);
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ handle: null });
    expect(kernel.row("pay")).toMatchObject({ attempt: 2, handle: null });
  });
});

describe("a call that a person has to look at first", () => {
  it("waits in its row, says why, and is made when somebody agrees", () => {
    const kernel = startCall();
    const { id } = kernel.row("pay");
    hold(kernel);
    expect(kernel.row("pay")).toMatchObject({ id, status: "pending", isHeld: true, token: null, alarms: [] });
    expect(kernel.run().attention).toEqual({ code: "tool_changed", row: id, value: "It has a new argument." });
    kernel.send({ kind: "resolve", row: id, by: "ann", how: "retry", result: null });
    expect(kernel.run().attention).toBeNull();
    kernel.admitAll();
    expect(kernel.history.get(id)).toMatchObject({ status: "failed", error: { code: "tool_changed" } });
    const next = kernel.row("pay");
    expect(next).toMatchObject({ status: "running", attempt: 1, error: null, mayHaveHappened: false, causedBy: id });
    expect(kernel.calls.at(-1)).toMatchObject({ row: next.id, tool: "pay", key: kernel.history.get(id)?.key });
    kernel.finish("pay", "paid");
    expect(kernel.run().status).toBe("completed");
  });

  it("can be cancelled, and has not happened", () => {
    const kernel = startCall();
    hold(kernel);
    expect(codeOf(kernel.send({ kind: "cancel", by: "ann", reason: null }))).toBe("ok");
    expect(kernel.run().status).toBe("cancelled");
    expect(kernel.row("pay")).toMatchObject({ status: "cancelled", mayHaveHappened: false });
  });

  it("is held as often as the tool is not what it was", () => {
    const kernel = startCall();
    const { id } = kernel.row("pay");
    hold(kernel);
    kernel.send({ kind: "resolve", row: id, by: "ann", how: "retry", result: null });
    kernel.admitAll();
    hold(kernel);
    expect(kernel.run().attention).toMatchObject({ code: "tool_changed", row: kernel.row("pay").id });
  });

  it("is not waited for when it is a notice: the gate is open all the same", () => {
    const kernel = startKernel({
      ask: { gate: { title: "Go?", notify: { tool: "mail.send", args: {} } }, next: "end" },
      end: { terminal: "success" },
    });
    kernel.admitAll();
    const notice = kernel.rows("ask").find(({ role }) => role === "notify");
    const { id = 0, token } = notice ?? {};
    const error = { code: "tool_changed", message: "It is another one." } as const;
    kernel.send({ kind: "held", row: id, token: token ?? "", error });
    expect(kernel.history.get(id)).toMatchObject({ status: "failed", isHeld: false, error });
    expect(kernel.run()).toMatchObject({ status: "running", attention: null });
  });

  it("of which nobody follows a notice for ever: cut off three times it has failed", () => {
    const kernel = startKernel({
      ask: { gate: { title: "Go?", notify: { tool: "mail.send", args: {} } }, next: "end" },
      end: { terminal: "success" },
    });
    kernel.admitAll();
    const notice = (): { id: number; token: string | null; status: string } => {
      const found = kernel.rows("ask").findLast(({ role }) => role === "notify");
      if (found === undefined) throw new Error("there is no notice");
      return found;
    };
    const { id } = notice();
    kernel.send({ kind: "alive", row: id, token: notice().token ?? "", handle: "task 7", until: 9e15 });
    for (let crashes = 0; crashes < 3; crashes++) {
      kernel.send({ kind: "lost", row: id, token: notice().token ?? "", reason: "crash" });
      kernel.admitAll();
    }
    expect(kernel.history.get(id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(kernel.run().attention).toBeNull();
  });
});
