// Ids of runs and steps: the millisecond of the clock, or one more than the last. They only ever rise; under load they
// run ahead of the clock, so what time it was stands in `created_at`.

export class IdSource {
  #last: number;

  constructor(last: number) {
    this.#last = last;
  }

  get last(): number {
    return this.#last;
  }

  next(now: number): number {
    this.#last = now > this.#last ? now : this.#last + 1;
    return this.#last;
  }

  /** A message that is decided again is given the same ids. */
  rewind(last: number): void {
    this.#last = last;
  }
}
