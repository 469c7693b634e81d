// What seed 004 tells of machines, as it happens in the kernel: one state at a time, a history, cancelling by the kind of
// an end, validation as a workflow.

import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../src/flow/json.ts";
import { canCancel, previewCancel, type CancelPreview } from "../src/run/cancel.ts";
import type { Reply } from "../src/run/decision.ts";
import { historyOf } from "../src/run/history.ts";
import { codeOf, envAt, morning, startKernel, type Kernel } from "../src/testing/kernel.ts";
import { namesAvailable, stateOf } from "../src/testing/small-machine.ts";
import { parsed, planFrom, seeds } from "./example-files.ts";
import { called, day, hour, minute, play, startSeed } from "./seed-runs.ts";

/** Fires one after the other, an hour apart, and lets the actions on the way succeed. */
function walk(kernel: Kernel, ...transitions: readonly string[]): Kernel {
  for (const transition of transitions) {
    expect(codeOf(kernel.fire(transition, { reason: "as agreed" }))).toBe("ok");
    play(kernel);
    kernel.advance(hour);
  }
  return kernel;
}

function cancel(kernel: Kernel, reason: string | null = null): Reply {
  return kernel.send({ kind: "cancel", by: "ann", reason });
}

/** "yes", or why the run cannot be cancelled now. */
function cancellable(kernel: Kernel): string {
  const verdict = canCancel(kernel.plan, kernel.frontier, envAt(kernel.now()));
  return verdict.allowed ? "yes" : verdict.reason;
}

function previewOf(kernel: Kernel): CancelPreview {
  const undoable = kernel.rows().filter((row) => row.isUndoable);
  return previewCancel(kernel.plan, kernel.frontier, envAt(kernel.now()), undoable);
}

/** What fired, when, by whom, from where and to where; oldest first. */
function wayOf(kernel: Kernel): readonly Json[] {
  return historyOf(kernel.rows(), kernel.events).flatMap((entry) => {
    if (entry.kind !== "event" || entry.event !== "transition" || !isObject(entry.data)) return [];
    const { transition = null, from = null, to = null } = entry.data;
    return [[`${(entry.at - morning) / hour} h`, entry.by ?? "the clock", transition, from, to]];
  });
}

const order = { order: "A7", amount: 30, items: ["book"] };

describe("a process", () => {
  test("SB-12, SB-15: has a definition, a current state and an ordered history, all of them data", () => {
    const kernel = walk(startSeed("004-order-fulfilment", { input: order }), "confirm", "pay");
    expect(kernel.run()).toMatchObject({ name: "order-fulfilment", status: "running", data: order });
    expect(stateOf(kernel)).toBe("paid");
    expect(namesAvailable(kernel)).toEqual(["ship", "refund"]);
    expect(wayOf(kernel)).toEqual([
      ["0 h", "bob", "confirm", "pending", "confirmed"],
      ["1 h", "bob", "pay", "confirmed", "paid"],
    ]);
  });

  test("SB-05: is in one state at a time", () => {
    const kernel = startSeed("004-document-review", { input: { document: "d1", pages: 3 } });
    const states = ["submit", "ask_for_changes", "submit", "approve"].map((transition) => {
      walk(kernel, transition);
      return [...kernel.frontier.rows.values()].map((row) => row.step);
    });
    expect(states).toEqual([["review"], ["draft"], ["review"], ["approved"]]);
  });

  test("SB-11: an order goes from its arrival to the customer's door", () => {
    const kernel = walk(startSeed("004-order-fulfilment", { input: order }), "confirm", "pay", "ship", "deliver");
    expect(called(kernel)).toEqual([
      ["payment.charge", { order: "A7", amount: 30 }],
      ["carrier.book", { order: "A7" }],
    ]);
    expect(kernel.run()).toMatchObject({ status: "completed", terminalKind: "success" });
  });

  test("SB-11: a document is reminded of after a day, approved and published", () => {
    const kernel = walk(startSeed("004-document-review", { input: { document: "d1", pages: 3 } }), "submit");
    kernel.advance(day - hour);
    play(kernel);
    walk(kernel, "approve", "publish");
    expect(called(kernel)).toEqual([
      ["log", { message: "still in review" }],
      ["cms.publish", { document: "d1" }],
    ]);
    expect(wayOf(kernel)).toEqual([
      ["0 h", "bob", "submit", "draft", "review"],
      ["24 h", "the clock", "remind", "review", "review"],
      ["24 h", "bob", "approve", "review", "approved"],
      ["25 h", "bob", "publish", "approved", "published"],
    ]);
  });

  const ends = [
    ["004-cancellable", ["begin", "finish"], "completed", "success"],
    ["004-cancellable", ["begin", "break"], "failed", "failure"],
    ["004-cancellable", ["begin", "stop"], "cancelled", "cancel"],
    ["004-cancellable-in-some-states", ["abort"], "cancelled", "cancel"],
  ] as const;

  test.each(ends)("SB-03: %s after %j is %s, and keeps the kind %s", (name, transitions, status, terminalKind) => {
    const kernel = walk(startSeed(name), ...transitions);
    expect(kernel.run()).toMatchObject({ status, terminalKind });
    expect(codeOf(kernel.fire("begin"))).toBe("already_ended");
  });
});

describe("cancelling", () => {
  const places = [
    { name: "004-cancellable", way: [], can: "yes" },
    { name: "004-cancellable", way: ["begin"], can: "yes" },
    { name: "004-uncancellable", way: [], can: "not_declared" },
    { name: "004-uncancellable", way: ["begin"], can: "not_declared" },
    { name: "004-cancellable-in-some-states", way: [], can: "yes" },
    { name: "004-cancellable-in-some-states", way: ["reserve"], can: "yes" },
    { name: "004-cancellable-in-some-states", way: ["reserve", "begin"], can: "not_declared" },
    { name: "004-cancellable", way: ["begin", "finish"], can: "already_ended" },
  ];

  test.each(places)("SB-22: is up to the author: $name after $way says $can, and means it", ({ name, way, can }) => {
    const kernel = walk(startSeed(name), ...way);
    const { status } = kernel.run();
    expect(cancellable(kernel)).toBe(can);
    expect(codeOf(cancel(kernel))).toBe(can === "yes" ? "ok" : can);
    expect(kernel.run().status).toBe(can === "yes" ? "cancelled" : status);
  });

  test("SB-20: fires the transition to the end of kind cancel; the history has it, and the process has ended", () => {
    const kernel = walk(startSeed("004-cancellable-in-some-states"), "reserve");
    cancel(kernel);
    expect(wayOf(kernel)).toEqual([
      ["0 h", "bob", "reserve", "queued", "reserved"],
      ["1 h", "ann", "abort", "reserved", "aborted"],
    ]);
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel", cancelledAt: kernel.now() });
  });

  test("SB-21: is refused where nothing leads there, and nothing changes", () => {
    const kernel = walk(startSeed("004-uncancellable"), "begin");
    const before = { ...kernel.run(), seen: [], version: 0 };
    expect(cancel(kernel)).toMatchObject({ kind: "refused", code: "not_declared" });
    expect({ ...kernel.run(), seen: [], version: 0 }).toEqual(before);
    expect(stateOf(kernel)).toBe("working");
  });

  test("SB-06: of a paid order gives the money back, which the preview has said", () => {
    const kernel = walk(startSeed("004-order-fulfilment", { input: order }), "confirm", "pay", "ship");
    const preview = previewOf(kernel);
    expect(preview).toMatchObject({
      transition: "refund",
      undone: [{ step: "paid/ship" }, { step: "confirmed/pay" }],
    });
    expect(codeOf(cancel(kernel))).toBe("requires_reason");
    expect(codeOf(cancel(kernel, "broken on the way"))).toBe("ok");
    play(kernel);
    expect(called(kernel).slice(2)).toEqual([
      ["carrier.recall", { order: "A7" }],
      ["payment.refund", { order: "A7" }],
    ]);
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
  });

  test("of an order that may be given up in two ways asks which one", () => {
    const kernel = startSeed("004-order-fulfilment", { input: order });
    expect(codeOf(cancel(kernel, "no stock"))).toBe("several_transitions");
    walk(kernel, "confirm");
    expect(codeOf(cancel(kernel, "no stock"))).toBe("ok");
    expect(wayOf(kernel).at(-1)).toEqual(["1 h", "ann", "cancel", "confirmed", "cancelled"]);
  });
});

describe("validation as a workflow", () => {
  type Check = { readonly instance: string; readonly errors: readonly string[] };

  /** Checks one instance a minute. */
  function check(kernel: Kernel, checks: readonly Check[]): Kernel {
    walk(kernel, "begin");
    for (const { instance, errors } of checks) {
      expect(codeOf(kernel.fire("check", { data: { instance, errors } }))).toBe("ok");
      kernel.advance(minute);
    }
    return kernel;
  }

  const valid: readonly Check[] = [
    { instance: "ann", errors: [] },
    { instance: "bob", errors: [] },
  ];
  const invalid: readonly Check[] = [...valid, { instance: "eve", errors: ["no name"] }];

  test("SB-33: goes from starting over running and results_pending to complete", () => {
    const kernel = startSeed("004-validation");
    const seen = [stateOf(kernel)];
    for (const transition of ["begin", "checked_all", "accept"]) seen.push(stateOf(walk(kernel, transition)));
    expect(seen).toEqual(["starting", "running", "results_pending", undefined]);
    expect(kernel.rows().at(-1)).toMatchObject({ step: "complete", status: "done" });
  });

  test("SB-34: with all instances valid is a success", () => {
    const kernel = walk(check(startSeed("004-validation"), valid), "checked_all", "accept");
    expect(kernel.run()).toMatchObject({ status: "completed", terminalKind: "success", data: { errors: [] } });
  });

  test("SB-34: with one invalid is a failure, and cannot be accepted", () => {
    const kernel = walk(check(startSeed("004-validation"), invalid), "checked_all");
    expect(codeOf(kernel.fire("accept"))).toBe("guard_not_met");
    walk(kernel, "refuse");
    expect(kernel.run()).toMatchObject({ status: "failed", terminalKind: "failure", data: { errors: ["no name"] } });
  });

  test("SB-34: aborted is a cancellation, which keeps what had been found", () => {
    const kernel = check(startSeed("004-validation"), invalid);
    expect(cancellable(kernel)).toBe("yes");
    cancel(kernel);
    expect(kernel.run()).toMatchObject({
      status: "cancelled",
      terminalKind: "cancel",
      data: { checked: 3, errors: ["no name"] },
    });
  });

  test("SB-35: its history says which instances were checked, when, and what was found", () => {
    const kernel = check(startSeed("004-validation"), invalid);
    const entries = historyOf(kernel.rows(), kernel.events);
    const found = entries.flatMap((entry) =>
      entry.kind === "ended" && entry.outcome === "check" && isObject(entry.result)
        ? [[(entry.at - morning - hour) / minute, entry.result["instance"], entry.result["errors"]]]
        : [],
    );
    expect(found).toEqual([
      [0, "ann", []],
      [1, "bob", []],
      [2, "eve", ["no name"]],
    ]);
  });

  const shapes = ["tasks", "indexing", "migration", "account-issuance"];

  test.each(shapes)("SB-40: the same shape serves %s", (name) => {
    const flow: JsonObject = { ...parsed(`${seeds}/004-validation.json`), name };
    const kernel = walk(check(startKernel(planFrom(flow)), valid), "checked_all", "accept");
    expect(kernel.run()).toMatchObject({ name, status: "completed", data: { checked: 2 } });
  });
});
