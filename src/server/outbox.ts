// What waits for one reader of live events. However slow the reader is, it stays small: of each run and step only the
// newest waits, and when that is still too much, all goes, and the reader is told to read anew.

import type { StoreNews } from "../engine/changes.ts";

export type Message = {
  readonly event: "hello" | "change" | "reset";
  /** The cursor behind which to go on. */
  readonly id: string;
  readonly data: string;
};

export class Outbox {
  readonly #bytesMax: number;
  /** By run and step, the text of the newest; the one that changed last stands last. */
  readonly #changes = new Map<string, string>();
  #changesBytes = 0;
  #changedAt = 0;
  /** On its way to the reader. */
  #takenBytes = 0;
  /** Where to go on from after reading anew; null: it need not. */
  #resetTo: string | null = null;
  #greeting: string | null = null;
  #cursor = "";

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** All up to here is known to the reader once it has taken what waits. */
  get cursor(): string {
    return this.#cursor;
  }

  get bytes(): number {
    return this.#changesBytes + this.#takenBytes;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#resetTo === null && this.#greeting === null;
  }

  /** The first that a reader hears who has no cursor. */
  greet(cursor: string): void {
    this.#cursor = cursor;
    this.#greeting = cursor;
  }

  add(news: StoreNews): void {
    this.#cursor = news.cursor;
    switch (news.kind) {
      case "told":
        return;
      case "reset":
        return this.#reset();
      case "changes":
        this.#changedAt = news.at;
        for (const { run, step, name, stepName, status } of news.changes)
          this.#put(`${run} ${step}`, { run_id: run, step_id: step, name, step: stepName, status, at: news.at });
        if (this.bytes > this.#bytesMax) this.#reset();
    }
  }

  /** All that waits, in order; it counts until `sent`. */
  take(): readonly Message[] {
    const messages: Message[] = [];
    if (this.#greeting !== null) messages.push(toMessage("hello", this.#greeting));
    if (this.#resetTo !== null) messages.push(toMessage("reset", this.#resetTo));
    if (this.#changes.size > 0) {
      const changes = [...this.#changes.values()].join(",");
      const data = `{"cursor":"${this.#cursor}","at":${this.#changedAt},"changes":[${changes}]}`;
      messages.push({ event: "change", id: this.#cursor, data });
    }
    this.#takenBytes = this.#changesBytes;
    this.#greeting = null;
    this.#resetTo = null;
    this.#empty();
    return messages;
  }

  sent(): void {
    this.#takenBytes = 0;
  }

  #put(key: string, change: object): void {
    const text = JSON.stringify(change);
    const before = this.#changes.get(key);
    if (before !== undefined) {
      this.#changes.delete(key);
      this.#changesBytes -= Buffer.byteLength(before);
    }
    this.#changes.set(key, text);
    this.#changesBytes += Buffer.byteLength(text);
  }

  #reset(): void {
    this.#resetTo = this.#cursor;
    this.#empty();
  }

  #empty(): void {
    this.#changes.clear();
    this.#changesBytes = 0;
  }
}

function toMessage(event: Message["event"], cursor: string): Message {
  return { event, id: cursor, data: JSON.stringify({ cursor }) };
}
