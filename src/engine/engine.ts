// What a program holds in its hand. It is the owner of its store, or a guest of another process that is; the same verbs
// do the same, and when the owner dies a guest takes its place.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { historyOf, type HistoryEntry } from "../run/history.ts";
import type { Row, RowId, RunId, RunRow } from "../run/model.ts";
import type { Ownership, OwnerCard, RunQuery, Store, StoredRun } from "../store/store.ts";
import type { BatchDraft } from "./batch-draft.ts";
import { inUse } from "./failure.ts";
import { followRun, type RunChange } from "./feed.ts";
import { claimEveryMs, Guest } from "./guest.ts";
import { toInstant } from "./instant.ts";
import { Owner, type OwnerParts } from "./owner.ts";
import type { Request, Said, Started } from "./request.ts";
import { toResult, Waiters, type RunResult } from "./waiters.ts";

export type EngineParts = Omit<OwnerParts, "ownership" | "listener"> & {
  readonly role: OwnerCard["role"];
  readonly onProblem: (error: StepwellError) => void;
};

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
/** How long calls under way may take to finish when the engine stops. */
const graceMs = 10_000;
/** How long one that has handed over leaves the store to others. */
const handOverMs = 2000;
/** How often a guest looks what the owner has done. */
const guestLookMs = 25;

export class Engine implements AsyncDisposable {
  readonly #parts: EngineParts;
  readonly #waiters = new Waiters();
  #seat: Owner | Guest | null = null;
  /** Those who wait for the next commit. */
  #watching: (() => void)[] = [];
  /** Keeps the process alive while somebody waits for an answer. */
  #holds = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #failure: StepwellError | null = null;
  #stopped: Promise<void> | null = null;
  #hurry: (() => void) | null = null;
  #handedOver: Promise<void> | null = null;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Takes the store, or becomes a guest of who has it. */
  async open(): Promise<void> {
    const { store, role } = this.#parts;
    const claim = await store.claim(this.#card());
    if (claim.kind === "owned") return this.#own(claim.ownership);
    if (role !== "up") return this.#visit(claimEveryMs);
    if (claim.owner?.role === "up") throw inUse(store.name, claim.owner);
    this.#visit(claimEveryMs);
    await this.#ask({ kind: "hand_over" });
  }

  get isOwner(): boolean {
    return this.#seat instanceof Owner;
  }

  get store(): Pick<Store, "name" | "durability"> {
    return this.#parts.store;
  }

  async start(flow: Json, options: StartOptions = {}): Promise<Started> {
    const { library, clock } = this.#parts;
    const { warnings } = library.compile(flow, clock.now());
    const { input = null, as = localUser, at, idempotencyKey = null, name = null } = options;
    const request = { flow, name, input, by: as, via: null, at: toInstant(at), startKey: idempotencyKey };
    const id = Number(await this.#ask({ kind: "start", ...request }));
    const { uid, status } = this.#findHeld(id) ?? (await this.#find(id)).run;
    return { id, uid, status, warnings: warnings.map(({ message }) => message) };
  }

  /** How the run ended, as soon as it has. */
  async result(run: RunId, { timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<RunResult> {
    if (this.#failure !== null) throw this.#failure;
    const { result, leave } = this.#waiters.wait(run);
    result.catch(() => {});
    const release = this.#hold();
    const timer = timeoutMs === undefined ? null : this.#timeOut(run, timeoutMs);
    try {
      // It may have ended before anybody waited; one that is held in memory has not, or tells us with its batch.
      const stored = this.#findHeld(run) === undefined ? (await this.#find(run)).run : undefined;
      if (stored !== undefined && stored.completedAt !== null) return toResult(stored);
      return await (timer === null ? result : Promise.race([result, timer.passed]));
    } finally {
      timer?.cancel();
      leave();
      release();
    }
  }

  async get(run: RunId): Promise<RunView> {
    const { run: row, flow, updatedAt } = await this.#find(run);
    return { ...row, flow, updatedAt, steps: await this.#parts.store.listRows(run) };
  }

  /** Newest first, fifty unless said otherwise; cancelled ones only when asked for. */
  list({ status = null, limitMax = 50, ...query }: Partial<RunQuery> = {}): Promise<readonly StoredRun[]> {
    return this.#parts.store.listRuns({ ...query, status, limitMax });
  }

  async history(run: RunId): Promise<readonly HistoryEntry[]> {
    await this.#find(run);
    const { store } = this.#parts;
    return historyOf(await store.listRows(run), await store.listEvents(run));
  }

  /** The steps as they are, then every change, until the run has ended. */
  async *watch(run: RunId): AsyncGenerator<RunChange, void, undefined> {
    const release = this.#hold();
    try {
      yield* followRun(this.#parts.store, run, (after) => this.#moreAfter(after));
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
    return Number(await this.#ask({ kind: "emit", id: randomUUID(), event, data }));
  }

  async cancel(run: RunId, { by = localUser, reason }: By & { readonly reason?: string } = {}): Promise<void> {
    await this.#say(run, { kind: "cancel", by, reason: reason ?? null });
  }

  /** What cancelling now would abort and undo. */
  preview(run: RunId): Promise<Json> {
    return this.#ask({ kind: "preview", run });
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
  stop({ now = false }: { readonly now?: boolean } = {}): Promise<void> {
    this.#hurry?.();
    this.#stopped ??= this.#leave(now ? 0 : graceMs);
    return this.#stopped;
  }

  async #leave(grace: number): Promise<void> {
    const seat = this.#seat;
    this.#seat = null;
    this.#fail(new StepwellError("ENGINE_STOPPED", "The engine has stopped."));
    if (seat instanceof Guest) seat.stop();
    if (seat instanceof Owner) {
      this.#hurry = () => seat.hurry();
      await seat.stop(grace);
    }
    await this.#parts.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #findHeld(run: RunId): RunRow | undefined {
    return this.#seat instanceof Owner ? this.#seat.findHeld(run) : undefined;
  }

  async #find(run: RunId): Promise<StoredRun> {
    const found = await this.#parts.store.findRun(run);
    if (found === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
    return found;
  }

  #say(run: RunId | null, said: Said): Promise<Json> {
    return this.#ask({ kind: "say", id: randomUUID(), run, said });
  }

  async #ask(request: Request): Promise<Json> {
    const seat = this.#seat;
    if (seat === null) throw this.#failure ?? new StepwellError("ENGINE_STOPPED", "The engine has stopped.");
    const release = this.#hold();
    try {
      return await seat.ask(request);
    } catch (error) {
      const isRefused = error instanceof StepwellError && error.code === "ENGINE_STOPPED";
      if (!isRefused || this.#handedOver === null) throw error;
      // It was handing over, and nothing was done: the next owner is asked.
      await this.#handedOver;
      if (this.#seat === seat || this.#seat === null) throw error;
      return await this.#ask(request);
    } finally {
      release();
    }
  }

  async #own(ownership: Ownership): Promise<void> {
    const owner = new Owner({
      ...this.#parts,
      ownership,
      listener: {
        committed: (draft) => this.#committed(draft),
        failed: (error) => this.#failed(error),
        problem: this.#parts.onProblem,
        handOver: () => void this.#handOver().catch((error: unknown) => this.#problem(error)),
      },
    });
    this.#seat = owner;
    await owner.start();
    // What ended just before, nobody else tells.
    await this.#lookAtWaited();
  }

  #visit(firstClaimMs: number): void {
    this.#seat = new Guest({
      firstClaimMs,
      store: this.#parts.store,
      clock: this.#parts.clock,
      card: () => this.#card(),
      user: localUser,
      taken: (ownership) => void this.#own(ownership).catch((error: unknown) => this.#problem(error)),
      problem: (error) => this.#problem(error),
    });
    this.#lookForOthers();
  }

  /** Another process wants the store; whoever keeps it open for people does not give it away. */
  async #handOver(): Promise<void> {
    const seat = this.#seat;
    if (this.#parts.role === "up" || !(seat instanceof Owner)) return;
    this.#handedOver = seat.stop(graceMs);
    await this.#handedOver;
    if (this.#seat === seat) this.#visit(handOverMs);
  }

  #committed(draft: BatchDraft): void {
    if (this.#waiters.size > 0)
      // What a later batch has changed already is not on disk yet; that one tells.
      for (const { id, frontier, batchNo } of draft.touched)
        if (batchNo <= draft.no && this.#waiters.has(id)) this.#waiters.note(frontier.run);
    this.#wakeWatching();
  }

  /** As a guest: what the owner has done is on disk. */
  #lookForOthers(): void {
    this.#parts.clock.after(guestLookMs, () => {
      if (!(this.#seat instanceof Guest)) return;
      void this.#lookAtWaited().finally(() => this.#lookForOthers());
    });
  }

  async #lookAtWaited(): Promise<void> {
    this.#wakeWatching();
    for (const run of this.#waiters.runs()) {
      const found = await this.#parts.store.findRun(run);
      if (found !== undefined) this.#waiters.note(found.run);
    }
  }

  #wakeWatching(): void {
    for (const wake of this.#watching.splice(0)) wake();
  }

  async #moreAfter(after: number): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    // Before the store is asked: a commit that comes meanwhile wakes it.
    const woken = new Promise<void>((resolve) => {
      this.#watching.push(resolve);
    });
    if ((await this.#parts.store.lastCommit()) > after) return;
    await woken;
    if (this.#failure !== null) throw this.#failure;
  }

  #failed(error: StepwellError): void {
    this.#seat = null;
    this.#fail(error);
    this.#parts.onProblem(error);
  }

  #fail(error: StepwellError): void {
    this.#failure ??= error;
    this.#waiters.rejectAll(error);
    this.#wakeWatching();
  }

  #problem(error: unknown): void {
    this.#parts.onProblem(
      error instanceof StepwellError ? error : new StepwellError("STORE_UNREADABLE", String(error), { cause: error }),
    );
  }

  #timeOut(run: RunId, timeoutMs: number): { readonly passed: Promise<never>; readonly cancel: () => void } {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    const timer = this.#parts.clock.after(timeoutMs, () =>
      reject(new StepwellError("WAIT_TIMED_OUT", `Run ${run} has not ended after ${timeoutMs} ms; it goes on.`)),
    );
    return { passed: promise, cancel: () => timer.cancel() };
  }

  #hold(): () => void {
    this.#holds += 1;
    this.#keepAlive ??= setInterval(() => {}, 60_000);
    return () => {
      this.#holds -= 1;
      if (this.#holds > 0) return;
      clearInterval(this.#keepAlive);
      this.#keepAlive = undefined;
    };
  }

  #card(): OwnerCard {
    const { role, clock } = this.#parts;
    return { pid: process.pid, host: hostname(), role, since: clock.now(), address: null };
  }
}
