import { expect, test } from "vitest";
import type { Json } from "./json.ts";
import type { Patch } from "./patch.ts";
import { problemOfDuration } from "./duration.ts";
import { readFlow } from "./read-flow.ts";
import { findStep, kindOf, setArgs, troublesOf, waysOf, type Question, type StepPlace } from "./step-form.ts";

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
  expect(ask(ways, "route-items").answer(pipeline, "")).toEqual([{ op: "remove", path: "/steps/0/routes/0" }]);
  expect(ask(ways, "route-empty").answer(pipeline, "end")).toEqual([
    { op: "add", path: "/steps/0/routes/1", value: { branch: "empty", goto: "end" } },
  ]);
  expect(stepOf(pipeline, "steps", "1").name).toBe("step_2");
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
