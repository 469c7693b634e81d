// The engine while another process owns the store: requests go into the inbox, and the answer is found on the same row.
// Meanwhile it tries to become the owner itself; when the lock falls free, it is.

import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Ownership, OwnerCard, Store } from "../store/store.ts";
import type { Clock, Timer } from "./clock.ts";
import { fromWire, toPlain, type Door, type Request } from "./request.ts";

/** How often a guest looks for its answer, and how often whether the lock is free. */
const answerEveryMs = 10;
export const claimEveryMs = 250;

export type GuestParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly card: () => OwnerCard;
  readonly user: string;
  /** Longer for one that has just handed over: somebody else wants to be first. */
  readonly firstClaimMs: number;
  /** The lock was free: this process is the owner now. */
  readonly taken: (ownership: Ownership) => void;
  readonly problem: (error: unknown) => void;
};

export class Guest implements Door {
  readonly #parts: GuestParts;
  #timer: Timer | null = null;
  /** It has become the owner, or was stopped. */
  #isOver = false;
  #isStopped = false;

  constructor(parts: GuestParts) {
    this.#parts = parts;
    this.#tryLater(parts.firstClaimMs);
  }

  async ask(request: Request): Promise<Json> {
    // Plain data by its type, except for what a caller's objects may hide.
    const message: Json = toPlain(request);
    try {
      return readAnswer(await this.#waitForAnswer(message));
    } catch (error) {
      if (error instanceof StepwellError || !this.#isStopped) throw error;
      // The store was closed under it; the owner may still do what was asked.
      throw new StepwellError("ENGINE_STOPPED", "The engine has stopped.", { cause: error });
    }
  }

  async #waitForAnswer(message: Json): Promise<Json> {
    const { store, user } = this.#parts;
    const id = await store.post(message, user);
    for (;;) {
      const found = await store.findAnswer(id);
      if (found !== undefined) return found.answer;
      if (this.#isStopped) throw new StepwellError("ENGINE_STOPPED", "The engine has stopped.");
      await this.#pause();
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.clock.after(answerEveryMs, resolve);
    });
  }

  #tryLater(delayMs: number): void {
    if (!this.#isOver) this.#timer = this.#parts.clock.after(delayMs, () => void this.#tryToOwn());
  }

  async #tryToOwn(): Promise<void> {
    const { store, card, taken, problem } = this.#parts;
    try {
      const claim = await store.claim(card());
      if (claim.kind === "taken") return this.#tryLater(claimEveryMs);
      if (this.#isOver) return await claim.ownership.release();
      this.#isOver = true;
      taken(claim.ownership);
    } catch (error) {
      problem(error);
      this.#tryLater(claimEveryMs);
    }
  }
}

function readAnswer(answer: Json): Json {
  const error = isObject(answer) ? own(answer, "error") : undefined;
  if (error !== undefined) throw fromWire(error);
  return isObject(answer) ? (own(answer, "ok") ?? null) : null;
}
