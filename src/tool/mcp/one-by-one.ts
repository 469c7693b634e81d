// What must not be done at the same time: each begins when the one before it has ended, however that ended.

export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  do<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when everything has ended that was asked for so far. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
