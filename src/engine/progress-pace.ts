// What tools say of how far they are, for those who follow all of it: of each call the newest, and no more often than
// anybody can read it. What comes too soon waits; only the newest of it is told.

import type { RowId, RunId } from "../run/model.ts";
import type { Progress } from "./call-context.ts";
import type { Clock, Timer } from "./clock.ts";

export type ToldProgress = { readonly run: RunId; readonly row: RowId; readonly progress: Progress };

/** Between two of the same call. */
const everyMs = 250;

export class ProgressPace {
  readonly #clock: Pick<Clock, "after">;
  readonly #tell: (told: ToldProgress) => void;
  /** Of which something was told a moment ago; null: nothing has come since. */
  readonly #waiting = new Map<RowId, ToldProgress | null>();
  readonly #timers = new Map<RowId, Timer>();

  constructor(clock: Pick<Clock, "after">, tell: (told: ToldProgress) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  note(told: ToldProgress): void {
    if (this.#waiting.has(told.row)) this.#waiting.set(told.row, told);
    else this.#pass(told);
  }

  /** Nobody follows any more. */
  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#waiting.clear();
  }

  #pass(told: ToldProgress): void {
    const { row } = told;
    this.#waiting.set(row, null);
    this.#timers.set(
      row,
      this.#clock.after(everyMs, () => this.#goOn(row), "duty"),
    );
    this.#tell(told);
  }

  #goOn(row: RowId): void {
    const newest = this.#waiting.get(row);
    this.#waiting.delete(row);
    this.#timers.delete(row);
    if (newest !== undefined && newest !== null) this.#pass(newest);
  }
}
