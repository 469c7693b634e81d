// The machines of the seeds, walked through with the kernel.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";
import { namesAvailable, stateOf } from "../testing/small-machine.ts";

const hour = 3_600_000;

function startSeed(name: string, input: JsonObject): Kernel {
  return startKernel(readFileSync(new URL(`../../examples/seeds/${name}.json`, import.meta.url), "utf8"), { input });
}

function fire(kernel: Kernel, transition: string, reason: string | null = null, data: JsonObject = {}): string {
  return codeOf(kernel.fire(transition, { reason, data }));
}

function act(kernel: Kernel, step: string): void {
  kernel.admitAll();
  kernel.finish(step);
}

/** What the events tell of where a run has been. */
function wayOf(kernel: Kernel): readonly Json[] {
  return kernel.eventsOf("transition").map((event) => event.data);
}

describe("SB-11: order-fulfilment", () => {
  const order = { order: "A7", amount: 30, items: ["book"] };

  it("brings an order from its arrival to the customer's door", () => {
    const kernel = startSeed("004-order-fulfilment", order);
    expect(namesAvailable(kernel)).toEqual(["confirm", "give_up", "cancel"]);
    fire(kernel, "confirm");
    fire(kernel, "pay");
    act(kernel, "confirmed/pay");
    fire(kernel, "ship", null, { parcel: "P1" });
    act(kernel, "paid/ship");
    fire(kernel, "deliver");
    expect(kernel.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ["payment.charge", { order: "A7", amount: 30 }],
      ["carrier.book", { order: "A7" }],
    ]);
    expect(kernel.run()).toMatchObject({
      status: "completed",
      terminalKind: "success",
      output: { ...order, parcel: "P1" },
    });
  });

  it("SB-15: has a history that reads from the first transition to the last", () => {
    const kernel = startSeed("004-order-fulfilment", order);
    fire(kernel, "confirm");
    kernel.advance(hour);
    fire(kernel, "pay");
    act(kernel, "confirmed/pay");
    expect(wayOf(kernel)).toMatchObject([
      { from: "pending", transition: "confirm", to: "confirmed" },
      { from: "confirmed", transition: "pay", to: "paid", action: "confirmed/pay" },
    ]);
    expect(kernel.eventsOf("transition").map((event) => event.at)).toEqual([kernel.now() - hour, kernel.now()]);
  });

  it("SB-16: refuses an order without items", () => {
    const kernel = startSeed("004-order-fulfilment", { ...order, items: [] });
    expect(namesAvailable(kernel)).not.toContain("confirm");
    expect(fire(kernel, "confirm")).toBe("guard_not_met");
  });

  it("gives up after 14 days in which nobody confirmed", () => {
    const kernel = startSeed("004-order-fulfilment", order);
    kernel.advance(14 * 24 * hour);
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
  });

  it("SB-06: a refund undoes what was done, newest first", () => {
    const kernel = startSeed("004-order-fulfilment", order);
    fire(kernel, "confirm");
    fire(kernel, "pay");
    act(kernel, "confirmed/pay");
    fire(kernel, "ship");
    act(kernel, "paid/ship");
    expect(fire(kernel, "refund")).toBe("requires_reason");
    expect(fire(kernel, "refund", "broken on the way")).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "running", ending: { kind: "cancel", phase: "undo" } });
    act(kernel, "paid/ship");
    act(kernel, "confirmed/pay");
    expect(kernel.calls.slice(2).map((call) => call.tool)).toEqual(["carrier.recall", "payment.refund"]);
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
  });

  it("keeps an order in `confirmed` while the payment fails", () => {
    const kernel = startSeed("004-order-fulfilment", order);
    fire(kernel, "confirm");
    fire(kernel, "pay");
    kernel.admitAll();
    kernel.fail("confirmed/pay");
    expect(stateOf(kernel)).toBe("confirmed");
    expect(namesAvailable(kernel)).toEqual(["pay", "cancel"]);
  });
});

describe("SB-11: document-review", () => {
  const input = { document: "d1", pages: 3 };

  it("publishes what was approved", () => {
    const kernel = startSeed("004-document-review", input);
    for (const transition of ["submit", "approve", "publish"]) expect(fire(kernel, transition)).toBe("ok");
    expect(stateOf(kernel)).toBe("approved");
    act(kernel, "approved/publish");
    expect(kernel.run()).toMatchObject({ status: "completed", output: { ...input, approved: true } });
  });

  it("reminds every 24 hours for as long as it is in review", () => {
    const kernel = startSeed("004-document-review", input);
    fire(kernel, "submit");
    for (let days = 0; days < 3; days++) {
      kernel.advance(24 * hour);
      act(kernel, "review/remind");
    }
    expect(kernel.calls.map((call) => call.tool)).toEqual(["log", "log", "log"]);
    expect(stateOf(kernel)).toBe("review");
    expect(kernel.row("review").visit).toBe(4);
  });

  it("goes back to review when it cannot be published", () => {
    const kernel = startSeed("004-document-review", input);
    for (const transition of ["submit", "approve", "publish"]) fire(kernel, transition);
    kernel.admitAll();
    kernel.fail("approved/publish");
    expect(stateOf(kernel)).toBe("review");
  });

  it("SB-16: asks for a reason to send it back, to reject it and to withdraw it", () => {
    const kernel = startSeed("004-document-review", input);
    expect(fire(kernel, "withdraw")).toBe("requires_reason");
    fire(kernel, "submit");
    expect(fire(kernel, "ask_for_changes")).toBe("requires_reason");
    expect(fire(kernel, "ask_for_changes", "too long")).toBe("ok");
    expect(stateOf(kernel)).toBe("draft");
    fire(kernel, "submit");
    expect(fire(kernel, "reject", "off topic")).toBe("ok");
    expect(kernel.run()).toMatchObject({ status: "failed", terminalKind: "failure" });
  });
});

describe("SB-34: a validation run", () => {
  function check(found: readonly (readonly string[])[]): Kernel {
    const kernel = startSeed("004-validation", {});
    fire(kernel, "begin");
    for (const errors of found) fire(kernel, "check", null, { errors });
    return kernel;
  }

  it("with all instances valid is a success", () => {
    const kernel = check([[], []]);
    fire(kernel, "checked_all");
    expect(namesAvailable(kernel)).toEqual(["accept", "break", "cancel"]);
    expect(fire(kernel, "refuse")).toBe("guard_not_met");
    fire(kernel, "accept");
    expect(kernel.run()).toMatchObject({ status: "completed", output: { checked: 2, errors: [] } });
  });

  it("with one invalid is a failure, and its data say what was found", () => {
    const kernel = check([[], ["no name"], []]);
    fire(kernel, "checked_all");
    expect(fire(kernel, "accept")).toBe("guard_not_met");
    fire(kernel, "refuse");
    expect(kernel.run()).toMatchObject({ status: "failed", data: { checked: 3, errors: ["no name"] } });
  });

  it("that is aborted is a cancellation", () => {
    const kernel = check([[]]);
    fire(kernel, "cancel");
    expect(kernel.run()).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
    expect(wayOf(kernel)).toMatchObject([
      { from: "starting", transition: "begin", to: "running" },
      { from: "running", transition: "check", to: "running" },
      { from: "running", transition: "cancel", to: "cancelled" },
    ]);
  });
});
