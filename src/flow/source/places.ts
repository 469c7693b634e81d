// Where things stand in a text. A reader records offsets while it reads (marks); lines and columns are counted from
// them only when somebody asks.

import { partsOf, type Pointer } from "../pointer.ts";

/** Both count from one; a column counts UTF-16 units, as editors do. */
export type Place = { readonly line: number; readonly column: number };

/** The offset of a value and of its key, and the marks of what it holds. */
export type Mark = {
  readonly at: number;
  readonly keyAt: number | undefined;
  readonly members?: ReadonlyMap<string, Mark>;
  readonly items?: readonly Mark[];
};

export type PlaceFinder = (offset: number) => Place;

/** Turns offsets of `text` into places; the lines are counted at the first question. */
export function findPlacesIn(text: string): PlaceFinder {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** The mark at `pointer`, or that of the nearest value around it. */
export function findMark(root: Mark, pointer: Pointer): Mark {
  let mark = root;
  for (const part of partsOf(pointer)) {
    const child = mark.members?.get(part) ?? itemAt(mark.items, part);
    if (child === undefined) return mark;
    mark = child;
  }
  return mark;
}

function itemAt(items: readonly Mark[] | undefined, part: string): Mark | undefined {
  return /^(?:0|[1-9]\d*)$/.test(part) ? items?.[Number(part)] : undefined;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of the sorted `starts` are not behind `offset`. */
function countUpTo(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
