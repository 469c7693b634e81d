// What a tool is handed with a call: its arguments, where it stands, and ways to tell how it goes. What it tells is kept in
// bounds, and is not heard any more once the call is over.

import { copyJson, isObject, type Json, type JsonObject } from "../flow/json.ts";
import type { Pointer } from "../flow/pointer.ts";
import type { ToolCall } from "../run/decision.ts";
import type { RowId, RunId } from "../run/model.ts";
import {
  engineStops,
  type CallContext,
  type InnerContext,
  type OutcomeAsk,
  type Question,
  type QuestionAnswer,
  type Tool,
} from "../tool/tool.ts";
import type { Claimant } from "./dispatcher.ts";

export type CallOrder = {
  readonly run: RunId;
  readonly call: ToolCall;
  readonly attempt: number;
  readonly claimant: Claimant;
};

/** With the tool that was called, whatever has its name by now; undefined: it had gone. */
export type MadeCall = CallOrder & { readonly tool: Tool | undefined };

export type CallListener = {
  /** A tool says how far it is. */
  readonly progressed: (run: RunId, row: RowId, progress: Progress) => void;
  /** A tool has something to tell whoever looks at the run. */
  readonly logged: (run: RunId, row: RowId, message: string) => void;
  /** A tool wants to know what became of earlier calls. */
  readonly asked?: (run: RunId, query: OutcomeAsk) => Promise<readonly JsonObject[]>;
};

/** Where a call turns to that takes longer than a call. */
export interface CallHost {
  /** Its time begins anew. */
  extend(order: CallOrder, isBeginning: boolean): void;
  /** Resolves when the handle is on disk. */
  keep(order: CallOrder, handle: Json): Promise<void>;
  ask(order: CallOrder, question: Question): Promise<QuestionAnswer>;
}

export type Progress = {
  /** 0 to 1; null: it cannot say. */
  readonly fraction: number | null;
  readonly message: string | null;
};

/** What a tool tells while it works is kept to this: it is shown in one line. */
const toldLengthMax = 2000;
const logLinesMax = 200;

/** The signal is made when a tool asks for it: most never do. So are the functions by which it tells something, which
 *  need no `this`: tools take them out of the context. */
export class Context implements InnerContext {
  readonly #order: CallOrder;
  readonly #listener: CallListener;
  readonly #host: CallHost | null;
  #input: Json = null;
  #controller: AbortController | null = null;
  #onAbort: (() => void) | null = null;
  #abortedFor: unknown = null;
  #isOver = false;
  #logLines = 0;

  constructor(order: CallOrder, listener: CallListener, host: CallHost | null = null) {
    this.#order = order;
    this.#listener = listener;
    this.#host = host;
  }

  /** A copy: what a tool does to its input must not change what the row says, or the next try. */
  get input(): CallContext["input"] {
    this.#input ??= copyArguments(this.#order.call.args);
    return this.#input;
  }

  get lent(): Json {
    return this.#input ?? this.#order.call.args;
  }

  /** The same with the secrets filled in: for the tool, and for nobody else. */
  give(input: Json): void {
    this.#input = copyJson(input);
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
    if (this.#abortedFor !== null) this.#controller.abort(this.#abortedFor);
    return this.#controller.signal;
  }

  onAbort(act: () => void): void {
    this.#onAbort = act;
    if (this.#abortedFor !== null) act();
  }

  get secretPlaces(): readonly Pointer[] {
    return this.#order.call.secrets.map(({ pointer }) => pointer);
  }

  get progress(): CallContext["progress"] {
    return (fraction, message) => {
      if (this.#isOver) return;
      const { run, call } = this.#order;
      const told = message === undefined ? null : toLine(message);
      this.#listener.progressed(run, call.row, { fraction: toFraction(fraction), message: told });
    };
  }

  get log(): CallContext["log"] {
    return (message) => {
      if (this.#isOver || this.#logLines > logLinesMax) return;
      const { run, call } = this.#order;
      this.#logLines += 1;
      const line = this.#logLines > logLinesMax ? `Only the first ${logLinesMax} lines are kept.` : toLine(message);
      this.#listener.logged(run, call.row, line);
    };
  }

  get outcomes(): CallContext["outcomes"] {
    const { asked } = this.#listener;
    return asked === undefined ? undefined : (query) => asked(this.#order.run, query);
  }

  get handle(): CallContext["handle"] {
    return this.#order.call.handle ?? undefined;
  }

  get keep(): CallContext["keep"] {
    const host = this.#host;
    return host === null ? undefined : (handle) => host.keep(this.#order, copyJson(handle));
  }

  get extend(): CallContext["extend"] {
    return (isBeginning = false) => {
      if (!this.#isOver) this.#host?.extend(this.#order, isBeginning);
    };
  }

  get ask(): CallContext["ask"] {
    const host = this.#host;
    return host === null ? undefined : (question) => host.ask(this.#order, question);
  }

  /** Nobody wants the result any more; or the engine stops, and it is wanted all the same. */
  abort(isStopping = false): void {
    this.#abortedFor = isStopping ? engineStops : new DOMException("Nobody wants the result any more.", "AbortError");
    this.#controller?.abort(this.#abortedFor);
    this.#onAbort?.();
  }

  /** Nothing that the tool tells from now on is heard. */
  close(): void {
    this.#isOver = true;
  }
}

/** By hand where they are few and flat, as nearly always: by way of a text it takes several times as long. */
function copyArguments(args: Json): Json {
  if (!isObject(args)) return copyJson(args);
  for (const key in args) if (typeof args[key] === "object" && args[key] !== null) return copyJson(args);
  return { ...args };
}

/** Whoever writes a tool without types may say anything. */
function toFraction(fraction: unknown): number | null {
  return typeof fraction !== "number" || Number.isNaN(fraction) ? null : Math.min(Math.max(fraction, 0), 1);
}

function toLine(message: unknown): string {
  return String(message).slice(0, toldLengthMax).toWellFormed();
}
