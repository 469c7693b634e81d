// What tools say of how far they are, for those who follow all of it: of each call the newest, and no more often than
// anybody can read it. One pace for all calls, so that however many there are, whoever follows is woken as often.

import type { RowId } from "../run/model.ts";
import type { Clock, Timer } from "./clock.ts";
import { NewestProgress, type ToldProgress } from "./newest-progress.ts";

/** Between two times that it is told. */
const everyMs = 250;

export class ProgressPace {
  readonly #clock: Pick<Clock, "after">;
  readonly #tell: (told: readonly ToldProgress[]) => void;
  /** What has come since it was told last. */
  readonly #waiting = new NewestProgress();
  /** null: it was not told a moment ago. */
  #timer: Timer | null = null;

  constructor(clock: Pick<Clock, "after">, tell: (told: readonly ToldProgress[]) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  note(told: ToldProgress): void {
    this.#waiting.put(told);
    if (this.#timer === null) this.#pass();
  }

  /** The call is over: how far it was is nothing to tell of. */
  drop(row: RowId): void {
    this.#waiting.drop(row);
  }

  /** Nobody follows any more. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#waiting.take();
  }

  #pass(): void {
    const told = this.#waiting.take();
    this.#timer = this.#clock.after(everyMs, () => this.#goOn(), "duty");
    this.#tell(told);
  }

  #goOn(): void {
    this.#timer = null;
    if (this.#waiting.size > 0) this.#pass();
  }
}
