import { describe, expect, it } from "vitest";
import { codeOf, startKernel } from "../testing/kernel.ts";
import { namesAvailable, startMachine, stateOf } from "../testing/small-machine.ts";

const hour = 3_600_000;

describe("a machine that starts", () => {
  it("SB-12: is in its initial state, which waits for events and calls nothing", () => {
    const kernel = startMachine({}, { input: { pages: 3 } });
    kernel.admitAll();
    expect(stateOf(kernel)).toBe("here");
    expect(kernel.row("here")).toMatchObject({ status: "pending", readyAt: null, alarms: [] });
    expect(kernel.calls).toEqual([]);
    expect(kernel.run()).toMatchObject({ status: "running", data: { pages: 3 } });
  });

  it("has no state before its time has come, nor after its end", () => {
    const kernel = startMachine({}, { at: 2_000_000_000_000 });
    expect(stateOf(kernel)).toBeUndefined();
    expect(codeOf(kernel.fire("go"))).toBe("transition_not_found");
    kernel.advance(2_000_000_000_000 - kernel.now());
    kernel.fire("stop");
    expect(stateOf(kernel)).toBeUndefined();
    expect(namesAvailable(kernel)).toEqual([]);
  });
});

describe("a transition without an action", () => {
  it("moves at once; the state it leaves is done with the transition's name", () => {
    const kernel = startMachine({});
    expect(kernel.fire("go")).toMatchObject({ value: { from: "here", to: "there", isFiring: false } });
    expect(kernel.row("here")).toMatchObject({ status: "done", outcome: "go" });
    expect(kernel.row("there")).toMatchObject({ status: "pending", causedBy: kernel.row("here").id, via: "fire:go" });
    expect(stateOf(kernel)).toBe("there");
  });

  it("SB-15: is an event with when, who, why, from, to and the name", () => {
    const kernel = startMachine({});
    kernel.advance(hour);
    kernel.fire("go", { by: "eve", reason: "ready" });
    expect(kernel.events).toMatchObject([
      {
        kind: "transition",
        at: kernel.now(),
        by: "eve",
        row: kernel.row("here").id,
        data: { transition: "go", from: "here", to: "there", action: null, reason: "ready" },
      },
    ]);
  });

  it("merges the event's data and its own `set` into `data` at the top level; what the author sets wins", () => {
    const set = { total: "{{ data.total + event.more }}", by: "author" };
    const kernel = startMachine({ set }, { input: { total: 1, kept: { deep: true } } });
    kernel.fire("go", { data: { more: 2, by: "caller" } });
    expect(kernel.run().data).toEqual({ total: 3, kept: { deep: true }, more: 2, by: "author" });
  });

  it("that cannot compute its `set` is refused, and nothing changes", () => {
    const kernel = startMachine({ set: { total: "{{ 1 / 0 }}" } }, { input: { total: 1 } });
    expect(codeOf(kernel.fire("go", { data: { more: 2 } }))).toBe("expression_error");
    expect(kernel.run().data).toEqual({ total: 1 });
    expect(stateOf(kernel)).toBe("here");
  });

  it("warns of a `set` that leads nowhere", () => {
    const kernel = startMachine({ set: { total: "{{ event.more }}" } });
    kernel.fire("go");
    expect(kernel.row("here").warnings).toHaveLength(1);
    expect(kernel.run().data).toEqual({ total: "" });
  });

  it("to an end ends the run, whose output is its data", () => {
    const kernel = startMachine({}, { input: { order: "A7" } });
    kernel.fire("stop", { data: { note: "done" } });
    expect(kernel.run()).toMatchObject({
      status: "completed",
      terminalKind: "success",
      output: { order: "A7", note: "done" },
    });
  });

  it("counts as a rest: a machine may go in circles for ever", () => {
    const kernel = startMachine({ to: "here" }, { limits: { visits: 3 } });
    for (let times = 0; times < 10; times++) kernel.fire("go");
    expect(kernel.row("here")).toMatchObject({ visit: 11, status: "pending" });
  });

  it("fires while the run is paused, one after the other", () => {
    const kernel = startMachine({});
    kernel.send({ kind: "pause", by: "ann" });
    kernel.fire("go");
    expect(kernel.row("there").status).toBe("ready");
    expect(codeOf(kernel.fire("stop"))).toBe("ok");
    kernel.send({ kind: "resume", by: "ann" });
    expect(kernel.run().status).toBe("completed");
  });
});

describe("SB-16: firing is refused", () => {
  it("with transition_not_found when the state has none of this name, and says which it has", () => {
    const kernel = startMachine({});
    expect(kernel.fire("fly")).toMatchObject({
      code: "transition_not_found",
      message: 'There is no transition "fly" here. The state "here" has "go", "stop", "turn".',
    });
    kernel.fire("go");
    expect(codeOf(kernel.fire("go"))).toBe("transition_not_found");
  });

  it("with transition_not_found in a flow that is no machine", () => {
    const kernel = startKernel({ work: { tool: "w", done: true } });
    expect(codeOf(kernel.fire("go"))).toBe("transition_not_found");
    expect(stateOf(kernel)).toBeUndefined();
  });

  it.each([
    ["is false", "data.pages > 0", 0],
    ["cannot be evaluated", "1 / data.pages > 0", 1],
    ["names what is missing", "data.nothing.at.all == true", 0],
  ])("with guard_not_met when the guard %s", (_, guard, warnings) => {
    const kernel = startMachine({ guard }, { input: { pages: 0 } });
    for (let times = 0; times < 2; times++) expect(codeOf(kernel.fire("go"))).toBe("guard_not_met");
    expect(kernel.row("here")).toMatchObject({ status: "pending", visit: 1 });
    expect(kernel.row("here").warnings).toHaveLength(warnings);
    expect(kernel.events).toEqual([]);
  });

  it("unless the guard holds for the event", () => {
    const kernel = startMachine({ guard: "event.code == data.code" }, { input: { code: 7 } });
    expect(codeOf(kernel.fire("go", { data: { code: 8 } }))).toBe("guard_not_met");
    expect(codeOf(kernel.fire("go", { data: { code: 7 } }))).toBe("ok");
  });

  it.each([[null], [""], ["  "]])("with requires_reason when the reason is %j", (reason) => {
    const kernel = startMachine({ requires_reason: true });
    expect(codeOf(kernel.fire("go", { reason }))).toBe("requires_reason");
    expect(codeOf(kernel.fire("go", { reason: "because" }))).toBe("ok");
  });

  it("with already_ended when the run is over", () => {
    const kernel = startMachine({});
    kernel.fire("stop");
    expect(codeOf(kernel.fire("go"))).toBe("already_ended");
  });
});
