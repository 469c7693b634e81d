import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { runFlowTests, type FlowTestReport } from "./flow-test.ts";

const flow = `
start: fetch
steps:
  fetch: { tool: feed.fetch, next: review }
  review: { gate: {}, routes: { approved: publish, rejected: fetch } }
  publish: { tool: file.write, done: true }
`;
const shared = { "feed.fetch": 1, "file.write": 2 };

async function run(cases: readonly Json[], more: { readonly [key: string]: Json } = {}): Promise<FlowTestReport> {
  const file: Json = { flow: "./a.yaml", tools: shared, cases, ...more };
  return runFlowTests(JSON.stringify(file), { readFlow: () => flow });
}

async function findingsOf(one: Json): Promise<readonly string[]> {
  const { findings, cases } = await run([one]);
  return [...findings, ...cases.flatMap((each) => each.findings)].map(({ message }) => message);
}

describe("secrets that a flow names", () => {
  const send = { send: { tool: "mail.send", args: { key: "Bearer {{ secrets.MAIL }}" }, done: true } };
  const played = async (file: { readonly [key: string]: Json }): Promise<readonly string[]> => {
    const text = JSON.stringify({ flow: send, tools: { "mail.send": 1 }, ...file });
    const { findings, cases } = await runFlowTests(text, { readFlow: () => JSON.stringify(send) });
    return [...findings, ...cases.flatMap((one) => one.findings)].map(({ message }) => message);
  };
  const key = "Bearer {{ secrets.MAIL }}";

  test("are there, and stand in calls as they are written", async () => {
    const wanted = { status: "completed", calls: { "mail.send": { key } } };
    expect(await played({ cases: [{ expect: wanted }] })).toEqual([]);
    expect(await played({ tools: {}, missing_tools: "echo", cases: [{ expect: wanted }] })).toEqual([]);
    const wrong = await played({ cases: [{ expect: { calls: { "mail.send": { key: "Bearer x" } } } }] });
    expect(wrong).toEqual([`calls.mail.send[0].key: expected "Bearer x", got "${key}".`]);
  });

  test("have the values that the file or the case gives", async () => {
    const wants = (token: string): Json => ({ calls: { "mail.send": [{ key: `Bearer ${token}` }] } });
    const cases = [
      { expect: wants("of-the-file") },
      { secrets: { MAIL: "of-the-case" }, expect: wants("of-the-case") },
      { missing_tools: "echo", expect: wants("of-the-file") },
      { secrets: { MAIL: null }, expect: { error: "secret_missing", calls: { "mail.send": 0 } } },
    ];
    expect(await played({ secrets: { MAIL: "of-the-file" }, cases })).toEqual([]);
  });

  test("are there for the flows that it starts, too", async () => {
    const parent = { go: { flow: "child", done: true } };
    const cases = [{ expect: { status: "completed", calls: { "mail.send": { key } } } }];
    expect(await played({ flow: parent, flows: { child: "./child.json" }, cases })).toEqual([]);
  });

  test("are told when no flow names them, and when they are no texts", async () => {
    expect(await played({ cases: [{ secrets: { MIAL: "something" }, expect: {} }] })).toEqual([
      'The flow names no secret "MIAL". Did you mean "MAIL"?',
    ]);
    expect(await played({ secrets: { MAIL: 5 }, cases: [{ expect: {} }] })).toEqual([
      "Here stands a text, or null where the secret is not there, not 5.",
    ]);
  });
});

describe("what could never fail", () => {
  test.each<[string, Json, string]>([
    [
      "calls of a tool that nobody names",
      { expect: { calls: { "file.wirte": 0 } } },
      'Neither the flow nor the test names a tool "file.wirte". Did you mean "file.write"?',
    ],
    [
      "no calls of a tool that nobody names",
      { expect: { calls: { "file.wirte": [] } } },
      'Neither the flow nor the test names a tool "file.wirte". Did you mean "file.write"?',
    ],
    [
      "a step that is not to come, of none of the flow's",
      { expect: { steps: { publsh: null } } },
      'The flow has no step "publsh". Did you mean "publish"?',
    ],
    [
      "an answer where nobody asks",
      { answers: { publish: "approve" }, expect: {} },
      '"publish" is no gate: nobody is asked there. Gates: review.',
    ],
    [
      "a refusal beside what comes of a run",
      { expect: { refused: "INPUT_INVALID", status: "completed" } },
      "`refused` stands alone: a run that is not started has no status.",
    ],
    [
      "a refusal of what the test forgot",
      { record: 5, expect: { refused: "USAGE" } },
      "There is no store here to take a recorded run from.",
    ],
  ])("is told: %s", async (_, one, message) => {
    expect(await findingsOf(one)).toEqual([message]);
  });

  test("is told: a refusal of tools that nobody gave", async () => {
    const report = await run([{ expect: { refused: "USAGE" } }], { tools: {} });
    expect(report.cases[0]?.findings[0]?.message).toMatch(/^The flow calls what the test did not give\./);
  });

  test("is not told of tools that stand anywhere in the flow, and of steps that it has", async () => {
    const call = (tool: string): Json => ({ tool });
    const all: Json = {
      ask: { gate: { notify: call("tell") }, routes: { approved: "go" } },
      go: { tool: "t", fallback: "other", effect: "write", probe: call("look"), compensate: call("undo"), done: true },
    };
    const calls = { t: 0, other: 0, look: 0, undo: 0, tell: 1 };
    const one: Json = { missing_tools: "echo", expect: { calls, steps: { go: null } } };
    const file: Json = { flow: all, cases: [one] };
    const report = await runFlowTests(JSON.stringify(file), { readFlow: () => "" });
    expect([report.findings, report.cases.map(({ findings }) => findings)]).toEqual([[], [[]]]);
  });

  test("is told: a tool without a name", async () => {
    const report = await run([{ tools: { "": 1 }, expect: { status: "running" } }]);
    expect(report.cases[0]?.findings[0]?.message).toMatch(/^A tool needs a name/);
  });

  test("a run that cannot be read is a finding of its case", async () => {
    const file = { flow: { a: { set: {}, done: true } }, cases: [{ record: 5, expect: {} }, { expect: {} }] };
    const report = await runFlowTests(JSON.stringify(file), {
      readFlow: () => "",
      readRun: () => Promise.reject(new Error("no such run")),
    });
    expect(report.cases.map(({ findings }) => findings.map(({ pointer, message }) => [pointer, message]))).toEqual([
      [["/cases/0/record", "Run 5 cannot be read: no such run"]],
      [],
    ]);
  });
});
