// What a program holds in its hand. It is the owner of its store, or a guest of another process that is; the same verbs
// do the same, and when the owner dies a guest takes its place.

import { randomUUID } from "node:crypto";
import { isArray, isObject, type Json, type JsonObject } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { historyOf, type HistoryEntry } from "../run/history.ts";
import type { Row, RowId, RunId, RunRow } from "../run/model.ts";
import type { RunQuery, Store, StoredRun } from "../store/store.ts";
import { followRun, type RunChange } from "./feed.ts";
import { toInstant } from "./instant.ts";
import type { AgainRequest, Said, Started } from "./request.ts";
import { Seat, type SeatParts } from "./seat.ts";
import type { RunResult } from "./waiters.ts";

export type EngineParts = Omit<SeatParts, "user">;

export type StartOptions = {
  readonly input?: Json;
  /** Who starts it; its steps run with this user's rights. */
  readonly as?: string;
  /** Milliseconds, a date, or an ISO 8601 text; now unless given. */
  readonly at?: number | string | Date;
  /** A second start with the same key gives the first one's run. */
  readonly idempotencyKey?: string;
  readonly name?: string;
};

export type By = { readonly by?: string };

/** A run with its steps, in the order in which they were made. */
export type RunView = RunRow & { readonly flow: string; readonly updatedAt: number; readonly steps: readonly Row[] };

const localUser = "local";

export class Engine implements AsyncDisposable {
  readonly #parts: EngineParts;
  readonly #seat: Seat;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#seat = new Seat({ ...parts, user: localUser });
  }

  /** Takes the store, or becomes a guest of who has it. */
  open(): Promise<void> {
    return this.#seat.open();
  }

  get isOwner(): boolean {
    return this.#seat.isOwner;
  }

  get store(): Pick<Store, "name" | "durability"> {
    return this.#parts.store;
  }

  async start(flow: Json, options: StartOptions = {}): Promise<Started> {
    const { input = null, as = localUser, at, idempotencyKey = null, name = null } = options;
    const request = { flow, name, input, by: as, via: null, at: toInstant(at), startKey: idempotencyKey };
    const answer = await this.#seat.ask({ kind: "start", ...request });
    if (isObject(answer)) return this.#started(Number(answer["id"]), textsOf(answer["warnings"]));
    // Another process started it, or it was there already.
    const { library, clock } = this.#parts;
    return this.#started(Number(answer), library.compile(flow, clock.now()).warnings);
  }

  /** What failed, was cut off or undone runs again, in a new run; all else is taken over, and keys are kept. */
  retry(run: RunId, { by = localUser }: By = {}): Promise<Started> {
    return this.#again({ kind: "again", run, how: "retry", from: null, input: null, by });
  }

  /** A new run that takes over everything before `from`, a step's name or the id of one of its rows. */
  rerun(run: RunId, { by = localUser, from }: By & { readonly from?: RowId | string } = {}): Promise<Started> {
    return this.#again({ kind: "again", run, how: "rerun", from: from ?? null, input: null, by });
  }

  /** The same with another input. */
  fork(run: RunId, options: By & { readonly from?: RowId | string; readonly input?: Json } = {}): Promise<Started> {
    const { by = localUser, from, input = null } = options;
    return this.#again({ kind: "again", run, how: "fork", from: from ?? null, input, by });
  }

  /** How the run ended, as soon as it has. */
  result(run: RunId, options: { readonly timeoutMs?: number } = {}): Promise<RunResult> {
    return this.#seat.result(run, options);
  }

  async get(run: RunId): Promise<RunView> {
    const { run: row, flow, updatedAt } = await this.#seat.find(run);
    return { ...row, flow, updatedAt, steps: await this.#parts.store.listRows(run) };
  }

  /** Newest first, fifty unless said otherwise; cancelled ones only when asked for. */
  list({ status = null, limitMax = 50, ...query }: Partial<RunQuery> = {}): Promise<readonly StoredRun[]> {
    return this.#parts.store.listRuns({ ...query, status, limitMax });
  }

  async history(run: RunId): Promise<readonly HistoryEntry[]> {
    await this.#seat.find(run);
    const { store } = this.#parts;
    return historyOf(await store.listRows(run), await store.listEvents(run));
  }

  /** The steps as they are, then every change, until the run has ended. */
  async *watch(run: RunId): AsyncGenerator<RunChange, void, undefined> {
    const release = this.#seat.hold();
    try {
      yield* followRun(this.#parts.store, run, (after) => this.#seat.moreAfter(after));
    } finally {
      release();
    }
  }

  async ready(step: RowId, { by = localUser }: By = {}): Promise<void> {
    await this.#say(null, { kind: "ready", row: step, by });
  }

  async answer(
    step: RowId,
    options: By & {
      readonly outcome: string;
      readonly data?: Json;
      readonly comment?: string;
      readonly hash?: string;
    },
  ): Promise<void> {
    const { by = localUser, outcome, data = null, comment = null, hash = null } = options;
    await this.#say(null, { kind: "answer", row: step, by, via: null, outcome, data, comment, hash });
  }

  approve(step: RowId, options: By & { readonly comment?: string; readonly data?: Json } = {}): Promise<void> {
    return this.answer(step, { ...options, outcome: "approved" });
  }

  reject(step: RowId, options: By & { readonly comment?: string; readonly data?: Json } = {}): Promise<void> {
    return this.answer(step, { ...options, outcome: "rejected" });
  }

  async signal(run: RunId, name: string, data: Json = null): Promise<void> {
    await this.#say(run, { kind: "signal", name, data });
  }

  /** To every run that waits for it now; how many there were. */
  async emit(event: string, data: Json = null): Promise<number> {
    return Number(await this.#seat.ask({ kind: "emit", id: randomUUID(), event, data }));
  }

  async cancel(run: RunId, { by = localUser, reason }: By & { readonly reason?: string } = {}): Promise<void> {
    await this.#say(run, { kind: "cancel", by, reason: reason ?? null });
  }

  /** What cancelling now would abort and undo. */
  preview(run: RunId): Promise<Json> {
    return this.#seat.ask({ kind: "preview", run });
  }

  async pause(run: RunId, { by = localUser }: By = {}): Promise<void> {
    await this.#say(run, { kind: "pause", by });
  }

  async resume(run: RunId, { by = localUser }: By = {}): Promise<void> {
    await this.#say(run, { kind: "resume", by });
  }

  async resolve(
    step: RowId,
    { by = localUser, how, result = null }: By & { readonly how: "retry" | "done" | "failed"; readonly result?: Json },
  ): Promise<void> {
    await this.#say(null, { kind: "resolve", row: step, by, how, result });
  }

  async skip(step: RowId, { by = localUser }: By = {}): Promise<void> {
    await this.#say(null, { kind: "skip", row: step, by });
  }

  /** Where a step that is held goes on; null: its path ends. */
  async choose(row: RowId, { by = localUser, step }: By & { readonly step: StepKey | null }): Promise<void> {
    await this.#say(null, { kind: "choose", row, step, by });
  }

  async fire(
    run: RunId,
    options: By & { readonly transition: string; readonly reason?: string; readonly data?: JsonObject },
  ): Promise<void> {
    const { by = localUser, transition, reason = null, data = {} } = options;
    await this.#say(run, { kind: "fire", transition, by, reason, data });
  }

  /** Calls under way may finish; with `now`, or when it is asked again meanwhile, they are cut off, and decided again at
   *  the next start. */
  stop(options: { readonly now?: boolean } = {}): Promise<void> {
    return this.#seat.stop(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #again(request: AgainRequest): Promise<Started> {
    return this.#started(Number(await this.#seat.ask(request)), []);
  }

  async #started(id: RunId, warnings: readonly string[]): Promise<Started> {
    const { uid, status } = await this.#seat.read(id);
    return { id, uid, status, warnings };
  }

  #say(run: RunId | null, said: Said): Promise<Json> {
    return this.#seat.ask({ kind: "say", id: randomUUID(), run, said });
  }
}

function textsOf(list: Json | undefined): readonly string[] {
  return isArray(list) ? list.map(String) : [];
}
