import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";
import type { Reply } from "./decision.ts";
import type { ResolveMessage } from "./message.ts";
import type { Row } from "./model.ts";

/** A write whose answer was lost, with another branch beside it. */
function startLost(step: JsonObject = {}, reason: "crash" | "connection" = "connection"): Kernel {
  const kernel = startKernel({
    start: { set: {}, parallel: ["pay", "other"], join: "meet" },
    pay: { tool: "pay", args: { n: 1 }, effect: "write", ...step },
    other: { tool: "work" },
    meet: { terminal: "success" },
  });
  kernel.admitAll();
  kernel.lose("pay", reason);
  kernel.admitAll();
  return kernel;
}

const probe = { probe: { tool: "look", args: { order: "{{ input.order ?? 'A7' }}" } } };

function probeOf(kernel: Kernel): Row {
  const row = kernel.rows("pay").findLast((one) => one.role === "probe");
  if (row === undefined) throw new Error("there is no probe");
  return row;
}

function answerProbe(kernel: Kernel, result: Json): void {
  const { id, token } = probeOf(kernel);
  kernel.send({ kind: "done", row: id, token: token ?? "", result, outcome: null });
}

function resolve(
  kernel: Kernel,
  how: ResolveMessage["how"],
  result: Json = null,
  row: number = kernel.row("pay").id,
): Reply {
  return kernel.send({ kind: "resolve", row, by: "bob", how, result });
}

describe("a call of which nobody knows whether it happened", () => {
  it("is uncertain and asks for a person; other branches go on", () => {
    const kernel = startLost();
    const row = kernel.row("pay");
    expect(row).toMatchObject({ status: "uncertain", token: null, alarms: [], completedAt: null });
    expect(kernel.run()).toMatchObject({ status: "running", attention: { code: "uncertain", row: row.id } });
    kernel.finish("other", "O");
    expect(kernel.row("other")).toMatchObject({ status: "done", arrived: true });
  });

  it("takes no late answer: a person or a probe decides", () => {
    const kernel = startLost();
    const { id } = kernel.row("pay");
    kernel.send({ kind: "done", row: id, token: `${id}.e1`, result: 1, outcome: null });
    expect(kernel.row("pay").status).toBe("uncertain");
    expect(kernel.eventsOf("late_result")).toHaveLength(1);
  });

  it("a person says that it is done, with its result, and the run goes on", () => {
    const kernel = startLost();
    const { id } = kernel.row("pay");
    expect(resolve(kernel, "done", "paid").kind).toBe("ok");
    expect(kernel.row("pay")).toMatchObject({ id, status: "done", result: "paid", error: null });
    expect(kernel.run().attention).toBeNull();
    expect(kernel.eventsOf("resolved")).toMatchObject([{ by: "bob", row: id, data: { how: "done" } }]);
    kernel.finish("other", "O");
    expect(kernel.run().output).toEqual({ pay: "paid", other: "O" });
  });

  it("a person has it tried again, at once and whatever number of attempts it has", () => {
    const kernel = startLost({ retry: false });
    const first = kernel.row("pay");
    resolve(kernel, "retry");
    expect(kernel.history.get(first.id)?.status).toBe("failed");
    expect(kernel.row("pay")).toMatchObject({
      status: "ready",
      attempt: 2,
      via: "resolve",
      key: first.key,
      args: first.args,
    });
    kernel.admitAll();
    kernel.fail("pay");
    expect(kernel.run().status).toBe("failed");
  });

  it("a person says that it failed: no other try, the error route takes it", () => {
    const kernel = startLost({ on_error: "meet" });
    resolve(kernel, "failed");
    expect(kernel.rows("pay")).toHaveLength(1);
    expect(kernel.row("pay")).toMatchObject({ status: "failed", arrived: true, error: { code: "unknown_outcome" } });
  });

  it("a person skips it: its own input becomes its result", () => {
    const kernel = startLost();
    kernel.send({ kind: "skip", row: kernel.row("pay").id, by: "bob" });
    expect(kernel.row("pay")).toMatchObject({ status: "skipped", outcome: "skipped", result: {}, error: null });
    expect(kernel.eventsOf("skipped")).toMatchObject([{ by: "bob" }]);
    expect(kernel.run().attention).toBeNull();
  });

  it("is undone when the run is cancelled meanwhile", () => {
    const kernel = startLost({ compensate: { tool: "refund", args: { of: "{{ result }}" } } });
    kernel.send({ kind: "cancel", by: "ann", reason: null });
    expect(kernel.row("pay")).toMatchObject({ status: "cancelled", mayHaveHappened: true });
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({ tool: "refund", args: { of: null } });
  });

  it("may be an undoing: a person decides that, too", () => {
    const kernel = startKernel({
      start: { tool: "pay", compensate: { tool: "refund" }, ...probe, next: "after" },
      after: { terminal: "failure" },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    kernel.lose("start", "connection");
    const undoing = kernel.rows("start").findLast((row) => row.role === "undo");
    expect(undoing?.status).toBe("uncertain");
    expect(kernel.run().attention).toMatchObject({ code: "uncertain", row: undoing?.id });
    resolve(kernel, "failed", null, undoing?.id);
    expect(kernel.run().attention).toMatchObject({ code: "compensation_failed", row: undoing?.id });
    resolve(kernel, "done", "by hand", undoing?.id);
    expect(kernel.run().status).toBe("failed");
  });

  it("may be an item", () => {
    const kernel = startKernel({ start: { tool: "pay", each: { items: "{{ [1] }}" }, done: true } });
    kernel.admitAll();
    kernel.lose("start", "connection");
    const item = kernel.rows("start").find((row) => row.role === "item");
    resolve(kernel, "done", "paid", item?.id);
    expect(kernel.run()).toMatchObject({ status: "completed", output: ["paid"] });
  });
});

describe("a probe", () => {
  it("is asked before a person is, under a key of its own", () => {
    const kernel = startLost(probe);
    expect(kernel.run().attention).toBeNull();
    expect(kernel.calls.at(-1)).toMatchObject({
      tool: "look",
      args: { order: "A7" },
      key: "run-uid:pay:1:probe",
      effect: "read",
    });
    expect(probeOf(kernel)).toMatchObject({ serves: kernel.row("pay").id, via: "probe", status: "running" });
  });

  it("that says it happened makes the row done with the result it brings", () => {
    const kernel = startLost(probe);
    answerProbe(kernel, { happened: true, result: { id: 5 } });
    expect(kernel.row("pay")).toMatchObject({ status: "done", result: { id: 5 }, arrived: true });
    expect(probeOf(kernel)).toMatchObject({ status: "done", isUndoable: false });
    const silent = startLost(probe);
    answerProbe(silent, { happened: true });
    expect(silent.row("pay")).toMatchObject({ status: "done", result: null });
  });

  it("that says it did not happen has it tried again: a try of ours that was cut off does not count", () => {
    const crashed = startLost(probe, "crash");
    answerProbe(crashed, { happened: false });
    expect(crashed.row("pay")).toMatchObject({ status: "ready", attempt: 1, interruptions: 1 });
    const lost = startLost(probe, "connection");
    answerProbe(lost, { happened: false });
    expect(lost.row("pay")).toMatchObject({ status: "pending", attempt: 2, interruptions: 0 });
    const last = startLost({ ...probe, retry: false }, "connection");
    answerProbe(last, { happened: false });
    expect(last.run().status).toBe("failed");
  });

  it.each([["nothing of use"], [null], [{ happened: "perhaps" }]])(
    "that answers %j leaves it to a person",
    (answer) => {
      const kernel = startLost(probe);
      answerProbe(kernel, answer);
      expect(kernel.run().attention).toMatchObject({ code: "uncertain", row: kernel.row("pay").id });
    },
  );

  it("that fails for good leaves it to a person", () => {
    const kernel = startLost({ ...probe, retry: false });
    const { id, token } = probeOf(kernel);
    kernel.send({
      kind: "failed",
      row: id,
      token: token ?? "",
      error: { code: "down", message: "no" },
      isFinal: false,
    });
    expect(kernel.eventsOf("probe_failed")).toMatchObject([{ row: id, data: { code: "down" } }]);
    expect(kernel.run().attention).toMatchObject({ code: "uncertain", row: kernel.row("pay").id });
  });

  it("whose arguments cannot be computed leaves it to a person", () => {
    const kernel = startLost({ probe: { tool: "look", args: { n: "{{ 1 / 0 }}" } } });
    expect(kernel.run().attention).toMatchObject({ code: "uncertain", row: kernel.row("pay").id });
  });

  it("that is lost itself is asked again, and after three crashes in a row a person is", () => {
    const kernel = startLost(probe);
    for (let crash = 1; crash <= 3; crash++) {
      const { id, token } = probeOf(kernel);
      kernel.send({ kind: "lost", row: id, token: token ?? "", reason: "crash" });
      kernel.admitAll();
    }
    expect(kernel.calls.filter((call) => call.tool === "look")).toHaveLength(3);
    expect(kernel.run().attention?.code).toBe("uncertain");
  });

  it("that comes too late changes nothing: a person has decided", () => {
    const kernel = startLost(probe);
    resolve(kernel, "done", "paid");
    answerProbe(kernel, { happened: false });
    expect(kernel.row("pay")).toMatchObject({ status: "done", result: "paid" });
    kernel.finish("other");
    expect(kernel.run().status).toBe("completed");
    const failing = startLost({ ...probe, retry: false });
    resolve(failing, "done", "paid");
    const { id, token } = probeOf(failing);
    failing.send({
      kind: "failed",
      row: id,
      token: token ?? "",
      error: { code: "down", message: "no" },
      isFinal: false,
    });
    expect(failing.run().attention).toBeNull();
  });
});

describe("what a person asks of a row that does not wait for one", () => {
  it.each(["resolve", "skip", "choose"] as const)("%s is refused", (kind) => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    kernel.admitAll();
    const ask = (row: number): Reply =>
      kind === "resolve"
        ? kernel.send({ kind, row, by: "bob", how: "done", result: null })
        : kernel.send(kind === "skip" ? { kind, row, by: "bob" } : { kind, row, by: "bob", step: null });
    expect(codeOf(ask(kernel.row("start").id))).toBe("not_waiting");
    expect(codeOf(ask(999))).toBe("not_waiting");
    expect(kernel.row("start").status).toBe("running");
    kernel.finish("start");
    expect(codeOf(ask(kernel.row("start").id))).toBe("already_ended");
  });
});

describe("a row that was cut off too often", () => {
  function startPoison(step: JsonObject = {}): Kernel {
    const kernel = startKernel({
      start: { tool: "work", effect: "read", ...step, next: "after" },
      after: { tool: "log" },
    });
    for (let crash = 1; crash <= 3; crash++) {
      kernel.admitAll();
      kernel.lose("start");
    }
    return kernel;
  }

  it.each([
    ["done", { status: "done", result: "known" }],
    ["failed", { status: "failed", error: { code: "unknown_outcome" } }],
  ] as const)("may be called %s by a person", (how, expected) => {
    const kernel = startPoison();
    kernel.send({ kind: "resolve", row: kernel.row("start").id, by: "bob", how, result: "known" });
    expect(kernel.row("start")).toMatchObject({ ...expected, isHeld: false });
    expect(kernel.run().attention).toBeNull();
  });

  it("may be skipped", () => {
    const kernel = startPoison();
    kernel.send({ kind: "skip", row: kernel.row("start").id, by: "bob" });
    expect(kernel.row("start")).toMatchObject({ status: "skipped", isHeld: false });
    expect(kernel.row("after").status).toBe("ready");
  });
});
