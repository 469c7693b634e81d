// Functions of the embedding program as tools. What a function returns is its result; what it throws is a failure.

import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { Effect } from "../flow/plan.ts";
import { outcomeName } from "../flow/schema/scalars.ts";
import { checkResult } from "./result.ts";
import type { CallContext, Tool, ToolAnswer } from "./tool.ts";

export type ToolContext = Omit<CallContext, "input">;

/** `(input, { signal }) => …`; the result, or a promise of it. Declared as a method, so that a function may say more
 *  closely what input it takes: `({ name }: { name: string }) => …`. */
export type ToolFunction = { call(input: JsonObject, context: ToolContext): unknown }["call"];

export type ToolDefinition = {
  readonly name: string;
  readonly description?: string;
  /** `idempotent` unless it is said: a function is handed the key by which it can tell a call that it has seen. */
  readonly effect?: Effect;
  readonly call: ToolFunction;
};

/** What a thrown error says is kept up to here: it stands in every list of steps. */
const messageLengthMax = 4096;

/** Tools whose results are checked on the way. */
const careful = new WeakSet<Tool>();

/** The tool as it is, or one that checks what it answers: whoever wrote it by hand may give what has no text. */
export function withCheckedResults(tool: Tool): Tool {
  if (careful.has(tool)) return tool;
  const { name, description, effect } = tool;
  return {
    name,
    description,
    effect,
    call: (context) => {
      const answer = tool.call(context);
      return isThenable(answer) ? Promise.resolve(answer).then(checkAnswer) : checkAnswer(answer);
    },
  };
}

function checkAnswer(answer: ToolAnswer): ToolAnswer {
  // What is no answer at all is for whoever called to say.
  if (typeof answer !== "object" || answer?.kind !== "done") return answer;
  const checked = toAnswer(answer.result);
  return checked.kind === "done" ? { ...checked, outcome: answer.outcome ?? null } : checked;
}

/** `defineTool({ name: "app.score", effect: "read", call: ({ title }: { title: string }) => title.length })` */
export function defineTool({ name, description, effect, call: run }: ToolDefinition): Tool {
  if (name.trim() === "") throw new StepwellError("USAGE", "A tool needs a name; it is what steps call it by.");
  if (typeof run !== "function") throw new StepwellError("USAGE", `The tool "${name}" needs a function to call.`);
  const tool: Tool = {
    name,
    description: description ?? null,
    effect: effect ?? "idempotent",
    call: (context) => callOf(run, context),
  };
  careful.add(tool);
  return tool;
}

/** The result, under a name by which the step's routes can tell it: `return outcome("empty", [])`. */
export function outcome(name: string, value?: unknown): NamedResult {
  if (!outcomePattern.test(name)) {
    throw new ToolError({ code: "bad_result", message: `"${name}" is not ${outcomeName.title}.`, isFinal: true });
  }
  return { [outcomeMark]: name.replace(/^on_/, ""), value };
}

/** Known by this mark and not by a class: two copies of the package may be loaded. */
const outcomeMark: unique symbol = Symbol.for("stepwell.outcome");
const outcomePattern = new RegExp(outcomeName.pattern);

export type NamedResult = { readonly [outcomeMark]: string; readonly value: unknown };

/** A failure that says more than a message: `throw new ToolError({ code: "no_such_order", message: "…", isFinal: true })`.
 *  After a final one nothing is tried again. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: string;
  readonly isFinal: boolean;

  constructor(failure: {
    readonly code?: string;
    readonly message: string;
    readonly isFinal?: boolean;
    readonly cause?: unknown;
  }) {
    super(failure.message, "cause" in failure ? { cause: failure.cause } : {});
    this.code = failure.code ?? "tool_failed";
    this.isFinal = failure.isFinal ?? false;
  }
}

function callOf(run: ToolFunction, context: CallContext): ToolAnswer | Promise<ToolAnswer> {
  try {
    const returned = run(toInput(context.input), context);
    return isThenable(returned) ? Promise.resolve(returned).then(toAnswer, toFailure) : toAnswer(returned);
  } catch (error) {
    return toFailure(error);
  }
}

/** One placeholder in place of all arguments may have become anything; the function checks what it needs of it. */
function toInput(input: Json): JsonObject {
  return input as JsonObject;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function toAnswer(returned: unknown): ToolAnswer {
  const named = isNamed(returned) ? returned : undefined;
  const checked = checkResult(named === undefined ? returned : named.value);
  if (checked.ok) return { kind: "done", result: checked.value, outcome: named?.[outcomeMark] ?? null };
  // It has happened, and would happen again.
  return { kind: "failed", code: checked.code, message: checked.message, isFinal: true };
}

function isNamed(value: unknown): value is NamedResult {
  return typeof value === "object" && value !== null && outcomeMark in value;
}

function toFailure(error: unknown): ToolAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const kept = message.length <= messageLengthMax ? message : `${message.slice(0, messageLengthMax).toWellFormed()}…`;
  if (error instanceof ToolError) return { kind: "failed", code: error.code, message: kept, isFinal: error.isFinal };
  return { kind: "failed", code: "tool_failed", message: kept, isFinal: false };
}
