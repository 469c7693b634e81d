// What `stepwell test` does: each case of a test file is played on an engine of its own, with tools that answer as the file
// says and a clock that stands still but for `advance`. Gives a report; it prints nothing, and reads no file itself.

import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json } from "../flow/json.ts";
import { under, type Pointer } from "../flow/pointer.ts";
import { readText } from "../flow/source/read.ts";
import { outcome } from "../tool/function.ts";
import { fakeTool, never, throws, type FakeAnswer, type FakeTool } from "./fake-tool.ts";
import { compareRun, compareValues, type SeenRun } from "./flow-test-expect.ts";
import { parseFlowTest, type FlowTestCase, type Problem } from "./flow-test-file.ts";
import { findUnknown, messageOf, readFlows, type Flows } from "./flow-test-flows.ts";
import { playCase } from "./flow-test-play.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { recordedTools, type RecordedStep } from "./recorded-tools.ts";

export type FlowTestOptions = {
  /** The text of a flow, by the path that the test file names. */
  readonly readFlow: (path: string) => string | Promise<string>;
  /** The steps of a run, for `record`; without it there are no recorded runs. */
  readonly readRun?: (run: number) => Promise<readonly RecordedStep[]>;
};

export type FlowTestReport = {
  readonly ok: boolean;
  /** What is wrong with the file or with the flow; then no case was played. */
  readonly findings: readonly FlowTestFinding[];
  readonly cases: readonly FlowTestCaseReport[];
};

export type FlowTestCaseReport = {
  readonly name: string;
  readonly ok: boolean;
  readonly findings: readonly FlowTestFinding[];
  /** What the run gave; null: it did not start. */
  readonly run: SeenRun | null;
};

export type FlowTestFinding = {
  /** Where in the test file. */
  readonly pointer: Pointer;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** Of a difference. */
  readonly expected?: Json;
  readonly actual?: Json;
};

/** `await runFlowTests(text, { readFlow: (path) => readFile(join(folder, path), "utf8") })` */
export async function runFlowTests(text: string, options: FlowTestOptions): Promise<FlowTestReport> {
  const source = readText(text);
  if (source.value === undefined || source.findings.length > 0) return refused(source.findings);
  const place = (problem: Problem): FlowTestFinding => ({ ...problem, ...source.locateKey(problem.pointer) });
  const parsed = parseFlowTest(source.value);
  if (!parsed.ok) return refused(parsed.problems.map(place));
  const { file } = parsed;
  const { flows, problems } = await readFlows(file, options.readFlow);
  if (problems.length > 0) return refused(problems.map(place));
  const cases: FlowTestCaseReport[] = [];
  for (const test of file.cases) {
    const { run, problems: found } = await runCase(test, flows, options);
    cases.push({ name: test.name, ok: found.length === 0, findings: found.map(place), run });
  }
  return { ok: cases.every(({ ok }) => ok), findings: [], cases };
}

function refused(findings: readonly FlowTestFinding[]): FlowTestReport {
  return { ok: false, findings, cases: [] };
}

type CaseResult = { readonly run: SeenRun | null; readonly problems: readonly Problem[] };

async function runCase(test: FlowTestCase, flows: Flows, options: FlowTestOptions): Promise<CaseResult> {
  try {
    const prepared = await createFakes(test, options);
    if (!prepared.ok) return { run: null, problems: [prepared.problem] };
    const { fakes } = prepared;
    const unknown = findUnknown(
      test,
      flows,
      fakes.map(({ name }) => name),
    );
    if (unknown.length > 0) return { run: null, problems: unknown };
    await using t = await openTestEngine({
      tools: fakes,
      flows: flows.named,
      missingTools: test.missingTools,
      ...(test.at === null ? {} : { now: test.at }),
    });
    const secrets = secretsFor(test, flows);
    for (const [name, value] of secrets) await t.secrets.set(name, value);
    const { seen, problems } = await playCase({ t, test, fakes, secrets }, flows.flow);
    return { run: seen, problems: [...problems, ...compareRun(test.expect, seen, under(test.pointer, "expect"))] };
  } catch (error) {
    if (error instanceof StepwellError) return { run: null, problems: compareRefusal(test, error) };
    throw error;
  }
}

/** Every secret that the flows name has a value, made up unless the test gives one. What is made up is the placeholder
 *  itself, so that calls are compared with what the flow says. */
function secretsFor({ secrets }: FlowTestCase, flows: Flows): ReadonlyMap<string, string> {
  return new Map(
    flows.secrets.flatMap((name): [string, string][] => {
      const given = secrets.get(name);
      if (given === undefined) return [[name, `{{ secrets.${name} }}`]];
      return given.value === null ? [] : [[name, given.value]];
    }),
  );
}

/** Some cases want to see that a start is refused, by its code; what the test itself forgot is never what they want. */
function compareRefusal({ expect, pointer }: FlowTestCase, { code, message, hint }: StepwellError): readonly Problem[] {
  const wanted = own(expect, "refused");
  if (wanted === undefined || code === "USAGE")
    return [{ pointer, message: hint === undefined ? message : `${message} ${hint}` }];
  return compareValues(wanted, code, { pointer: under(pointer, "expect", "refused"), path: "refused" });
}

type Prepared =
  | { readonly ok: true; readonly fakes: readonly FakeTool[] }
  | { readonly ok: false; readonly problem: Problem };

async function createFakes(test: FlowTestCase, { readRun }: FlowTestOptions): Promise<Prepared> {
  const given = [...test.tools].map(([name, written]) => fakeTool(name, toAnswers(written)));
  const { record } = test;
  if (record === null) return { ok: true, fakes: given };
  const refuse = (message: string): Prepared => ({
    ok: false,
    problem: { pointer: under(test.pointer, "record"), message },
  });
  if (readRun === undefined) return refuse("There is no store here to take a recorded run from.");
  try {
    const recorded = recordedTools(await readRun(record));
    return { ok: true, fakes: [...given, ...recorded.filter(({ name }) => !test.tools.has(name))] };
  } catch (error) {
    return refuse(`Run ${record} cannot be read: ${messageOf(error)}`);
  }
}

function toAnswers(written: Json): FakeAnswer | readonly FakeAnswer[] {
  return isArray(written) ? written.map(toAnswer) : toAnswer(written);
}

const answerKeys: ReadonlySet<string> = new Set(["result", "outcome", "fails", "code", "final", "hangs"]);

/** A map of nothing but these keys says how the call goes; any other value is its result. */
function toAnswer(written: Json): FakeAnswer {
  if (!isObject(written)) return written;
  const keys = Object.keys(written);
  if (keys.length === 0 || !keys.every((key) => answerKeys.has(key))) return written;
  const { result = null, outcome: name, fails, code, final, hangs } = written;
  if (hangs === true) return never();
  if (fails !== undefined) {
    const message = typeof fails === "string" ? fails : "It fails, as the test says.";
    return throws({ message, isFinal: final === true, ...(typeof code === "string" ? { code } : {}) });
  }
  if (typeof name === "string") return () => outcome(name, result);
  // A bare list would be answers in turn.
  return keys.includes("result") ? () => result : written;
}
