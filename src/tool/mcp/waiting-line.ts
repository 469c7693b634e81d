// Calls that wait in front of a server, in the order in which they came. Whoever gives up is gone at once. While they wait
// their time does not run: one timer tells all of them, however many they are.

import { nobodyWaits, type LinkClock } from "./link-clock.ts";

/** So often: a step may have half a second in all. */
const prolongMs = 250;

export type Waiter = {
  /** Aborted when nobody wants it any more. */
  readonly signal?: AbortSignal;
  /** Its time has not run; `isBeginning`: it begins anew from now on. */
  prolong?(isBeginning?: boolean): void;
};

export type Place = "first" | "last";

type Waiting = { readonly waiter: Waiter; readonly since: number; readonly leave: () => void; readonly go: () => void };

export class WaitingLine {
  readonly #clock: LinkClock;
  readonly #waiting: Waiting[] = [];
  #isTimed = false;

  constructor(clock: LinkClock) {
    this.#clock = clock;
  }

  /** Throws a `LinkProblem` when it is left meanwhile. `onTurn` is called in the moment in which its turn comes. */
  wait(waiter: Waiter, place: Place = "last", onTurn?: () => void): Promise<void> {
    const { signal } = waiter;
    if (signal?.aborted === true) return Promise.reject(nobodyWaits());
    waiter.prolong?.();
    if (!this.#isTimed) this.#time();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(nobodyWaits());
      };
      const go = (): void => {
        onTurn?.();
        resolve();
      };
      const waiting: Waiting = { waiter, since: this.#clock.elapsed(), leave, go };
      signal?.addEventListener("abort", leave, { once: true });
      if (place === "first") this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
    });
  }

  /** Whoever is first goes; false: nobody waits. */
  next(): boolean {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return false;
    const { waiter, since, leave, go } = waiting;
    waiter.signal?.removeEventListener("abort", leave);
    // Who waited for a moment has not lost anything that were worth writing down.
    waiter.prolong?.(this.#clock.elapsed() - since >= prolongMs);
    go();
    return true;
  }

  /** Until it finds nobody: whoever comes and goes sets no timer. */
  #time(): void {
    this.#isTimed = true;
    const tell = (): void => {
      this.#isTimed = false;
      for (const { waiter } of this.#waiting) waiter.prolong?.();
      if (this.#waiting.length > 0) this.#time();
    };
    this.#clock.after(prolongMs, tell, "duty");
  }
}
