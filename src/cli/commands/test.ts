// `stepwell test`: plays the cases of test files, with tools that answer as the files say and a clock that stands still.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCodes, StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import type { FlowTestCaseReport, FlowTestFinding, FlowTestReport } from "../../testing/flow-test.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { readFlowFile } from "../flow-file.ts";
import { signStyle, signText, type Sign } from "../sign.ts";
import { paint } from "../table.ts";
import { toPlainLines } from "../plain-lines.ts";
import type { Look } from "../terminal.ts";
import { openView } from "../open-view.ts";

type Played = { readonly file: string; readonly report: FlowTestReport };

export const command: Command = defineCommand({
  operands: [{ name: "<file …>", completes: "file", isRepeated: true }],
  flags: {},
  details:
    "Exit code 1 when a case fails, 6 when a file or its flow is wrong. Runs that a case records are in --store.",
  isNobodys: true,
  examples: ["test flows/*.test.yaml", "test digest.test.yaml --json"],
  async act(call) {
    const { operands, out, usage } = call;
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which test files.", { hint: usage });
    const texts = operands.map((file) => ({ file, text: readFlowFile(file, usage) }));
    const { runFlowTests } = await import("../../testing/flow-test.ts");
    const played: Played[] = [];
    for (const { file, text } of texts) {
      const readFlow = (path: string): string => readFileSync(resolve(dirname(file), path), "utf8");
      played.push({ file, report: await runFlowTests(text, { readFlow, readRun: (run) => readRun(run, call) }) });
    }
    const cases = played.flatMap(({ file, report }) => report.cases.map((each) => ({ ...each, file })));
    const failed = cases.filter(({ ok }) => !ok);
    out.tell({
      document: played.map(toDocument),
      ids: failed.map(({ file, name }) => `${file}: ${name}`),
      lines: (look) => played.flatMap((each) => drawPlayed(each, look)),
    });
    if (!out.isJson) out.say(`${cases.length} cases: ${cases.length - failed.length} passed, ${failed.length} failed`);
    if (played.some(({ report }) => report.findings.length > 0)) return errorCodes.FLOW_INVALID.exitCode;
    return failed.length === 0 ? endedExitCodes.ok : endedExitCodes.failed;
  },
});

async function readRun(run: number, call: Call): ReturnType<typeof rowsOf> {
  await using view = await openView(call);
  return await rowsOf(view, run);
}

async function rowsOf(view: Awaited<ReturnType<typeof openView>>, run: number): ReturnType<typeof view.listRows> {
  return (await view.read(run)).rows;
}

function toDocument({ file, report }: Played): JsonObject {
  // Without what is undefined.
  return { file, ...(JSON.parse(JSON.stringify(report)) as JsonObject) };
}

function drawPlayed({ file, report }: Played, look: Look): readonly string[] {
  return [
    paint(file, "bold", look),
    ...report.findings.flatMap((found) => drawFinding(found, look)),
    ...report.cases.flatMap((each) => drawCase(each, look)),
  ];
}

function drawCase({ name, ok, findings }: FlowTestCaseReport, look: Look): readonly string[] {
  const sign: Sign = ok ? "done" : "failed";
  const heading = `  ${paint(signText(sign, look.isUnicode), signStyle(sign), look)} ${toPlainLines(name).join(" ")}`;
  return [heading, ...findings.flatMap((found) => drawFinding(found, look))];
}

/** Of lists and maps, what was expected and what came stand below each other: that is how a difference is seen. */
function drawFinding({ line, column, message, expected, actual }: FlowTestFinding, look: Look): readonly string[] {
  const place = line === undefined ? "" : `${line}:${column ?? 1}  `;
  const isDifference =
    expected !== undefined && actual !== undefined && [expected, actual].every((value) => typeof value === "object");
  const values = isDifference
    ? [
        `        ${paint("expected", "gray", look)}  ${JSON.stringify(expected)}`,
        `        ${paint("actual", "gray", look)}    ${JSON.stringify(actual)}`,
      ]
    : [];
  return [`      ${place}${toPlainLines(message).join(" ")}`, ...values];
}
