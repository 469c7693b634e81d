// Lets so many calls through to a server at once. Whoever finds no room waits.

import { WaitingLine, type Place, type Turn, type Waiter } from "./waiting-line.ts";
import type { LinkClock } from "./link-clock.ts";

export class Turnstile {
  readonly #max: number;
  readonly #line: WaitingLine;
  #inside = 0;

  constructor(max: number | null, clock: LinkClock) {
    this.#max = max ?? Number.POSITIVE_INFINITY;
    this.#line = new WaitingLine(clock);
  }

  /** There may be no room. */
  get isLimited(): boolean {
    return this.#max !== Number.POSITIVE_INFINITY;
  }

  /** At once where there is room. Whoever was let in leaves again, also if nobody wants it any more by then. */
  enter(who: Waiter, turn: Turn<Waiter>, place: Place = "last"): void {
    if (this.#inside >= this.#max) return this.#line.join(who, turn, place);
    this.#inside += 1;
    turn.go(who);
  }

  leave(): void {
    // Its place is handed on.
    if (!this.#line.next()) this.#inside -= 1;
  }
}
