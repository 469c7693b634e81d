// "Did you mean …?"

/** Names longer than this are compared by their beginning. */
const lengthLimit = 64;

/** The candidate that `name` is most likely a slip of the pen for. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, lengthLimit).toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const limit = Math.min(toleranceOf(wanted), (best?.distance ?? Infinity) - 1);
    const distance = distanceWithin(wanted, candidate.slice(0, lengthLimit).toLowerCase(), limit);
    if (distance <= limit && candidate !== name) best = { candidate, distance };
  }
  return best?.candidate;
}

function toleranceOf(name: string): number {
  if (name.length <= 4) return 1;
  return name.length <= 8 ? 2 : 3;
}

/** Damerau–Levenshtein, neighbours swapped counting one; Infinity as soon as it must exceed `limit`. */
function distanceWithin(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const replaced = at(above, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwap ? at(before, column - 2) + 1 : Infinity;
      line.push(Math.min(replaced, swapped, at(above, column) + 1, at(line, column - 1) + 1));
    }
    if (Math.min(...line) > limit) return Infinity;
    [before, above] = [above, line];
  }
  return at(above, other.length);
}

function at(line: readonly number[], index: number): number {
  return line[index] ?? Infinity;
}
