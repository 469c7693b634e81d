// What a program holds in its hand. It is the owner of its store, or a guest of another process that is; the same verbs
// do the same, and when the owner dies a guest takes its place.

import type { Asker } from "../access/permission.ts";
import { localUser } from "../access/principal.ts";
import { fromSealed, seal } from "../access/seal.ts";
import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { validate, type Report } from "../flow/validate/validate.ts";
import { historyOf, type HistoryEntry } from "../run/history.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { RunSearch } from "../store/search.ts";
import type { Store, StoredRun, Transaction } from "../store/store.ts";
import { describeTools } from "../tool/registry.ts";
import { textsOf } from "./ask-fields.ts";
import { inNameOf, parseAsker, program } from "./asker.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import { Desks } from "./desks.ts";
import { followChanges, type ChangesQuery, type StoreNews } from "./changes.ts";
import { followRun, type RunChange } from "./feed.ts";
import { askExpecting } from "./expectation.ts";
import { tellHealth, type Health } from "./health.ts";
import { createMessageId, markOf, startKeyOf } from "./message-id.ts";
import { toInstant, toZone } from "./instant.ts";
import { Outcomes } from "./outcomes.ts";
import { Overview } from "./overview.ts";
import { readPruneWish, type PruneWish } from "./prune-wish.ts";
import { checkReader, checkRight, checkWholeRight } from "./readers.ts";
import { toPlain, type AgainRequest, type Request, type Said, type Started, type StartRequest } from "./request.ts";
import { RunReads } from "./run-reads.ts";
import { Seat, type SeatParts } from "./seat.ts";
import { Secrets } from "./secrets.ts";
import { toTimeoutMs, type TimeoutOptions } from "./timeout.ts";
import { ToolVerbs } from "./tool-verbs.ts";
import type { AnswerOptions, By, Expecting, FireOptions, RunView, StartOptions, VerbsOf } from "./verb-options.ts";
import type { RunResult } from "./waiters.ts";
import { warningsOf } from "./workflows.ts";

export type { By, RunView, StartOptions } from "./verb-options.ts";
/** `source`: where what this program asks for comes from, for the audit. */
export type EngineParts = Omit<SeatParts, "user"> & { readonly source?: string };

/** The engine in the hands of one user: all verbs, each of which is checked. */
export type UserEngine = VerbsOf<
  Omit<Engine, "as" | "readsFor" | "open" | "stop" | "store" | typeof Symbol.asyncDispose>
>;

export class Engine extends Desks implements AsyncDisposable {
  readonly #parts: EngineParts;
  readonly #seat: Seat;
  /** null: the program itself. */
  readonly #asker: Asker | null;

  /** Under which everything is asked; null: each request has an id of its own. */
  readonly #key: string | null;

  constructor(parts: EngineParts, hand?: { readonly seat: Seat; readonly asker: Asker | null; readonly key?: string }) {
    super();
    this.#parts = parts;
    this.#seat = hand?.seat ?? new Seat({ ...parts, user: localUser });
    this.#asker = hand?.asker ?? null;
    this.#key = hand?.key ?? null;
  }

  /** Takes the store, or becomes a guest of who has it. */
  async open(): Promise<void> {
    this.#refuseUsers();
    await this.#seat.open();
  }

  /** The same verbs in the name of a user, or of whom `access.tokens.check` has found: each is checked. Throws when it is
   *  neither, and never gives the rights of the program itself away. `source`: where they came from, for the audit. */
  as(user: string | Asker, { source = this.#parts.source }: { readonly source?: string | undefined } = {}): UserEngine {
    this.#refuseUsers();
    const parts = source === undefined ? this.#parts : { ...this.#parts, source };
    return new Engine(parts, { seat: this.#seat, asker: parseAsker(user) });
  }

  /** The same verbs under a key of the caller's own: what is asked of a run with it happens once, however often it is
   *  asked; something else with the same key is refused. */
  under(key: string): UserEngine {
    return new Engine(this.#parts, { seat: this.#seat, asker: this.#asker, key });
  }

  /** What became of calls, and what people think of it. */
  get outcomes(): Outcomes {
    return new Outcomes({ ...this.window(), asker: this.#asker });
  }

  /** What tools are given and nobody else sees. */
  get secrets(): Secrets {
    return new Secrets(this.window(), this.#parts.keys);
  }

  /** What steps can call. */
  get tools(): ToolVerbs {
    const { store, tools } = this.#parts;
    return new ToolVerbs({
      tools,
      isOwner: this.isOwner,
      refuseUsers: () => this.#refuseUsers(),
      askBreakers: (ask) => this.window().ask("breakers", ask),
      allow: (right) => this.window().allow(right),
      start: (flow, options) => this.start(flow, options),
      result: (run, timeoutMs) => this.#seat.result(run, timeoutMs),
      rowsOf: (run) => store.listRows(run),
    });
  }

  get isOwner(): boolean {
    return this.#seat.isOwner;
  }

  /** Whether it does its work; what keeps it from it, in sentences. */
  health(): Promise<Health> {
    return tellHealth({ seat: this.#seat, store: this.#parts.store, breakers: this.breakers });
  }

  get store(): Pick<Store, "name" | "durability"> {
    return this.#parts.store;
  }

  async start(flow: Json, options: StartOptions = {}): Promise<Started> {
    const { input = null, as = localUser, at, tz, idempotencyKey = this.#startKey, name = null, tx } = options;
    const when = toInstant(at, { now: this.#parts.clock.now(), zone: toZone(tz) ?? this.#parts.zone });
    const asked = idempotencyKey === null ? {} : { asked: markOf([at ?? null, tz ?? null]) };
    const request = { flow, name, input, by: as, via: null, at: when, startKey: idempotencyKey, ...asked };
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
  async list(query: Partial<RunSearch> = {}): Promise<readonly StoredRun[]> {
    return (await this.overview.search(query)).runs;
  }

  /** Runs page by page, what is due, what was counted. */
  get overview(): Overview {
    const { store, clock, zone } = this.#parts;
    return new Overview({ store, clock, zone, asker: this.#asker, seat: this.#seat });
  }

  /** What people look at again and again, for one of them: without what may be large. For the doors of this program. */
  readsFor(asker: Asker): RunReads {
    this.#refuseUsers();
    const { store, library, clock } = this.#parts;
    const ask = (request: Request): Promise<Json> => this.#seat.ask(inNameOf(asker, request));
    return new RunReads({ store, library, clock, asker, ask, progressOf: (run) => this.#seat.progressOf(run) });
  }

  /** What was written for it, as it was when it started. */
  async flow(run: RunId): Promise<Json> {
    await this.#checkReader(run);
    const { flow } = await this.#seat.find(run);
    return (await this.#parts.library.loadVersion(flow)).record.source;
  }

  /** What is wrong with a flow, with the tools that are here. */
  async validate(flow: Json): Promise<Report> {
    if (this.#asker !== null) await checkRight(this.#parts.store, this.#asker, "read");
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

  /** Every commit of the store from a cursor on, with what of it this user may see. */
  async *changes(query: ChangesQuery = {}): AsyncGenerator<StoreNews, void, undefined> {
    const { run } = query;
    if (run !== undefined) await this.#checkReader(run).then(() => this.#seat.find(run));
    const { source, release } = this.#seat.follow(null);
    try {
      yield* followChanges(query, { source, store: this.#parts.store, asker: this.#asker });
    } finally {
      release();
    }
  }

  async ready(step: RowId, { by = localUser }: By = {}): Promise<void> {
    await this.#say(null, { kind: "ready", row: step, by });
  }

  async answer(step: RowId, options: AnswerOptions): Promise<void> {
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
    return Number(await this.#ask({ kind: "emit", id: this.#idOf([event, data]), event, data }));
  }

  async cancel(run: RunId, options: Expecting & { readonly reason?: string } = {}): Promise<void> {
    const { by = localUser, reason = null, expectedUpdatedAt } = options;
    await this.#say(run, { kind: "cancel", by, reason }, expectedUpdatedAt);
  }

  /** What cancelling now would abort and undo. */
  preview(run: RunId): Promise<Json> {
    return this.#ask({ kind: "preview", run });
  }

  /** Runs that ended before this instant go, with all their steps, or those of one name; how many there were. Live ones
   *  never go. */
  async prune(wish: PruneWish): Promise<{ readonly runs: number }> {
    return { runs: Number(await this.#ask({ kind: "prune", ...readPruneWish(wish) })) };
  }

  /** One that has ended goes, with all its steps and sub-runs; how many runs there were. */
  async remove(run: RunId): Promise<{ readonly runs: number }> {
    return { runs: Number(await this.#ask({ kind: "remove", run })) };
  }

  async pause(run: RunId, { by = localUser, expectedUpdatedAt }: Expecting = {}): Promise<void> {
    await this.#say(run, { kind: "pause", by }, expectedUpdatedAt);
  }

  async resume(run: RunId, { by = localUser, expectedUpdatedAt }: Expecting = {}): Promise<void> {
    await this.#say(run, { kind: "resume", by }, expectedUpdatedAt);
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

  async fire(run: RunId, options: FireOptions): Promise<void> {
    const { by = localUser, transition, reason = null, data = {}, expectedUpdatedAt } = options;
    await this.#say(run, { kind: "fire", transition, by, reason, data }, expectedUpdatedAt);
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
    // With what is asked in it: a run knows only its own input, not the step from which it was to begin.
    const keyed = this.#key === null ? request : { ...request, startKey: this.#idOf(request) };
    return this.#started(Number(await this.#ask(await this.#ownedBy(keyed, by))), []);
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

  async #say(run: RunId | null, said: Said, expected?: number): Promise<Json> {
    const request = { kind: "say", id: this.#idOf([run, said]), run, said } as const;
    if (run === null || expected === undefined) return this.#ask(request);
    await this.#checkReader(run);
    const ask = (expectedVersion: number): Promise<Json> => this.#ask({ ...request, expectedVersion });
    return askExpecting(expected, () => this.#seat.find(run), ask);
  }

  get #startKey(): string | null {
    return this.#key === null ? null : startKeyOf(this.#key, this.#asker?.user ?? localUser);
  }

  #idOf(asked: unknown): string {
    return createMessageId(this.#key, this.#asker?.user ?? localUser, asked);
  }

  #ask(request: Request): Promise<Json> {
    return this.#seat.ask(this.#named(request));
  }

  #named(given: Request): Request {
    const { source } = this.#parts;
    const request = source === undefined ? given : { ...given, source };
    return this.#asker === null ? request : inNameOf(this.#asker, request);
  }

  protected override window(): ClerkWindow {
    const { store, clock } = this.#parts;
    const asker = this.#asker;
    return {
      store,
      clock,
      seal: (text, name) => fromSealed(seal(text, name, this.#parts.keys.current())),
      isOpen: () => this.#seat.isOpen,
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
