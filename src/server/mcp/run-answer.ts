// A run as the answer of a tool: one shape for every workflow, whether the run has ended or goes on. Pure.

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "../../flow/json.ts";
import type { TerminalKind } from "../../flow/plan.ts";
import { hasEnded, type RunRow } from "../../run/model.ts";
import { fitResult, tooMuch } from "./fit.ts";
import type { OpenQuestion } from "./questions.ts";

/** Under which the kind of a run's end stands, in the words of the engine. */
export const kindKey = "stepwell/terminal_kind";

/** What every workflow answers with. */
export const outputSchema: JsonObject = {
  type: "object",
  properties: {
    run_id: { type: ["string", "null"], description: "Of the run; null: none was started" },
    status: { type: "string", description: "scheduled, running, paused, completed, failed, cancelled or refused" },
    terminal_kind: { enum: ["success", "failure", "cancel", null], description: "null: it has not ended" },
    output: { description: "What it gave" },
    error: { type: "object", description: "Why it failed: code and message" },
    waiting: { type: "array", items: { type: "object" }, description: "What it waits for, with the answers it takes" },
    note: { type: "string", description: "What else there is to know, such as that only a person can go on" },
  },
  required: ["run_id", "status", "terminal_kind"],
};

type RunAnswer = JsonObject & { readonly run_id: string; readonly status: string };

function toRunAnswer(run: RunRow, questions: readonly OpenQuestion[] = []): RunAnswer {
  return {
    run_id: run.uid,
    status: run.status,
    terminal_kind: run.terminalKind,
    ...(hasEnded(run) && run.terminalKind !== "failure" ? { output: run.output } : {}),
    ...(run.error === null ? {} : { error: { code: run.error.code, message: run.error.message } }),
    ...(questions.length === 0 ? {} : { waiting: questions.map(toQuestionDocument) }),
  };
}

function toQuestionDocument({ key, kind, title, message, choices, form }: OpenQuestion): JsonObject {
  return { step_id: key, kind, title, message, choices, ...(form === null ? {} : { form }) };
}

/** What a run gave, or why it gave nothing: for a model that reads the first block, and for a program that reads the
 *  rest. */
export function toEndResult(run: RunRow): CallToolResult {
  return fitResult(toWholeResult(run, toRunAnswer(run))) ?? withoutOutput(run);
}

function toWholeResult(run: RunRow, answer: RunAnswer): CallToolResult {
  const { terminalKind } = run;
  return {
    content: contentOf(run),
    structuredContent: answer,
    ...(terminalKind === "failure" || terminalKind === "cancel" ? { isError: true } : {}),
    _meta: { [kindKey]: terminalKind },
  };
}

/** The run is over all the same, and this is how. */
function withoutOutput(run: RunRow): CallToolResult {
  const note = `What it gave is ${tooMuch}: stepwell show ${run.id} --output has it.`;
  const { output: _, ...answer } = toRunAnswer(run);
  const told = text(`Run ${run.uid} ${tellEnd(run.terminalKind)}. ${note}`);
  return { ...toWholeResult({ ...run, output: null }, { ...answer, note }), content: [told] };
}

function contentOf(run: RunRow): CallToolResult["content"] {
  const { output, error, terminalKind, uid } = run;
  const told = `Run ${uid} ${tellEnd(terminalKind)}.`;
  if (terminalKind === "failure") return [text(`${told} ${tellFailure(error, output)}`)];
  if (terminalKind === "cancel") return [text(told)];
  return [text(typeof output === "string" ? output : JSON.stringify(output)), text(told)];
}

export function tellEnd(kind: TerminalKind | null): string {
  switch (kind) {
    case "success":
      return "completed";
    case "failure":
      return "failed";
    case "cancel":
      return "was cancelled";
    case null:
      return "ended, and does not say how (warning: it has no terminal kind)";
  }
}

function tellFailure(error: RunRow["error"], output: Json): string {
  if (error !== null) return `${error.code}: ${error.message}`;
  return output === null ? "" : JSON.stringify(output);
}

/** For who cannot wait any longer, or need not: the run goes on, and this is how to come back to it. `remarks`: what else
 *  there is to know about what it waits for. */
export function toPendingResult(
  run: RunRow,
  questions: readonly OpenQuestion[],
  remarks: readonly string[] = [],
): CallToolResult {
  const how = questions.length === 0 ? "goes on" : "waits for an answer";
  const lines = questions.map(
    ({ key, title, message, choices }) =>
      `- step ${key}: ${title}${message === null ? "" : `: ${message}`} (${choices.join(", ")})`,
  );
  const next =
    questions.length === 0
      ? `Call run_get with run_id "${run.uid}" to see how it is; run_cancel stops it.`
      : `Call run_respond with run_id "${run.uid}", the step_id and one of its answers; run_get shows how it is.`;
  return {
    content: [text([`Run ${run.uid} of ${run.name} ${how}: ${run.status}.`, ...lines, ...remarks, next].join("\n"))],
    structuredContent: {
      ...toRunAnswer(run, questions),
      ...(remarks.length === 0 ? {} : { note: remarks.join("\n") }),
    },
    _meta: { [kindKey]: null },
  };
}

export function text(value: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: value };
}
