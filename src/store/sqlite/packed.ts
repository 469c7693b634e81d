// What crosses to the thread that writes. The rows of one list are much alike: their calls belong to one run, go to one tool,
// began at one instant. So a column in which all rows have the same value crosses as that value, and any other one as a
// list: a fraction of the values, each of which would be copied on either side, and bound to a statement.

import { widths, type FlatBatch, type ListName } from "../columns/batch.ts";
import type { Cells, Changes } from "../columns/commit.ts";
import type { Scalar } from "../columns/row.ts";

/** One value, or one for each row. */
export type Column = Scalar | readonly Scalar[];

export type PackedList = { readonly count: number; readonly columns: readonly Column[] };

export type PackedBatch = Omit<FlatBatch, ListName> & { readonly [Name in ListName]: PackedList };

export function packBatch(flat: FlatBatch): PackedBatch {
  return {
    ...flat,
    newRuns: packList(flat.newRuns, widths.newRuns),
    runs: packList(flat.runs, widths.runs),
    started: packList(flat.started, widths.started),
    startedItems: packList(flat.startedItems, widths.startedItems),
    finished: packList(flat.finished, widths.finished),
    left: packList(flat.left, widths.left),
    newRows: packList(flat.newRows, widths.newRows),
    rows: packList(flat.rows, widths.rows),
  };
}

/** For the line that says what has changed. */
export function changesIn(packed: PackedBatch): Changes {
  const { removed, entries, droppedEntries } = packed;
  return {
    removed,
    entries,
    droppedEntries,
    newRuns: cellsOf(packed.newRuns),
    runs: cellsOf(packed.runs),
    started: cellsOf(packed.started),
    startedItems: cellsOf(packed.startedItems),
    finished: cellsOf(packed.finished),
    left: cellsOf(packed.left),
    newRows: cellsOf(packed.newRows),
    rows: cellsOf(packed.rows),
  };
}

function cellsOf({ count, columns }: PackedList): Cells {
  if (count === 0) return noCells;
  const at = (row: number, column: number): Scalar | undefined => {
    const values = columns[column];
    return values !== undefined && isList(values) ? values[row] : values;
  };
  return { count, at };
}

/** Most lists of most batches. */
const noRows: PackedList = { count: 0, columns: [] };
const noCells: Cells = { count: 0, at: () => undefined };

export function packList(list: readonly Scalar[], width: number): PackedList {
  if (list.length === 0) return noRows;
  const count = list.length / width;
  if (!Number.isInteger(count)) throw new TypeError(`${list.length} values are no rows of ${width}.`);
  if (count === 1) return { count, columns: list.map((_value, at) => scalarAt(list, at)) };
  const columns: Column[] = [];
  for (let at = 0; at < width; at++) columns.push(packColumn(list, width, at));
  return { count, columns };
}

function packColumn(list: readonly Scalar[], width: number, at: number): Column {
  const first = scalarAt(list, at);
  let next = at + width;
  while (next < list.length && list[next] === first) next += width;
  if (next >= list.length) return first;
  const values: Scalar[] = [];
  for (let from = at; from < list.length; from += width) values.push(scalarAt(list, from));
  return values;
}

/** What is none would be taken for another value over there; here the batch is refused, as it is where it is bound. */
function scalarAt(list: readonly Scalar[], at: number): Scalar {
  const value = list[at];
  if (value === undefined || (typeof value === "object" && value !== null))
    throw new TypeError(`Value ${at} of a list cannot be written: ${typeof value}.`);
  return value;
}

/** One row after another, each with all its values, in the same array: whoever keeps one has to copy it. */
export function forEachRow({ count, columns }: PackedList, act: (values: readonly Scalar[]) => void): void {
  if (count === 0) return;
  const single = singleRow({ count, columns });
  if (single !== null) return act(single);
  const values = columns.map((column) => (isList(column) ? null : column));
  const own = placesOfOwn(columns);
  for (let row = 0; row < count; row++) {
    for (const place of own) values[place] = valueAt(columns, place, row);
    act(values);
  }
}

/** The only row of a list that has one: each column has one value then. null: there are more, or none. */
export function singleRow({ count, columns }: PackedList): readonly Scalar[] | null {
  return count === 1 ? (columns as readonly Scalar[]) : null;
}

/** Of the columns that have a value of their own in each row. */
export function placesOfOwn(columns: readonly Column[]): readonly number[] {
  const places: number[] = [];
  for (const [place, column] of columns.entries()) if (isList(column)) places.push(place);
  return places;
}

export function valueAt(columns: readonly Column[], place: number, row: number): Scalar {
  const column = columns[place] ?? null;
  return isList(column) ? (column[row] ?? null) : column;
}

function isList(column: Column): column is readonly Scalar[] {
  return typeof column === "object" && column !== null;
}
