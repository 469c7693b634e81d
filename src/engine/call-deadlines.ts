// When calls have taken too long: one timer for all of them, for the earliest. To set one for each call and to take it back
// takes longer than many a tool does. Nearly every call ends long before its time, so the timer finds nobody and is set
// for whoever is the earliest then.

import type { Clock, Timer } from "./clock.ts";

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

  /** There are no calls. */
  rest(): void {
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
    this.rest();
    const now = this.#clock.elapsed();
    const late: Call[] = [];
    let earliest = Number.POSITIVE_INFINITY;
    for (const call of this.#calls()) {
      if (call.isOverdue) continue;
      if (call.endsAt <= now) late.push(call);
      else earliest = Math.min(earliest, call.endsAt);
    }
    if (earliest < this.#firesAt) this.#set(earliest);
    for (const call of late) {
      call.isOverdue = true;
      this.#overdue(call);
    }
  }
}
