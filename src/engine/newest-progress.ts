// What tools say of how far they are, until somebody takes it: of each call the newest, and of so many calls at most, since
// whoever should take it may stand still for long.

import type { RowId, RunId } from "../run/model.ts";
import type { Progress } from "./call-context.ts";

export type ToldProgress = { readonly run: RunId; readonly row: RowId; readonly progress: Progress };

/** Of more calls than anybody looks at, the oldest goes: it is told again soon, or is over. */
const callsMax = 200;

export class NewestProgress {
  /** The one that was told last stands last. */
  readonly #kept = new Map<RowId, ToldProgress>();

  get size(): number {
    return this.#kept.size;
  }

  put(told: ToldProgress): void {
    this.#kept.delete(told.row);
    const oldest = this.#kept.size < callsMax ? undefined : this.#kept.keys().next().value;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(told.row, told);
  }

  /** The call is over. */
  drop(row: RowId): void {
    this.#kept.delete(row);
  }

  take(): readonly ToldProgress[] {
    const told = [...this.#kept.values()];
    this.#kept.clear();
    return told;
  }
}
