// Where an engine sits: on the store, as its owner, or beside it, as a guest of the process that is. It changes from one to
// the other when the owner dies or hands over; whoever asks something, or waits for a run, need not notice.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { RowId, RunId, RunRow } from "../run/model.ts";
import type { Ownership, OwnerCard, StoredRun } from "../store/store.ts";
import type { BatchDraft } from "./batch-draft.ts";
import type { Progress } from "./call-context.ts";
import { inUse, isStoreGone, storeLost } from "./failure.ts";
import type { Source } from "./feed.ts";
import { claimEveryMs, Guest, nextLook } from "./guest.ts";
import type { OwnerParts } from "./owner-parts.ts";
import { Owner } from "./owner.ts";
import type { Request } from "./request.ts";
import { toResult, Waiters, type RunResult } from "./waiters.ts";

export type SeatParts = Omit<OwnerParts, "ownership" | "listener"> & {
  readonly role: OwnerCard["role"];
  /** In whose name a guest writes into the inbox. */
  readonly user: string;
  readonly onProblem: (error: StepwellError) => void;
  /** Given: it never owns the store, and whoever does must answer within this time. */
  readonly patienceMs?: number;
};

/** How long calls under way may take to finish when the engine stops. */
const graceMs = 10_000;
/** How long one that has handed over leaves the store to others. */
const handOverMs = 2000;
/** How often a guest looks what the owner has done, if that costs next to nothing. */
const guestLookMs = 25;

/** Somebody who follows a run: the newest progress of each step that they have not seen. */
type Follower = { readonly run: RunId; readonly progress: Map<RowId, Progress> };

/** Its states: owner, guest, or nothing once it has stopped or failed. */
export class Seat {
  readonly #parts: SeatParts;
  readonly #waiters = new Waiters();
  #door: Owner | Guest | null = null;
  /** Those who wait for the next commit. */
  #watching: (() => void)[] = [];
  readonly #followers = new Set<Follower>();
  /** Keeps the process alive while somebody waits for an answer. */
  #holds = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #failure: StepwellError | null = null;
  #stopped: Promise<void> | null = null;
  #hurry: (() => void) | null = null;
  #handedOver: Promise<void> | null = null;
  /** With which it has claimed the store last, and with which it owned it last. */
  #claimCard: OwnerCard | null = null;
  #ownCard: OwnerCard | null = null;

  constructor(parts: SeatParts) {
    this.#parts = parts;
  }

  /** Takes the store, or becomes a guest of who has it. */
  async open(): Promise<void> {
    const { store, role, patienceMs } = this.#parts;
    if (patienceMs !== undefined) return this.#visit(null);
    const claim = await store.claim(this.#card());
    if (claim.kind === "owned") return this.#ownOrLeave(claim.ownership);
    if (role !== "up") return this.#visit(claimEveryMs);
    if (claim.owner?.role === "up") throw inUse(store.name, claim.owner);
    this.#visit(claimEveryMs);
    await this.ask({ kind: "hand_over" });
  }

  async #ownOrLeave(ownership: Ownership): Promise<void> {
    try {
      await this.#own(ownership);
    } catch (error) {
      // Lost again at once, it may have sat down as a guest; nobody has opened it.
      if (this.#door instanceof Guest) this.#door.stop();
      this.#door = null;
      throw error;
    }
  }

  get isOwner(): boolean {
    return this.#door instanceof Owner;
  }

  /** How the run ended, as soon as it has. */
  async result(run: RunId, timeoutMs?: number): Promise<RunResult> {
    if (this.#failure !== null) throw this.#failure;
    const { result, leave } = this.#waiters.wait(run);
    result.catch(() => {});
    const release = this.hold();
    const timer = timeoutMs === undefined ? null : this.#timeOut(run, timeoutMs);
    try {
      // It may have ended before anybody waited; one that is held in memory has not, or tells us with its batch.
      const isHeld = this.#door instanceof Owner && this.#door.isHeld(run);
      const stored = isHeld ? undefined : (await this.find(run)).run;
      if (stored !== undefined && stored.completedAt !== null) return toResult(stored);
      return await (timer === null ? result : Promise.race([result, timer.passed]));
    } finally {
      timer?.cancel();
      leave();
      release();
    }
  }

  /** Calls under way may finish; with `now`, or when it is asked again meanwhile, they are cut off, and decided again at
   *  the next start. */
  stop({ now = false }: { readonly now?: boolean } = {}): Promise<void> {
    this.#hurry?.();
    this.#stopped ??= this.#leave(now ? 0 : graceMs);
    return this.#stopped;
  }

  async #leave(grace: number): Promise<void> {
    const door = this.#door;
    this.#door = null;
    this.#fail(new StepwellError("ENGINE_STOPPED", "The engine has stopped."));
    if (door instanceof Guest) door.stop();
    if (door instanceof Owner) {
      this.#hurry = () => door.hurry();
      await door.stop(grace);
    }
    await this.#parts.store.close();
  }

  /** The run as it is on disk. */
  async read(run: RunId): Promise<RunRow> {
    const known = this.#door instanceof Owner ? this.#door.findOnDisk(run) : undefined;
    return known ?? (await this.find(run)).run;
  }

  async find(run: RunId): Promise<StoredRun> {
    const found = await this.#parts.store.findRun(run);
    if (found === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
    return found;
  }

  async ask(request: Request): Promise<Json> {
    const door = this.#door;
    if (door === null) throw this.#failure ?? new StepwellError("ENGINE_STOPPED", "The engine has stopped.");
    const release = this.hold();
    try {
      return await door.ask(request);
    } catch (error) {
      return await this.#askAgain(request, door, error);
    } finally {
      release();
    }
  }

  async #askAgain(request: Request, door: Owner | Guest, error: unknown): Promise<Json> {
    if (!(error instanceof StepwellError)) throw error;
    if (error.code === "ENGINE_STOPPED" && this.#handedOver !== null) {
      // It was handing over, and nothing was done: the next owner is asked.
      await this.#handedOver;
      if (this.#door === door || this.#door === null) throw error;
      return this.ask(request);
    }
    // What clerks do has no id by which it could be told whether it was done.
    if (error.code !== "OUTCOME_UNKNOWN" || !this.#mayReturn || request.kind === "keep") throw error;
    if (!(await this.#ownedAnew())) throw error;
    const begun = await this.#findBegun(error);
    return begun?.run.id ?? this.ask(request);
  }

  /** The store was lost: what was on its way there is there, or never gets there, as soon as somebody owns it again.
   *  False: the engine was stopped meanwhile. */
  async #ownedAnew(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const lost = this.#ownCard;
    while (!(this.#door instanceof Owner)) {
      if (this.#failure !== null) return false;
      const owner = await store.findOwner().catch(() => undefined);
      if (owner !== undefined && owner.claim !== lost?.claim) return true;
      await new Promise<void>((resolve) => {
        clock.after(claimEveryMs, resolve);
      });
    }
    return true;
  }

  /** The run whose start ended without an answer, if it is there all the same. */
  async #findBegun({ details }: StepwellError): Promise<StoredRun | undefined> {
    const uid = details !== undefined && "uid" in details ? details.uid : undefined;
    return typeof uid === "string" ? this.#parts.store.findRunByUid(uid) : undefined;
  }

  /** A lost store may be claimed again. */
  get #mayReturn(): boolean {
    return this.#parts.store.whenLost === "claim_again" && this.#stopped === null;
  }

  async #own(ownership: Ownership): Promise<void> {
    const owner = new Owner({
      ...this.#parts,
      ownership,
      listener: {
        committed: (draft) => this.#committed(draft),
        failed: (error) => this.#failed(error),
        problem: this.#parts.onProblem,
        progressed: (run, row, progress) => this.#progressed(run, row, progress),
        handOver: () => void this.#handOver().catch((error: unknown) => this.#problem(error)),
      },
    });
    this.#door = owner;
    this.#ownCard = this.#claimCard;
    await owner.start();
    // What ended just before, nobody else tells.
    await this.#lookAtWaited();
  }

  /** What cannot be owned after all is left to others. */
  async #takeOver(ownership: Ownership): Promise<void> {
    try {
      await this.#own(ownership);
    } catch (error) {
      this.#problem(error);
      await ownership.release().catch((failure: unknown) => this.#problem(failure));
      if (this.#stopped === null && !(this.#door instanceof Guest)) this.#visit(handOverMs);
    }
  }

  /** null: it claims nothing. */
  #visit(firstClaimMs: number | null): void {
    this.#door = new Guest({
      firstClaimMs,
      patienceMs: this.#parts.patienceMs ?? Number.POSITIVE_INFINITY,
      store: this.#parts.store,
      clock: this.#parts.clock,
      card: () => this.#card(),
      user: this.#parts.user,
      taken: (ownership) => void this.#takeOver(ownership),
      problem: (error) => this.#problem(error),
    });
    void this.#lookForOthers();
  }

  /** Another process wants the store; whoever keeps it open for people does not give it away. */
  async #handOver(): Promise<void> {
    const door = this.#door;
    if (this.#parts.role === "up" || !(door instanceof Owner)) return;
    this.#handedOver = door.stop(graceMs);
    await this.#handedOver;
    if (this.#door === door) this.#visit(handOverMs);
  }

  #committed(draft: BatchDraft): void {
    if (this.#waiters.size > 0)
      // What a later batch has changed already is not on disk yet; that one tells.
      for (const { id, frontier, batchNo } of draft.touched)
        if (batchNo <= draft.no && this.#waiters.has(id)) this.#waiters.note(frontier.run);
    this.#wakeWatching();
  }

  /** As a guest: what the owner has done is on disk. */
  async #lookForOthers(): Promise<void> {
    const { store, clock } = this.#parts;
    const door = this.#door;
    for (;;) {
      await nextLook(store, clock, Math.max(guestLookMs, store.lookEveryMs));
      if (this.#door !== door) return;
      try {
        await this.#lookAtWaited();
      } catch (error) {
        // That the store is gone is told by the one who tries to claim it.
        if (!isStoreGone(error)) this.#problem(error);
      }
    }
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

  /** News of this run until it is released, which keeps the process alive. */
  follow(run: RunId): { readonly source: Source; readonly release: () => void } {
    const known = this.#door instanceof Owner ? this.#door.progressOf(run) : [];
    const follower: Follower = { run, progress: new Map(known) };
    this.#followers.add(follower);
    const release = this.hold();
    const takeProgress = (): readonly (readonly [RowId, Progress])[] => {
      const told = [...follower.progress];
      follower.progress.clear();
      return told;
    };
    return {
      source: { takeProgress, more: (after) => this.#moreAfter(after, follower) },
      release: () => {
        this.#followers.delete(follower);
        release();
      },
    };
  }

  #progressed(run: RunId, row: RowId, progress: Progress): void {
    const concerned = [...this.#followers].filter((follower) => follower.run === run);
    for (const follower of concerned) follower.progress.set(row, progress);
    if (concerned.length > 0) this.#wakeWatching();
  }

  async #moreAfter(after: number, { progress }: Follower): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    // Before the store is asked: a commit that comes meanwhile wakes it.
    const woken = new Promise<void>((resolve) => {
      this.#watching.push(resolve);
    });
    if (progress.size > 0 || (await this.#parts.store.lastCommit()) > after) return;
    await woken;
    if (this.#failure !== null) throw this.#failure;
  }

  #failed(error: StepwellError): void {
    const door = this.#door;
    if (this.#mayReturn) {
      this.#visit(0);
      this.#parts.onProblem(storeLost(this.#parts.store.name, error));
    } else {
      this.#door = null;
      this.#fail(error);
      this.#parts.onProblem(error);
    }
    if (door instanceof Owner) void this.#abandon(door);
  }

  async #abandon(owner: Owner): Promise<void> {
    try {
      await owner.abandon();
    } catch {
      // What goes wrong here is what has gone wrong already, and has been told.
    }
  }

  #fail(error: StepwellError): void {
    this.#failure ??= error;
    this.#waiters.rejectAll(error);
    this.#wakeWatching();
  }

  #problem(error: unknown): void {
    // Whatever was being looked at when it stopped finds the store closed.
    if (this.#stopped !== null) return;
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

  /** Keeps the process alive until what it gives is called. */
  hold(): () => void {
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
    this.#claimCard = {
      pid: process.pid,
      host: hostname(),
      role,
      since: clock.now(),
      address: null,
      claim: randomUUID(),
    };
    return this.#claimCard;
  }
}
