// What crosses to the thread that writes. The rows of one list are much alike: their calls belong to one run, go to one tool,
// began at one instant. So a column in which all rows have the same value crosses as that value, and any other one as a
// list: a fraction of the values, each of which would be copied on either side.

import {
  finishedWidth,
  leftWidth,
  newRunWidth,
  rowWidth,
  runWidth,
  startedItemWidth,
  startedWidth,
  type FlatBatch,
} from "../columns/batch.ts";
import type { Scalar } from "../columns/row.ts";

/** Of the lists that grow with what is under way. */
const widths: { readonly [Name in ListName]: number } = {
  newRuns: newRunWidth,
  runs: runWidth,
  started: startedWidth,
  startedItems: startedItemWidth,
  finished: finishedWidth,
  left: leftWidth,
  newRows: rowWidth,
  rows: rowWidth + 1,
};

type ListName = "newRuns" | "runs" | "started" | "startedItems" | "finished" | "left" | "newRows" | "rows";

/** One value, or one for each row. */
type Column = Scalar | readonly Scalar[];

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

export function unpackBatch(packed: PackedBatch): FlatBatch {
  return {
    ...packed,
    newRuns: unpackList(packed.newRuns),
    runs: unpackList(packed.runs),
    started: unpackList(packed.started),
    startedItems: unpackList(packed.startedItems),
    finished: unpackList(packed.finished),
    left: unpackList(packed.left),
    newRows: unpackList(packed.newRows),
    rows: unpackList(packed.rows),
  };
}

export function packList(list: readonly Scalar[], width: number): PackedList {
  const count = list.length / width;
  if (!Number.isInteger(count)) throw new TypeError(`${list.length} values are no rows of ${width}.`);
  const columns: Column[] = [];
  if (count > 0) for (let at = 0; at < width; at++) columns.push(packColumn(list, width, at));
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

export function unpackList({ count, columns }: PackedList): Scalar[] {
  const list: Scalar[] = [];
  for (let row = 0; row < count; row++)
    for (const column of columns) list.push(isList(column) ? (column[row] ?? null) : column);
  return list;
}

function isList(column: Column): column is readonly Scalar[] {
  return typeof column === "object" && column !== null;
}
