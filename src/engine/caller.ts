// Calls under way. Made only for rows that are on disk as running; each has a deadline and can be stopped. Whatever a
// tool does (answer, throw, hang, answer twice) at most one message goes back for one call.

import { crashPoint } from "../crash-point.ts";
import { copyJson, type Json } from "../flow/json.ts";
import type { ToolCall } from "../run/decision.ts";
import type { Message } from "../run/message.ts";
import type { RunId } from "../run/model.ts";
import type { CallContext, ToolAnswer, ToolBox } from "../tool/tool.ts";
import type { Clock, Timer } from "./clock.ts";
import type { Claimant } from "./dispatcher.ts";

export type CallOrder = {
  readonly run: RunId;
  readonly call: ToolCall;
  readonly attempt: number;
  readonly claimant: Claimant;
};

type CallUnderWay = {
  readonly order: CallOrder;
  readonly context: Context;
  /** By the time that has elapsed, not by the wall clock. */
  readonly endsAt: number;
  timer: Timer | null;
};

export type CallerEvents = {
  /** A call gave an answer, of whatever kind. */
  readonly answered: (run: RunId, message: Message) => void;
  /** It is over, with or without one: there is room again. */
  readonly over: (claimant: Claimant) => void;
  /** It has taken too long; the rows say what follows. */
  readonly overdue: (run: RunId) => void;
};

export class Caller {
  readonly #tools: ToolBox;
  readonly #clock: Clock;
  readonly #events: CallerEvents;
  readonly #underWay = new Map<string, CallUnderWay>();
  #idle: (() => void) | null = null;

  constructor(tools: ToolBox, clock: Clock, events: CallerEvents) {
    this.#tools = tools;
    this.#clock = clock;
    this.#events = events;
  }

  get size(): number {
    return this.#underWay.size;
  }

  /** Once, as soon as no call is under way. */
  onIdle(act: () => void): void {
    this.#idle = act;
    if (this.#underWay.size === 0) act();
  }

  /** All calls of this run that are under way have time left, whatever the wall clock says. */
  isInTime(run: RunId): boolean {
    const now = this.#clock.elapsed();
    let isCalling = false;
    for (const { order, endsAt } of this.#underWay.values()) {
      if (order.run !== run) continue;
      if (now >= endsAt) return false;
      isCalling = true;
    }
    return isCalling;
  }

  *claimants(): Iterable<Claimant> {
    for (const { order } of this.#underWay.values()) yield order.claimant;
  }

  call(order: CallOrder): void {
    const { call, run } = order;
    const endsAt = this.#clock.elapsed() + (call.timeoutMs ?? Number.POSITIVE_INFINITY);
    const underWay: CallUnderWay = { order, context: new Context(order), endsAt, timer: null };
    this.#underWay.set(call.token, underWay);
    const answer = this.#ask(underWay);
    if (!("then" in answer)) return this.#end(order, answer);
    if (call.timeoutMs !== null) underWay.timer = this.#clock.after(call.timeoutMs, () => this.#events.overdue(run));
    answer.then(
      (given: unknown) => this.#end(order, isDirect(given) ? given : noAnswer(call.tool)),
      (error: unknown) => this.#end(order, thrown(error)),
    );
  }

  #ask({ order, context }: CallUnderWay): ToolAnswer | Promise<ToolAnswer> {
    const { tool: name, secrets } = order.call;
    const tool = this.#tools.find(name);
    if (tool === undefined) return unavailable(name);
    const [secret] = secrets;
    if (secret !== undefined) return withoutSecret(secret.name);
    try {
      const answer: unknown = tool.call(context);
      return isAnswer(answer) ? answer : noAnswer(name);
    } catch (error) {
      return thrown(error);
    }
  }

  /** Nobody wants the result any more. The tool is told; if it answers all the same, that is a late result. */
  abort(token: string): void {
    const underWay = this.#underWay.get(token);
    if (underWay === undefined) return;
    this.#remove(underWay.order);
    underWay.context.abort();
    if (this.#underWay.size === 0) this.#idle?.();
  }

  abortAll(): void {
    for (const token of this.#underWay.keys()) this.abort(token);
  }

  /** There is room again; once for each call, however often it answers. */
  #remove({ call, claimant }: CallOrder): void {
    const underWay = this.#underWay.get(call.token);
    if (underWay === undefined) return;
    this.#underWay.delete(call.token);
    underWay.timer?.cancel();
    this.#events.over(claimant);
  }

  #end(order: CallOrder, answer: ToolAnswer): void {
    crashPoint("before-settle");
    this.#remove(order);
    this.#events.answered(order.run, messageOf(order.call, answer));
    if (this.#underWay.size === 0) this.#idle?.();
  }
}

/** The signal is made when a tool asks for it: most never do. */
class Context implements CallContext {
  readonly #order: CallOrder;
  #input: Json = null;
  #controller: AbortController | null = null;
  #isAborted = false;

  constructor(order: CallOrder) {
    this.#order = order;
  }

  /** A copy: what a tool does to its input must not change what the row says, or the next try. */
  get input(): CallContext["input"] {
    this.#input ??= copyJson(this.#order.call.args);
    return this.#input;
  }

  get user(): string {
    return this.#order.claimant.user;
  }

  get run(): number {
    return this.#order.run;
  }

  get step(): number {
    return this.#order.call.row;
  }

  get attempt(): number {
    return this.#order.attempt;
  }

  get idempotencyKey(): string {
    return this.#order.call.key;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}

function messageOf({ row, token }: ToolCall, answer: ToolAnswer): Message {
  switch (answer.kind) {
    case "done":
      return { kind: "done", id: token, row, token, result: answer.result, outcome: answer.outcome };
    case "failed": {
      const { code, message, isFinal } = answer;
      return { kind: "failed", id: token, row, token, error: { code, message }, isFinal };
    }
    case "lost":
      return { kind: "lost", id: token, row, token, reason: "connection" };
  }
}

/** It was there when the row was admitted. */
function unavailable(name: string): ToolAnswer {
  return { kind: "failed", code: "unknown_tool", message: `The tool "${name}" is not there.`, isFinal: true };
}

function withoutSecret(name: string): ToolAnswer {
  const message = `The secret "${name}" is not there; nothing was called.`;
  return { kind: "failed", code: "secret_missing", message, isFinal: true };
}

/** Whoever writes a tool without types may answer anything. */
function isAnswer(answer: unknown): answer is ToolAnswer | Promise<ToolAnswer> {
  return isDirect(answer) || answer instanceof Promise;
}

function isDirect(answer: unknown): answer is ToolAnswer {
  return typeof answer === "object" && answer !== null && "kind" in answer && kinds.has(answer.kind);
}

const kinds: ReadonlySet<unknown> = new Set<ToolAnswer["kind"]>(["done", "failed", "lost"]);

function noAnswer(name: string): ToolAnswer {
  const message = `The tool "${name}" answered with nothing that says how it went.`;
  return { kind: "failed", code: "bad_result", message, isFinal: true };
}

function thrown(error: unknown): ToolAnswer {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", code: "tool_failed", message, isFinal: false };
}
