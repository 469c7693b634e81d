// A tool that asks people something in the middle of its work: each question is a run of its own with one gate in it, so
// that it stands in the inbox, is answered through any door, and outlives this process as long as the call does that
// asked. The same question asked again is the same run.
//
// Which row has asked is kept beside the run, from before it starts until it has ended: whoever owns the store next finds
// the questions whose calls are over, and takes them back.

import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { isObject, own } from "../flow/json.ts";
import { hasEnded, type Row, type RowId, type RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import { engineStops, type Question, type QuestionAnswer } from "../tool/tool.ts";
import { program } from "./asker.ts";
import type { CallOrder } from "./call-context.ts";
import type { Entries } from "./entries.ts";
import type { Request } from "./request.ts";
import type { RunResult } from "./waiters.ts";

export type QuestionsParts = {
  readonly ask: (request: Request) => Promise<Json>;
  /** How the run ended, as soon as it has. */
  readonly result: (run: RunId) => Promise<RunResult>;
  readonly store: Store;
  readonly entries: Entries;
  readonly problem: (error: unknown) => void;
};

const titleLengthMax = 200;
const messageLengthMax = 8000;
/** One entry for each question that is open, by the key that its run was started with. */
const entryKind = "question";
/** Somebody has answered meanwhile; or it has ended, and was removed. */
const overCodes: ReadonlySet<string> = new Set(["REFUSED", "RUN_NOT_FOUND"]);

export class Questions {
  readonly #parts: QuestionsParts;
  /** How many calls of this process wait for each. */
  readonly #awaited = new Map<string, number>();

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
  }

  async ask(order: CallOrder, question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    // The row stays the same when the call is taken up by another process.
    const startKey = `question:${order.call.row}:${question.key}`;
    this.#awaited.set(startKey, (this.#awaited.get(startKey) ?? 0) + 1);
    try {
      await this.#note(startKey, order.call.row);
      const answer = await this.#put(order, question, { startKey, signal });
      this.#forget(startKey);
      return answer;
    } finally {
      const left = (this.#awaited.get(startKey) ?? 1) - 1;
      if (left === 0) this.#awaited.delete(startKey);
      else this.#awaited.set(startKey, left);
    }
  }

  /** Those for which nobody waits here: when the call that asked is over, its question is, too. */
  async review(): Promise<void> {
    const errors: unknown[] = [];
    for (const { key, value } of this.#parts.entries.list(entryKind)) {
      if (this.#awaited.has(key)) continue;
      // One that cannot be reviewed does not keep those behind it open.
      await this.#reviewOne(key, Number(value)).catch((error: unknown) => errors.push(error));
    }
    // Most likely all failed for the same reason: one of them says enough.
    if (errors.length > 0) throw errors[0];
  }

  async #reviewOne(key: string, caller: RowId): Promise<void> {
    const row = (await this.#parts.store.findRow(caller))?.row;
    if (isUnderWay(row)) return;
    const asked = await this.#parts.store.findRunByKey(key);
    if (asked !== undefined && !hasEnded(asked.run)) await this.#withdraw(asked.run.id, whyOver(row));
    this.#forget(key);
  }

  async #withdraw(run: RunId, reason: string): Promise<void> {
    await this.#parts.ask(withdrawal(run, reason)).catch((error: unknown) => {
      if (!(error instanceof StepwellError && overCodes.has(error.code))) throw error;
    });
  }

  async #put(
    { run, call, claimant }: CallOrder,
    { message, form }: Question,
    { startKey, signal }: { readonly startKey: string; readonly signal: AbortSignal },
  ): Promise<QuestionAnswer> {
    const { ask, result } = this.#parts;
    const about = `${call.tool} asks in run ${run}`.slice(0, titleLengthMax);
    const answer = await ask({
      kind: "start",
      flow: flowFor(form),
      name: about,
      // Not in the flow itself: what a tool says is no template.
      input: { title: about, message: message.slice(0, messageLengthMax) },
      by: claimant.user,
      via: null,
      at: null,
      startKey,
      as: program,
    });
    const asked = Number(isObject(answer) ? answer["id"] : answer);
    const withdraw = (): void => {
      if (signal.reason !== engineStops) void ask(withdrawal(asked, "The call that asked is over.")).catch(() => {});
    };
    if (signal.aborted) withdraw();
    else signal.addEventListener("abort", withdraw, { once: true });
    try {
      return toAnswer(await result(asked));
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }

  async #note(startKey: string, row: RowId): Promise<void> {
    const { entries } = this.#parts;
    if (entries.find(entryKind, startKey) !== undefined) return;
    await entries.change([{ kind: entryKind, key: startKey, value: row }]);
  }

  /** If it is not on disk, whoever looks next finds that its run has ended. */
  #forget(startKey: string): void {
    const { entries, problem } = this.#parts;
    if (entries.find(entryKind, startKey) === undefined) return;
    entries.change([{ kind: entryKind, key: startKey, value: null }]).catch(problem);
  }
}

/** It may still take the answer, in this process or in the next. */
function isUnderWay(row: Row | undefined): boolean {
  return row !== undefined && (row.status === "running" || row.status === "ready" || row.status === "pending");
}

function whyOver(row: Row | undefined): string {
  const why = row?.error?.message;
  return why === undefined ? "The call that asked is over." : `The call that asked is over: ${why}`;
}

function flowFor(form: JsonObject | null): JsonObject {
  const gate = {
    title: "{{ input.title }}",
    message: "{{ input.message }}",
    ...(form === null ? {} : { form }),
  };
  return {
    format: "stepwell/v1",
    start: "question",
    steps: {
      question: { gate, routes: { rejected: "no" }, next: "yes" },
      yes: { set: { answer: "{{ previous }}" }, done: true },
      no: { set: { declined: true }, done: true },
    },
  };
}

function withdrawal(run: RunId, reason: string): Request {
  const said = { kind: "cancel", by: program.user, reason } as const;
  return { kind: "say", id: `withdrawn:${run}`, run, said, as: program };
}

function toAnswer({ status, output }: RunResult): QuestionAnswer {
  if (status !== "completed" || !isObject(output)) return { kind: "cancelled" };
  return own(output, "declined") === true
    ? { kind: "declined" }
    : { kind: "accepted", content: own(output, "answer") ?? null };
}
