// The flows that the seeds print, and what the language alone can show of what seeds 000, 001 and 003 ask. What happens
// when such a flow runs is shown where it runs.

import { describe, expect, test } from "vitest";
import { expandTemplate, type Expansion } from "../src/flow/template/expand.ts";
import { evaluateCondition, validate, type Json, type JsonObject, type PlanStep } from "../src/index.ts";
import { codesOf, flowsIn, parsed, planFrom, planOf, reportOf, retryOf, seeds, stepOf } from "./example-files.ts";

function oneStep(step: JsonObject): PlanStep {
  return stepOf(planFrom({ start: step }), "start");
}

/** The arguments of a step, for a run with this input. */
function argsOf(step: PlanStep, input: Json): Expansion {
  if (step.kind !== "tool") throw new Error(`${step.key} calls no tool`);
  return expandTemplate(step.args, { lookup: (root) => (root === "input" ? input : undefined) }, { strict: false });
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
    expect(codesOf(report)).toContain("no_start");
  });

  test("E0-11: the arguments of research can be filled in although doc_id is not supplied", () => {
    const input = { topic: "AI safety" };
    expect(argsOf(stepOf(research, "search"), input)).toMatchObject({
      ok: true,
      value: { query: "AI safety" },
      missing: [],
    });
    expect(argsOf(stepOf(research, "summarize"), input)).toMatchObject({
      ok: true,
      value: { id: "" },
      missing: ["input.doc_id"],
    });
  });

  test("E0-12: the step under start is found by its key and by its name", () => {
    expect(research.names).toMatchObject({ start: "start", search: "start" });
    expect(stepOf(research, "search").label).toBe("search");
    const loop = planFrom({
      start: {
        name: "search",
        tool: "knowledge_search",
        branch: [{ if: "result == nil", then: "pause" }],
        else: "end",
      },
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
      start: {
        tool: "count",
        timeout: "10s",
        branch: [{ if: "result.count + 1 > 3 && has(input.x)", then: "end" }],
        else: "end",
      },
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

  test.each([
    ["result == true", true],
    ["result == nil", null],
    ['result == "yes"', "yes"],
  ])("E3-12: evaluateCondition is public and says that %s holds for %j", (condition, result) => {
    expect(evaluateCondition(condition, result)).toBe(true);
    expect(evaluateCondition(condition, "something else")).toBe(false);
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

  test("E3-43: the documented arguments are filled in inside a text, a list and a map", () => {
    const step = stepOf(planOf(`${seeds}/003-interpolation.json`), "send");
    const value = { message: "Hello Ann", recipients: ["ann"], config: { region: "north" } };
    expect(argsOf(step, { name: "Ann", to: "ann", region: "north" })).toMatchObject({ ok: true, value });
  });

  test("E3-43: a key that is missing there becomes the empty text", () => {
    const step = stepOf(planOf(`${seeds}/003-interpolation.json`), "send");
    expect(argsOf(step, {})).toMatchObject({ value: { message: "Hello ", recipients: [""], config: { region: "" } } });
  });

  test("E3-41: a flow's steps are tried three times, after 5, 30 and 60 seconds", () => {
    expect(retryOf(stepOf(planOf(`${seeds}/003-notify.json`), "send"))).toEqual({
      attempts: 3,
      backoff: { kind: "list", delaysMs: [5000, 30_000, 60_000] },
      jitter: 0,
    });
  });
});
