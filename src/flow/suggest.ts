// "Did you mean …?": the known name that an unknown one is most likely a slip of the pen for.

/** Names longer than this are compared by their beginning, so that a long one costs no more than a short one. */
const lengthLimit = 64;

/** So many names of one document are compared with others: after a while nobody reads suggestions any more, and each costs. */
export const suggestionsMax = 20;

/** The nearest candidate, if one is near; of several at the same distance the first in the alphabet, whatever the order. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name);
  const letters = lettersOf(wanted);
  let limit = toleranceOf(wanted);
  let best: string | undefined;
  for (const candidate of candidates) {
    const folded = fold(candidate);
    // Most are nothing alike, which is seen much faster than by how much.
    if (Math.abs(folded.length - wanted.length) > limit || lettersApart(letters, lettersOf(folded)) > limit) continue;
    const distance = distanceWithin(wanted, folded, limit);
    if (distance > limit || candidate === name) continue;
    if (distance === limit && best !== undefined && best <= candidate) continue;
    limit = distance;
    best = candidate;
  }
  return best;
}

/** Capitals make no difference. */
function fold(name: string): string {
  return name.slice(0, lengthLimit).toLowerCase();
}

/** Which characters occur, a bit for each; two may share one. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
}

/** A slip takes one character away at the most, and brings one: it takes as many as there are on either side alone. */
function lettersApart(one: number, other: number): number {
  return Math.max(countBits(one & ~other), countBits(other & ~one));
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** How many slips to forgive. A name of one letter has nothing left to recognise it by. */
function toleranceOf({ length }: string): number {
  if (length <= 1) return 0;
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}

/** Damerau-Levenshtein: letters changed, left out, added, or two neighbours swapped. Infinity once it exceeds `limit`. */
function distanceWithin(one: string, other: string, limit: number): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...current) > limit) return Infinity;
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
