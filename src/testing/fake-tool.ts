// Tools that a test writes: they answer in turn, fail, hang, and keep a list of their calls. They are tools like any
// other; whoever opens a test engine gives them its clock, and cuts off what hangs when the engine is killed.

import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { Effect } from "../flow/plan.ts";
import { defineTool, ToolError, type NamedResult, type ToolContext, type ToolFunction } from "../tool/function.ts";
import type { CallContext, Tool } from "../tool/tool.ts";

export type FakeCall = {
  readonly input: JsonObject;
  readonly attempt: number;
  /** The same over all attempts of one visit. */
  readonly idempotencyKey: string;
  /** By the clock of the test engine. */
  readonly at: number;
  readonly run: number;
};

export type FakeTool = Tool & {
  /** Every call that was made, in order, also those before a crash. */
  readonly calls: readonly FakeCall[];
  /** How many calls hang now. */
  readonly hanging: number;
  /** Answers the oldest call that hangs. */
  readonly release: (answer?: Json | NamedResult | Throws) => void;
};

/** A result, `outcome(…)`, `throws(…)`, `never()`, or a function that gives one of them. */
export type FakeAnswer = Json | NamedResult | Throws | Never | ToolFunction;

export type FakeToolOptions = {
  readonly description?: string;
  /** `idempotent` unless given, as with any function. */
  readonly effect?: Effect;
};

export type Throws = { readonly [throwsMark]: Error };
export type Never = { readonly [neverMark]: true };

const throwsMark: unique symbol = Symbol("stepwell.throws");
const neverMark: unique symbol = Symbol("stepwell.never");

/** The call fails: `throws("503")`, `throws({ code: "no_such_order", message: "…", isFinal: true })`. */
export function throws(failure: string | Error | ConstructorParameters<typeof ToolError>[0]): Throws {
  if (failure instanceof Error) return { [throwsMark]: failure };
  return { [throwsMark]: new ToolError(typeof failure === "string" ? { message: failure } : failure) };
}

/** The call hangs until it is released, takes too long, or nobody wants its result any more. */
export function never(): Never {
  return { [neverMark]: true };
}

/** What a test engine does with a fake tool, and nobody else. */
export type FakeControls = {
  readonly useClock: (now: () => number) => void;
  readonly isHolding: (context: CallContext) => boolean;
  /** The process has died: what hangs is gone. */
  readonly cutOff: () => void;
};

const controls = new WeakMap<object, FakeControls>();

export function controlsOf(tool: unknown): FakeControls | undefined {
  return typeof tool === "object" && tool !== null ? controls.get(tool) : undefined;
}

/** A list is given in turn, one answer for each call; anything else is the answer to every call. A result that is a list
 *  stands in one: `fakeTool("feed.fetch", [[]])`. */
export function fakeTool(
  name: string,
  answers: FakeAnswer | readonly FakeAnswer[] = null,
  options: FakeToolOptions = {},
): FakeTool {
  const calls: FakeCall[] = [];
  const held = new Map<string, HeldCall>();
  let now = Date.now;
  const tool = defineTool({
    ...options,
    name,
    call: (input, context) => {
      const { attempt, idempotencyKey, run } = context;
      calls.push({ input, attempt, idempotencyKey, at: now(), run });
      const answer = isInTurn(answers) ? nextOf(name, answers, calls.length) : answers;
      const give = (given: unknown): unknown => (isNever(given) ? hold(held, context) : toResult(given));
      const given = typeof answer === "function" ? answer(input, context) : answer;
      return given instanceof Promise ? given.then(give) : give(given);
    },
  });
  controls.set(tool, {
    useClock: (clock) => {
      now = clock;
    },
    isHolding: (context) => held.has(keyOf(context)),
    cutOff: () => held.clear(),
  });
  return withRecords(tool, {
    calls,
    release: (answer = null) => releaseOldest(name, held, answer),
    get hanging() {
      return held.size;
    },
  });
}

type HeldCall = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** The tool itself, since it is known by what it is; spreading it would read `hanging` once and for all. */
function withRecords<Records extends object>(tool: Tool, records: Records): Tool & Records;
function withRecords(tool: Tool, records: object): object {
  return Object.defineProperties(tool, Object.getOwnPropertyDescriptors(records));
}

function isInTurn(answers: FakeAnswer | readonly FakeAnswer[]): answers is readonly FakeAnswer[] {
  return Array.isArray(answers);
}

function nextOf(name: string, answers: readonly FakeAnswer[], call: number): FakeAnswer {
  const answer = answers[call - 1];
  if (answer !== undefined) return answer;
  const message = `The fake tool "${name}" was given ${count(answers.length, "answer")}, and this is call ${call}.`;
  throw new ToolError({ code: "no_answer", message, isFinal: true });
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function toResult(given: unknown): unknown {
  if (isThrows(given)) throw given[throwsMark];
  return given;
}

function hold(held: Map<string, HeldCall>, context: ToolContext): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const key = keyOf(context);
  held.set(key, { resolve, reject });
  const abort = (): void => {
    if (held.delete(key)) reject(new ToolError({ message: "Nobody wanted the result any more." }));
  };
  context.signal.addEventListener("abort", abort, { once: true });
  return promise;
}

function releaseOldest(name: string, held: Map<string, HeldCall>, answer: Json | NamedResult | Throws): void {
  for (const [key, call] of held) {
    held.delete(key);
    if (isThrows(answer)) call.reject(answer[throwsMark]);
    else call.resolve(answer);
    return;
  }
  throw new StepwellError("USAGE", `No call of the fake tool "${name}" hangs. Let it come to rest first: t.settle().`);
}

/** A row is called once under each number of attempt. */
function keyOf({ run, step, attempt }: Pick<CallContext, "run" | "step" | "attempt">): string {
  return `${run}/${step}/${attempt}`;
}

function isThrows(value: unknown): value is Throws {
  return typeof value === "object" && value !== null && throwsMark in value;
}

function isNever(value: unknown): value is Never {
  return typeof value === "object" && value !== null && neverMark in value;
}
