import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { runFlowTests, type FlowTestReport } from "./flow-test.ts";

const flow = `
start: fetch
steps:
  fetch: { tool: feed.fetch, args: { url: "{{ input.url }}" }, retry: { attempts: 2, backoff: [10s] }, routes: { empty: quiet, error: alert }, next: review }
  review: { gate: { title: "Publish?", expires_after: 2d }, routes: { approved: publish, rejected: fetch, expired: alert } }
  publish: { tool: file.write, args: { text: "{{ steps.fetch.result.title }}" }, done: true }
  quiet: { set: { said: nothing }, done: true }
  alert: { tool: notify, done: true }
`;
const shared = { "feed.fetch": { title: "Tides", tags: ["sea"] }, "file.write": { ok: true }, notify: null };

async function run(cases: readonly Json[], more: { readonly [key: string]: Json } = {}): Promise<FlowTestReport> {
  const file: Json = { flow: "./a.yaml", tools: shared, cases, ...more };
  return runFlowTests(JSON.stringify(file), { readFlow: () => flow });
}

/** What is said of the cases, or of the file. */
async function findingsOf(...cases: readonly Json[]): Promise<readonly string[]> {
  const report = await run(cases);
  const all = [...report.findings, ...report.cases.flatMap(({ findings }) => findings)];
  expect(report.ok).toBe(all.length === 0);
  return all.map(({ message }) => message);
}

describe("cases of a flow", () => {
  test.each([["the example of the docs", "publish-digest.test.yaml", 5]])("%s passes", async (_, name, count) => {
    const folder = new URL("../../examples/tests/", import.meta.url);
    const text = readFileSync(new URL(name, folder), "utf8");
    const report = await runFlowTests(text, { readFlow: (path) => readFileSync(new URL(path, folder), "utf8") });
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.cases.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report.cases).toHaveLength(count);
  });

  test("give what the run gave", async () => {
    const report = await run([{ name: "one", answers: { review: "approve" }, expect: { status: "completed" } }]);
    expect(report.cases).toMatchObject([
      {
        name: "one",
        ok: true,
        run: {
          status: "completed",
          output: { ok: true },
          steps: ["fetch done", "review done", "publish done"],
          calls: { "file.write": [{ text: "Tides" }] },
        },
      },
    ]);
  });

  test.each<[string, Json]>([
    [
      "an outcome",
      { tools: { "feed.fetch": { outcome: "empty", result: [] } }, expect: { output: { said: "nothing" } } },
    ],
    [
      "a failure, then a result",
      {
        tools: { "feed.fetch": [{ fails: "503" }, { title: "A" }] },
        advance: "10s",
        expect: { calls: { "feed.fetch": 2 } },
      },
    ],
    [
      "a final failure",
      {
        tools: { "feed.fetch": { fails: "gone", code: "gone", final: true } },
        expect: { steps: ["fetch failed", "alert done"], calls: { "feed.fetch": 1 } },
      },
    ],
    [
      "a call that hangs",
      { tools: { "feed.fetch": { hangs: true } }, expect: { status: "running", steps: { fetch: "running" } } },
    ],
    [
      "a list as a result",
      { tools: { "feed.fetch": [[1, 2]] }, answers: { review: "approve" }, expect: { status: "completed" } },
    ],
    [
      "an answer of a person who says more",
      { answers: { review: { answer: "approve", by: "ann", comment: "go" } }, expect: { status: "completed" } },
    ],
    [
      "answers in turn",
      {
        answers: { review: ["reject", "approve"] },
        expect: { steps: ["fetch done", "review done", "fetch done", "review done", "publish done"] },
      },
    ],
    ["time that passes", { advance: "2d", expect: { steps: { alert: "done" } } }],
    [
      "a tool that is not given, and echoes",
      { missing_tools: "echo", answers: { review: "approve" }, expect: { status: "completed" } },
    ],
    [
      "arguments that are called with",
      { input: { url: "u" }, expect: { calls: { "feed.fetch": [{ url: "u" }], "file.write": 0 } } },
    ],
  ])("may have %s", async (_, one) => {
    expect(await findingsOf(one)).toEqual([]);
  });

  test("answer a gate in the moment in which it opens", async () => {
    const report = await runFlowTests(
      JSON.stringify({
        flow: {
          start: { wait: "1h", next: "ask" },
          ask: { gate: { expires_after: "1h" }, routes: { approved: "late" } },
          late: { wait: "1h", next: "end" },
        },
        cases: [
          { at: "2026-03-29T09:00:00Z", answers: { ask: "approve" }, advance: "2h", expect: { status: "completed" } },
        ],
      }),
      { readFlow: () => "" },
    );
    expect(report.cases).toMatchObject([{ ok: true, findings: [] }]);
  });

  test("may send signals, fire transitions and start flows by name", async () => {
    const waits: Json = { start: { wait: { event: "paid" }, next: "ask" }, ask: { flow: "child", done: true } };
    const machine: Json = {
      states: { draft: { initial: true }, sent: { terminal: "success" } },
      transitions: [{ name: "submit", from: "draft", to: "sent" }],
    };
    const child = "start: { gate: {}, next: end }";
    const played = async (file: Json): Promise<FlowTestReport> =>
      runFlowTests(JSON.stringify(file), { readFlow: () => child });
    const one = { signals: { paid: { sum: 12 } }, answers: { start: "approve" }, expect: { status: "completed" } };
    expect(await played({ flow: waits, flows: { child: "./child.yaml" }, cases: [one] })).toMatchObject({ ok: true });
    const fired = [
      { fire: "submit", expect: { status: "completed" } },
      { fire: "sumbit", expect: { status: "running" } },
    ];
    const report = await played({ flow: machine, cases: fired });
    expect(report.cases.map(({ ok, findings }) => [ok, findings.length])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  test("may take the answers of a recorded run", async () => {
    const steps = [
      {
        step: "a",
        visit: 1,
        index: null,
        attempt: 1,
        status: "done",
        tool: "t",
        args: { n: 1 },
        result: 7,
        outcome: null,
        error: null,
      },
    ] as const;
    const file = {
      flow: { start: { tool: "t", args: { n: 1 }, done: true } },
      cases: [{ record: 12, expect: { output: 7 } }],
    };
    const readFlow = (): string => "";
    expect(await runFlowTests(JSON.stringify(file), { readFlow, readRun: async () => steps })).toMatchObject({
      ok: true,
    });
    const without = await runFlowTests(JSON.stringify(file), { readFlow });
    expect(without.cases[0]?.findings[0]?.message).toBe("There is no store here to take a recorded run from.");
  });
});

describe("differences", () => {
  test.each<[string, Json, string]>([
    [
      "the status, with what the run waits for",
      { expect: { status: "completed" } },
      'status: expected "completed", got "running". It rests at: review pending. A gate wants an answer, under `answers`. Something is due in 2d; use `advance`.',
    ],
    [
      "a value inside",
      {
        tools: { "file.write": { a: { b: [1, 2] } } },
        answers: { review: "approve" },
        expect: { output: { a: { b: [1, 3] } } },
      },
      "output.a.b[1]: expected 3, got 2.",
    ],
    [
      "a list that is longer",
      { tools: { "file.write": { result: [1, 2] } }, answers: { review: "approve" }, expect: { output: [1] } },
      "output: expected 1 item, got 2: [1,2].",
    ],
    [
      "what is missing",
      { answers: { review: "approve" }, expect: { output: { id: 1 } } },
      "output.id: expected 1, got nothing.",
    ],
    [
      "the order of steps",
      { expect: { steps: ["fetch done", "publish done"] } },
      'steps: at 2, expected "publish done", got "review pending". All of them: fetch done, review pending.',
    ],
    [
      "one more step",
      { expect: { steps: ["fetch done"] } },
      'steps: at 2, expected nothing, got "review pending". All of them: fetch done, review pending.',
    ],
    [
      "a step by its name",
      { expect: { steps: { reviw: "done" } } },
      'steps.reviw: expected "done", got nothing. Did you mean "review"?',
    ],
    [
      "a count of calls",
      { expect: { calls: { "feed.fetch": 2 } } },
      'calls.feed.fetch: expected 2 calls, got 1: [{"url":""}].',
    ],
    [
      "arguments",
      { input: { url: "a" }, expect: { calls: { "feed.fetch": { url: "b" } } } },
      'calls.feed.fetch[0].url: expected "b", got "a".',
    ],
    [
      "a start that was to be refused",
      { expect: { refused: "INPUT_INVALID" } },
      "refused: the run started, and was to be refused.",
    ],
  ])("of %s are told", async (_, one, message) => {
    expect(await findingsOf(one)).toEqual([message]);
  });

  test("stand at their line of the test file, with both values", async () => {
    const text =
      "flow: a.yaml\ntools: { feed.fetch: 1, file.write: 2, notify: 3 }\ncases:\n  - expect:\n      status: failed\n";
    const report = await runFlowTests(text, { readFlow: () => flow });
    expect(report.cases[0]?.findings).toMatchObject([
      { pointer: "/cases/0/expect/status", line: 5, column: 7, expected: "failed", actual: "running" },
    ]);
  });
});

describe("a test file that cannot be played", () => {
  test.each<[string, Json, string]>([
    ["an unknown key", { expct: {}, expect: {} }, 'Unknown key "expct". Did you mean "expect"?'],
    ["an unknown expectation", { expect: { stats: "completed" } }, 'Unknown key "stats". Did you mean "status"?'],
    [
      "an unknown part of an answer",
      { answers: { review: { coment: "x" } }, expect: {} },
      'Unknown key "coment". Did you mean "comment"?',
    ],
    [
      "an answer for no step",
      { answers: { reviw: "approve" }, expect: {} },
      'The flow has no step "reviw". Did you mean "review"?',
    ],
    [
      "a wrong time",
      { advance: "soon", expect: {} },
      '"soon" is no time to let pass; write it as 24h, 1h30m, or milliseconds.',
    ],
    ["a wrong instant", { at: "soon", expect: {} }, '"soon" is no instant; write it as 2026-03-29T09:00:00Z.'],
    ["nothing to expect", {}, "The case has no `expect`, so nothing could be wrong with it."],
    ["a text for a map", { expect: "completed" }, 'Here stands a map, not "completed".'],
    ["a wrong word", { missing_tools: "yes", expect: {} }, '`missing_tools` is refuse, echo or fail, not "yes".'],
  ])("has %s", async (_, one, message) => {
    expect(await findingsOf(one)).toEqual([message]);
  });

  test("names the tools that nobody gave", async () => {
    const report = await run([{ expect: {} }], { tools: { "feed.fetch": 1, "file.wrote": 2 } });
    expect(report.cases[0]?.findings[0]?.message).toMatch(
      /^The flow calls what the test did not give\. Unknown tool: file\.write\. Did you mean "file\.wrote"\? Unknown tool: notify\./,
    );
  });

  test.each([
    ["text that is no YAML", "a: [", "not_yaml"],
    ["no cases", "flow: a.yaml", "`cases` is a list"],
    ["no flow", "cases: [{ expect: {} }]", "`flow` is the path"],
  ])("has %s", async (_, text, told) => {
    const { ok, findings, cases } = await runFlowTests(text, { readFlow: () => flow });
    expect([ok, cases]).toEqual([false, []]);
    expect(JSON.stringify(findings)).toContain(told);
  });

  test("names a flow that cannot be read, and one that is wrong", async () => {
    const text = "flow: a.yaml\ncases: [{ expect: { status: completed } }]";
    const gone = await runFlowTests(text, { readFlow: () => Promise.reject(new Error("no such file")) });
    expect(gone.findings).toMatchObject([{ line: 1, message: "The flow cannot be read: no such file" }]);
    const wrong = await runFlowTests(text, { readFlow: () => "start: { tool: a, next: b }" });
    expect(wrong.findings[0]?.message).toMatch(/^Line 1: /);
  });
});
