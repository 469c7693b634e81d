// What a program holds in its hand. It is the owner of its store, or a guest of another process that is; the same verbs
// do the same, and when the owner dies a guest takes its place.

import { randomUUID } from "node:crypto";
import type { Asker } from "../access/permission.ts";
import { localUser } from "../access/principal.ts";
import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { validate, type Report } from "../flow/validate/validate.ts";
import { historyOf, type HistoryEntry } from "../run/history.ts";
import type { Row, RowId, RunId, RunRow } from "../run/model.ts";
import type { RunQuery, Store, StoredRun, Transaction } from "../store/store.ts";
import { describeTools } from "../tool/registry.ts";
import { Access } from "./access.ts";
import { inNameOf, parseAsker, program } from "./asker.ts";
import { BreakerVerbs } from "./breaker-verbs.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import { followRun, type RunChange } from "./feed.ts";
import type { Health } from "./health.ts";
import { toInstant, toZone } from "./instant.ts";
import { checkReader, checkRight, checkWholeRight, listOwnRuns } from "./readers.ts";
import { toPlain, type AgainRequest, type Request, type Said, type Started, type StartRequest } from "./request.ts";
import { Seat, type SeatParts } from "./seat.ts";
import { Secrets } from "./secrets.ts";
import { toTimeoutMs, type TimeoutOptions } from "./timeout.ts";
import { ToolVerbs } from "./tool-verbs.ts";
import type { RunResult } from "./waiters.ts";
import type { SavedWorkflow } from "./workflow-view.ts";
import { warningsOf, Workflows, type SaveOptions } from "./workflows.ts";

export type EngineParts = Omit<SeatParts, "user">;

export type StartOptions = {
  readonly input?: Json;
  /** Who starts it; its steps run with this user's rights. */
  readonly as?: string;
  /** When: `tomorrow at 9am`, ISO 8601, unix time, a date; now unless given. */
  readonly at?: number | string | Date;
  /** The time zone in which `at` is read; the engine's unless given. */
  readonly tz?: string;
  /** A second start with the same key gives the first one's run. */
  readonly idempotencyKey?: string;
  readonly name?: string;
  /** A transaction of your own on the same PostgreSQL database: the run starts when it commits, and never if it does not. */
  readonly tx?: Transaction;
};

export type By = { readonly by?: string };

/** A run with its steps, in the order in which they were made. */
export type RunView = RunRow & { readonly flow: string; readonly updatedAt: number; readonly steps: readonly Row[] };

/** The engine in the hands of one user: all verbs, each of which is checked. */
export type UserEngine = Omit<Engine, "as" | "open" | "stop" | typeof Symbol.asyncDispose>;

export class Engine implements AsyncDisposable {
  readonly #parts: EngineParts;
  readonly #seat: Seat;
  /** null: the program itself. */
  readonly #asker: Asker | null;

  constructor(parts: EngineParts, user?: { readonly seat: Seat; readonly asker: Asker }) {
    this.#parts = parts;
    this.#seat = user?.seat ?? new Seat({ ...parts, user: localUser });
    this.#asker = user?.asker ?? null;
  }

  /** Takes the store, or becomes a guest of who has it. */
  async open(): Promise<void> {
    this.#refuseUsers();
    await this.#seat.open();
  }

  /** The same verbs in the name of a user, or of whom `access.tokens.check` has found: each is checked. Throws when it is
   *  neither, and never gives the rights of the program itself away. */
  as(user: string | Asker): UserEngine {
    this.#refuseUsers();
    return new Engine(this.#parts, { seat: this.#seat, asker: parseAsker(user) });
  }

  /** Flows that are kept under a name, in versions. */
  get workflows(): Workflows {
    return new Workflows(this.#window());
  }

  /** `await engine.save(flow)`, in short for `engine.workflows.save(flow)`. */
  save(flow: Json, options: SaveOptions = {}): Promise<SavedWorkflow> {
    return this.workflows.save(flow, options);
  }

  /** Who may do what. */
  get access(): Access {
    return new Access(this.#window());
  }

  /** What keeps tools that fail again and again from being called. */
  get breakers(): BreakerVerbs {
    return new BreakerVerbs(this.#window());
  }

  /** What tools are given and nobody else sees. */
  get secrets(): Secrets {
    return new Secrets(this.#window(), this.#parts.keys);
  }

  /** What steps can call. */
  get tools(): ToolVerbs {
    const { store, tools } = this.#parts;
    return new ToolVerbs({
      tools,
      isOwner: this.isOwner,
      refuseUsers: () => this.#refuseUsers(),
      askBreakers: (ask) => this.#window().ask("breakers", ask),
      allow: (right) => this.#window().allow(right),
      start: (flow, options) => this.start(flow, options),
      result: (run, timeoutMs) => this.#seat.result(run, timeoutMs),
      rowsOf: (run) => store.listRows(run),
    });
  }

  get isOwner(): boolean {
    return this.#seat.isOwner;
  }

  /** Whether it does its work; what keeps it from it, in sentences. */
  async health(): Promise<Health> {
    const reasons = await this.#seat.findTrouble();
    const { name: store, durability } = this.#parts.store;
    return { status: reasons.length === 0 ? "ok" : "degraded", reasons, isOwner: this.isOwner, store, durability };
  }

  get store(): Pick<Store, "name" | "durability"> {
    return this.#parts.store;
  }

  async start(flow: Json, options: StartOptions = {}): Promise<Started> {
    const { input = null, as = localUser, at, tz, idempotencyKey = null, name = null, tx } = options;
    const when = toInstant(at, { now: this.#parts.clock.now(), zone: toZone(tz) ?? this.#parts.zone });
    const request = { flow, name, input, by: as, via: null, at: when, startKey: idempotencyKey };
    if (tx !== undefined) return this.#startWithin(tx, { kind: "start", ...request });
    const answer = await this.#ask({ kind: "start", ...request });
    if (isObject(answer)) return this.#started(Number(answer["id"]), textsOf(answer["warnings"]));
    // Another process started it, or it was there already.
    return this.#started(Number(answer), await warningsOf(flow, this.#parts));
  }

  /** What failed, was cut off or undone runs again, in a new run; all else is taken over, and keys are kept. The new run
   *  belongs to whoever the earlier one belonged to, unless `by` says otherwise. */
  retry(run: RunId, { by }: By = {}): Promise<Started> {
    return this.#again({ kind: "again", run, how: "retry", from: null, input: null }, by);
  }

  /** A new run that takes over everything before `from`, a step's name or the id of one of its rows. */
  rerun(run: RunId, { by, from }: By & { readonly from?: RowId | string } = {}): Promise<Started> {
    return this.#again({ kind: "again", run, how: "rerun", from: from ?? null, input: null }, by);
  }

  /** The same with another input. */
  fork(run: RunId, options: By & { readonly from?: RowId | string; readonly input?: Json } = {}): Promise<Started> {
    const { by, from, input = null } = options;
    return this.#again({ kind: "again", run, how: "fork", from: from ?? null, input }, by);
  }

  /** How the run ended, as soon as it has. */
  async result(run: RunId, options: TimeoutOptions = {}): Promise<RunResult> {
    const timeoutMs = toTimeoutMs(options);
    if (this.#asker !== null) await this.#checkReader(run);
    return this.#seat.result(run, timeoutMs);
  }

  async get(run: RunId): Promise<RunView> {
    await this.#checkReader(run);
    const { run: row, flow, updatedAt } = await this.#seat.find(run);
    return { ...row, flow, updatedAt, steps: await this.#parts.store.listRows(run) };
  }

  /** Newest first, fifty unless said otherwise; cancelled ones only when asked for. */
  async list({ status = null, limitMax = 50, ...rest }: Partial<RunQuery> = {}): Promise<readonly StoredRun[]> {
    const { store } = this.#parts;
    const query = { ...rest, status, limitMax };
    const asker = this.#asker;
    const isNarrow = asker !== null && (await checkRight(store, asker, "read")) === "own";
    return isNarrow ? listOwnRuns(store, asker.user, query) : store.listRuns(query);
  }

  /** What was written for it, as it was when it started. */
  async flow(run: RunId): Promise<Json> {
    await this.#checkReader(run);
    const { flow } = await this.#seat.find(run);
    return (await this.#parts.library.loadVersion(flow)).record.source;
  }

  /** What is wrong with a flow, with the tools that are here. */
  validate(flow: Json): Report {
    return validate(flow, { tools: describeTools(this.#parts.tools) });
  }

  async history(run: RunId): Promise<readonly HistoryEntry[]> {
    await this.#checkReader(run);
    await this.#seat.find(run);
    const { store } = this.#parts;
    return historyOf(await store.listRows(run), await store.listEvents(run));
  }

  /** The steps as they are, then every change, until the run has ended. */
  async *watch(run: RunId): AsyncGenerator<RunChange, void, undefined> {
    await this.#checkReader(run);
    const { source, release } = this.#seat.follow(run);
    try {
      yield* followRun(this.#parts.store, run, { ...source, check: () => this.#checkReader(run) });
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

  /** Runs that ended before this instant go, with all their steps; how many there were. Live ones never go. */
  async prune({ endedBefore }: { readonly endedBefore: Date | number }): Promise<{ readonly runs: number }> {
    const at = Number(endedBefore);
    if (!Number.isFinite(at)) throw new StepwellError("INPUT_INVALID", "endedBefore is no instant.");
    return { runs: Number(await this.#ask({ kind: "prune", endedBefore: at })) };
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
  async stop(options: { readonly now?: boolean } = {}): Promise<void> {
    this.#refuseUsers();
    await this.#seat.stop(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Checked, and given its ids, by the owner at once; the start itself goes into the inbox with the program's own rows. */
  async #startWithin(tx: Transaction, request: StartRequest): Promise<Started> {
    const answer = await this.#ask({ ...request, isReserved: true });
    // Its key is known: it runs already.
    if (!isObject(answer)) return this.#started(Number(answer), []);
    const uid = own(answer, "uid");
    const place = { id: Number(answer["id"]), uid: typeof uid === "string" ? uid : "" };
    const message = toPlain(this.#named({ ...request, place }));
    await this.#parts.store.post(message, localUser, tx);
    return { ...place, status: "accepted", scheduledAt: request.at, warnings: textsOf(answer["warnings"]) };
  }

  async #again(request: Omit<AgainRequest, "by" | "via">, by: string | undefined): Promise<Started> {
    return this.#started(Number(await this.#ask(await this.#ownedBy(request, by))), []);
  }

  /** Where nobody is named, the program lends nobody its own rights: the new run has those of the earlier one. */
  async #ownedBy(request: Omit<AgainRequest, "by" | "via">, by: string | undefined): Promise<Request> {
    if (by !== undefined || this.#asker !== null) return { ...request, by: by ?? localUser };
    const { createdBy, createdVia } = (await this.#seat.find(request.run)).run;
    return { ...request, by: createdBy, via: createdVia, as: program };
  }

  async #started(id: RunId, warnings: readonly string[]): Promise<Started> {
    const { uid, status, alarms } = await this.#seat.read(id);
    const scheduledAt = alarms.find(({ kind }) => kind === "start")?.at ?? null;
    return { id, uid, status, scheduledAt, warnings };
  }

  #say(run: RunId | null, said: Said): Promise<Json> {
    return this.#ask({ kind: "say", id: randomUUID(), run, said });
  }

  #ask(request: Request): Promise<Json> {
    return this.#seat.ask(this.#named(request));
  }

  #named(request: Request): Request {
    return this.#asker === null ? request : inNameOf(this.#asker, request);
  }

  #window(): ClerkWindow {
    const { store, clock } = this.#parts;
    const asker = this.#asker;
    return {
      store,
      clock,
      ask: (clerk, ask, by = localUser) => this.#ask({ kind: "keep", clerk, ask, by }),
      allow: async (right) => void (asker === null || (await checkWholeRight(store, asker, right))),
    };
  }

  async #checkReader(run: RunId): Promise<void> {
    if (this.#asker !== null) await checkReader(this.#parts.store, this.#asker, run);
  }

  /** Whoever was given the engine in a user's name has no say over the engine itself. */
  #refuseUsers(): void {
    if (this.#asker !== null)
      throw new StepwellError("NOT_ALLOWED", "Only the program that has opened the engine may do this.");
  }
}

function textsOf(list: Json | undefined): readonly string[] {
  return isArray(list) ? list.map(String) : [];
}
