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

export class Alarms {
  readonly #ownership: Ownership;
  readonly #executor: () => Executor;
  readonly #clock: Clock;
  /** Runs that were told, and whose rows may still say that something is due. */
  readonly #told = new Set<RunId>();
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: Timer | null = null;
  #isLooking = false;
  #isOver = false;

  constructor(ownership: Ownership, executor: () => Executor, clock: Clock) {
    this.#ownership = ownership;
    this.#executor = executor;
    this.#clock = clock;
  }

  /** Looks for what is due, and when to look next. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#isOver) return;
    this.#isLooking = true;
    try {
      const now = this.#clock.now();
      const due = await this.#ownership.listDue(now, dueMax + this.#told.size);
      for (const run of due) this.tell(run);
      // Those that were told are looked at again once their batch is on disk.
      const next = due.length > dueMax ? now : await this.#ownership.nextDueAt(now);
      this.#armedFor = Number.POSITIVE_INFINITY;
      if (next !== undefined) this.#arm(next);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Something of this run is due, or has taken too long. */
  tell(run: RunId): void {
    if (this.#told.has(run)) return;
    this.#told.add(run);
    const forget = (): void => void this.#told.delete(run);
    this.#executor().send({
      ...createEnvelope(run, { kind: "alarm", id: `alarm:${run}` }),
      settle: forget,
    });
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

  close(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #arm(at: number): void {
    this.#armedFor = at;
    this.#timer?.cancel();
    this.#timer = this.#clock.after(at - this.#clock.now(), () => void this.look());
  }
}

function earliest(alarms: readonly Alarm[], next: number): number {
  let found = next;
  for (const { at } of alarms) if (at < found) found = at;
  return found;
}
