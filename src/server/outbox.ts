// What waits for one reader of live events. However slow the reader is, it stays small: of each run and step only the
// newest waits, and when that is still too much, all goes, and the reader is told to read anew.

import type { Beside, StoreNews } from "../engine/changes.ts";

export type Message = {
  readonly event: "hello" | "change" | "changed" | "progress" | "reset";
  /** The cursor behind which to go on. */
  readonly id: string;
  readonly data: string;
};

/** Calls of which somebody waits to hear how far they are; of more than anybody looks at, the oldest goes. */
const progressMax = 200;

export class Outbox {
  readonly #bytesMax: number;
  /** By run and step, the text of the newest; the one that changed last stands last. */
  readonly #changes = new Map<string, string>();
  /** Of changes and progress. */
  #waitingBytes = 0;
  #changedAt = 0;
  readonly #changed = new Set<Beside>();
  /** By step, the text of the newest. */
  readonly #progress = new Map<number, string>();
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
    return this.#waitingBytes + this.#takenBytes;
  }

  get isEmpty(): boolean {
    const waiting = this.#changes.size + this.#changed.size + this.#progress.size;
    return waiting === 0 && this.#resetTo === null && this.#greeting === null;
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
      case "changed":
        return this.note(news.what);
      case "progress":
        return this.#putProgress(news);
      case "changes":
        this.#changedAt = news.at;
        for (const { run, step, name, stepName, status } of news.changes) {
          this.#put(`${run} ${step}`, { run_id: run, step_id: step, name, step: stepName, status, at: news.at });
          // It would be sent behind the change.
          if (step !== null && status !== "running") this.#dropProgress(step);
        }
        this.#makeRoom();
        if (this.bytes > this.#bytesMax) this.#reset();
    }
  }

  /** Once, however often it changes until it is taken. */
  note(what: Beside): void {
    this.#changed.add(what);
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
    for (const what of this.#changed) messages.push({ event: "changed", ...this.#tell({ what }) });
    for (const data of this.#progress.values()) messages.push({ event: "progress", id: this.#cursor, data });
    this.#takenBytes = this.#waitingBytes;
    this.#greeting = null;
    this.#resetTo = null;
    this.#empty();
    return messages;
  }

  sent(): void {
    this.#takenBytes = 0;
  }

  #tell(data: object): Pick<Message, "id" | "data"> {
    return { id: this.#cursor, data: JSON.stringify({ cursor: this.#cursor, ...data }) };
  }

  #putProgress({ run, step, progress }: Extract<StoreNews, { kind: "progress" }>): void {
    this.#dropProgress(step);
    const text = JSON.stringify({ run_id: run, step_id: step, ...progress });
    this.#progress.set(step, text);
    this.#waitingBytes += Buffer.byteLength(text);
    if (this.#progress.size > progressMax) this.#dropOldest();
    this.#makeRoom();
  }

  /** How far calls are is said again: before anybody has to read anew, it goes. */
  #makeRoom(): void {
    while (this.bytes > this.#bytesMax && this.#progress.size > 0) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#progress.keys().next().value;
    if (oldest !== undefined) this.#dropProgress(oldest);
  }

  #dropProgress(step: number): void {
    const text = this.#progress.get(step);
    if (text === undefined) return;
    this.#progress.delete(step);
    this.#waitingBytes -= Buffer.byteLength(text);
  }

  #put(key: string, change: object): void {
    const text = JSON.stringify(change);
    const before = this.#changes.get(key);
    if (before !== undefined) {
      this.#changes.delete(key);
      this.#waitingBytes -= Buffer.byteLength(before);
    }
    this.#changes.set(key, text);
    this.#waitingBytes += Buffer.byteLength(text);
  }

  #reset(): void {
    this.#resetTo = this.#cursor;
    this.#empty();
  }

  #empty(): void {
    this.#changes.clear();
    this.#changed.clear();
    this.#progress.clear();
    this.#waitingBytes = 0;
  }
}

function toMessage(event: Message["event"], cursor: string): Message {
  return { event, id: cursor, data: JSON.stringify({ cursor }) };
}
