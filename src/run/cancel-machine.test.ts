import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { canCancel, previewCancel, type CancelPreview, type CanCancel } from "./cancel.ts";
import type { Reply } from "./decision.ts";

function cancel(kernel: Kernel, by = "ann", reason: string | null = null): Reply {
  return kernel.send({ kind: "cancel", by, reason });
}

function verdictOf(kernel: Kernel): CanCancel {
  return canCancel(kernel.plan, kernel.frontier, envAt(kernel.now()));
}

function previewOf(kernel: Kernel): CancelPreview {
  const undoable = [...kernel.history.values()].filter((row) => row.isUndoable);
  return previewCancel(kernel.plan, kernel.frontier, envAt(kernel.now()), undoable);
}

describe("cancelling a machine", () => {
  const states = {
    draft: { initial: true },
    review: {},
    published: { terminal: "success" },
    withdrawn: { terminal: "cancel" },
    dropped: { terminal: "cancel" },
  };
  const submit = { name: "submit", from: "draft", to: "review" };
  const publish = { name: "publish", from: "review", to: "published" };
  const withdraw = { name: "withdraw", from: "review", to: "withdrawn" };

  function startMachine(transitions: readonly JsonObject[], more: JsonObject = {}): Kernel {
    const used = new Set(["draft", ...transitions.map(({ to }) => to)]);
    const kept = Object.fromEntries(Object.entries(states).filter(([name]) => used.has(name)));
    return startKernel({ format: "stepwell/v1", name: "doc", ...more, states: kept, transitions });
  }

  const fire = (kernel: Kernel, transition: string): Reply =>
    kernel.send({ kind: "fire", transition, by: "ann", reason: null, data: {} });

  it("SB-20: fires the one transition to an end of kind cancel, records it, and the run ends", () => {
    const kernel = startMachine([submit, publish, withdraw]);
    fire(kernel, "submit");
    expect(verdictOf(kernel)).toEqual({ allowed: true });
    expect(previewOf(kernel)).toEqual({ transition: "withdraw", aborted: [], cleanup: [], undone: [] });
    expect(cancel(kernel, "bob", "changed my mind")).toEqual({ kind: "ok", value: null });
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
    expect(kernel.row("withdrawn").status).toBe("done");
    expect(kernel.eventsOf("transition").at(-1)).toMatchObject({
      by: "bob",
      data: { transition: "withdraw", reason: "changed my mind" },
    });
  });

  it("SB-21: is refused where no such transition leads out of the state", () => {
    const kernel = startMachine([submit, publish, withdraw]);
    expect(codeOf(cancel(kernel))).toBe("not_declared");
    expect(verdictOf(kernel)).toMatchObject({
      allowed: false,
      reason: "not_declared",
      message: expect.stringContaining("draft"),
    });
  });

  it("SB-22: in every state, in none, or in some: as the author says", () => {
    const every = startMachine([submit, publish, { ...withdraw, from: ["draft", "review"] }]);
    expect(verdictOf(every).allowed).toBe(true);
    const none = startMachine([submit, publish, withdraw], { cancel: "never" });
    fire(none, "submit");
    expect(verdictOf(none)).toMatchObject({ allowed: false, reason: "never" });
    const anywhere = startMachine([submit, publish], { cancel: "anywhere" });
    expect(previewOf(anywhere)).toMatchObject({ transition: null, aborted: [{ name: "draft" }] });
    cancel(anywhere);
    expect(anywhere.run().status).toBe("cancelled");
  });

  it("with several of them is refused with their names", () => {
    const kernel = startMachine([submit, publish, withdraw, { name: "drop", from: "review", to: "dropped" }]);
    fire(kernel, "submit");
    const reply = cancel(kernel);
    expect(codeOf(reply)).toBe("several_transitions");
    expect(reply).toMatchObject({ message: expect.stringContaining("withdraw, drop") });
  });

  it("counts only those whose guard holds, and keeps requires_reason", () => {
    const kernel = startMachine([
      submit,
      publish,
      { ...withdraw, requires_reason: true },
      { name: "drop", from: "review", to: "dropped", guard: "data.pages > 5" },
    ]);
    fire(kernel, "submit");
    expect(codeOf(cancel(kernel))).toBe("requires_reason");
    expect(kernel.run().status).toBe("running");
    expect(cancel(kernel, "bob", "why not").kind).toBe("ok");
    expect(kernel.run().status).toBe("cancelled");
  });

  it("while an action is under way waits for it, unless that is the cancelling itself", () => {
    const withAction = (transition: JsonObject): JsonObject => ({
      ...transition,
      action: { tool: "cms.do", args: {} },
    });
    const publishing = startMachine([submit, withAction(publish), withdraw]);
    fire(publishing, "submit");
    fire(publishing, "publish");
    expect(codeOf(cancel(publishing))).toBe("transition_in_progress");
    const withdrawing = startMachine([submit, publish, withAction(withdraw)]);
    fire(withdrawing, "submit");
    withdrawing.send({ kind: "pause", by: "ann" });
    expect(cancel(withdrawing)).toEqual({ kind: "ok", value: null });
    expect(cancel(withdrawing)).toEqual({ kind: "ok", value: null });
    expect(previewOf(withdrawing)).toMatchObject({ aborted: [], undone: [] });
    withdrawing.admitAll();
    const call = withdrawing.calls[0];
    withdrawing.send({ kind: "done", row: call?.row ?? 0, token: call?.token ?? "", result: null, outcome: null });
    expect(withdrawing.run().status).toBe("cancelled");
  });
});
