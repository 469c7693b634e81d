// Tells when the list of tools has changed. Any process may save a workflow, so it is looked for, now and then, and only
// while somebody listens.

import type { Timer } from "../../engine/clock.ts";
import type { House } from "./house.ts";

export class WorkflowWatch {
  readonly #house: House;
  readonly #listeners = new Set<() => void>();
  #seen: string | null = null;
  #timer: Timer | null = null;
  /** Of whoever came first; what was begun for those before it looks no further. */
  #round = 0;

  constructor(house: House) {
    this.#house = house;
  }

  /** Takes back what it gave when nobody listens any more. */
  listen(changed: () => void): () => void {
    // Each is told for itself, also where one function listens twice.
    const listener = (): void => changed();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#look((this.#round += 1));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#timer?.cancel();
      this.#timer = null;
      this.#seen = null;
    };
  }

  async #look(round: number): Promise<void> {
    const found = await this.#read();
    // Nobody listens any more, or only those who came later, and have begun anew.
    if (this.#listeners.size === 0 || round !== this.#round) return;
    if (found !== null && this.#seen !== null && found !== this.#seen) for (const tell of this.#listeners) tell();
    this.#seen = found ?? this.#seen;
    const { clock, lookEveryMs } = this.#house;
    this.#timer = clock.after(lookEveryMs, () => void this.#look(round), "duty");
  }

  /** null: the store does not answer at this moment. */
  async #read(): Promise<string | null> {
    try {
      const workflows = await this.#house.engine.workflows.list();
      return JSON.stringify(workflows.map(({ id, hash, isEnabled, updatedAt }) => [id, hash, isEnabled, updatedAt]));
    } catch {
      return null;
    }
  }
}
