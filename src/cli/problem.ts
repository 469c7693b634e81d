// How the command line says that something went wrong: a sentence and a hint for people, one document for programs.

import { errorCodes, StepwellError } from "../error.ts";
import type { Finding } from "../flow/finding.ts";
import type { InputProblem } from "../flow/validate/input.ts";

/** What `--json` prints on stdout in place of an answer. */
type ProblemDocument = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly details?: object;
  };
};

type Problem = {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly document: ProblemDocument;
};

/** Not an error of the library: a bug of ours, or of the machine. */
const unexpectedExitCode = 1;

export function toProblem(error: unknown): Problem {
  if (!(error instanceof StepwellError)) return toUnexpected(error);
  const { code, message, hint, details } = error;
  const document: ProblemDocument = {
    error: { code, message, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) },
  };
  const lines = [
    ...listFindings(details),
    `error: ${message} (${code})`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return { exitCode: errorCodes[code].exitCode, lines, document };
}

function toUnexpected(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && error.stack !== undefined ? error.stack : message;
  return {
    exitCode: unexpectedExitCode,
    lines: [`error: unexpected: ${stack}`],
    document: { error: { code: "UNEXPECTED", message } },
  };
}

/** Everything that is wrong with a flow (`findings`) or with an input (`problems`), each with its place. */
function listFindings(details: object | undefined): readonly string[] {
  const { findings, problems } = { findings: [], problems: [], ...details };
  // What a server finds wrong with a request has a place and no code.
  const found: readonly (Finding | (Omit<InputProblem, "code"> & Partial<InputProblem>))[] = [...findings, ...problems];
  return found.map((each) => {
    const place = "line" in each ? `${each.line}:${each.column ?? 1}` : each.pointer;
    const code = each.code === undefined ? "" : `${each.code}: `;
    return `  ${place}  ${"severity" in each ? `${each.severity} ` : ""}${code}${each.message}`;
  });
}
