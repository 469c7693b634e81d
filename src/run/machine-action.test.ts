import { describe, expect, it } from "vitest";
import { codeOf, envAt, startKernel } from "../testing/kernel.ts";
import { namesAvailable, startMachine, stateOf } from "../testing/small-machine.ts";
import { openDraft } from "./draft.ts";
import { cancelTransitions, endFiring, fireStateAlarm } from "./machine.ts";

const hour = 3_600_000;

describe("a transition with an action", () => {
  const action = { tool: "cms.publish", args: { title: "{{ data.title }}", as: "{{ event.as }}" } };

  it("stays in its state while the action runs, and moves in the decision that ends it", () => {
    const kernel = startMachine(
      { action, set: { url: "{{ result.url }}", as: "{{ event.as }}!" } },
      { input: { title: "News" } },
    );
    expect(kernel.fire("go", { data: { as: "front" }, reason: "today" })).toMatchObject({ value: { isFiring: true } });
    expect(stateOf(kernel)).toBe("here");
    expect(kernel.row("here")).toMatchObject({
      status: "pending",
      firing: { transition: "go", by: "bob", reason: "today" },
    });
    expect(kernel.run().data).toEqual({ title: "News" });
    kernel.admitAll();
    expect(kernel.calls).toMatchObject([
      { tool: "cms.publish", args: { title: "News", as: "front" }, key: "run-uid:here/go:1" },
    ]);
    kernel.finish("here/go", { url: "/news" });
    expect(stateOf(kernel)).toBe("there");
    expect(kernel.row("here")).toMatchObject({ status: "done", outcome: "go", firing: null });
    expect(kernel.row("there")).toMatchObject({ causedBy: kernel.row("here/go").id, via: "fire:go" });
    expect(kernel.run().data).toEqual({ title: "News", as: "front!", url: "/news" });
    expect(kernel.eventsOf("transition")).toMatchObject([
      { by: "bob", data: { from: "here", to: "there", action: "here/go", reason: "today" } },
    ]);
  });

  it("SB-16: refuses every other one with transition_in_progress", () => {
    const kernel = startMachine({ action });
    kernel.fire("go");
    expect(codeOf(kernel.fire("go"))).toBe("transition_in_progress");
    expect(codeOf(kernel.fire("stop"))).toBe("transition_in_progress");
    expect(namesAvailable(kernel)).toEqual([]);
    expect(kernel.rows("here/go")).toHaveLength(1);
  });

  it("stays where it is when the action fails for good, and may fire again", () => {
    const kernel = startMachine({ action });
    kernel.fire("go", { data: { as: "front" } });
    kernel.admitAll();
    kernel.fail("here/go");
    expect(kernel.row("here")).toMatchObject({ status: "pending", firing: null, visit: 1 });
    expect(kernel.run()).toMatchObject({ status: "running", data: {} });
    expect(kernel.eventsOf("transition_failed")).toMatchObject([
      { by: "bob", data: { transition: "go", from: "here", to: null, error: { code: "broken" } } },
    ]);
    expect(codeOf(kernel.fire("go"))).toBe("ok");
    kernel.admitAll();
    kernel.finish("here/go");
    expect(stateOf(kernel)).toBe("there");
  });

  it("is tried as often as the action says, with the same event", () => {
    const kernel = startMachine({ action: { ...action, retry: { attempts: 2, backoff: ["5s"] } } });
    kernel.fire("go", { data: { as: "front" } });
    kernel.admitAll();
    kernel.fail("here/go");
    expect(stateOf(kernel)).toBe("here");
    kernel.advance(5000);
    kernel.admitAll();
    expect(kernel.calls.map((call) => call.args)).toEqual([kernel.calls[0]?.args, { title: "", as: "front" }]);
    kernel.finish("here/go");
    expect(stateOf(kernel)).toBe("there");
  });

  it("goes to the state for failures when it has one, without the event's data", () => {
    const kernel = startMachine({ action, on_error: "aside" });
    kernel.fire("go", { data: { as: "front" } });
    kernel.admitAll();
    kernel.fail("here/go");
    expect(stateOf(kernel)).toBe("aside");
    expect(kernel.row("here")).toMatchObject({ status: "done", outcome: "error" });
    expect(kernel.row("aside")).toMatchObject({
      via: "route:error",
      previous: { kind: "error", row: kernel.row("here/go").id },
    });
    expect(kernel.run().data).toEqual({});
    expect(kernel.eventsOf("transition_failed")).toMatchObject([{ data: { to: "aside" } }]);
  });

  it("has failed when its `set` cannot be computed from the result", () => {
    const kernel = startMachine({ action, set: { pages: "{{ result.pages / 0 }}" } });
    kernel.fire("go");
    kernel.admitAll();
    kernel.finish("here/go", { pages: 1 });
    expect(stateOf(kernel)).toBe("here");
    expect(kernel.eventsOf("transition_failed")).toMatchObject([{ data: { error: { code: "expression_error" } } }]);
  });

  it("moves on when a missing tool is let go by", () => {
    const kernel = startMachine({ action: { ...action, on_missing_tool: "skip" } });
    kernel.fire("go");
    kernel.admitAll("tool_missing");
    expect(kernel.row("here/go").status).toBe("skipped");
    expect(stateOf(kernel)).toBe("there");
  });

  it("undoes the action when the run fails later, with the event that it was for", () => {
    const compensate = { tool: "cms.unpublish", args: { as: "{{ event.as }}", url: "{{ result }}" } };
    const transitions = [
      {
        name: "go",
        from: "here",
        to: "there",
        action: { ...action, retry: { attempts: 2, backoff: ["0s"] } },
        compensate,
      },
      { name: "break", from: "there", to: "broken" },
    ];
    const states = { here: { initial: true }, there: {}, broken: { terminal: "failure" } };
    const kernel = startKernel({ format: "stepwell/v1", name: "m", states, transitions });
    kernel.fire("go", { data: { as: "front" } });
    kernel.admitAll();
    kernel.fail("here/go");
    kernel.advance(0);
    kernel.admitAll();
    kernel.finish("here/go", "/news");
    kernel.fire("break");
    expect(codeOf(kernel.fire("break"))).toBe("already_ended");
    kernel.admitAll();
    expect(kernel.calls.at(-1)).toMatchObject({
      tool: "cms.unpublish",
      args: { as: "front", url: "/news" },
      key: "run-uid:here/go:1:undo",
    });
    kernel.finish("here/go");
    expect(kernel.run()).toMatchObject({
      status: "failed",
      terminalKind: "failure",
      error: { code: "ended_with_failure" },
    });
  });
});

describe("`after`", () => {
  it("fires by alarm, by nobody, when the stay has lasted so long", () => {
    const kernel = startMachine({ after: "24h" });
    expect(kernel.row("here").alarms).toEqual([{ kind: "after:go", at: kernel.now() + 24 * hour }]);
    kernel.advance(24 * hour - 1);
    expect(stateOf(kernel)).toBe("here");
    kernel.advance(1);
    expect(stateOf(kernel)).toBe("there");
    expect(kernel.eventsOf("transition")).toMatchObject([{ by: null, data: { transition: "go", reason: null } }]);
  });

  it("asks nobody for a reason", () => {
    const kernel = startMachine({ after: "24h", requires_reason: true });
    kernel.advance(24 * hour);
    expect(stateOf(kernel)).toBe("there");
  });

  it("fires once per stay, and only if its guard holds then", () => {
    const kernel = startMachine({ after: "24h", guard: "data.done == true" });
    kernel.advance(72 * hour);
    expect(kernel.row("here")).toMatchObject({ status: "pending", alarms: [] });
    expect(kernel.eventsOf("transition_refused")).toMatchObject([
      { by: null, data: { transition: "go", error: { code: "guard_not_met" } } },
    ]);
  });

  it("begins anew with every stay", () => {
    const kernel = startMachine({ to: "here", after: "24h" });
    kernel.advance(72 * hour);
    expect(kernel.row("here")).toMatchObject({ visit: 4, status: "pending" });
  });

  it("ends with the stay", () => {
    const kernel = startMachine({ after: "24h" });
    kernel.fire("turn");
    kernel.advance(48 * hour);
    expect(stateOf(kernel)).toBe("aside");
  });

  it("waits while another transition is under way, and fires when that one has failed", () => {
    const transitions = [
      { name: "go", from: "here", to: "there", action: { tool: "w", timeout: "9d" } },
      { name: "give_up", from: ["here", "there"], to: "over", after: "24h" },
    ];
    const states = { here: { initial: true }, there: {}, over: { terminal: "success" } };
    const kernel = startKernel({ format: "stepwell/v1", name: "m", states, transitions });
    kernel.fire("go");
    kernel.admitAll();
    kernel.advance(48 * hour);
    expect(stateOf(kernel)).toBe("here");
    kernel.fail("here/go");
    kernel.advance(0);
    expect(kernel.run().status).toBe("completed");
  });

  it("waits also when that one was fired before the state could open", () => {
    const transitions = [
      { name: "enter", from: "out", to: "here" },
      { name: "go", from: "here", to: "over", action: { tool: "w", timeout: "9d" } },
      { name: "give_up", from: "here", to: "over", after: "24h" },
    ];
    const states = { out: { initial: true }, here: {}, over: { terminal: "success" } };
    const kernel = startKernel({ format: "stepwell/v1", name: "m", states, transitions });
    kernel.send({ kind: "pause", by: "ann" });
    kernel.fire("enter");
    kernel.fire("go");
    kernel.send({ kind: "resume", by: "ann" });
    kernel.admitAll();
    kernel.advance(48 * hour);
    expect(kernel.row("here")).toMatchObject({ status: "pending", firing: { transition: "go" } });
    expect(kernel.events.map((event) => event.kind)).not.toContain("transition_refused");
    kernel.fail("here/go");
    kernel.advance(0);
    expect(kernel.run().status).toBe("completed");
  });

  it("is nothing to a row that is no state, nor to a name that it does not have", () => {
    const kernel = startMachine({});
    const draft = openDraft(kernel.plan, kernel.frontier, envAt(kernel.now()), "m");
    fireStateAlarm(draft, kernel.row("here"), { kind: "after:fly", at: 0 });
    fireStateAlarm(draft, { ...kernel.row("here"), step: "over" }, { kind: "after:go", at: 0 });
    endFiring(draft, kernel.row("here"));
    expect(draft.events).toEqual([]);
    expect(draft.todo).toEqual([]);
  });
});

describe("what may be fired now", () => {
  it("SB-17: honours guards with the given event", () => {
    const kernel = startMachine({ guard: "event.code == 7" });
    expect(namesAvailable(kernel)).toEqual(["stop", "turn"]);
    expect(namesAvailable(kernel, { code: 7 })).toEqual(["go", "stop", "turn"]);
    kernel.fire("turn");
    expect(namesAvailable(kernel)).toEqual(["stop", "walk"]);
  });

  it("SB-23: leads to a cancellation by the kind of the end, whatever it is called", () => {
    const kernel = startKernel({
      format: "stepwell/v1",
      name: "m",
      states: {
        open: { initial: true },
        cancelled: { terminal: "success" },
        gone: { terminal: "cancel" },
        withdrawn: { terminal: "cancel" },
        cancelling: {},
      },
      transitions: [
        { name: "finish", from: "open", to: "cancelled" },
        { name: "leave", from: "open", to: "gone", action: { tool: "w" } },
        { name: "withdraw", from: "open", to: "withdrawn", guard: "data.mine == true" },
        { name: "wait", from: "open", to: "cancelling" },
        { name: "back", from: "cancelling", to: "open" },
      ],
    });
    const found = (): readonly string[] =>
      cancelTransitions(openDraft(kernel.plan, kernel.frontier, envAt(kernel.now()), "m")).map(
        ({ transition }) => transition.name,
      );
    expect(found()).toEqual(["leave"]);
    kernel.fire("wait");
    expect(found()).toEqual([]);
    kernel.fire("back", { data: { mine: true } });
    expect(found()).toEqual(["leave", "withdraw"]);
    kernel.fire("leave");
    expect(found()).toEqual([]);
  });
});
