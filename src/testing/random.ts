// Randomness that can be told again: the same seed gives the same choices on every machine. xoshiro128**, its state
// filled by a splitmix sequence so that neighbouring seeds share nothing.

export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, at least 0, less than `max`. */
  integer(max: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  shuffle<T>(list: readonly T[]): readonly T[];
  /** A generator of its own: what it is asked later does not shift what this one answers. */
  split(): Random;
}

export function createRandom(seed: number): Random {
  const word = createWords(seed);
  const next = (): number => word() / 2 ** 32;
  const integer = (max: number): number => Math.floor(next() * max);
  return {
    next,
    integer,
    pick: <T>(list: readonly T[]): T => {
      const chosen = list[integer(list.length)];
      if (chosen === undefined) throw new Error("Cannot pick from an empty list: give it at least one choice.");
      return chosen;
    },
    chance: (probability) => next() < probability,
    shuffle: (list) => {
      const keyed = list.map((value) => ({ value, order: next() }));
      return keyed.toSorted((a, b) => a.order - b.order).map(({ value }) => value);
    },
    split: () => createRandom(word()),
  };
}

/** 32-bit words, each an unsigned integer. */
function createWords(seed: number): () => number {
  let [a, b, c, d] = fillState(seed);
  return () => {
    const word = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return word;
  };
}

function fillState(seed: number): [number, number, number, number] {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  return [word(), word(), word(), word()];
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
