// Lets so many calls through to a server at once. Whoever finds no room waits, in the order in which they came; whoever
// gives up waiting is gone at once.

/** Waits for it, and throws when it is given up meanwhile. */
export type Wait = (turn: Promise<void>) => Promise<void>;

export class Turnstile {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(max: number | null) {
    this.#max = max ?? Number.POSITIVE_INFINITY;
  }

  /** There may be no room. */
  get isLimited(): boolean {
    return this.#max !== Number.POSITIVE_INFINITY;
  }

  /** A promise only when there is no room. `first`: before all who wait. */
  enter(wait: Wait = (turn) => turn, place: "first" | "last" = "last"): Promise<void> | undefined {
    if (this.#inside >= this.#max) return this.#queue(wait, place);
    this.#inside += 1;
    return undefined;
  }

  leave(): void {
    const next = this.#waiting.shift();
    // Its place is handed on.
    if (next === undefined) this.#inside -= 1;
    else next();
  }

  async #queue(wait: Wait, place: "first" | "last"): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (place === "first") this.#waiting.unshift(resolve);
    else this.#waiting.push(resolve);
    try {
      await wait(promise);
    } catch (error) {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      // It was let in at this very moment.
      else this.leave();
      throw error;
    }
  }
}
