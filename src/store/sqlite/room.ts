// Room for the result of a call that begins, in the row of the call. Rows stand close together on their pages; where results
// are short, many of them, and when their calls have ended each page would be split, since its rows have grown a little. So a row
// is as long from its beginning as results have been of late, and its next update takes the room for the result.
//
// Where results are long there is none: the rows of a page are few then, and to write them with room, and once more with
// their results, takes more pages than to split them.

import type { Scalar } from "../columns/row.ts";

/** In bytes. Twice as much costs as many pages as it saves. */
const roomMax = 160;
/** Coarse, so that its text is seldom made anew. */
const step = 16;
/** How much one result counts. */
const weight = 1 / 64;
/** Longer ones count as this, so that a single one is not felt for long. */
const lengthMax = 1024;

export class Room {
  #mean = 0;
  #text: string | null = null;

  /** What to put into the row. */
  get text(): string | null {
    return this.#text;
  }

  /** A result that was written. */
  learn(result: Scalar): void {
    const length = typeof result === "string" ? Math.min(lengthMax, Buffer.byteLength(result)) : 0;
    this.#mean += (length - this.#mean) * weight;
    const mean = Math.round(this.#mean / step) * step;
    const wanted = mean > roomMax ? 0 : mean;
    if (wanted !== (this.#text?.length ?? 0)) this.#text = wanted === 0 ? null : "-".repeat(wanted);
  }
}
