// When something is read anew because it has changed: soon after the first change, ever less often while changes keep
// coming, and never so that an answer from before a change is the last one.

import { hashKey, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";

type Pace = {
  /** After the first change. */
  readonly firstMs: number;
  /** Between two reads, while changes keep coming. */
  readonly mostMs: number;
};

/** Of a run with so many steps. What has begun since it was read is shown only when it is read again; while that takes no
 *  time it is done as often as the page is painted. */
export function paceOf(steps: number): Pace {
  return { firstMs: steps < 1000 ? 40 : 80, mostMs: Math.min(Math.max(100, steps), 1000) };
}

/** What may be read, and how often. */
export type Wanted = { readonly key: QueryKey; readonly pace: Pace; readonly except?: (query: Query) => boolean };

type Entry = {
  readAt: number;
  waitMs: number;
  /** How long it took to read it the last time. */
  tookMs: number;
  timer: ReturnType<typeof setTimeout> | null;
};

/** Reading takes at most one part in so many of the server's time. */
const restingPart = 5;
const restMostMs = 2000;

export class Reading {
  readonly #client: QueryClient;
  readonly #entries = new Map<string, Entry>();
  /** What is to be read when it goes on; null: it does not stand still. */
  #held: Map<string, Wanted> | null = null;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Once, however often it is asked for until then. */
  soon(wanted: Wanted): void {
    const name = hashKey(wanted.key);
    if (this.#held !== null) return void this.#held.set(name, wanted);
    const known = this.#entries.get(name);
    if (known !== undefined && known.timer !== null) return;
    const waitMs = nextWait(wanted.pace, known, Date.now());
    const entry: Entry = { readAt: known?.readAt ?? 0, waitMs, tookMs: known?.tookMs ?? 0, timer: null };
    entry.timer = setTimeout(() => void this.#read(wanted, entry), waitMs);
    this.#entries.set(name, entry);
  }

  stop(): void {
    for (const { timer } of this.#entries.values()) if (timer !== null) clearTimeout(timer);
    this.#entries.clear();
    this.#held?.clear();
  }

  /** From now on nothing is read, also what is due already. */
  hold(): void {
    this.#held ??= new Map();
  }

  goOn(): void {
    const held = this.#held;
    this.#held = null;
    for (const wanted of held?.values() ?? []) this.soon(wanted);
  }

  /** A read that is under way may tell what was before: it is let come to its end, and then followed by another. */
  async #read(wanted: Wanted, entry: Entry): Promise<void> {
    const { key, except } = wanted;
    if (this.#isHeld(wanted, entry)) return;
    const isWanted = (query: Query): boolean => except?.(query) !== true;
    const underWay = new Set(
      this.#client
        .getQueryCache()
        .findAll({ queryKey: key, fetchStatus: "fetching", predicate: isWanted })
        .map(({ queryHash }) => queryHash),
    );
    const first = this.#client.invalidateQueries({ queryKey: key, predicate: isWanted }, { cancelRefetch: false });
    void this.#noteHowLong(key, first);
    if (underWay.size > 0) {
      await first;
      if (this.#entries.get(hashKey(key)) !== entry || this.#isHeld(wanted, entry)) return;
      void this.#client.invalidateQueries({ queryKey: key, predicate: ({ queryHash }) => underWay.has(queryHash) });
    }
    entry.readAt = Date.now();
    entry.timer = null;
    this.#forgetOld();
  }

  #isHeld(wanted: Wanted, entry: Entry): boolean {
    if (this.#held === null) return false;
    this.#held.set(hashKey(wanted.key), wanted);
    entry.timer = null;
    return true;
  }

  /** What is small in words may be long in the making: the items of an each are counted for an outline of two steps. */
  async #noteHowLong(key: QueryKey, read: Promise<unknown>): Promise<void> {
    const from = Date.now();
    await read;
    const entry = this.#entries.get(hashKey(key));
    if (entry !== undefined) entry.tookMs = Date.now() - from;
  }

  #forgetOld(): void {
    for (const [name, { timer, readAt }] of this.#entries)
      if (timer === null && Date.now() - readAt > forgetAfterMs) this.#entries.delete(name);
  }
}

const forgetAfterMs = 60_000;

/** Twice as long as the last time while changes keep coming; from the beginning after a silence. */
function nextWait({ firstMs, mostMs }: Pace, last: Entry | undefined, now: number): number {
  if (last === undefined) return firstMs;
  const restMs = Math.min(last.tookMs * restingPart, restMostMs);
  if (now - last.readAt > Math.max(mostMs, restMs)) return firstMs;
  return Math.max(Math.min(last.waitMs * 2, mostMs), restMs);
}
