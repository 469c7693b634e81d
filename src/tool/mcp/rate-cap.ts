// So many a second pass; the rest is dropped and counted.

import type { LinkClock } from "./link-clock.ts";

const windowMs = 1000;

/** Notifications and requests of a server, a second. */
export const unaskedMax: number = 1000;

export class RateCap {
  readonly #most: number;
  readonly #clock: LinkClock;
  #windowAt = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #dropped = 0;
  #late: { cancel(): void } | null = null;

  constructor(most: number, clock: LinkClock) {
    this.#most = most;
    this.#clock = clock;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** `at_last`: of those that are dropped, one is let through when the second is over. False: it was dropped. */
  pass(act: () => void, otherwise: "never" | "at_last"): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#windowAt >= windowMs) {
      this.#windowAt = now;
      this.#passed = 0;
    }
    this.#passed += 1;
    if (this.#passed <= this.#most) {
      act();
      return true;
    }
    this.#dropped += 1;
    if (otherwise === "never" || this.#late !== null) return false;
    this.#late = this.#clock.after(windowMs, () => {
      this.#late = null;
      act();
    });
    return false;
  }

  stop(): void {
    this.#late?.cancel();
    this.#late = null;
  }
}
