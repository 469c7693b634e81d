// The engine while it owns the store: executor, calls, alarms and housekeeping, and the door that takes requests, of
// this process or of guests. Opened by a claim; ends by stopping, by handing over, or because the store failed.

import { crashPoint } from "../crash-point.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { Reply } from "../run/decision.ts";
import type { RowId, RunId, RunRow } from "../run/model.ts";
import type { InboxId, InboxMessage } from "../store/store.ts";
import { AccessClerk } from "./access-clerk.ts";
import { Alarms } from "./alarms.ts";
import type { BatchDraft } from "./batch-draft.ts";
import { Breakers } from "./breakers.ts";
import type { Progress } from "./call-context.ts";
import { Caller } from "./caller.ts";
import { entryKinds, type Clerk, type ClerkName } from "./clerk.ts";
import { Decider } from "./decider.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Entries } from "./entries.ts";
import { createEnvelope, weigh, type Envelope } from "./envelope.ts";
import { Executor } from "./executor.ts";
import { noRoom } from "./failure.ts";
import { RunCache } from "./held-run.ts";
import { Housekeeping } from "./housekeeping.ts";
import { IdSource } from "./ids.ts";
import { createJudge } from "./judge.ts";
import { createTimeResolver } from "./instant.ts";
import type { OwnerParts } from "./owner-parts.ts";
import { answerTo, parseRequest, refused, rowOf, toPlain, toWire, type Door, type Request } from "./request.ts";
import { Keeper } from "./retention.ts";
import { SecretVault } from "./secret-vault.ts";
import { SecretsClerk } from "./secrets-clerk.ts";
import { Starter } from "./starter.ts";
import { WorkflowsClerk } from "./workflows-clerk.ts";

/** The seeds' poll: a safety net, since the normal path tells the dispatcher itself. */
const pollMs = 1000;
const pollMax = 50;
const watchdogMs = 30_000;
const tidyMs = 5000;
/** How long what is decided may take to get onto the disk when the engine stops. */
const settleMs = 5000;
/** Why a message is given up with nothing written, not even the answer to a guest. */
const setAside: ReadonlySet<string> = new Set(["poison", "store_full"]);

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
  /** Those who keep something beside the runs. */
  readonly #clerks: Partial<Readonly<Record<ClerkName, Clerk>>>;
  /** Messages of guests whose answer stands in the batch that carries them out. */
  readonly #answered = new Set<InboxId>();
  #endGrace: (() => void) | null = null;
  #isResting = false;
  #logged = 0;

  constructor(parts: OwnerParts) {
    this.#parts = parts;
    const { ownership, clock, tools, listener } = parts;
    this.#ids = new IdSource(ownership.lastId);
    const dispatcher = new Dispatcher(parts.callLimits);
    const cache = new RunCache(parts.memory.runsHeld);
    this.#cache = cache;
    const entries = new Entries({ ...parts, write: (aside) => this.#executor.write(aside) });
    const vault = new SecretVault(entries, parts.keys);
    const problem = (error: unknown): void => this.#tellProblem(error);
    this.#entries = entries;
    this.#breakers = new Breakers({ ...parts, entries, problem });
    this.#access = new AccessClerk({ ...parts, entries });
    this.#workflows = new WorkflowsClerk({ ...parts, entries, ids: this.#ids, problem });
    const { shelf } = this.#workflows;
    this.#clerks = {
      workflows: this.#workflows,
      breakers: this.#breakers,
      access: this.#access,
      secrets: new SecretsClerk({ ...parts, entries, vault }),
    };
    this.#caller = new Caller(
      { tools, clock, secrets: vault },
      {
        settled: (order, answer) => this.#breakers.settled(order, answer),
        answered: (run, message) => this.#executor.send(createEnvelope(run, message)),
        over: (claimant) => this.#executor.released(claimant),
        overdue: (order) => {
          this.#breakers.overdue(order);
          this.#alarms.tell(order.run);
        },
        progressed: (run, row, progress) => listener.progressed(run, row, progress),
        logged: (run, row, message) => this.#log(run, row, message),
      },
    );
    const judge = createJudge({
      tools,
      breakers: this.#breakers,
      findRefusal: (run, tool) => this.#access.findRefusal(run, tool),
    });
    const resolveTime = createTimeResolver(parts.zone);
    this.#decider = new Decider({ ...parts, cache, ids: this.#ids, resolveTime, judge, shelf });
    this.#executor = new Executor({
      ...parts,
      decider: this.#decider,
      dispatcher,
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
    this.#starter = new Starter({ ...parts, shelf, ids: this.#ids, send: (envelope) => this.#send(envelope) });
    this.#alarms = new Alarms({ ownership, executor: this.#executor, clock, problem });
    this.#keeper = new Keeper(parts.retention, { ...parts, executor: this.#executor, problem });
    this.#housekeeping = new Housekeeping(clock, problem);
  }

  /** What was running under an older epoch is decided again, what is ready is called, what is due fires. */
  async start(): Promise<void> {
    const { ownership } = this.#parts;
    await this.#entries.load(Object.values(entryKinds).flat());
    this.#breakers.load();
    await this.#workflows.start();
    for (const { run, row, token } of await ownership.listInterrupted()) {
      if (await this.#isForOthers(row)) continue;
      this.#executor.send(createEnvelope(run, { kind: "lost", id: `lost:${token}`, row, token, reason: "crash" }));
    }
    crashPoint("in-recovery");
    await this.#offerReady(Number.MAX_SAFE_INTEGER);
    await this.#alarms.look();
    ownership.onInbox((messages) => this.#takeInbox(messages));
    this.#housekeeping.start({ everyMs: pollMs, act: () => this.#poll() });
    this.#housekeeping.start({ everyMs: watchdogMs, act: () => this.#watch() });
    this.#housekeeping.start({ everyMs: tidyMs, act: () => this.#tidy() });
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

  async ask(request: Request): Promise<Json> {
    // What starts a run is copied where it is checked.
    const reply = await this.#handle(request.kind === "start" ? request : toPlain(request), null);
    if (reply.kind === "refused") throw refused(reply.code, reply.message);
    return reply.value;
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
    // Calls that go out with what is being written count as under way.
    await this.#settled();
    if (graceMs > 0 && this.#caller.size > 0) await this.#callsOver(graceMs);
    this.#caller.abortAll();
    await this.#settled();
    this.#executor.close();
    crashPoint("before-release");
    await this.#parts.ownership.release();
  }

  /** It has failed: nothing more is written, and others may have the store. */
  async abandon(): Promise<void> {
    this.#rest();
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
    const timer = this.#parts.clock.after(settleMs, resolve);
    await Promise.race([this.#executor.settled(), passed]);
    timer.cancel();
  }

  async #handle(request: Request, inbox: InboxId | null): Promise<Reply> {
    const checked = this.#access.check(request);
    if (checked !== undefined) await checked;
    switch (request.kind) {
      case "start":
        this.#checkRoom();
        return this.#starter.start(request, inbox);
      case "again":
        this.#checkRoom();
        return this.#starter.again(request, inbox);
      case "say":
        return this.#say(request, inbox);
      case "emit":
        return this.#emit(request);
      case "preview":
        return this.#preview(request.run);
      case "keep":
        return { kind: "ok", value: await this.#keep(request) };
      case "hand_over":
        this.#parts.listener.handOver();
        return { kind: "ok", value: null };
    }
  }

  #checkRoom(): void {
    if (this.#executor.isOverloaded)
      throw new StepwellError("OVERLOADED", "Too many messages wait to be decided; try again in a moment.");
    if (this.#keeper.isFull || this.#executor.state === "full") throw noRoom(this.#parts.store.name);
  }

  async #say(request: Extract<Request, { kind: "say" }>, inbox: InboxId | null): Promise<Reply> {
    const { said, id } = request;
    if (said.kind === "signal" || said.kind === "event") this.#checkRoom();
    const run = request.run ?? (await this.#runOf(rowOf(said) ?? 0));
    const envelope = createEnvelope(run, { ...this.#access.introduce(said), id });
    const bytes = envelope.bytes + ("data" in said ? weigh(said.data) : 0);
    return this.#send({ ...envelope, bytes, inbox });
  }

  async #runOf(row: number): Promise<RunId> {
    const found = await this.#parts.store.findRow(row);
    if (found === undefined) throw new StepwellError("STEP_NOT_FOUND", `There is no step ${row}.`);
    return found.run;
  }

  async #emit({ id, event, data }: Extract<Request, { kind: "emit" }>): Promise<Reply> {
    this.#checkRoom();
    const runs = await this.#parts.ownership.listWaiting(event);
    const message = { kind: "event", id, name: event, data } as const;
    await Promise.all(runs.map((run) => this.#send(createEnvelope(run, message))));
    return { kind: "ok", value: runs.length };
  }

  #keep({ clerk, ask, by }: Extract<Request, { kind: "keep" }>): Promise<Json> {
    const found = this.#clerks[clerk];
    if (found === undefined) throw new StepwellError("REFUSED", "The message is none that this version knows.");
    return found.handle(ask, by);
  }

  async #preview(run: RunId): Promise<Reply> {
    const preview = await this.#decider.preview(run, this.#parts.clock.now());
    if (preview === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
    return { kind: "ok", value: preview };
  }

  #send(envelope: Envelope): Promise<Reply> {
    if (envelope.inbox !== null) this.#answered.add(envelope.inbox);
    return new Promise((resolve) => {
      this.#executor.send({ ...envelope, settle: resolve });
    });
  }

  #takeInbox(messages: readonly InboxMessage[]): void {
    for (const { id, message } of messages) void this.#takeGuest(id, message);
  }

  /** Most answers stand in the batch that carries out the request; the others follow in one of their own. */
  async #takeGuest(id: InboxId, message: Json): Promise<void> {
    try {
      const reply = await this.#handle(parseRequest(message), id);
      const isWritten = this.#answered.delete(id) && !(reply.kind === "refused" && setAside.has(reply.code));
      if (!isWritten) this.#answer(id, answerTo(reply));
    } catch (error) {
      this.#answer(id, { error: toWire(error) });
    }
  }

  #answer(id: InboxId, answer: Json): void {
    this.#executor.write({ answers: [{ id, answer }] }).catch((error: unknown) => this.#tellProblem(error));
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
    await this.#offerReady(pollMax);
    await this.#alarms.look();
  }

  async #watch(): Promise<void> {
    const { ownership, clock } = this.#parts;
    for (const run of await ownership.listOverdue(clock.now(), 1000)) {
      // A call of this process has a timer of its own, which a clock that was set does not disturb.
      if (!this.#caller.isInTime(run)) this.#alarms.tell(run);
    }
  }

  async #tidy(): Promise<void> {
    await this.#keeper.look();
    await this.#parts.ownership.tidy();
  }

  #tellProblem(error: unknown): void {
    const { listener } = this.#parts;
    // Whatever was being looked at when it stopped finds the store closed.
    if (this.#isResting) return;
    if (error instanceof StepwellError) listener.problem(error);
    else listener.problem(new StepwellError("STORE_UNREADABLE", String(error), { cause: error }));
  }
}
