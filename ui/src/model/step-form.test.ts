import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration } from "../../../src/flow/duration.ts";
import type { Json } from "./json.ts";
import type { Patch } from "./patch.ts";
import { problemOfDuration } from "./duration.ts";
import { readFlow } from "./read-flow.ts";
import { findStep, kindOf, setArgs, setTool, troublesOf, waysOf, type Question, type StepPlace } from "./step-form.ts";
import { isHandedOtherwise, keyIn, setKey } from "./step-keys.ts";

function readOf(text: string): Json {
  const read = readFlow(text);
  if (!read.ok) throw new Error(read.problem);
  return read.flow;
}

function stepOf(flow: Json, ...path: readonly string[]): StepPlace {
  const place = findStep(flow, path);
  if (place === null) throw new Error("There is no step.");
  return place;
}

function ask(questions: readonly Question[], id: string): Question {
  const found = questions.find((question) => question.id === id);
  if (found === undefined) throw new Error(`${id} is not asked: ${questions.map((each) => each.id).join()}`);
  return found;
}

const flow = readOf(`
name: letters
steps:
  draft: { tool: app.write, args: { title: Tides }, routes: { empty: post }, next: post }
  check:
    tool: app.look
    branch: [{ if: result == 1, then: post }]
  ask: { gate: { title: Send it? }, next: post }
  post: { tool: app.send, retry: { attempts: 4, backoff: [1s] }, on_error: ask, done: true }
`);

const pipeline = readOf(`
steps:
  - { name: fetch, tool: app.look, routes: [{ branch: on_items, goto: 2 }] }
  - { tool: app.send }
`);

const labels = ({ choices }: Question): readonly string[] => choices.map(({ label }) => label);

test("AC-68: each outcome that is declared is asked for, with the next step, each step, and the end", () => {
  const draft = stepOf(flow, "steps", "draft");
  const ways = waysOf(draft, ["items"]);
  expect(ways.map(({ id, value }) => [id, value])).toEqual([
    ["next", "post"],
    ["route-items", ""],
    ["route-empty", "post"],
    ["route-error", ""],
  ]);
  expect(labels(ask(ways, "route-items"))).toEqual([
    "Next step (default)",
    "draft",
    "check",
    "ask",
    "post",
    "End workflow",
  ]);
  expect(labels(ask(ways, "route-error"))[0]).toBe("The run fails (default)");
});

test("AC-68: an answer is a patch; the last route takes the map with it", () => {
  const ways = waysOf(stepOf(flow, "steps", "draft"), ["items"]);
  const answers: readonly (readonly [id: string, value: string, patch: Patch])[] = [
    ["route-items", "ask", [{ op: "add", path: "/steps/draft/routes/items", value: "ask" }]],
    ["route-items", "", []],
    ["route-empty", "", [{ op: "remove", path: "/steps/draft/routes" }]],
    ["route-error", "end", [{ op: "add", path: "/steps/draft/on_error", value: "end" }]],
    ["next", "ask", [{ op: "replace", path: "/steps/draft/next", value: "ask" }]],
    [
      "next",
      "end",
      [
        { op: "remove", path: "/steps/draft/next" },
        { op: "add", path: "/steps/draft/done", value: true },
      ],
    ],
  ];
  for (const [id, value, patch] of answers) expect(ask(ways, id).answer(flow, value)).toEqual(patch);
  const post = waysOf(stepOf(flow, "steps", "post"), []);
  expect(ask(post, "next").value).toBe("end");
  expect(ask(post, "route-error").answer(flow, "")).toEqual([{ op: "remove", path: "/steps/post/on_error" }]);
});

test("AC-68: conditions lead to steps, a gate has outcomes of its own, and what forks is left to the text", () => {
  const check = waysOf(stepOf(flow, "steps", "check"), []);
  expect(check.map(({ label, value }) => [label, value])).toEqual([
    ["If result == 1", "post"],
    ["Else", ""],
    ["When it has failed for good", ""],
  ]);
  expect(ask(check, "branch-0").answer(flow, "end")).toEqual([
    { op: "replace", path: "/steps/check/branch/0/then", value: "end" },
  ]);
  const gate = stepOf(flow, "steps", "ask");
  expect(kindOf(gate.step)).toBe("gate");
  expect(waysOf(gate, []).map(({ id }) => id)).toEqual(["next", "route-rejected", "route-expired"]);
  const forked = readOf("steps: { a: { set: {}, parallel: [b] }, b: { set: {} } }");
  expect(waysOf(stepOf(forked, "steps", "a"), [])).toEqual([]);
});

test("AC-68: in a pipeline a step leads on by itself, and routes may be a list", () => {
  const fetch = stepOf(pipeline, "steps", "0");
  const ways = waysOf(fetch, ["items", "empty"]);
  expect(labels(ask(ways, "next"))).toEqual(["Next step (default)", "fetch", "step_2", "End workflow"]);
  expect(ask(ways, "next").value).toBe("");
  // What stands there is shown, although it is a number.
  expect(ask(ways, "route-items")).toMatchObject({
    value: "2",
    choices: expect.arrayContaining([{ value: "2", label: "2" }]),
  });
  expect(ask(ways, "route-items").answer(pipeline, "step_2")).toEqual([
    { op: "replace", path: "/steps/0/routes/0/goto", value: "step_2" },
  ]);
  expect(ask(ways, "route-items").answer(pipeline, "")).toEqual([{ op: "remove", path: "/steps/0/routes" }]);
  expect(ask(ways, "route-empty").answer(pipeline, "end")).toEqual([
    { op: "add", path: "/steps/0/routes/1", value: { branch: "empty", goto: "end" } },
  ]);
  expect(stepOf(pipeline, "steps", "1").name).toBe("step_2");
});

test("AC-68: routes are found and answered under whichever name they stand", () => {
  const aliased = readOf(`
steps:
  - { name: a, tool: x, on: { on_error: b, odd: b } }
  - { name: b, tool: x, on: [{ branch: on_items, goto: 1 }, { branch: error, goto: end }] }
  - { tool: x, on: { empty: a }, on_error: a }
`);
  const waysAt = (at: number, ...declared: readonly string[]): readonly Question[] =>
    waysOf(stepOf(aliased, "steps", String(at)), declared);
  const values = (ways: readonly Question[]): Json => ways.map(({ id, value }) => [id, value]);
  expect(values(waysAt(0))).toEqual([
    ["next", ""],
    ["route-error", "b"],
    ["route-odd", "b"],
  ]);
  expect(values(waysAt(1))).toEqual([
    ["next", ""],
    ["route-items", "1"],
    ["route-error", "end"],
  ]);
  expect(values(waysAt(2))).toEqual([
    ["next", ""],
    ["route-empty", "a"],
    ["route-error", "a"],
  ]);
  const answers: readonly (readonly [at: number, id: string, value: string, patch: Patch])[] = [
    [0, "route-error", "end", [{ op: "replace", path: "/steps/0/on/on_error", value: "end" }]],
    [0, "route-error", "", [{ op: "remove", path: "/steps/0/on/on_error" }]],
    [0, "route-new", "b", [{ op: "add", path: "/steps/0/on/new", value: "b" }]],
    [1, "route-error", "a", [{ op: "replace", path: "/steps/1/on/1/goto", value: "a" }]],
    [1, "route-items", "", [{ op: "remove", path: "/steps/1/on/0" }]],
    [1, "route-new", "a", [{ op: "add", path: "/steps/1/on/2", value: { branch: "new", goto: "a" } }]],
    [2, "route-empty", "", [{ op: "remove", path: "/steps/2/on" }]],
    [2, "route-error", "end", [{ op: "replace", path: "/steps/2/on_error", value: "end" }]],
  ];
  for (const [at, id, value, patch] of answers)
    expect(ask(waysAt(at, "new"), id).answer(aliased, value)).toEqual(patch);
  // Routes alone decide, also under their other name.
  const alone = readOf("steps: { a/b: { tool: x, on: [{ branch: odd, goto: c }] }, c: { tool: x } }");
  const ways = waysOf(stepOf(alone, "steps", "a/b"), ["new"]);
  expect(ways.map(({ id }) => id)).toEqual(["route-new", "route-odd", "route-error"]);
  expect(ask(ways, "route-new").answer(alone, "c")).toEqual([
    { op: "add", path: "/steps/a~1b/on/1", value: { branch: "new", goto: "c" } },
  ]);
});

test("AC-68: what older names say is shown, and changed where it stands", () => {
  const older = readOf(`
steps:
  - { tool: x, on_missing_skill: skip, fallback_skill: y, on_circuit_open: fallback }
  - { skill: z, config: { on_missing_skill: skip, fallback_skill: y, on_circuit_open: fallback, timeout_ms: 500 } }
`);
  const [first, second] = [stepOf(older, "steps", "0"), stepOf(older, "steps", "1")];
  for (const place of [first, second]) {
    const troubles = troublesOf(place);
    expect(ask(troubles, "on_missing_tool").value).toBe("skip");
    expect(ask(troubles, "on_circuit_open").value).toBe("fallback");
    expect(keyIn(place.step, "fallback")).toBe("y");
  }
  expect(ask(troublesOf(first), "on_missing_tool").answer(older, "")).toEqual([
    { op: "remove", path: "/steps/0/on_missing_skill" },
  ]);
  expect(setTool(older, first, "fallback", "w")).toEqual([
    { op: "replace", path: "/steps/0/fallback_skill", value: "w" },
  ]);
  expect(kindOf(second.step)).toBe("tool");
  expect([keyIn(second.step, "tool"), keyIn(second.step, "timeout")]).toEqual(["z", "500ms"]);
  expect(setTool(older, second, "tool", "w")).toEqual([{ op: "replace", path: "/steps/1/skill", value: "w" }]);
  expect(setKey(older, second.path, "timeout", "2s")).toEqual([
    { op: "replace", path: "/steps/1/config/timeout_ms", value: "2s" },
  ]);
  expect(ask(troublesOf(second), "on_circuit_open").answer(older, "skip")).toEqual([
    { op: "replace", path: "/steps/1/config/on_circuit_open", value: "skip" },
  ]);
  expect([isHandedOtherwise(first.step), isHandedOtherwise(second.step)]).toEqual([false, true]);
});

test("a step of a pipeline without a name has it from its position", () => {
  const numbered = readOf("steps: [{ tool: x, position: 10 }, { tool: y, position: 20 }]");
  expect(stepOf(numbered, "steps", "1")).toMatchObject({ name: "step_20", targets: ["step_10", "step_20"] });
});

test("AC-68: what happens when it fails is asked for as the language knows it", () => {
  const post = stepOf(flow, "steps", "post");
  const troubles = troublesOf(post);
  expect(troubles.map(({ id }) => id)).toEqual(["retry", "on_circuit_open", "on_missing_tool", "on_unknown"]);
  expect(ask(troubles, "retry").value).toBe("4");
  expect(ask(troubles, "retry").answer(flow, "2")).toEqual([
    { op: "replace", path: "/steps/post/retry/attempts", value: 2 },
  ]);
  expect(ask(troubles, "retry").answer(flow, "classic")).toEqual([
    { op: "replace", path: "/steps/post/retry", value: "classic" },
  ]);
  const draft = troublesOf(stepOf(flow, "steps", "draft"));
  expect(ask(draft, "retry").answer(flow, "5")).toEqual([
    { op: "add", path: "/steps/draft/retry", value: { attempts: 5 } },
  ]);
  expect(ask(draft, "retry").answer(flow, "1")).toEqual([{ op: "add", path: "/steps/draft/retry", value: false }]);
  expect(ask(draft, "on_missing_tool").answer(flow, "skip")).toEqual([
    { op: "add", path: "/steps/draft/on_missing_tool", value: "skip" },
  ]);
  expect(troublesOf(stepOf(flow, "steps", "ask"))).toEqual([]);
});

test("arguments are written key by key", () => {
  expect(setArgs(flow, stepOf(flow, "steps", "draft"), { title: "{{ input.title }}", tone: "dry" })).toEqual([
    { op: "replace", path: "/steps/draft/args/title", value: "{{ input.title }}" },
    { op: "add", path: "/steps/draft/args/tone", value: "dry" },
  ]);
});

test("a state has no form, the action of a transition has; neither has an export of another engine", () => {
  const machine = readOf(`
states: { open: { initial: true }, closed: { terminal: success } }
transitions: [{ name: close, from: open, to: closed, action: { tool: app.send } }]
`);
  expect(findStep(machine, ["states", "open"])).toBeNull();
  const action = stepOf(machine, "transitions", "0");
  expect([action.name, action.path]).toEqual(["close", ["transitions", "0", "action"]]);
  expect(waysOf(action, [])).toEqual([]);
  expect(findStep(readOf("version: 1\nworkflow: { name: a }\nsteps: [{ skill: x }]"), ["steps", "0"])).toBeNull();
});

test("what cannot be read says where", () => {
  expect(readFlow("a: 1\nb: [")).toMatchObject({ ok: false, problem: expect.stringMatching(/line/) });
  expect(readFlow('{"a": [1]}')).toEqual({ ok: true, flow: { a: [1] } });
});

test("a length of time has a unit", () => {
  for (const text of ["30s", "1h30m", "2 days", "500ms", "1.5 hours", "10 min"])
    expect(problemOfDuration(text)).toBeNull();
  for (const text of ["30", "soon", "5 x", "-1s", ""]) expect(problemOfDuration(text)).toMatch(/with a unit/);
});

test("a length of time is one for the page when it is one for the server", () => {
  const texts = ["30m 1h", "1h1h", "1h 30m", "PT5M", "P1DT2H", "P1M", "11 years", "520w", "600w", "1.5ms", "1.0005s"];
  for (const text of [...texts, "1\th", " 5 m ", "1h,", "1H", `${"0".repeat(62)}1s`, "1w1d1h1m1s1ms", "5 min 3 secs"])
    expect([text, problemOfDuration(text) === null]).toEqual([text, parseDuration(text) !== undefined]);
  const amount = fc.constantFrom("1", "30", "1.5", "0.001", "0.0001", "99999");
  const unit = fc.constantFrom(
    "w",
    "days",
    "day",
    "h",
    "hrs",
    "hour",
    "m",
    "min",
    "minutes",
    "s",
    "sec",
    "ms",
    "x",
    "",
  );
  const part = fc.tuple(fc.constantFrom("", " ", "\n"), amount, fc.constantFrom("", " "), unit);
  const written = fc.array(part, { maxLength: 4 }).map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(written, (text) => (problemOfDuration(text) === null) === (parseDuration(text) !== undefined)),
    { numRuns: 2000 },
  );
});
