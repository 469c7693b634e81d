// The engine while another process owns the store: requests go into the inbox, and the answer is found on the same row.
// Meanwhile it tries to become the owner itself; when the lock falls free, it is.

import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { InboxAnswer, InboxId, Ownership, OwnerCard, Store } from "../store/store.ts";
import type { Clock, Timer } from "./clock.ts";
import { isStoreGone, noAnswer } from "./failure.ts";
import { fromWire, toPlain, type Door, type Request } from "./request.ts";

/** How often a guest looks whether the store is free. */
export const claimEveryMs = 250;

export type GuestParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly card: () => OwnerCard;
  readonly user: string;
  /** The engine has stopped, whatever this guest has become meanwhile. */
  readonly isStopped: () => boolean;
  /** Longer for one that has just handed over: somebody else wants to be first. null: it never claims the store. */
  readonly firstClaimMs: number | null;
  /** How long the owner has to answer. */
  readonly patienceMs: number;
  /** The lock was free: this process is the owner now. */
  readonly taken: (ownership: Ownership) => void;
  /** Why it could not be claimed; null: another process has it. */
  readonly left: (problem: unknown) => void;
  readonly problem: (error: unknown) => void;
};

/** Until the owner may have done something, or it is time to look all the same. */
export async function nextLook(store: Store, clock: Clock, everyMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(everyMs, resolve);
  const leave = store.onHint(resolve);
  await promise;
  leave();
  timer.cancel();
}

export class Guest implements Door {
  readonly #parts: GuestParts;
  #timer: Timer | null = null;
  /** It has become the owner, or was stopped. */
  #isOver = false;
  /** It was told that the store cannot be claimed. */
  #isTold = false;

  constructor(parts: GuestParts) {
    this.#parts = parts;
    if (parts.firstClaimMs !== null) this.#tryLater(parts.firstClaimMs);
  }

  async ask(request: Request): Promise<Json> {
    // Plain data by its type, except for what a caller's objects may hide.
    const message: Json = toPlain(request);
    return readAnswer(await this.#waitOrStop(message));
  }

  async #waitOrStop(message: Json): Promise<Json> {
    try {
      return await this.#waitForAnswer(message);
    } catch (error) {
      const isTold = error instanceof StepwellError && !isStoreGone(error);
      if (isTold || !this.#parts.isStopped()) throw error;
      // The store was closed under it; the owner may still do what was asked.
      throw new StepwellError("ENGINE_STOPPED", "The engine has stopped.", { cause: error });
    }
  }

  async #waitForAnswer(message: Json): Promise<Json> {
    const { store, clock, user, patienceMs } = this.#parts;
    const id = await store.post(message, user);
    const until = clock.elapsed() + patienceMs;
    for (;;) {
      const found = await this.#look(id);
      if (found !== undefined) return found.answer;
      if (this.#parts.isStopped()) throw new StepwellError("ENGINE_STOPPED", "The engine has stopped.");
      if (clock.elapsed() >= until) throw noAnswer(store.name, patienceMs);
      await nextLook(store, clock, store.lookEveryMs);
    }
  }

  /** The message is on disk: a server that is away for a while comes back, and the answer with it. */
  async #look(id: InboxId): Promise<InboxAnswer | undefined> {
    try {
      return await this.#parts.store.findAnswer(id);
    } catch (error) {
      if (this.#parts.isStopped() || !isStoreGone(error)) throw error;
      return undefined;
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** It claims nothing any more; whoever waits for an answer goes on waiting. */
  stop(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #tryLater(delayMs: number): void {
    if (!this.#isOver) this.#timer = this.#parts.clock.after(delayMs, () => void this.#tryToOwn());
  }

  async #tryToOwn(): Promise<void> {
    const { store, card, taken, left, problem } = this.#parts;
    try {
      const claim = await store.claim(card());
      this.#isTold = false;
      if (claim.kind === "taken") {
        left(null);
        return this.#tryLater(claimEveryMs);
      }
      if (this.#isOver) return await claim.ownership.release();
      this.#isOver = true;
      taken(claim.ownership);
    } catch (error) {
      // Once, however long it stays so.
      if (!this.#isTold) problem(error);
      this.#isTold = true;
      left(error);
      this.#tryLater(claimEveryMs);
    }
  }
}

function readAnswer(answer: Json): Json {
  const error = isObject(answer) ? own(answer, "error") : undefined;
  if (error !== undefined) throw fromWire(error);
  return isObject(answer) ? (own(answer, "ok") ?? null) : null;
}
