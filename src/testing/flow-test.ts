// What `stepwell test` does: each case of a test file is played on an engine of its own, with tools that answer as the file
// says and a clock that stands still but for `advance`. Gives a report; it prints nothing, and reads no file itself.

import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json } from "../flow/json.ts";
import { under, type Pointer } from "../flow/pointer.ts";
import { readText } from "../flow/source/read.ts";
import { nearest } from "../flow/suggest.ts";
import { validate } from "../flow/validate/validate.ts";
import { outcome } from "../tool/function.ts";
import { fakeTool, never, throws, type FakeAnswer, type FakeTool } from "./fake-tool.ts";
import { compareRun, compareValues, type SeenRun } from "./flow-test-expect.ts";
import { parseFlowTest, type FlowTestCase, type FlowTestFile, type Problem } from "./flow-test-file.ts";
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
  const { flows, problems } = await readFlows(file, options);
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

type Flows = { readonly flow: Json; readonly named: Readonly<Record<string, Json>>; readonly steps: readonly string[] };

/** All that the cases need to be played, or why they cannot. */
async function readFlows(
  file: FlowTestFile,
  { readFlow }: FlowTestOptions,
): Promise<{ readonly flows: Flows; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const steps: string[] = [];
  const read = async (flow: Json, pointer: Pointer): Promise<Json> => {
    try {
      const source = typeof flow === "string" ? await readFlow(flow) : flow;
      const { findings, plan } = validate(source);
      steps.push(...Object.keys(plan?.names ?? {}));
      for (const { severity, line, message } of findings)
        if (severity === "error")
          problems.push({ pointer, message: line === undefined ? message : `Line ${line}: ${message}` });
      return source;
    } catch (error) {
      problems.push({ pointer, message: `The flow cannot be read: ${messageOf(error)}` });
      return null;
    }
  };
  const named: Record<string, Json> = {};
  for (const [name, path] of file.flows) named[name] = await read(path, under("/flows", name));
  const flows = { flow: await read(file.flow, "/flow"), named, steps };
  return { flows, problems };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type CaseResult = { readonly run: SeenRun | null; readonly problems: readonly Problem[] };

async function runCase(test: FlowTestCase, flows: Flows, options: FlowTestOptions): Promise<CaseResult> {
  const unknown = unknownAnswers(test, flows);
  if (unknown.length > 0) return { run: null, problems: unknown };
  try {
    const fakes = await createFakes(test, options);
    await using t = await openTestEngine({
      tools: fakes,
      flows: flows.named,
      missingTools: test.missingTools,
      ...(test.at === null ? {} : { now: test.at }),
    });
    const { seen, problems } = await playCase({ t, test, fakes }, flows.flow);
    return { run: seen, problems: [...problems, ...compareRun(test.expect, seen, under(test.pointer, "expect"))] };
  } catch (error) {
    if (error instanceof StepwellError) return { run: null, problems: compareRefusal(test, error) };
    throw error;
  }
}

/** Some cases want to see that a start is refused, by its code. */
function compareRefusal({ expect, pointer }: FlowTestCase, { code, message, hint }: StepwellError): readonly Problem[] {
  const wanted = own(expect, "refused");
  if (wanted === undefined) return [{ pointer, message: hint === undefined ? message : `${message} ${hint}` }];
  return compareValues(wanted, code, { pointer: under(pointer, "expect", "refused"), path: "refused" });
}

function unknownAnswers({ answers, pointer }: FlowTestCase, { steps }: Flows): readonly Problem[] {
  return [...answers.keys()].flatMap((name) => {
    if (steps.includes(name)) return [];
    const near = nearest(name, steps);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    return [{ pointer: under(pointer, "answers", name), message: `The flow has no step "${name}".${hint}` }];
  });
}

async function createFakes(test: FlowTestCase, { readRun }: FlowTestOptions): Promise<readonly FakeTool[]> {
  const given = [...test.tools].map(([name, written]) => fakeTool(name, toAnswers(written)));
  if (test.record === null) return given;
  if (readRun === undefined) throw new StepwellError("USAGE", "There is no store here to take a recorded run from.");
  const recorded = recordedTools(await readRun(test.record));
  return [...given, ...recorded.filter(({ name }) => !test.tools.has(name))];
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
