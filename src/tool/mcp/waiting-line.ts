// Calls that wait in front of a server, in the order in which they came. Whoever gives up is gone at once. While they wait
// their time does not run: one timer tells all of them, however many they are.

import { nobodyWaits, type LinkClock } from "./link-clock.ts";
import type { LinkProblem } from "./link-problem.ts";

/** So often: a step may have half a second in all. */
const prolongMs = 250;
/** Whoever waited for less has lost nothing worth a word. */
const momentMs = 25;

export interface Waiter {
  /** Nobody wants it any more. */
  readonly isLeft?: boolean;
  /** Where it waits, and has to be taken away when nobody wants it any more; the line itself says so. */
  line?: { leave(waiter: Waiter): void } | null;
  /** Its time has not run; `isBeginning`: it begins anew from now on. */
  prolong?(isBeginning?: boolean): void;
}

/** What comes of waiting, in the very moment in which it comes. */
export interface Turn<Who extends Waiter> {
  go(who: Who): void;
  /** Nobody wants it any more. */
  left(who: Who, problem: LinkProblem): void;
}

export type Place = "first" | "last";

/** A class, as all that is made for every call: what a literal makes may be made old from its birth on, and with it all that
 *  it holds (docs/decisions/0027). */
class Waiting<Who extends Waiter> {
  readonly who: Who;
  readonly turn: Turn<Who>;
  readonly since: number;

  constructor(who: Who, turn: Turn<Who>, since: number) {
    this.who = who;
    this.turn = turn;
    this.since = since;
  }
}

export class WaitingLine<Who extends Waiter = Waiter> {
  readonly #clock: LinkClock;
  readonly #waiting: Waiting<Who>[] = [];
  #isTimed = false;

  constructor(clock: LinkClock) {
    this.#clock = clock;
  }

  join(who: Who, turn: Turn<Who>, place: Place = "last"): void {
    if (who.isLeft === true) return turn.left(who, nobodyWaits());
    who.prolong?.();
    who.line = this;
    if (!this.#isTimed) this.#time();
    const waiting = new Waiting(who, turn, this.#clock.elapsed());
    if (place === "first") this.#waiting.unshift(waiting);
    else this.#waiting.push(waiting);
  }

  /** Nobody wants it any more. */
  leave(who: Waiter): void {
    const at = this.#waiting.findIndex((waiting) => waiting.who === who);
    const [waiting] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (waiting === undefined) return;
    waiting.who.line = null;
    waiting.turn.left(waiting.who, nobodyWaits());
  }

  /** Whoever is first goes; false: nobody waits. */
  next(): boolean {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return false;
    const { who, turn, since } = waiting;
    who.line = null;
    const waitedMs = this.#clock.elapsed() - since;
    // The rows are told of those who waited for long.
    if (waitedMs >= momentMs) who.prolong?.(waitedMs >= prolongMs);
    turn.go(who);
    return true;
  }

  /** Until it finds nobody: whoever comes and goes sets no timer. */
  #time(): void {
    this.#isTimed = true;
    const tell = (): void => {
      this.#isTimed = false;
      for (const { who } of this.#waiting) who.prolong?.();
      if (this.#waiting.length > 0) this.#time();
    };
    this.#clock.after(prolongMs, tell, "duty");
  }
}
