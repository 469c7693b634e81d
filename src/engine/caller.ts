// Calls under way. Made only for rows that are on disk as running; each has a deadline and can be stopped. Whatever a
// tool does (answer, throw, hang, answer twice) at most one message goes back for one call.

import { crashPoint } from "../crash-point.ts";
import type { Json } from "../flow/json.ts";
import { LiveMap } from "../live-map.ts";
import type { ToolCall } from "../run/decision.ts";
import type { MessageOf } from "../run/message.ts";
import type { RowId, RunId } from "../run/model.ts";
import { messageOfThrown } from "../tool/thrown.ts";
import { engineStops, type Question, type QuestionAnswer, type ToolAnswer, type ToolBox } from "../tool/tool.ts";
import {
  Context,
  type CallHost,
  type CallListener,
  type CallOrder,
  type MadeCall,
  type Progress,
} from "./call-context.ts";
import { CallDeadlines } from "./call-deadlines.ts";
import type { Clock, Timer } from "./clock.ts";
import type { Claimant } from "./dispatcher.ts";
import type { SecretVault } from "./secret-vault.ts";

type CallUnderWay = {
  readonly order: MadeCall;
  readonly context: Context;
  /** By the time that has elapsed, not by the wall clock. */
  readonly startedAt: number;
  endsAt: number;
  /** It goes on elsewhere, or people are asked: it may take as long as that takes. */
  isFollowed: boolean;
  isOverdue: boolean;
  /** Until the rows are told once more that it has taken too long. */
  timer: Timer | null;
  /** Aborted when the call is over: what it asks people is taken back. */
  questions: AbortController | null;
  /** How many it has asked. */
  asked: number;
};

export type CallerParts = { readonly tools: ToolBox; readonly clock: Clock; readonly secrets: SecretVault };

/** Of a call that was made. */
export type MadeAnswer = MessageOf<"done"> | MessageOf<"failed"> | MessageOf<"lost">;

export type CallAnswer = MadeAnswer | MessageOf<"held">;

export type CallerEvents = Omit<CallListener, "progressed"> & {
  /** A tool says how far it is; null: its call is over, and had said so. */
  readonly progressed: (run: RunId, row: RowId, progress: Progress | null) => void;
  /** How it went, once for each call and before anybody else is told; null: nobody wants to know any more, or it was not
   *  made after all. */
  readonly settled: (order: MadeCall, answer: MadeAnswer | null) => void;
  /** A call gave an answer, of whatever kind. */
  readonly answered: (run: RunId, message: CallAnswer) => void;
  /** It is over, with or without one: there is room again. */
  readonly over: (claimant: Claimant) => void;
  /** It has until then by the wall clock, and can be followed from the handle if there is one; resolves when that is on
   *  disk. */
  readonly alive: (order: CallOrder, until: number, handle: Json | null) => Promise<void>;
  readonly question: (order: CallOrder, question: Question, signal: AbortSignal) => Promise<QuestionAnswer>;
  /** It has taken too long; the rows say what follows. Again and again while it goes on, `isFirst` once. */
  readonly overdue: (order: MadeCall, isFirst: boolean) => void;
};

/** How long the rows are given to end a call that has taken too long, before they are told once more. */
const overdueAgainMs = 50;
const overdueAgainMaxMs = 30_000;

/** A call that says that it goes on may take so long in all. */
const progressMaxMs = 3_600_000;
/** One that goes on elsewhere, or waits for people. */
const followedMaxMs = 7 * 86_400_000;

/** What one call may ask people, and what all of them may have open: beyond that nobody would read them. */
const askedMax = 20;
const openMax = 100;

export class Caller implements CallHost {
  readonly #tools: ToolBox;
  readonly #clock: Clock;
  readonly #secrets: SecretVault;
  readonly #events: CallerEvents;
  /** What tools say while they work, without the secrets that they know. */
  readonly #told: CallListener;
  readonly #underWay = new LiveMap<string, CallUnderWay>();
  readonly #deadlines: CallDeadlines<CallUnderWay>;
  /** The newest of each call under way that has told any. */
  readonly #progress = new Map<RowId, { readonly run: RunId; readonly progress: Progress }>();
  #openQuestions = 0;
  #idle: (() => void) | null = null;

  constructor({ tools, clock, secrets }: CallerParts, events: CallerEvents) {
    this.#tools = tools;
    this.#clock = clock;
    this.#secrets = secrets;
    this.#events = events;
    this.#deadlines = new CallDeadlines(
      clock,
      () => this.#underWay.values(),
      (underWay) => {
        this.#events.overdue(underWay.order, true);
        this.#remind(underWay, overdueAgainMs);
      },
    );
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

  call({ run, call, attempt, claimant }: CallOrder): void {
    const order: MadeCall = { run, call, attempt, claimant, tool: this.#tools.find(call.tool) };
    const startedAt = this.#clock.elapsed();
    const endsAt = startedAt + (call.timeoutMs ?? Number.POSITIVE_INFINITY);
    const context = new Context(order, this.#told, this);
    const isFollowed = call.handle !== null;
    // Written out: there are as many of them as calls.
    const underWay: CallUnderWay = {
      order,
      context,
      startedAt,
      endsAt,
      isFollowed,
      isOverdue: false,
      timer: null,
      questions: null,
      asked: 0,
    };
    this.#underWay.set(call.token, underWay);
    const answer = this.#ask(underWay);
    if (!("then" in answer)) return this.#end(order, answer);
    if (call.timeoutMs !== null) this.#watch(underWay);
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

  #watch(underWay: CallUnderWay): void {
    underWay.timer?.cancel();
    this.#deadlines.watch(underWay);
  }

  /** Rows go by the wall clock, which may be a little behind what has elapsed here: then they saw nothing due. Ever less
   *  often, since the watchdog looks too. */
  #remind(underWay: CallUnderWay, afterMs: number): void {
    if (afterMs > overdueAgainMaxMs || !this.#underWay.has(underWay.order.call.token)) return;
    underWay.timer = this.#clock.after(afterMs, () => {
      this.#events.overdue(underWay.order, false);
      this.#remind(underWay, afterMs * 2);
    });
  }

  /** Told to the rows now and then, not each time: a call may say it a thousand times a second. */
  extend({ call }: CallOrder, isBeginning: boolean): void {
    const underWay = this.#underWay.get(call.token);
    if (underWay === undefined || call.timeoutMs === null) return;
    if (!isBeginning && underWay.endsAt - this.#clock.elapsed() > call.timeoutMs / 2) return;
    if (this.#prolong(underWay)) void this.#tellAlive(underWay, null).catch(() => {});
  }

  keep({ call }: CallOrder, handle: Json): Promise<void> {
    const underWay = this.#underWay.get(call.token);
    // It is over, whatever it still does: nobody will follow it.
    if (underWay === undefined) return Promise.resolve();
    underWay.isFollowed = true;
    this.#prolong(underWay);
    return this.#tellAlive(underWay, handle);
  }

  async ask({ call }: CallOrder, question: Question): Promise<QuestionAnswer> {
    const underWay = this.#underWay.get(call.token);
    if (underWay === undefined) return { kind: "cancelled" };
    if (underWay.asked >= askedMax || this.#openQuestions >= openMax) return { kind: "declined" };
    underWay.asked += 1;
    underWay.isFollowed = true;
    const answer = await this.#askPeople(underWay, question);
    const { timeoutMs } = call;
    if (timeoutMs !== null && this.#underWay.has(call.token)) {
      underWay.endsAt = this.#clock.elapsed() + timeoutMs;
      this.#watch(underWay);
      await this.#tellAlive(underWay, null);
    }
    return answer;
  }

  async #askPeople(underWay: CallUnderWay, question: Question): Promise<QuestionAnswer> {
    // At once: the call may be over before its question is asked.
    underWay.questions ??= new AbortController();
    const { signal } = underWay.questions;
    this.#openQuestions += 1;
    try {
      // People take their time.
      if (this.#prolong(underWay, followedMaxMs)) await this.#tellAlive(underWay, null);
      return await this.#events.question(underWay.order, question, signal);
    } finally {
      this.#openQuestions -= 1;
    }
  }

  /** False: it has no more than it had. */
  #prolong(underWay: CallUnderWay, byMs: number | null = underWay.order.call.timeoutMs): boolean {
    if (byMs === null) return false;
    const latest = underWay.startedAt + (underWay.isFollowed ? followedMaxMs : progressMaxMs);
    const endsAt = Math.min(this.#clock.elapsed() + byMs, latest);
    if (endsAt <= underWay.endsAt) return false;
    underWay.endsAt = endsAt;
    this.#watch(underWay);
    return true;
  }

  #tellAlive({ order, endsAt }: CallUnderWay, handle: Json | null): Promise<void> {
    const until = this.#clock.now() + endsAt - this.#clock.elapsed();
    return this.#events.alive(order, Math.ceil(until), handle);
  }

  /** Nobody wants the result any more. The tool is told; if it answers all the same, that is a late result. */
  abort(token: string, isStopping = false): void {
    const underWay = this.#underWay.get(token);
    if (underWay === undefined) return;
    this.#remove(underWay.order, isStopping ? engineStops : null);
    this.#events.settled(underWay.order, null);
    underWay.context.abort(isStopping);
    if (this.#underWay.size === 0) this.#idle?.();
  }

  /** The engine stops: what was asked for is still wanted, and taken up at the next start. */
  abortAll(): void {
    for (const token of this.#underWay.keys()) this.abort(token, true);
  }

  /** Those that go on without us: nothing is lost by leaving them. */
  leaveFollowed(): void {
    for (const [token, { isFollowed }] of this.#underWay) if (isFollowed) this.abort(token, true);
  }

  /** There is room again; once for each call, however often it answers. False: it was over before. */
  #remove({ run, call, claimant }: CallOrder, reason: symbol | null = null): boolean {
    const underWay = this.#underWay.get(call.token);
    if (underWay === undefined) return false;
    this.#underWay.delete(call.token);
    underWay.context.close();
    underWay.questions?.abort(reason);
    if (this.#progress.delete(call.row)) this.#events.progressed(run, call.row, null);
    underWay.timer?.cancel();
    this.#deadlines.end(underWay, this.#underWay.size);
    this.#events.over(claimant);
    return true;
  }

  #end(order: MadeCall, answer: unknown): void {
    crashPoint("before-settle");
    const message = this.#read(order.call, answer);
    if (this.#remove(order)) this.#events.settled(order, message.kind === "held" ? null : message);
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

function withoutSecrets(events: CallListener, secrets: SecretVault): CallListener {
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
      return { kind: "failed", id: token, row, token, error: { code, message }, isFinal, ...patienceOf(answer) };
    }
    case "lost":
      return { kind: "lost", id: token, row, token, reason: "connection", ...patienceOf(answer) };
    case "held": {
      const { code, message } = answer;
      return { kind: "held", id: token, row, token, error: { code, message } };
    }
  }
}

function patienceOf({ retryAfterMs }: { readonly retryAfterMs?: number | undefined }): {
  readonly retryAfterMs?: number;
} {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
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

const kinds: ReadonlySet<unknown> = new Set<ToolAnswer["kind"]>(["done", "failed", "lost", "held"]);

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
