// "Did you mean …?": the known name that an unknown one is most likely a slip of the pen for.

/** Names longer than this are compared by their beginning, so that a long one costs no more than a short one. */
const lengthLimit = 64;

/** The nearest candidate, if one is near; of several at the same distance the first in the alphabet, whatever the order. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name);
  let limit = toleranceOf(wanted);
  let best: string | undefined;
  for (const candidate of candidates) {
    const distance = distanceWithin(wanted, fold(candidate), limit);
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

/** How many slips to forgive. A name of one letter has nothing left to recognise it by. */
function toleranceOf({ length }: string): number {
  if (length <= 1) return 0;
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}

/** Damerau-Levenshtein: letters changed, left out, added, or two neighbours swapped. Infinity once it exceeds `limit`. */
function distanceWithin(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
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
