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
import { asStoreProblem, inUse, isStoreGone, storeLost } from "./failure.ts";
import type { Source } from "./feed.ts";
import { Followers } from "./followers.ts";
import { findTrouble } from "./health.ts";
import { claimEveryMs, Guest, nextLook } from "./guest.ts";
import type { OwnerParts } from "./owner-parts.ts";
import { Owner } from "./owner.ts";
import type { SeatFigures } from "./overview.ts";
import type { Request } from "./request.ts";
import { waitAtMost } from "./timeout.ts";
import { toResult, Waiters, type RunResult } from "./waiters.ts";

export type SeatParts = Omit<OwnerParts, "ownership" | "listener"> & {
  readonly role: OwnerCard["role"];
  /** Where people find this process; unless given, nowhere. */
  readonly address?: string;
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

/** Its states: owner, guest, or nothing once it has stopped or failed. */
export class Seat {
  readonly #parts: SeatParts;
  readonly #waiters = new Waiters();
  #door: Owner | Guest | null = null;
  readonly #followers: Followers;
  /** Keeps the process alive while somebody waits for an answer. */
  #holds = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #failure: StepwellError | null = null;
  /** Why it does not own the store, although nobody else does. */
  #hindrance: StepwellError | null = null;
  #stopped: Promise<void> | null = null;
  #hurry: (() => void) | null = null;
  #handedOver: Promise<void> | null = null;
  /** With which it has claimed the store last, and with which it owned it last. */
  #claimCard: OwnerCard | null = null;
  #ownCard: OwnerCard | null = null;

  constructor(parts: SeatParts) {
    this.#parts = parts;
    this.#followers = new Followers({ store: parts.store, clock: parts.clock, failure: () => this.#failure });
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
      this.#leaveDoor();
      throw error;
    }
  }

  get isOwner(): boolean {
    return this.#door instanceof Owner;
  }

  /** Nobody was named yet who may do what; undefined: the store has to be asked. */
  get isOpen(): boolean | undefined {
    return this.#door instanceof Owner ? this.#door.isOpen : undefined;
  }

  /** Why it does not do its work at this moment, in sentences. */
  findTrouble(): Promise<readonly string[]> {
    const owner = this.#door instanceof Owner ? this.#door : null;
    const failure = this.#failure ?? this.#hindrance;
    return findTrouble({ failure, state: owner?.state ?? null, store: this.#parts.store });
  }

  get figures(): SeatFigures {
    return { followers: this.#followers.size, ...(this.#door instanceof Owner ? this.#door.figures : {}) };
  }

  /** Without the secrets that its owner knows. */
  mask(text: string): string {
    return this.#door instanceof Owner ? this.#door.mask(text) : text;
  }

  /** How the run ended, as soon as it has. */
  async result(run: RunId, timeoutMs?: number): Promise<RunResult> {
    if (this.#failure !== null) throw this.#failure;
    const { result, leave } = this.#waiters.wait(run);
    result.catch(() => {});
    const release = this.hold();
    const timer = timeoutMs === undefined ? null : waitAtMost(this.#parts.clock, run, timeoutMs);
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
    if (error.code === "ENGINE_STOPPED" && this.#failure === null) {
      // It was handing over, or had lost the store, and nothing was done: the next owner is asked.
      await this.#handedOver;
      if (this.#door === door || this.#door === null) throw error;
      return this.ask(request);
    }
    // What clerks do has no id by which it could be told whether it was done.
    if (error.code !== "OUTCOME_UNKNOWN" || !this.#mayReturn || request.kind === "keep") throw error;
    if (!(await this.#ownedAnew(door))) throw error;
    const begun = await this.#findBegun(error);
    return begun?.run.id ?? this.ask(request);
  }

  /** The store was lost: what was on its way there is there, or never gets there, as soon as somebody owns it again.
   *  False: the engine was stopped meanwhile. */
  async #ownedAnew(before: Owner | Guest): Promise<boolean> {
    const { store, clock } = this.#parts;
    const lost = this.#ownCard;
    while (!(this.#door instanceof Owner) || this.#door === before) {
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
  async #findBegun(unknown: StepwellError): Promise<StoredRun | undefined> {
    const { details } = unknown;
    const uid = details !== undefined && "uid" in details ? details.uid : undefined;
    if (typeof uid !== "string") return undefined;
    try {
      return await this.#parts.store.findRunByUid(uid);
    } catch {
      throw unknown;
    }
  }

  /** A lost store may be claimed again. */
  get #mayReturn(): boolean {
    return this.#parts.store.whenLost === "claim_again" && this.#stopped === null;
  }

  async #own(ownership: Ownership): Promise<void> {
    const owner: Owner = new Owner({
      ...this.#parts,
      ownership,
      listener: {
        committed: (draft) => this.#committed(draft),
        failed: (error) => this.#failed(owner, error),
        problem: this.#parts.onProblem,
        progressed: (run, row, progress) => this.#followers.progressed(run, row, progress),
        result: (run) => this.result(run),
        handOver: () => void this.#handOver().catch((error: unknown) => this.#problem(error)),
      },
    });
    this.#door = owner;
    this.#ownCard = this.#claimCard;
    try {
      await owner.start();
      this.#hindrance = null;
      // What ended just before, nobody else tells.
      await this.#lookAtWaited();
    } catch (error) {
      // Nothing of it lives on: whoever owns the store next decides what it had begun.
      await this.#abandon(owner);
      throw error;
    }
  }

  /** What cannot be owned after all is left to others. */
  async #takeOver(ownership: Ownership): Promise<void> {
    try {
      await this.#own(ownership);
    } catch (error) {
      this.#hindrance = asStoreProblem(error);
      this.#problem(error);
      await ownership.release().catch((failure: unknown) => this.#problem(failure));
      const isGuest = this.#door instanceof Guest && !this.#door.isOver;
      if (this.#stopped === null && !isGuest) this.#visit(handOverMs);
    }
  }

  /** null: it claims nothing. */
  #visit(firstClaimMs: number | null): void {
    this.#leaveDoor();
    this.#door = new Guest({
      firstClaimMs,
      patienceMs: this.#parts.patienceMs ?? Number.POSITIVE_INFINITY,
      store: this.#parts.store,
      clock: this.#parts.clock,
      card: () => this.#card(),
      user: this.#parts.user,
      isStopped: () => this.#failure !== null,
      taken: (ownership) => void this.#takeOver(ownership),
      left: (problem) => (this.#hindrance = problem === null ? null : asStoreProblem(problem)),
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
    this.#followers.wake();
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
    this.#followers.wake();
    for (const run of this.#waiters.runs()) {
      const found = await this.#parts.store.findRun(run);
      if (found !== undefined) this.#waiters.note(found.run);
    }
  }

  /** How far its calls are, as far as this process makes them. */
  progressOf(run: RunId): ReadonlyMap<RowId, Progress> {
    return this.#door instanceof Owner ? this.#door.progressOf(run) : new Map();
  }

  /** News of this run, or of all, until it is released, which keeps the process alive. */
  follow(run: RunId | null): { readonly source: Source; readonly release: () => void } {
    const { source, leave } = this.#followers.add(run, run === null ? [] : this.progressOf(run));
    const release = this.hold();
    return {
      source,
      release: () => {
        leave();
        release();
      },
    };
  }

  /** A guest claims nothing any more. */
  #leaveDoor(): void {
    if (this.#door instanceof Guest) this.#door.stop();
    this.#door = null;
  }

  #failed(owner: Owner, error: StepwellError): void {
    // Another one has taken its place already.
    if (this.#door !== owner && this.#stopped === null) return void this.#abandon(owner);
    if (this.#mayReturn) {
      this.#visit(0);
      this.#parts.onProblem(storeLost(this.#parts.store.name, error));
    } else {
      this.#door = null;
      this.#fail(error);
      this.#parts.onProblem(error);
    }
    if (this.#stopped === null) void this.#abandon(owner);
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
    this.#followers.wake();
  }

  #problem(error: unknown): void {
    // Whatever was being looked at when it stopped finds the store closed.
    if (this.#stopped !== null) return;
    this.#parts.onProblem(asStoreProblem(error));
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
    const { role, clock, address = null } = this.#parts;
    this.#claimCard = { pid: process.pid, host: hostname(), role, since: clock.now(), address, claim: randomUUID() };
    return this.#claimCard;
  }
}
