// Functions of the embedding program as tools. What a function returns is its result; what it throws is a failure.

import { StepwellError } from "../error.ts";
import { prepareSchema } from "../flow/json-schema/prepare.ts";
import { deepFreeze, type JsonObject } from "../flow/json.ts";
import type { Effect } from "../flow/plan.ts";
import { outcomeName } from "../flow/schema/scalars.ts";
import { refuseArguments, refuseIssues, refuseOutputSchema, refuseResultIssues } from "./arguments.ts";
import { asChecked, checkAnswer, checkOutcome, isCode, toAnswer } from "./answer.ts";
import { cut } from "./flaws.ts";
import { bareOutcome, fitsOutcome } from "./outcome-name.ts";
import {
  isStandard,
  toJsonSchema,
  type CheckedBy,
  type StandardResult,
  type StandardSchema,
  type ToolSchema,
} from "./standard-schema.ts";
import { messageOfThrown } from "./thrown.ts";
import type { CallContext, Tool, ToolAnswer } from "./tool.ts";

export type ToolContext = Omit<CallContext, "input">;

/** `(input, { signal }) => …`; the result, or a promise of it. Declared as a method, so that a function may say more
 *  closely what input it takes: `({ name }: { name: string }) => …`. */
export type ToolFunction<Input = JsonObject> = { call(input: Input, context: ToolContext): unknown }["call"];

export type ToolDefinition<Input extends ToolSchema = JsonObject> = {
  readonly name: string;
  readonly description?: string;
  /** `idempotent` unless it is said: a function is handed the key by which it can tell a call that it has seen. */
  readonly effect?: Effect;
  /** What it takes: JSON Schema, or a schema of zod or another library that speaks Standard Schema. */
  readonly input?: Input;
  /** What it answers with. */
  readonly output?: ToolSchema;
  /** Names that it may answer with by `outcome(name, …)`; any, unless they are given. */
  readonly outcomes?: readonly string[];
  readonly call: ToolFunction<CheckedBy<Input>>;
};

/** What a thrown error says is kept up to here: it stands in every list of steps. */
const messageLengthMax = 4096;

/** `defineTool({ name: "app.score", effect: "read", call: ({ title }: { title: string }) => title.length })` */
export function defineTool<Input extends ToolSchema = JsonObject>(definition: ToolDefinition<Input>): Tool {
  const { name, description, effect, call: run } = definition;
  if (name.trim() === "") throw new StepwellError("USAGE", "A tool needs a name; it is what steps call it by.");
  if (typeof run !== "function") throw new StepwellError("USAGE", `The tool "${name}" needs a function to call.`);
  const { input, output } = definition;
  const described = {
    name,
    description: description ?? null,
    effect: effect ?? "idempotent",
    input: readSchema(name, "input", input),
    output: readSchema(name, "output", output),
    outcomes: readOutcomes(name, definition.outcomes ?? []),
  };
  const own = {
    input: input !== undefined && isStandard(input) ? input : null,
    output: output !== undefined && isStandard(output) ? output : null,
  };
  // What the function says of its input holds for what the check lets through.
  const call: ToolFunction<unknown> = run;
  return asChecked({ ...described, call: (context) => callOf({ described, own, call }, context) });
}

/** A copy that nobody changes any more, of which editors, servers and the validator of flows read. */
function readSchema(name: string, side: "input" | "output", schema: ToolSchema | undefined): JsonObject | null {
  if (schema === undefined) return null;
  const said = isStandard(schema) ? toJsonSchema(schema, side) : schema;
  if (said === null) return null;
  // Whether its patterns run is seen when they are needed.
  const prepared = prepareSchema(said, () => true);
  if (prepared.ok) return deepFreeze(JSON.parse(JSON.stringify(said)));
  const place = prepared.at === "" ? "" : ` at ${prepared.at}`;
  const message = `The ${side} schema of the tool "${name}" cannot be used${place}: ${prepared.reason}.`;
  throw new StepwellError("USAGE", message);
}

function readOutcomes(name: string, outcomes: readonly string[]): readonly string[] {
  const wrong = outcomes.find((one) => !fitsOutcome(one));
  if (wrong !== undefined)
    throw new StepwellError(
      "USAGE",
      `The tool "${name}" has the outcome "${wrong}", which is not ${outcomeName.title}.`,
    );
  return outcomes.map(bareOutcome);
}

/** The result, under a name by which the step's routes can tell it: `return outcome("empty", [])`. */
export function outcome(name: string, value?: unknown): NamedResult {
  if (!fitsOutcome(name)) {
    throw new ToolError({ code: "bad_result", message: `"${name}" is not ${outcomeName.title}.`, isFinal: true });
  }
  return { [outcomeMark]: bareOutcome(name), value };
}

/** Known by this mark and not by a class: two copies of the package may be loaded. */
const outcomeMark: unique symbol = Symbol.for("stepwell.outcome");

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

type DefinedTool = {
  readonly described: Omit<Tool, "call">;
  /** Schemas that check by themselves, and may change what they are given. */
  readonly own: { readonly input: StandardSchema | null; readonly output: StandardSchema | null };
  readonly call: ToolFunction<unknown>;
};

function callOf(tool: DefinedTool, context: CallContext): ToolAnswer | Promise<ToolAnswer> {
  const { described, own } = tool;
  if (own.input === null) {
    const refused = refuseArguments(described, context);
    // One placeholder in place of all arguments may have become anything; without a schema the function checks it.
    return refused ?? runOf(tool, context.input, context);
  }
  const take = (checked: StandardResult<unknown>): ToolAnswer | Promise<ToolAnswer> =>
    checked.issues === undefined
      ? runOf(tool, checked.value, context)
      : refuseIssues(described, context, checked.issues);
  try {
    const checked = own.input["~standard"].validate(context.input);
    return isThenable(checked) ? Promise.resolve(checked).then(take, toFailure) : take(checked);
  } catch (error) {
    return toFailure(error);
  }
}

function runOf(tool: DefinedTool, input: unknown, context: CallContext): ToolAnswer | Promise<ToolAnswer> {
  const refused = tool.own.output === null ? refuseOutputSchema(tool.described) : null;
  if (refused !== null) return refused;
  const finish = (returned: unknown): ToolAnswer | Promise<ToolAnswer> => answerOf(tool, returned);
  try {
    const returned = tool.call(input, context);
    return isThenable(returned) ? Promise.resolve(returned).then(finish, toFailure) : finish(returned);
  } catch (error) {
    return toFailure(error);
  }
}

/** What it returned, as its own schema has it, if there is one. */
function answerOf({ described, own }: DefinedTool, returned: unknown): ToolAnswer | Promise<ToolAnswer> {
  const named = isNamed(returned) ? returned : undefined;
  const value = named === undefined ? returned : named.value;
  const outcomeGiven = named?.[outcomeMark] ?? null;
  if (own.output === null) return checkAnswer(described, toAnswer(value, outcomeGiven));
  const take = (checked: StandardResult<unknown>): ToolAnswer =>
    checked.issues === undefined
      ? checkOutcome(described, toAnswer(checked.value, outcomeGiven))
      : refuseResultIssues(described, checked.issues);
  // It has happened: whatever is wrong with the check, it must not be done again.
  const giveUp = (): ToolAnswer => refuseResultIssues(described, [{ message: "its check failed" }]);
  try {
    const checked = own.output["~standard"].validate(value);
    return isThenable(checked) ? Promise.resolve(checked).then(take).catch(giveUp) : take(checked);
  } catch {
    return giveUp();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isNamed(value: unknown): value is NamedResult {
  return typeof value === "object" && value !== null && outcomeMark in value;
}

function toFailure(error: unknown): ToolAnswer {
  const message = cut(messageOfThrown(error), messageLengthMax);
  const unsaid = { kind: "failed", code: "tool_failed", message, isFinal: false } as const;
  try {
    if (!(error instanceof ToolError)) return unsaid;
    // Of whoever makes one without types.
    const { code, isFinal }: { readonly code: unknown; readonly isFinal: unknown } = error;
    return { ...unsaid, code: isCode(code) ? code : unsaid.code, isFinal: isFinal === true };
  } catch {
    return unsaid;
  }
}
