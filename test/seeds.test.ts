// The flows that the seeds print, and what the language alone can show of what the seeds ask. What happens when such a
// flow runs is shown where it runs.

import { describe, expect, test } from "vitest";
import { validate, type Finding, type Json, type JsonObject, type Plan, type PlanStep } from "../src/index.ts";
import { flowsIn, planOf, readText, reportOf, stepOf } from "./example-files.ts";

const seeds = "examples/seeds";

function parsed(path: string): JsonObject {
  return JSON.parse(readText(path)) as JsonObject;
}

function planFrom(document: Json): Plan {
  const report = validate(document);
  if (report.plan === null) throw new Error(JSON.stringify(report.findings));
  return report.plan;
}

function codes(findings: readonly Finding[]): readonly string[] {
  return findings.map((found) => found.code);
}

function oneStep(step: JsonObject): PlanStep {
  return stepOf(planFrom({ start: step }), "start");
}

function retryOf(step: PlanStep): unknown {
  return step.kind === "tool" ? step.retry : undefined;
}

describe("every flow of the seeds", () => {
  test.each(flowsIn(seeds))("%s validates without errors and compiles", (path) => {
    const report = reportOf(path);
    expect(report.findings.filter((found) => found.severity === "error")).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.plan?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(flowsIn(seeds))("%s keeps its hash when its keys are written in another order", (path) => {
    expect(planFrom(reversed(parsed(path))).hash).toBe(planOf(path).hash);
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("seed 000", () => {
  const research = planOf(`${seeds}/000-research.json`);
  const checkAdmin = planOf(`${seeds}/000-check-admin.json`);
  const approval = planOf(`${seeds}/000-request-approval.json`);

  test("E0-09: a flow starts at the step under start, in whatever order the keys stand", () => {
    const { start, ...others } = parsed(`${seeds}/000-research.json`);
    const last = planFrom({ ...others, ...(start === undefined ? {} : { start }) });
    expect([research.start, last.start]).toEqual(["start", "start"]);
  });

  test("E0-09: without a start the only step that nothing leads to is the first, never the first key", () => {
    const plan = planFrom({ b: { tool: "log", done: true }, a: { tool: "log", next: "b" } });
    expect(plan.start).toBe("a");
  });

  test("E0-09: two steps that nothing leads to are no start", () => {
    const report = validate({ a: { tool: "log", done: true }, b: { tool: "log", done: true } });
    expect(codes(report.findings)).toContain("no_start");
  });

  test("E0-12: the step under start is found by its key and by its name", () => {
    expect(research.names).toMatchObject({ start: "start", search: "start" });
    expect(stepOf(research, "search").label).toBe("search");
    const loop = planFrom({
      start: { name: "search", tool: "knowledge_search", branch: [{ if: "result == nil", then: "pause" }], else: "end" },
      pause: { wait: "1m", next: "search" },
    });
    expect(stepOf(loop, "pause").transition).toEqual({ kind: "next", to: { kind: "step", step: "start" } });
  });

  test("E0-13: a step without a name goes by its key", () => {
    expect(["admin_action", "user_action"].map((key) => stepOf(checkAdmin, key).label)).toEqual([
      "admin_action",
      "user_action",
    ]);
  });

  test("E0-14: next leads to exactly one step", () => {
    expect(stepOf(research, "start").transition).toEqual({ kind: "next", to: { kind: "step", step: "summarize" } });
    expect(stepOf(research, "summarize").transition).toEqual({ kind: "next", to: { kind: "step", step: "notify" } });
  });

  test("E0-15: a branch keeps its conditions in their order, each with one target", () => {
    const { transition } = stepOf(checkAdmin, "check_admin");
    expect(transition).toMatchObject({
      kind: "branch",
      cases: [
        { if: { source: "result == true" }, to: { kind: "step", step: "admin_action" } },
        { if: { source: "result == false" }, to: { kind: "step", step: "user_action" } },
      ],
    });
  });

  test("E0-16: a branch that may match nothing leads nowhere then, and the validator warns", () => {
    const report = reportOf(`${seeds}/000-check-admin.json`);
    expect(stepOf(checkAdmin, "start")).toMatchObject({ transition: { otherwise: null }, onNoMatch: "hold" });
    expect(report.findings).toMatchObject([{ code: "no_else", severity: "warning", pointer: "/start/branch" }]);
  });

  test("E0-19: done true ends the path with success", () => {
    expect(stepOf(research, "notify").transition).toEqual({
      kind: "end",
      terminal: "success",
      output: null,
      message: null,
    });
  });

  test.each(["result ~ 3", "result ==", "File.rm(x)", "result === 3"])(
    "E0-25: a condition that is no expression (%s) is refused when the flow is saved",
    (condition) => {
      const report = validate({
        start: { tool: "is_admin", branch: [{ if: condition, then: "end" }], else: "end" },
      });
      expect(report.ok).toBe(false);
      expect(report.findings[0]?.pointer).toBe("/start/branch/0/if");
    },
  );

  test("E0-30: retry classic waits 30, 120 and 300 seconds", () => {
    const backoff = { kind: "list", delaysMs: [30_000, 120_000, 300_000] };
    expect(retryOf(oneStep({ tool: "log", retry: "classic" }))).toEqual({ attempts: 3, backoff, jitter: 0 });
  });

  test("E0-32: a step without args is called with an empty object", () => {
    expect(stepOf(checkAdmin, "admin_action")).toMatchObject({ args: { kind: "value", value: {} } });
  });

  test("E0-36: a tool call has 120 seconds unless the flow says otherwise", () => {
    expect(stepOf(research, "search").timeoutMs).toBe(120_000);
    expect(oneStep({ tool: "log", timeout: "5m" }).timeoutMs).toBe(300_000);
  });

  test("E0-40: a step whose tool is null is a gate that leads on", () => {
    expect(stepOf(approval, "request_approval")).toMatchObject({
      kind: "gate",
      need: 1,
      expiresAfterMs: null,
      timeoutMs: null,
      transition: { kind: "next", to: { kind: "step", step: "execute_write" } },
    });
  });

  test("E0-42: an edited flow has another hash, layout and key order make none", () => {
    const written = parsed(`${seeds}/003-notify.json`);
    const edited = planFrom({ start: { name: "send", tool: "pushover_send", args: { message: "Bye" }, done: true } });
    const wrapped = planFrom({ format: "stepwell/v1", start: "start", steps: written, "x-ui": { zoom: 2 } });
    expect(edited.hash).not.toBe(planFrom(written).hash);
    expect(wrapped.hash).toBe(planFrom(written).hash);
  });

  test("E0-43: what was foreseen can be said: versions, a timeout per step, richer conditions", () => {
    const plan = planFrom({
      start: { tool: "count", timeout: "10s", branch: [{ if: "result.count + 1 > 3 && has(input.x)", then: "end" }], else: "end" },
    });
    expect(stepOf(plan, "start").timeoutMs).toBe(10_000);
    expect(plan.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("seed 001", () => {
  test("E1-07: branching stands in the definition: one target for each condition", () => {
    const { transition } = stepOf(planOf(`${seeds}/003-branch.json`), "check");
    const targets = transition.kind === "branch" ? transition.cases.map((choice) => choice.to) : [];
    expect(targets).toEqual([
      { kind: "step", step: "approve" },
      { kind: "step", step: "reject" },
    ]);
  });

  test("E1-08: several steps follow at once, and the fork knows where all of them meet", () => {
    expect(stepOf(planOf(`${seeds}/003-fan-out.json`), "collect").transition).toEqual({
      kind: "fork",
      branches: ["search", "count"],
      join: "report",
      everyBranchArrives: false,
      onBranchError: "fail",
    });
  });

  test("E1-14: an approval that nobody answers leads to a notification step after 24 hours", () => {
    expect(stepOf(planOf(`${seeds}/001-escalation.json`), "await_approval")).toMatchObject({
      kind: "gate",
      escalateAfterMs: 24 * 3_600_000,
      escalateTo: "escalate",
      notify: { tool: "pushover_send" },
    });
  });
});

describe("seed 003", () => {
  const fanOut = planOf(`${seeds}/003-fan-out.json`);

  test("E0-17: parallel names all steps that start at once", () => {
    expect(stepOf(fanOut, "start").transition).toMatchObject({ kind: "fork", branches: ["search", "count"] });
  });

  test("E0-18: join on the branches names the step that starts when the last of them is there", () => {
    expect(["search", "count"].map((name) => stepOf(fanOut, name).transition)).toEqual([
      { kind: "join", to: "report" },
      { kind: "join", to: "report" },
    ]);
  });

  test("E3-02: a step has three attempts, a gate has no tool", () => {
    expect(retryOf(stepOf(planOf(`${seeds}/003-notify.json`), "send"))).toMatchObject({ attempts: 3 });
    expect(oneStep({ tool: null, done: true })).not.toHaveProperty("tool");
  });

  test("E3-08: keys are the steps' names and start is the first step", () => {
    const plan = planOf(`${seeds}/003-greet-then-count.json`);
    expect([plan.start, Object.keys(plan.steps)]).toEqual(["start", ["start", "count"]]);
  });

  test("E3-09: name, tool, args, next, done, branch, parallel, join and attempt are known keys", () => {
    const report = validate({
      start: { name: "fork", tool: "t", args: {}, parallel: ["a", "b"], attempt: 1 },
      a: { name: "a", tool: null, args: {}, join: "c" },
      b: { name: "b", tool: "t", next: "d", attempt: 2 },
      d: { name: "d", tool: "t", branch: [{ if: "result == nil", then: "c" }], else: "c" },
      c: { name: "c", tool: "t", args: {}, done: true },
    });
    expect(report.findings).toEqual([]);
  });

  test("E3-09: an unknown key is refused with the nearest known one", () => {
    const [found] = validate({ start: { tool: "t", nxt: "end" } }).findings;
    expect(found).toMatchObject({ code: "unknown_key", pointer: "/start/nxt", severity: "error" });
    expect(found?.message).toContain("next");
  });

  test("E3-11: branches are asked in the order in which they stand, and no match holds the run", () => {
    const step = stepOf(planOf(`${seeds}/003-branch.json`), "check");
    const sources = step.transition.kind === "branch" ? step.transition.cases.map((choice) => choice.if.source) : [];
    expect([sources, step.onNoMatch]).toEqual([["result == true", "result == false"], "hold"]);
  });

  test("E3-16: the example notify is one step that ends the run", () => {
    const plan = planOf(`${seeds}/003-notify.json`);
    expect(Object.values(plan.steps)).toMatchObject([
      { label: "send", tool: "pushover_send", transition: { kind: "end", terminal: "success" } },
    ]);
  });

  test("E3-17: the example greet-then-count is two steps, the first under another name", () => {
    const plan = planOf(`${seeds}/003-greet-then-count.json`);
    expect(stepOf(plan, "greet").transition).toEqual({ kind: "next", to: { kind: "step", step: "count" } });
    expect(stepOf(plan, "count").transition).toMatchObject({ kind: "end" });
  });

  test("E3-41: a flow's steps are tried three times, after 5, 30 and 60 seconds", () => {
    expect(retryOf(stepOf(planOf(`${seeds}/003-notify.json`), "send"))).toEqual({
      attempts: 3,
      backoff: { kind: "list", delaysMs: [5000, 30_000, 60_000] },
      jitter: 0,
    });
  });
});

describe("seed 002", () => {
  const files = ["002-rss.json", "002-rss-export.json"].map((name) => `${seeds}/${name}`);
  const pipeline = planOf(`${seeds}/002-rss.json`);
  const imported = planOf(`${seeds}/002-rss-export.json`);

  test("AC-01: a pipeline is walked step by step, and a fan-out in it is refused", () => {
    const report = validate({ steps: [{ tool: "a", parallel: ["b", "c"] }, { name: "b", tool: "b" }, { name: "c", tool: "c" }] });
    expect(report).toMatchObject({ ok: false, notation: "pipeline" });
    expect(codes(report.findings)).toContain("fan_out_not_allowed");
  });

  test.each(files)("AC-02: in %s items leads to step 2, empty to 4, error to 5", (path) => {
    const plan = planOf(path);
    const routes = Object.entries(stepOf(plan, "1").routes).map(([outcome, target]) => [
      outcome,
      target.kind === "step" ? plan.steps[target.step]?.position : target.kind,
    ]);
    expect(Object.fromEntries(routes)).toEqual({ items: 2, empty: 4, error: 5 });
  });

  test("AC-04: a step without routes falls through to the next position, the last one ends", () => {
    expect(stepOf(pipeline, "score").transition).toEqual({ kind: "next", to: { kind: "step", step: "send" } });
    expect(stepOf(pipeline, "failure").transition).toMatchObject({ kind: "end", terminal: "success" });
  });

  test("AC-04: outcomes that routes do not name fall through as well", () => {
    expect(stepOf(pipeline, "fetch").transition).toEqual({ kind: "next", to: { kind: "step", step: "score" } });
  });

  test("AC-15: a step is given what the step before it gave", () => {
    const { args } = stepOf(pipeline, "score") as Extract<PlanStep, { kind: "tool" }>;
    expect(args).toMatchObject({ kind: "map", entries: [["input", { expression: { source: "previous" } }]] });
  });

  test("AC-15: input_from names an earlier position", () => {
    expect(stepOf(imported, "3").inputFrom).toBe(stepOf(imported, "2").key);
  });

  test("AC-34: halt, skip and fallback can be said per step, and halt is the default", () => {
    expect(stepOf(imported, "2")).toMatchObject({ onCircuitOpen: "fallback", onMissingTool: "halt", fallback: "score_items" });
    expect(stepOf(pipeline, "score")).toMatchObject({ onCircuitOpen: "halt", onMissingTool: "halt", fallback: null });
    const skipping = planFrom({
      steps: [{ tool: "a", on_circuit_open: "skip", on_missing_skill: "skip", fallback_skill: "b" }],
    });
    expect(stepOf(skipping, "1")).toMatchObject({ onCircuitOpen: "skip", onMissingTool: "skip", fallback: "b" });
  });

  test("AC-49: an export's workflow, steps and resources are read", () => {
    expect(imported).toMatchObject({ notation: "pipeline", name: "RSS digest" });
    expect(Object.values(imported.steps).map((step) => (step.kind === "tool" ? step.tool : step.kind))).toEqual([
      "rss_fetch",
      "llm_transform",
      "telegram_notify",
      "telegram_notify",
      "telegram_notify",
    ]);
    expect(Object.values(imported.resources)).toMatchObject([{ type: "rss_feed", url: "https://example.org/feed.xml" }]);
  });

  test("AC-51: an import keeps positions, gaps included, and checks the structure", () => {
    const step = (position: number, routes: readonly Json[]): JsonObject => ({ position, name: `at ${position}`, skill: "x", routes });
    const gaps = { version: 1, workflow: { name: "gaps" }, steps: [step(10, []), step(5, [{ branch: "on_error", goto: 10 }])] };
    const plan = planFrom(gaps);
    expect(Object.values(plan.steps).map(({ label, position }) => [label, position])).toEqual([["at 5", 5], ["at 10", 10]]);
    expect(stepOf(plan, "5").routes["error"]).toEqual({ kind: "step", step: stepOf(plan, "10").key });
    expect(validate({ version: 1, workflow: {}, steps: [] }).ok).toBe(false);
  });

  test("AC-51: a route to a position that is not there is refused", () => {
    const steps = [{ position: 1, skill: "x", routes: [{ branch: "on_items", goto: 7 }] }];
    expect(codes(validate({ version: 1, workflow: { name: "w" }, steps }).findings)).toContain("dangling_name");
  });
});

describe("seed 004", () => {
  const validation = planOf(`${seeds}/004-validation.json`);
  const orders = planOf(`${seeds}/004-order-fulfilment.json`);

  test("SB-01: a machine is data: a name, states, an initial state, transitions", () => {
    expect(validation).toMatchObject({ notation: "machine", name: "validation", start: "starting" });
    const states = Object.values(validation.steps).filter((step) => step.kind === "state");
    expect(states.map((state) => state.key)).toEqual(["starting", "running", "results_pending"]);
    expect(transitionsFrom(validation, "results_pending").map(({ name, to }) => [name, to])).toEqual([
      ["accept", "complete"],
      ["refuse", "invalid"],
      ["break", "errored"],
      ["cancel", "cancelled"],
    ]);
  });

  test("SB-02: a state is its name and, where it is terminal, its kind", () => {
    expect(kindsOf(orders)).toEqual({ delivered: "success", cancelled: "cancel", refunded: "cancel" });
  });

  test("SB-03: every terminal state declares success, failure or cancel", () => {
    expect(kindsOf(validation)).toEqual({ complete: "success", invalid: "failure", errored: "failure", cancelled: "cancel" });
    const machine = (done: JsonObject): Json => ({
      states: { open: { initial: true }, done },
      transitions: [{ name: "go", from: "open", to: "done" }],
    });
    expect(codes(validate(machine({ terminal: true })).findings)).toContain("terminal_without_kind");
    expect(codes(validate(machine({ terminal: "maybe" })).findings)).toContain("invalid_terminal_kind");
    expect(validate(machine({ terminal: "failure" })).ok).toBe(true);
  });

  test("SB-05: a machine is flat: no states in states, no parallel regions", () => {
    const machine = (extra: JsonObject): Json => ({
      states: { open: { initial: true, ...extra }, done: { terminal: "success" } },
      transitions: [{ name: "go", from: "open", to: "done" }],
    });
    expect(validate(machine({})).ok).toBe(true);
    for (const extra of [{ states: {} }, { parallel: ["a", "b"] }]) expect(validate(machine(extra)).ok).toBe(false);
  });

  test("SB-06: transitions are named and carry actions and compensating actions", () => {
    const [pay] = transitionsFrom(orders, "confirmed");
    expect(pay).toMatchObject({ name: "pay", to: "paid" });
    expect(orders.steps[pay?.action ?? ""]).toMatchObject({
      kind: "tool",
      tool: "payment.charge",
      compensate: { tool: "payment.refund" },
      transition: { kind: "next", to: { kind: "step", step: "paid" } },
    });
  });

  test("SB-20: cancelling is a transition to an end of kind cancel", () => {
    expect(cancelling(validation, "running").map(({ name, to }) => [name, to])).toEqual([["cancel", "cancelled"]]);
  });

  test("SB-21: where no transition leads to an end of kind cancel there is nothing to fire", () => {
    expect(cancelling(planOf(`${seeds}/004-cancellable-in-some-states.json`), "working")).toEqual([]);
  });

  test.each([
    ["004-cancellable.json", ["queued", "working"]],
    ["004-cancellable-in-some-states.json", ["queued", "reserved"]],
    ["004-uncancellable.json", []],
  ])("SB-22: the author decides where %s can be cancelled: %j", (name, states) => {
    const plan = planOf(`${seeds}/${name}`);
    expect(plan.cancel).toBe("declared");
    expect(Object.keys(plan.steps).filter((state) => cancelling(plan, state).length > 0)).toEqual(states);
  });

  test("SB-33: validation goes from starting over running and results_pending to complete", () => {
    const path = [["starting", "begin"], ["running", "checked_all"], ["results_pending", "accept"]] as const;
    const visited = path.map(([state, name]) => transitionsFrom(validation, state).find((each) => each.name === name)?.to);
    expect(visited).toEqual(["running", "results_pending", "complete"]);
  });

  test("SB-34: each check is a transition of its own, and the ends say what kind of done it was", () => {
    const check = transitionsFrom(validation, "running").find((each) => each.name === "check");
    expect(check).toMatchObject({ to: "running", set: { kind: "map" } });
    expect(kindsOf(validation)).toMatchObject({ complete: "success", invalid: "failure", cancelled: "cancel" });
  });

  test("SB-41: a machine's action is tried once unless it says otherwise", () => {
    expect(retryOf(orders.steps["confirmed/pay"] as PlanStep)).toMatchObject({ attempts: 1 });
  });
});

function transitionsFrom(plan: Plan, name: string): Extract<PlanStep, { kind: "state" }>["transitions"] {
  const state = plan.steps[name];
  return state?.kind === "state" ? state.transitions : [];
}

function kindsOf(plan: Plan): { readonly [state: string]: string } {
  return Object.fromEntries(
    Object.values(plan.steps).flatMap(({ key, transition }) => (transition.kind === "end" ? [[key, transition.terminal]] : [])),
  );
}

/** The transitions that lead from a state straight to an end of kind cancel. */
function cancelling(plan: Plan, name: string): Extract<PlanStep, { kind: "state" }>["transitions"] {
  return transitionsFrom(plan, name).filter(({ to, action }) => action === null && kindsOf(plan)[to] === "cancel");
}
