// Finding a text in a text in linear time. The engine's own search can take the product of both lengths on texts that
// were made for it, so it serves only parts too short for that to matter.

const shortMax = 16;

/** Finds where `part` begins in `text`, at or behind `from`; -1 when it does not. */
export type Search = (text: string, from: number) => number;

/** How much slower than the engine's own search this one is; its fuel costs as much more. */
export function slownessOf(part: string): number {
  return part.length <= shortMax ? 1 : 4;
}

export function createSearch(part: string): Search {
  if (slownessOf(part) === 1) return (text, from) => text.indexOf(part, from);
  const borders = bordersOf(part);
  return (text, from) => findLong(text, from, part, borders);
}

/** Knuth, Morris and Pratt: what has matched so far tells how far the part may be moved. */
function findLong(text: string, from: number, part: string, borders: Int32Array): number {
  let matched = 0;
  for (let index = from; index < text.length; index += 1) {
    matched = matchOne(part, borders, matched, text.charCodeAt(index));
    if (matched === part.length) return index - matched + 1;
  }
  return -1;
}

/** For each length of `part` the longest beginning that is also its end. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let matched = 0;
  for (let index = 1; index < part.length; index += 1) {
    matched = matchOne(part, borders, matched, part.charCodeAt(index));
    borders[index] = matched;
  }
  return borders;
}

/** How many units of `part` match once `unit` follows the `matched` ones before it. */
function matchOne(part: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== unit) length = Number(borders[length - 1]);
  return part.charCodeAt(length) === unit ? length + 1 : length;
}
