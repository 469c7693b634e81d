// What the harness has asked for, and what was acknowledged: the engine's word, kept outside of everything that breaks.

import { createRandom } from "../../src/testing/random.ts";
import type { RunKind } from "./flows.ts";

/** A run that is wanted. Its key makes sure that asking again after a crash makes no second one. */
export type Order = {
  readonly key: string;
  readonly kind: RunKind;
  readonly n: number;
  /** Acknowledged: its id. */
  run: number | null;
  /** A `cancel`, or the `signal` of a run that waits for one, was acknowledged. */
  isNudged: boolean;
};

export type Book = {
  readonly orders: readonly Order[];
  /** Bytes that each input carries besides, to fill a disk. */
  readonly filler: number;
  /** Gates whose approval was acknowledged. */
  readonly approved: Set<number>;
  /** Rows about which a person's word was acknowledged. */
  readonly resolved: Set<number>;
  /** Starts that were refused, by code, with the newest message. */
  readonly refusals: Map<string, string>;
};

export function createBook(list: readonly RunKind[], name: string, filler = 0): Book {
  const orders = list.map((kind, n) => ({ key: `${name}-${n}`, kind, n, run: null, isNudged: false }));
  return { orders, filler, approved: new Set(), resolved: new Set(), refusals: new Map() };
}

/** Every kind as often as any other, in an order that the seed tells. */
export function mixKinds(kinds: readonly RunKind[], count: number, seed: number): readonly RunKind[] {
  const list = Array.from({ length: count }, (_, at) => kinds[at % kinds.length] ?? "chain");
  return createRandom(seed).shuffle(list);
}

export function acknowledged(book: Book): number {
  const runs = book.orders.filter(({ run }) => run !== null).length;
  return runs + book.orders.filter(({ isNudged }) => isNudged).length + book.approved.size + book.resolved.size;
}
