// Lines that wait to be read, in their order. What some of them say is dealt with a moment later, by others: that the tools
// have changed, or what a call wants to know. Until then the next line waits: it may be an answer, upon which the next call
// is sent at once, as if nothing had been said before it.

import type { Line } from "./line-reader.ts";

export class LineQueue {
  /** True: others deal with it. */
  readonly #read: (line: Line) => boolean;
  #lines: Line[] = [];
  #next = 0;
  #isWaiting = false;

  constructor(read: (line: Line) => boolean) {
    this.#read = read;
  }

  add(lines: readonly Line[]): void {
    for (const line of lines) this.#lines.push(line);
    if (!this.#isWaiting) this.#readOn();
  }

  /** What was not read is not wanted any more. */
  clear(): void {
    this.#lines = [];
    this.#next = 0;
  }

  #readOn(): void {
    this.#isWaiting = false;
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      this.#next += 1;
      if (!this.#read(line)) continue;
      this.#isWaiting = true;
      // When all promises have been kept that follow from it, and before anything else comes in.
      queueMicrotask(() => process.nextTick(() => this.#readOn()));
      return;
    }
    this.clear();
  }
}
