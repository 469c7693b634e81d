// Texts that nobody can guess. The system is asked for many at once: asking for each of them costs more than starting a
// run.

import { randomFillSync } from "node:crypto";

const bytesEach = 12;
const count = 256;

export class Chance {
  readonly #pool: Buffer = Buffer.alloc(bytesEach * count);
  #used = count;

  next(): string {
    if (this.#used === count) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const from = this.#used * bytesEach;
    this.#used += 1;
    return this.#pool.toString("base64url", from, from + bytesEach);
  }
}
