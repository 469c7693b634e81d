// Room for the result of a call that begins, in the row of the call. Rows stand close together on their pages; one that
// grows when its call has ended makes its page overflow, and each page is written a second time in two halves. So a row is
// as long from its beginning as results have been of late, and what the result does not take is given back.

import type { Scalar } from "../columns/row.ts";

/** Of longer ones a page has few anyway. */
const roomMax = 1024;
/** Coarse, so that its text is seldom made anew. */
const step = 16;
/** How much one result counts. */
const weight = 1 / 64;

export class Room {
  #mean = 0;
  #text: string | null = null;

  /** What to put into the row. */
  get text(): string | null {
    return this.#text;
  }

  /** A result that was written. */
  learn(result: Scalar): void {
    const length = typeof result === "string" ? Math.min(roomMax, result.length) : 0;
    this.#mean += (length - this.#mean) * weight;
    const wanted = Math.round(this.#mean / step) * step;
    if (wanted !== (this.#text?.length ?? 0)) this.#text = wanted === 0 ? null : "-".repeat(wanted);
  }
}
