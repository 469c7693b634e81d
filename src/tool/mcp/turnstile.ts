// Lets so many calls through to a server at once. Whoever finds no room waits, in the order in which they came; whoever is
// not wanted any more meanwhile is told so by the call itself, when its turn has come: those before it have their time.

export class Turnstile {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(max: number | null) {
    this.#max = max ?? Number.POSITIVE_INFINITY;
  }

  /** A promise only when there is no room. */
  enter(): Promise<void> | undefined {
    if (this.#inside < this.#max) {
      this.#inside += 1;
      return undefined;
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    // Its place is handed on.
    if (next === undefined) this.#inside -= 1;
    else next();
  }
}
