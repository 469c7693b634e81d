// Calls under way. Made only for rows that are on disk as running; each has a deadline and can be stopped. Whatever a
// tool does (answer, throw, hang, answer twice) at most one message goes back for one call.

import { crashPoint } from "../crash-point.ts";
import type { ToolCall } from "../run/decision.ts";
import type { MessageOf } from "../run/message.ts";
import type { RowId, RunId } from "../run/model.ts";
import { messageOfThrown } from "../tool/thrown.ts";
import type { ToolAnswer, ToolBox } from "../tool/tool.ts";
import { Context, type CallListener, type CallOrder, type MadeCall, type Progress } from "./call-context.ts";
import type { Clock, Timer } from "./clock.ts";
import type { Claimant } from "./dispatcher.ts";
import type { SecretVault } from "./secret-vault.ts";

type CallUnderWay = {
  readonly order: MadeCall;
  readonly context: Context;
  /** By the time that has elapsed, not by the wall clock. */
  readonly endsAt: number;
  timer: Timer | null;
};

export type CallerParts = { readonly tools: ToolBox; readonly clock: Clock; readonly secrets: SecretVault };

export type CallAnswer = MessageOf<"done"> | MessageOf<"failed"> | MessageOf<"lost">;

export type CallerEvents = CallListener & {
  /** How it went, once for each call and before anybody else is told; null: nobody wants to know any more. */
  readonly settled: (order: MadeCall, answer: CallAnswer | null) => void;
  /** A call gave an answer, of whatever kind. */
  readonly answered: (run: RunId, message: CallAnswer) => void;
  /** It is over, with or without one: there is room again. */
  readonly over: (claimant: Claimant) => void;
  /** It has taken too long; the rows say what follows. */
  readonly overdue: (order: MadeCall) => void;
};

export class Caller {
  readonly #tools: ToolBox;
  readonly #clock: Clock;
  readonly #secrets: SecretVault;
  readonly #events: CallerEvents;
  /** What tools say while they work, without the secrets that they know. */
  readonly #told: CallerEvents;
  readonly #underWay = new Map<string, CallUnderWay>();
  /** The newest of each call under way that has told any. */
  readonly #progress = new Map<RowId, { readonly run: RunId; readonly progress: Progress }>();
  #idle: (() => void) | null = null;

  constructor({ tools, clock, secrets }: CallerParts, events: CallerEvents) {
    this.#tools = tools;
    this.#clock = clock;
    this.#secrets = secrets;
    this.#events = events;
    this.#told = withoutSecrets(
      {
        ...events,
        progressed: (run, row, progress) => {
          this.#progress.set(row, { run, progress });
          events.progressed(run, row, progress);
        },
      },
      secrets,
    );
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

  /** How far the calls of this run are that have said so. */
  progressOf(run: RunId): ReadonlyMap<RowId, Progress> {
    const found = new Map<RowId, Progress>();
    for (const [row, told] of this.#progress) if (told.run === run) found.set(row, told.progress);
    return found;
  }

  call(given: CallOrder): void {
    const { call } = given;
    const order: MadeCall = { ...given, tool: this.#tools.find(call.tool) };
    const endsAt = this.#clock.elapsed() + (call.timeoutMs ?? Number.POSITIVE_INFINITY);
    const underWay: CallUnderWay = { order, context: new Context(order, this.#told), endsAt, timer: null };
    this.#underWay.set(call.token, underWay);
    const answer = this.#ask(underWay);
    if (!("then" in answer)) return this.#end(order, answer);
    if (call.timeoutMs !== null) underWay.timer = this.#clock.after(call.timeoutMs, () => this.#events.overdue(order));
    answer.then(
      (answered: unknown) => this.#end(order, answered),
      (error: unknown) => this.#end(order, thrown(error)),
    );
  }

  #ask({ order, context }: CallUnderWay): ToolAnswer | Promise<ToolAnswer> {
    const { tool } = order;
    const { tool: name, secrets } = order.call;
    if (tool === undefined) return unavailable(name);
    try {
      if (secrets.length > 0) {
        const filled = this.#secrets.fill(order.call.args, secrets);
        if (!filled.ok) return filled.answer;
        context.give(filled.args);
      }
    } catch {
      return unfilled;
    }
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
    this.#events.settled(underWay.order, null);
    underWay.context.abort();
    if (this.#underWay.size === 0) this.#idle?.();
  }

  abortAll(): void {
    for (const token of this.#underWay.keys()) this.abort(token);
  }

  /** There is room again; once for each call, however often it answers. False: it was over before. */
  #remove({ call, claimant }: CallOrder): boolean {
    const underWay = this.#underWay.get(call.token);
    if (underWay === undefined) return false;
    this.#underWay.delete(call.token);
    underWay.context.close();
    this.#progress.delete(call.row);
    underWay.timer?.cancel();
    this.#events.over(claimant);
    return true;
  }

  #end(order: MadeCall, answer: unknown): void {
    crashPoint("before-settle");
    const message = this.#read(order.call, answer);
    if (this.#remove(order)) this.#events.settled(order, message);
    this.#events.answered(order.run, message);
    if (this.#underWay.size === 0) this.#idle?.();
  }

  /** Never throws: half of what is done at once would be left undone. */
  #read(call: ToolCall, answer: unknown): CallAnswer {
    try {
      return messageOf(call, this.#secrets.maskAnswer(isDirect(answer) ? answer : noAnswer(call.tool)));
    } catch {
      return messageOf(call, noAnswer(call.tool));
    }
  }
}

function withoutSecrets(events: CallerEvents, secrets: SecretVault): CallerEvents {
  return {
    ...events,
    progressed: (run, row, { fraction, message }) =>
      events.progressed(run, row, { fraction, message: message === null ? null : secrets.maskMessage(message) }),
    logged: (run, row, message) => events.logged(run, row, secrets.maskMessage(message)),
  };
}

function messageOf({ row, token }: ToolCall, answer: ToolAnswer): CallAnswer {
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

function unavailable(name: string): ToolAnswer {
  const message = `Unknown tool: ${name}. It was there when the step was admitted.`;
  return { kind: "failed", code: "unknown_tool", message, isFinal: true };
}

/** Whoever writes a tool without types may answer anything. */
function isAnswer(answer: unknown): answer is ToolAnswer | Promise<ToolAnswer> {
  return isDirect(answer) || answer instanceof Promise;
}

function isDirect(answer: unknown): answer is ToolAnswer {
  return typeof answer === "object" && answer !== null && "kind" in answer && kinds.has(answer.kind);
}

/** What a thrown error says is kept up to here. */
const thrownLengthMax = 4096;

const kinds: ReadonlySet<unknown> = new Set<ToolAnswer["kind"]>(["done", "failed", "lost"]);

function noAnswer(name: string): ToolAnswer {
  const message = `The tool "${name}" answered with nothing that says how it went.`;
  return { kind: "failed", code: "bad_result", message, isFinal: true };
}

const unfilled: ToolAnswer = {
  kind: "failed",
  code: "secret_unreadable",
  message: "The secrets of this call cannot be filled in; nothing was called.",
  isFinal: true,
};

function thrown(error: unknown): ToolAnswer {
  const message = messageOfThrown(error).slice(0, thrownLengthMax);
  return { kind: "failed", code: "tool_failed", message, isFinal: false };
}
