// What is done now and then, apart from the path that messages take: the poll that finds what nobody was told of, the
// watchdog for calls that hang, retention. The normal path never waits for any of it.

import type { Clock, Timer } from "./clock.ts";

export type Duty = { readonly everyMs: number; readonly act: () => Promise<void> };

/** Each duty again and again, never two of one kind at once. What one of them throws goes to `onProblem`. */
export class Housekeeping {
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  readonly #timers = new Map<Duty, Timer>();
  #isOver = false;

  constructor(clock: Clock, onProblem: (error: unknown) => void) {
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  start(duty: Duty): void {
    if (this.#isOver) return;
    this.#timers.set(
      duty,
      this.#clock.after(duty.everyMs, () => void this.#run(duty), "duty"),
    );
  }

  async #run(duty: Duty): Promise<void> {
    try {
      await duty.act();
    } catch (error) {
      this.#onProblem(error);
    }
    this.start(duty);
  }

  stop(): void {
    this.#isOver = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }
}
