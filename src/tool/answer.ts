// What a tool answers, held against what it promises. Every tool of a box is checked once: where it was defined, or, of
// whoever wrote one by hand, on the way into the box.

import { refuseArguments, refuseOutputSchema, refuseResult } from "./arguments.ts";
import { cut } from "./flaws.ts";
import { bareOutcome, isOutcomeName } from "./outcome-name.ts";
import { checkResult } from "./result.ts";
import type { Tool, ToolAnswer } from "./tool.ts";

const codeLengthMax = 100;
const messageLengthMax = 4096;

const checked = new WeakSet<Tool>();

/** This tool checks what it is given, and what it answers. */
export function asChecked(tool: Tool): Tool {
  checked.add(tool);
  return tool;
}

/** The same tool under another name. */
export function renamed(tool: Tool, name: string): Tool {
  const copy: Tool = { ...descriptionOf(tool), name, call: (context) => tool.call(context) };
  return checked.has(tool) ? asChecked(copy) : copy;
}

/** The tool as it is, or one that checks what it is given and answers: whoever wrote it by hand may give what has no text. */
export function withChecks(tool: Tool): Tool {
  if (checked.has(tool)) return tool;
  const described = descriptionOf(tool);
  return asChecked({
    ...described,
    call: (context) => {
      const refused = refuseArguments(described, context) ?? refuseOutputSchema(described);
      if (refused !== null) return refused;
      const answer = tool.call(context);
      const check = (given: unknown): ToolAnswer => checkGiven(described, given);
      return isPromised(answer) ? Promise.resolve(answer).then(check) : check(answer);
    },
  });
}

/** Not by spreading: it may be an object of a class. Whoever writes one without types may leave out what it does not need. */
function descriptionOf({ name, description, effect, input, output, outcomes, server }: Tool): Described {
  const described = {
    name,
    description,
    effect,
    input: input ?? null,
    output: output ?? null,
    outcomes: outcomes ?? [],
  };
  return server === undefined ? described : { ...described, server };
}

function isPromised(answer: ToolAnswer | Promise<ToolAnswer>): answer is Promise<ToolAnswer> {
  return typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function";
}

/** Whoever writes a tool without types may answer anything; what becomes of it holds what it must and nothing else. */
function checkGiven(tool: Described, answer: unknown): ToolAnswer {
  try {
    if (!isRecord(answer)) return badAnswer(tool, "nothing that says how it went");
    const { kind } = answer;
    if (kind === "lost") return { kind, ...readPatience(answer) };
    if (kind === "held") return checkHeld(tool, answer);
    if (kind === "failed") return checkFailure(tool, answer);
    if (kind !== "done") return badAnswer(tool, "nothing that says how it went");
    const outcome = answer["outcome"] ?? null;
    if (outcome !== null && !isOutcomeName(outcome)) return badAnswer(tool, "an outcome that is no name of one");
    return checkAnswer(tool, toAnswer(answer["result"], outcome === null ? null : bareOutcome(outcome)));
  } catch {
    return badAnswer(tool, "what cannot be read");
  }
}

function checkFailure(tool: Described, answer: { readonly [key: string]: unknown }): ToolAnswer {
  const { code, message, isFinal } = answer;
  if (!isCode(code)) return badAnswer(tool, `a failure whose code is no text of 1 to ${codeLengthMax} characters`);
  if (typeof message !== "string") return badAnswer(tool, "a failure whose message is no text");
  return {
    kind: "failed",
    code,
    message: cut(message.toWellFormed(), messageLengthMax),
    isFinal: isFinal === true,
    ...readPatience(answer),
  };
}

function readPatience({ retryAfterMs }: { readonly [key: string]: unknown }): { readonly retryAfterMs?: number } {
  return typeof retryAfterMs === "number" && retryAfterMs >= 0 ? { retryAfterMs } : {};
}

function checkHeld(tool: Described, { code, message }: { readonly [key: string]: unknown }): ToolAnswer {
  if (code !== "tool_changed" || typeof message !== "string") return badAnswer(tool, "nothing that says why it waits");
  return { kind: "held", code, message: cut(message.toWellFormed(), messageLengthMax) };
}

/** Not cut when it is longer: half a secret could be left. */
export function isCode(code: unknown): code is string {
  return typeof code === "string" && code !== "" && code.length <= codeLengthMax;
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function badAnswer({ name }: Described, what: string): ToolAnswer {
  const message = `The tool "${name}" answered with ${what}.`;
  return { kind: "failed", code: "bad_result", message, isFinal: true };
}

type Described = Omit<Tool, "call">;

/** As JSON that nobody else holds. */
export function toAnswer(result: unknown, outcome: string | null): ToolAnswer {
  const copied = checkResult(result);
  if (copied.ok) return { kind: "done", result: copied.value, outcome };
  // It has happened, and would happen again.
  return { kind: "failed", code: copied.code, message: copied.message, isFinal: true };
}

export function checkAnswer(tool: Described, answer: ToolAnswer): ToolAnswer {
  const named = checkOutcome(tool, answer);
  return named.kind === "done" ? (refuseResult(tool, named.result) ?? named) : named;
}

export function checkOutcome({ name, outcomes }: Described, answer: ToolAnswer): ToolAnswer {
  if (answer.kind !== "done" || answer.outcome === null || outcomes.length === 0) return answer;
  if (answer.outcome === "success" || outcomes.includes(answer.outcome)) return answer;
  const message = `The tool "${name}" answered with "${answer.outcome}", which is none of its outcomes: ${outcomes.join(", ")}.`;
  return { kind: "failed", code: "bad_result", message, isFinal: true };
}
