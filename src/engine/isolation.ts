// Finds the one thing that cannot be written. A batch that is refused twice in a row is made smaller, messages,
// admissions and asides apart, until what is refused stands alone; that one is set aside and everything else goes on. With every
// commit the batches grow again.

import type { BatchDraft } from "./batch-draft.ts";

const batchMax = 1000;

export type Culprit = "nobody" | "message" | "admission" | "aside";

export class Isolation {
  #max = batchMax;
  #refusals = 0;

  /** How many messages, admissions or asides a batch may have. */
  get max(): number {
    return this.#max;
  }

  /** Messages, admissions and asides do not share a batch now. */
  get isCareful(): boolean {
    return this.#max < batchMax;
  }

  committed(): void {
    this.#refusals = 0;
    this.#max = Math.min(batchMax, this.#max * 2);
  }

  refused({ envelopes, admitted, asides }: Pick<BatchDraft, "envelopes" | "admitted" | "asides">): Culprit {
    this.#refusals += 1;
    if (this.#refusals < 2) return "nobody";
    this.#max = Math.max(1, Math.floor(Math.max(envelopes.length, admitted.length, asides.length) / 2));
    if (envelopes.length + admitted.length + asides.length !== 1) return "nobody";
    this.#refusals = 0;
    return envelopes.length === 1 ? "message" : admitted.length === 1 ? "admission" : "aside";
  }
}
