// Messages in the order in which they came, bounded by what they weigh. What starts something new is turned away when
// the box is full; results and what people decide always enter, since refusing them would lose work that is done.

import type { Envelope } from "./envelope.ts";

/** Under load it is never empty; so many that were taken are kept at most, or as many as wait. */
const goneMax = 1024;

export class Mailbox {
  readonly #bytesMax: number;
  #waiting: Envelope[] = [];
  #head = 0;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#waiting.length - this.#head;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#bytesMax;
  }

  push(envelope: Envelope): void {
    this.#bytes += envelope.bytes;
    this.#waiting.push(envelope);
  }

  shift(): Envelope | undefined {
    const envelope = this.#waiting[this.#head];
    if (envelope === undefined) return undefined;
    this.#head += 1;
    this.#bytes -= envelope.bytes;
    // What is behind us goes in one piece, so that taking one costs the same whatever the length.
    if (this.#head === this.#waiting.length || (this.#head >= goneMax && this.#head * 2 > this.#waiting.length)) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return envelope;
  }

  /** Those that come next; they stay. */
  peek(max: number): readonly Envelope[] {
    return this.#waiting.slice(this.#head, this.#head + max);
  }

  /** Back to the front, in their order. */
  putBack(envelopes: readonly Envelope[]): void {
    for (const { bytes } of envelopes) this.#bytes += bytes;
    this.#waiting = [...envelopes, ...this.#waiting.slice(this.#head)];
    this.#head = 0;
  }

  /** Everything that waits, for whoever gives up. */
  drain(): readonly Envelope[] {
    const all = this.#waiting.slice(this.#head);
    this.#waiting = [];
    this.#head = 0;
    this.#bytes = 0;
    return all;
  }
}
