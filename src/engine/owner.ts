// The engine while it owns the store: executor, calls, alarms and housekeeping, and the door that takes requests, of
// this process or of guests. Opened by a claim; ends by stopping, by handing over, or because the store failed.

import { crashPoint } from "../crash-point.ts";
import type { Json } from "../flow/json.ts";
import type { RowId, RunId, RunRow } from "../run/model.ts";
import { AccessClerk } from "./access-clerk.ts";
import { Alarms } from "./alarms.ts";
import type { BatchDraft } from "./batch-draft.ts";
import { Breakers } from "./breakers.ts";
import type { CallOrder, Progress } from "./call-context.ts";
import { CallTally } from "./call-tally.ts";
import { Caller } from "./caller.ts";
import { entryKinds } from "./clerk.ts";
import { Decider } from "./decider.ts";
import { EndedTally } from "./ended-tally.ts";
import { Entries } from "./entries.ts";
import { createEnvelope } from "./envelope.ts";
import { Executor } from "./executor.ts";
import { asStoreProblem, noRoom } from "./failure.ts";
import { RunCache } from "./held-run.ts";
import { Housekeeping } from "./housekeeping.ts";
import { IdSource } from "./ids.ts";
import { createJudge } from "./judge.ts";
import { createTimeResolver } from "./instant.ts";
import { rhythm, type OwnerFigures, type OwnerParts } from "./owner-parts.ts";
import { queryForRun } from "./outcome-document.ts";
import { Questions } from "./questions.ts";
import { RatingsClerk } from "./ratings-clerk.ts";
import { createDispatcher } from "./paced-dispatcher.ts";
import { Reception } from "./reception.ts";
import type { Door, Request } from "./request.ts";
import { Keeper } from "./retention.ts";
import { SecretVault } from "./secret-vault.ts";
import { SecretsClerk } from "./secrets-clerk.ts";
import { ServersClerk } from "./servers-clerk.ts";
import { Starter } from "./starter.ts";
import { WorkflowsClerk } from "./workflows-clerk.ts";

export class Owner implements Door {
  readonly #parts: OwnerParts;
  readonly #ids: IdSource;
  readonly #cache: RunCache;
  readonly #decider: Decider;
  readonly #executor: Executor;
  readonly #caller: Caller;
  readonly #alarms: Alarms;
  readonly #keeper: Keeper;
  readonly #housekeeping: Housekeeping;
  readonly #starter: Starter;
  readonly #entries: Entries;
  readonly #breakers: Breakers;
  readonly #access: AccessClerk;
  readonly #workflows: WorkflowsClerk;
  readonly #reception: Reception;
  readonly #servers: ServersClerk;
  readonly #questions: Questions;
  readonly #calls = new CallTally();
  readonly #ended = new EndedTally();
  readonly #vault: SecretVault;
  /** What is kept beside the runs has been read; who asks earlier waits for it. */
  readonly #loaded = Promise.withResolvers<void>();
  #isLoaded = false;
  #endGrace: (() => void) | null = null;
  #isResting = false;
  #logged = 0;

  constructor(parts: OwnerParts) {
    this.#parts = parts;
    const { ownership, clock, tools, listener } = parts;
    this.#ids = new IdSource(ownership.lastId);
    const cache = new RunCache(parts.memory.runsHeld);
    this.#cache = cache;
    const write: Executor["write"] = (aside) => this.#executor.write(aside);
    const entries = new Entries({ ...parts, write });
    const vault = new SecretVault(entries, parts.keys);
    this.#vault = vault;
    const problem = (error: unknown): void => this.#tellProblem(error);
    this.#entries = entries;
    this.#breakers = new Breakers({ ...parts, entries, problem });
    this.#access = new AccessClerk({ ...parts, entries });
    this.#workflows = new WorkflowsClerk({ ...parts, entries, ids: this.#ids, problem });
    const { shelf } = this.#workflows;
    this.#caller = this.#createCaller(vault);
    const judge = createJudge({
      tools,
      breakers: this.#breakers,
      findRefusal: (run, tool) => this.#access.findRefusal(run, tool),
    });
    const resolveTime = createTimeResolver(parts.zone);
    this.#decider = new Decider({ ...parts, cache, ids: this.#ids, resolveTime, judge, shelf });
    this.#executor = this.#createExecutor(cache);
    this.#starter = new Starter({
      ...parts,
      shelf,
      ids: this.#ids,
      keepIds: () => this.#executor.write({ keepsIds: true }),
      send: (envelope) => this.#reception.send(envelope),
    });
    this.#alarms = new Alarms({ ownership, executor: this.#executor, clock, problem });
    this.#keeper = new Keeper(parts.retention, { ...parts, executor: this.#executor, problem });
    const ask: Owner["ask"] = (request) => this.ask(request);
    this.#servers = new ServersClerk({ ...parts, entries, vault, write, problem, ask });
    this.#questions = new Questions({ ...parts, entries, ask, result: (run) => listener.result(run), problem });
    this.#reception = new Reception({
      ...parts,
      access: this.#access,
      clerks: {
        workflows: this.#workflows,
        breakers: this.#breakers,
        access: this.#access,
        secrets: new SecretsClerk({ ...parts, entries, vault }),
        ratings: new RatingsClerk({ ...parts, write }),
        servers: this.#servers,
      },
      starter: this.#starter,
      decider: this.#decider,
      executor: this.#executor,
      keeper: this.#keeper,
      handOver: () => listener.handOver(),
      problem,
    });
    this.#housekeeping = new Housekeeping(clock, problem);
  }

  #createCaller(secrets: SecretVault): Caller {
    const { tools, clock, listener } = this.#parts;
    return new Caller(
      { tools, clock, secrets },
      {
        settled: (order, answer) => {
          this.#calls.add(order.call.tool, answer?.kind ?? "dropped");
          this.#breakers.settled(order, answer);
        },
        answered: (run, message) => this.#executor.send(createEnvelope(run, message)),
        alive: (order, until, handle) => this.#keepAlive(order, until, handle),
        question: (order, question, signal) => this.#questions.ask(order, question, signal),
        over: (claimant) => this.#executor.released(claimant),
        overdue: (order, isFirst) => {
          if (isFirst) this.#breakers.overdue(order);
          this.#alarms.tell(order.run);
        },
        progressed: (run, row, progress) => listener.progressed(run, row, progress),
        logged: (run, row, message) => this.#log(run, row, message),
        asked: (run, query) => queryForRun({ store: this.#parts.store, access: this.#access }, run, query),
      },
    );
  }

  /** Resolves when it is on disk; what is over meanwhile needs it no more. */
  async #keepAlive({ run, call }: CallOrder, until: number, handle: Json | null): Promise<void> {
    const { row, token } = call;
    const message = { kind: "alive", id: `alive:${token}`, row, token, handle, until } as const;
    await this.#reception.send(createEnvelope(run, message));
  }

  #createExecutor(cache: RunCache): Executor {
    const parts = this.#parts;
    const { tools, listener } = parts;
    return new Executor({
      ...parts,
      decider: this.#decider,
      dispatcher: createDispatcher(parts, this.#entries, (run, row) => this.#executor.offer(run, row)),
      caller: this.#caller,
      cache,
      ids: this.#ids,
      mailboxBytesMax: parts.memory.mailboxBytes,
      isForOthers: (run, tool) =>
        parts.role === "command" && tools.find(tool) === undefined && !this.#starter.hasStarted(run),
      listener: {
        committed: (draft) => this.#committed(draft),
        forgotten: () => void this.#lookAgain().catch((error: unknown) => this.#tellProblem(error)),
        full: () => this.#tellProblem(noRoom(parts.store.name)),
        failed: (error) => {
          this.#rest();
          listener.failed(error);
        },
      },
    });
  }

  /** What was running under an older epoch is decided again, what is ready is called, what is due fires. */
  async start(): Promise<void> {
    const { ownership } = this.#parts;
    this.#executor.watchLoss();
    await this.#load();
    // Before anything is called or checked that needs their tools.
    await this.#servers.open();
    await this.#workflows.start();
    await this.#loseInterrupted();
    crashPoint("in-recovery");
    await this.#offerReady(Number.MAX_SAFE_INTEGER);
    await this.#alarms.look();
    // Lost meanwhile: whoever claims next goes on.
    if (this.#isResting) return;
    ownership.onInbox((messages) => this.#reception.takeInbox(messages));
    this.#housekeeping.start({ everyMs: rhythm.pollMs, act: () => this.#poll() });
    this.#housekeeping.start({ everyMs: rhythm.watchdogMs, act: () => this.#watch() });
    this.#housekeeping.start({ everyMs: rhythm.tidyMs, act: () => this.#tidy() });
  }

  async #loseInterrupted(): Promise<void> {
    const told: Promise<unknown>[] = [];
    for (const { run, row, token } of await this.#parts.ownership.listInterrupted()) {
      if (await this.#isForOthers(row)) continue;
      const message = { kind: "lost", id: `lost:${token}`, row, token, reason: "crash" } as const;
      told.push(this.#reception.send(createEnvelope(run, message)));
    }
    // On disk: what they asked people is over with them, or is asked after again.
    const reviewed = Promise.all(told).then(() => this.#questions.review());
    reviewed.catch((error: unknown) => this.#tellProblem(error));
  }

  async #load(): Promise<void> {
    // Perhaps nobody waits for it; who starts this owner hears of it.
    this.#loaded.promise.catch(() => {});
    try {
      await this.#entries.load(Object.values(entryKinds).flat());
      this.#breakers.load();
    } catch (error) {
      this.#loaded.reject(error);
      throw error;
    }
    this.#isLoaded = true;
    this.#loaded.resolve();
  }

  /** A command that owns the file for a moment does not decide about calls of tools that it does not have. */
  async #isForOthers(row: number): Promise<boolean> {
    const { role, store, tools } = this.#parts;
    if (role !== "command") return false;
    const tool = (await store.findRow(row))?.row.tool ?? null;
    return tool !== null && tools.find(tool) === undefined;
  }

  /** Something is under way that a process should not end over. */
  get isBusy(): boolean {
    return this.#executor.isBusy || this.#caller.size > 0;
  }

  ask(request: Request): Promise<Json> {
    if (this.#isLoaded) return this.#reception.ask(request);
    return this.#loaded.promise.then(() => this.#reception.ask(request));
  }

  /** Nobody was named yet who may do what. */
  get isOpen(): boolean | undefined {
    return this.#isLoaded ? this.#access.isOpen : undefined;
  }

  get state(): Executor["state"] {
    return this.#keeper.isFull ? "full" : this.#executor.state;
  }

  /** Before what is kept has been read, nobody has been given a secret. */
  mask(text: string): string {
    return this.#isLoaded ? this.#vault.maskMessage(text) : text;
  }

  get figures(): OwnerFigures {
    const [callsUnderWay, runsHeld] = [this.#caller.size, this.#cache.size];
    const ended = this.#ended.list(this.#parts.clock.now());
    const { retention } = this.#keeper;
    return { ...this.#executor.figures, callsUnderWay, runsHeld, calls: this.#calls.list(), ended, retention };
  }

  /** The run is in memory: whatever becomes of it, a batch tells. */
  isHeld(run: RunId): boolean {
    return this.#cache.find(run) !== undefined;
  }

  /** How far its calls under way are. */
  progressOf(run: RunId): ReadonlyMap<RowId, Progress> {
    return this.#caller.progressOf(run);
  }

  /** The run as it is in memory, if its status is what is on disk; undefined: the store has to be asked. */
  findOnDisk(run: RunId): RunRow | undefined {
    const held = this.#cache.find(run);
    if (held === undefined) return undefined;
    const { status, createdAt, startedAt } = held.frontier.run;
    // What is still on its way may be its end, but not that it runs, if it has done so from the beginning.
    const isSame = held.batchNo <= this.#executor.onDisk || (status === "running" && createdAt === startedAt);
    return isSame ? held.frontier.run : undefined;
  }

  /** Nothing new is called; calls under way may finish until `graceMs` have passed. Then the store is free. */
  async stop(graceMs: number): Promise<void> {
    this.#executor.drain();
    this.#rest();
    this.#caller.leaveFollowed();
    // Calls that go out with what is being written count as under way.
    await this.#settled();
    if (graceMs > 0 && this.#caller.size > 0) await this.#callsOver(graceMs);
    this.#caller.abortAll();
    // Before it is waited for the disk: they leave notes for the next process.
    await this.#servers.close();
    await this.#settled();
    this.#executor.close();
    crashPoint("before-release");
    await this.#parts.ownership.release();
  }

  /** It has failed: nothing more is written or called, and others may have the store. */
  async abandon(): Promise<void> {
    this.#rest();
    this.#caller.abortAll();
    this.#executor.close();
    await this.#servers.close();
    await this.#parts.ownership.release();
  }

  /** While it stops: calls under way get no more time. */
  hurry(): void {
    this.#endGrace?.();
  }

  #rest(): void {
    this.#isResting = true;
    this.#workflows.stop();
    this.#housekeeping.stop();
    this.#alarms.close();
  }

  #callsOver(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#parts.clock.after(graceMs, resolve);
      this.#endGrace = () => {
        timer.cancel();
        resolve();
      };
      this.#caller.onIdle(this.#endGrace);
    });
  }

  /** A disk that stays full must not keep anybody from stopping. */
  async #settled(): Promise<void> {
    const { promise: passed, resolve } = Promise.withResolvers<void>();
    const timer = this.#parts.clock.after(rhythm.settleMs, resolve);
    await Promise.race([this.#executor.settled(), passed]);
    timer.cancel();
  }

  /** Kept with the run, for whoever looks at it. */
  #log(run: RunId, row: RowId, line: string): void {
    this.#logged += 1;
    const { ownership, clock } = this.#parts;
    const id = `log:${row}.${ownership.epoch}:${this.#logged}`;
    const event = { id, kind: "log", at: clock.now(), row, by: null, data: line };
    this.#executor.write({ events: [{ run, event }] }).catch((error: unknown) => this.#tellProblem(error));
  }

  #committed(draft: BatchDraft): void {
    this.#breakers.committed(draft);
    this.#alarms.note(draft);
    this.#keeper.note();
    this.#ended.add(draft.ended, draft.at);
    this.#parts.listener.committed(draft);
  }

  /** Memory was lost: what is ready and due is in the rows. */
  async #lookAgain(): Promise<void> {
    this.#breakers.forgotten();
    await this.#offerReady(Number.MAX_SAFE_INTEGER);
    await this.#alarms.look();
  }

  async #offerReady(limitMax: number): Promise<void> {
    for (const { run, row } of await this.#parts.ownership.listReady(limitMax)) this.#executor.offer(run, row);
  }

  async #poll(): Promise<void> {
    await this.#offerReady(rhythm.pollMax);
    await this.#alarms.look();
  }

  async #watch(): Promise<void> {
    const { ownership, clock } = this.#parts;
    for (const run of await ownership.listOverdue(clock.now(), 1000)) {
      // A call of this process has a timer of its own, which a clock that was set does not disturb.
      if (!this.#caller.isInTime(run)) this.#alarms.tell(run);
    }
    await this.#questions.review();
  }

  async #tidy(): Promise<void> {
    await this.#keeper.look();
    await this.#keeper.tidyAudit();
    await this.#parts.ownership.tidy();
  }

  #tellProblem(error: unknown): void {
    const { listener } = this.#parts;
    // Whatever was being looked at when it stopped finds the store closed.
    if (this.#isResting) return;
    listener.problem(asStoreProblem(error));
  }
}
