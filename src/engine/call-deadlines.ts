// When calls have taken too long: one timer for all of them, for the earliest. To set one for each call and to take it back
// takes longer than many a tool does. Nearly every call ends long before its time, so the timer finds nobody and is set
// for whoever is the earliest then.

import type { Clock, Timer } from "./clock.ts";

/** To look through so many takes no longer than to set a timer. */
const fewMax = 16;

export interface Deadline {
  /** By the time that has elapsed. */
  readonly endsAt: number;
  /** It has been told so; it is told once. */
  isOverdue: boolean;
}

export class CallDeadlines<Call extends Deadline> {
  readonly #clock: Clock;
  readonly #calls: () => Iterable<Call>;
  readonly #overdue: (call: Call) => void;
  #timer: Timer | null = null;
  #firesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, calls: () => Iterable<Call>, overdue: (call: Call) => void) {
    this.#clock = clock;
    this.#calls = calls;
    this.#overdue = overdue;
  }

  /** It is among the calls, and ends then; or ends at another time than before. */
  watch(call: Call): void {
    call.isOverdue = false;
    if (call.endsAt < this.#firesAt) this.#set(call.endsAt);
  }

  /** It is not among the calls any more; so many are left. Where they are few, the timer is set for the earliest of them, so
   *  that a clock of tests does not stop for nothing; where they are many, it finds that out by itself. */
  end({ endsAt }: Call, left: number): void {
    if (left === 0) this.#rest();
    else if (endsAt === this.#firesAt && left <= fewMax) this.#setEarliest();
  }

  #rest(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#firesAt = Number.POSITIVE_INFINITY;
  }

  #set(at: number): void {
    this.#timer?.cancel();
    this.#firesAt = at;
    this.#timer = this.#clock.after(at - this.#clock.elapsed(), () => this.#look());
  }

  #look(): void {
    const now = this.#clock.elapsed();
    const late = [...this.#calls()].filter(({ endsAt, isOverdue }) => !isOverdue && endsAt <= now);
    for (const call of late) call.isOverdue = true;
    this.#setEarliest();
    for (const call of late) this.#overdue(call);
  }

  #setEarliest(): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { endsAt, isOverdue } of this.#calls()) if (!isOverdue && endsAt < earliest) earliest = endsAt;
    this.#rest();
    if (earliest !== Number.POSITIVE_INFINITY) this.#set(earliest);
  }
}
