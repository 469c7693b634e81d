// How many steps have ended of late, by tens of seconds: a ring of numbers, fed once for each batch that is on disk.

const everyMs = 10_000;
/** A quarter of an hour. */
const spansMax = 90;

export type EndedSteps = {
  readonly everyMs: number;
  /** When the first of these spans began. */
  readonly since: number;
  /** By spans, oldest first; the last one is not over. */
  readonly counts: readonly number[];
};

export class EndedTally {
  readonly #ring = new Uint32Array(spansMax);
  /** The number of the newest span, counted from 1970. */
  #newest = 0;

  add(count: number, at: number): void {
    this.#moveTo(at);
    const place = this.#newest % spansMax;
    this.#ring[place] = (this.#ring[place] ?? 0) + count;
  }

  list(now: number): EndedSteps {
    this.#moveTo(now);
    const oldest = this.#newest - spansMax + 1;
    const counts = Array.from(this.#ring, (_, at) => this.#ring[(oldest + at) % spansMax] ?? 0);
    return { everyMs, since: oldest * everyMs, counts };
  }

  /** A clock that was set back moves nothing: what ends meanwhile counts for the newest span. */
  #moveTo(at: number): void {
    const span = Math.floor(at / everyMs);
    if (span <= this.#newest) return;
    const gone = Math.min(span - this.#newest, spansMax);
    for (let back = 0; back < gone; back += 1) this.#ring[(span - back) % spansMax] = 0;
    this.#newest = span;
  }
}
