// What a row of `commits` says: written here, and read.

import type { RowId, RunId } from "../../run/model.ts";
import type { CommitChange, CommitRecord } from "../store.ts";
import { widths, type FlatBatch, type ListName } from "./batch.ts";
import { storedColumns, type Scalar } from "./row.ts";
import { fixedRunColumns } from "./run.ts";

/** The values of a list, however it lies in memory. */
export type Cells = { readonly count: number; readonly at: (row: number, column: number) => Scalar | undefined };

export type Changes = { readonly [Name in ListName]: Cells } & Pick<
  FlatBatch,
  "removed" | "entries" | "droppedEntries"
>;

export function changesOf(flat: FlatBatch): string {
  return writeChanges({
    ...flat,
    newRuns: cellsOf(flat.newRuns, widths.newRuns),
    runs: cellsOf(flat.runs, widths.runs),
    started: cellsOf(flat.started, widths.started),
    startedItems: cellsOf(flat.startedItems, widths.startedItems),
    finished: cellsOf(flat.finished, widths.finished),
    left: cellsOf(flat.left, widths.left),
    newRows: cellsOf(flat.newRows, widths.newRows),
    rows: cellsOf(flat.rows, widths.rows),
  });
}

function cellsOf(list: readonly Scalar[], width: number): Cells {
  return { count: list.length / width, at: (row, column) => list[row * width + column] };
}

/** `[[run, row, status], …]`, for those who follow; of a run that is removed with what it was called and whose it was, and
 *  the kinds of the entries that were written. `readChanges` reads it. */
export function writeChanges(changes: Changes): string {
  const { newRuns, runs, started, startedItems, finished, left, newRows, rows, removed } = changes;
  let text = "";
  for (let row = 0; row < newRuns.count; row++)
    text += `,[${newRuns.at(row, 0)},null,"${newRuns.at(row, fixedRunColumns.length)}"]`;
  for (const list of [finished, left])
    for (let row = 0; row < list.count; row++) text += `,[${list.at(row, 1)},${list.at(row, 0)},"done"]`;
  for (const list of [started, startedItems])
    for (let row = 0; row < list.count; row++) text += `,[${list.at(row, 1)},${list.at(row, 0)},"running"]`;
  for (let row = 0; row < newRows.count; row++)
    text += `,[${newRows.at(row, 1)},${newRows.at(row, 0)},"${newRows.at(row, rowStatusAt)}"]`;
  for (let row = 0; row < rows.count; row++)
    text += `,[${rows.at(row, 2)},${rows.at(row, 1)},"${rows.at(row, rowStatusAt + 1)}"]`;
  for (let row = 0; row < runs.count; row++) text += `,[${runs.at(row, widths.runs - 1)},null,"${runs.at(row, 0)}"]`;
  for (let from = 0; from < removed.length; from += removedWidth)
    text += `,[${removed[from]},null,"removed",${JSON.stringify(removed.slice(from + 1, from + removedWidth)).slice(1, -1)}]`;
  for (const kind of kindsIn(changes)) text += `,${JSON.stringify(kind)}`;
  return `[${text.slice(1)}]`;
}

/** Nearly always none. */
function kindsIn({ entries, droppedEntries }: Changes): ReadonlySet<Scalar | undefined> {
  const kinds = new Set<Scalar | undefined>();
  for (let from = 0; from < entries.length; from += entryWidth) kinds.add(entries[from]);
  for (let from = 0; from < droppedEntries.length; from += droppedEntryWidth) kinds.add(droppedEntries[from]);
  return kinds;
}

const removedWidth = 3;
const entryWidth = 5;
const droppedEntryWidth = 2;
const rowStatusAt = storedColumns.indexOf("status");

type ChangeText = readonly [RunId, RowId | null, string, name?: string, createdBy?: string];

export function readChanges(text: string): Pick<CommitRecord, "changes" | "entries"> {
  const changes: CommitChange[] = [];
  const entries: string[] = [];
  for (const each of JSON.parse(text) as readonly (ChangeText | string)[])
    if (typeof each === "string") entries.push(each);
    else changes.push(toChange(each));
  return { changes, entries };
}

function toChange([run, row, status, name, createdBy]: ChangeText): CommitChange {
  if (name === undefined || createdBy === undefined) return { run, row, status };
  return { run, row, status, was: { name, createdBy } };
}
