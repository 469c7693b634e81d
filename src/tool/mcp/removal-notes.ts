// Which servers were removed lately. What a guest asks for is done again where the owner has died over it: who takes the
// store over has to know then that there was such a server, and what stood behind it.

import { isObject, own } from "../../flow/json.ts";
import type { ServerNotes } from "../servers.ts";

const keyPrefix = "removed:";
/** Whoever asked has been told by then, or has given up. */
const forgottenMs = 10 * 60_000;

export class RemovalNotes {
  readonly #notes: ServerNotes;
  /** By those who owned the store before: what stood behind each. */
  readonly #earlier = new Map<string, string>();

  constructor(notes: ServerNotes, now: number) {
    this.#notes = notes;
    for (const { key, value, updatedAt } of notes.list()) {
      if (!key.startsWith(keyPrefix)) continue;
      const target = isObject(value) ? own(value, "target") : undefined;
      if (now - updatedAt > forgottenMs) notes.put(key, null);
      else if (typeof target === "string") this.#earlier.set(key.slice(keyPrefix.length), target);
    }
  }

  /** Before it is done. The note stays when it is: whoever asked may not have been told yet. */
  begin(key: string, target: string): void {
    this.#earlier.delete(key);
    this.#notes.put(`${keyPrefix}${key}`, { target });
  }

  /** What stood behind one that another owner has removed, or has begun to. */
  find(key: string): string | undefined {
    return this.#earlier.get(key);
  }

  /** From here on there is nothing to remove again. */
  end(key: string): void {
    this.#earlier.delete(key);
  }
}
