// What a tool is handed with a call: its arguments, where it stands, and ways to tell how it goes. What it tells is kept in
// bounds, and is not heard any more once the call is over.

import { copyJson, type Json, type JsonObject } from "../flow/json.ts";
import type { Pointer } from "../flow/pointer.ts";
import type { ToolCall } from "../run/decision.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { CallContext, OutcomeAsk, Tool } from "../tool/tool.ts";
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
export class Context implements CallContext {
  readonly #order: CallOrder;
  readonly #listener: CallListener;
  #input: Json = null;
  #controller: AbortController | null = null;
  #isAborted = false;
  #isOver = false;
  #logLines = 0;

  constructor(order: CallOrder, listener: CallListener) {
    this.#order = order;
    this.#listener = listener;
  }

  /** A copy: what a tool does to its input must not change what the row says, or the next try. */
  get input(): CallContext["input"] {
    this.#input ??= copyJson(this.#order.call.args);
    return this.#input;
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
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
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

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  /** Nothing that the tool tells from now on is heard. */
  close(): void {
    this.#isOver = true;
  }
}

/** Whoever writes a tool without types may say anything. */
function toFraction(fraction: unknown): number | null {
  return typeof fraction !== "number" || Number.isNaN(fraction) ? null : Math.min(Math.max(fraction, 0), 1);
}

function toLine(message: unknown): string {
  return String(message).slice(0, toldLengthMax).toWellFormed();
}
