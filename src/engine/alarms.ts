// What is due fires. The instants are in the rows, found by an index; the one timer here is only a hint for when to look
// next, so that a million runs that wait cost disk and no memory.

import type { Alarm, RunId } from "../run/model.ts";
import type { Ownership } from "../store/store.ts";
import type { BatchDraft } from "./batch-draft.ts";
import type { Clock, Timer } from "./clock.ts";
import { createEnvelope } from "./envelope.ts";
import type { Executor } from "./executor.ts";

/** Runs that are woken at one look; there is another one as soon as these are on their way. */
const dueMax = 1000;

export type AlarmParts = {
  readonly ownership: Ownership;
  readonly executor: Pick<Executor, "send">;
  readonly clock: Clock;
  readonly problem: (error: unknown) => void;
};

export class Alarms {
  readonly #parts: AlarmParts;
  /** Runs that were told, and whose rows may still say that something is due. */
  readonly #told = new Set<RunId>();
  /** More is due than one look takes. */
  #hasMore = false;
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: Timer | null = null;
  #isLooking = false;
  /** Somebody wanted a look while there was one. */
  #isWanted = false;
  #isOver = false;
  #count = 0;

  constructor(parts: AlarmParts) {
    this.#parts = parts;
  }

  /** Looks for what is due, and when to look next. */
  async look(): Promise<void> {
    if (this.#isOver) return;
    this.#isWanted = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    // Before anything is read: what is noted from now on arms it anew.
    this.#timer?.cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
    try {
      await this.#tellDue();
    } finally {
      this.#isLooking = false;
    }
    if (this.#isWanted) await this.look();
  }

  async #tellDue(): Promise<void> {
    const { ownership, clock } = this.#parts;
    const now = clock.now();
    const limitMax = dueMax + this.#told.size;
    const due = await ownership.listDue(now, limitMax);
    this.#hasMore = due.length === limitMax;
    for (const run of due) this.tell(run);
    const next = await ownership.nextDueAt(now);
    if (next !== undefined && next < this.#armedFor) this.#arm(next);
  }

  /** Something of this run is due, or has taken too long. */
  tell(run: RunId): void {
    if (this.#told.has(run)) return;
    this.#told.add(run);
    this.#parts.executor.send({
      ...createEnvelope(run, { kind: "alarm", id: `alarm:${run}:${this.#nextNo()}` }),
      settle: () => this.#forget(run),
    });
  }

  /** What was due of this run is on disk as done. */
  #forget(run: RunId): void {
    this.#told.delete(run);
    if (this.#hasMore && this.#told.size <= dueMax / 2) this.#lookSoon();
  }

  /** What a batch has put on disk may be due earlier than anything before. */
  note(draft: BatchDraft): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { row } of draft.rows.values()) {
      // A call's own deadline is watched by the one who calls.
      if (row.alarms.length > 0 && (row.status !== "running" || row.tool === null)) next = earliest(row.alarms, next);
    }
    for (const { frontier } of draft.touched) next = earliest(frontier.run.alarms, next);
    if (next < this.#armedFor) this.#arm(next);
  }

  /** What an alarm tells stands under its id: no two have the same, also over restarts. */
  #nextNo(): string {
    this.#count += 1;
    return `${this.#parts.ownership.epoch}.${this.#count}`;
  }

  close(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #arm(at: number): void {
    if (this.#isOver) return;
    const { clock } = this.#parts;
    this.#armedFor = at;
    this.#timer?.cancel();
    this.#timer = clock.after(at - clock.now(), () => this.#lookSoon());
  }

  #lookSoon(): void {
    this.look().catch(this.#parts.problem);
  }
}

function earliest(alarms: readonly Alarm[], next: number): number {
  let found = next;
  for (const { at } of alarms) if (at < found) found = at;
  return found;
}
