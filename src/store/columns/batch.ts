// A batch as flat lists of scalars, ready to be bound to statements: these cross to the thread that writes at a fraction
// of what nested objects cost. Few kinds of writes are nearly all of them, and have lists with few columns: a call that
// begins, for a step or an item, and a call that has ended well. Each list is a row after another, of a fixed width.

import type { Json } from "../../flow/json.ts";
import type { Row } from "../../run/model.ts";
import { forkOf } from "../../run/values.ts";
import type { Batch, RowWrite } from "../store.ts";
import {
  encodeRow,
  epochOf,
  inlineMax,
  isPlain,
  isPlainItem,
  lonelyTimeout,
  moreOfItem,
  outOfRow,
  storedColumns,
  unchanged,
  type Scalar,
} from "./row.ts";
import { changingRunColumns, encodeNewRun, encodeRunChange, fixedRunColumns } from "./run.ts";

/** Lists of rows, one value after another. */
export type FlatBatch = {
  readonly no: number;
  readonly at: number;
  readonly lastId: number;
  readonly flows: Scalar[];
  readonly newRuns: Scalar[];
  readonly runs: Scalar[];
  /** Calls that begin, in their few columns. */
  readonly started: Scalar[];
  /** The same of items, which have a few more. */
  readonly startedItems: Scalar[];
  /** Calls that have ended well; `left`: and their paths with them. */
  readonly finished: Scalar[];
  readonly left: Scalar[];
  readonly newRows: Scalar[];
  readonly rows: Scalar[];
  readonly blobs: Scalar[];
  readonly droppedBlobs: Scalar[];
  readonly events: Scalar[];
  readonly signalRuns: Scalar[];
  readonly signals: Scalar[];
  readonly visits: Scalar[];
  readonly answers: Scalar[];
  readonly entries: Scalar[];
  readonly droppedEntries: Scalar[];
  /** Whose ratings of the steps of a run are replaced by one of the whole run. */
  readonly droppedRatings: Scalar[];
  readonly ratings: Scalar[];
  readonly audit: Scalar[];
  readonly pruned: Scalar[];
  /** run, name, whose */
  readonly removed: Scalar[];
};

/** As `flattenStart` gives them; behind them, those that only items have. */
export const startedColumns: readonly string[] =
  "id run_id step name version visit scope caused_by via tool args epoch created_at timeout_at".split(" ");
export const startedItemColumns: readonly string[] = ["item", "serves", "more"];

/** The lists that grow with what is under way. */
export type ListName = "newRuns" | "runs" | "started" | "startedItems" | "finished" | "left" | "newRows" | "rows";

/** How many values a row of each has. */
export const widths: { readonly [Name in ListName]: number } = {
  newRuns: fixedRunColumns.length + changingRunColumns.length,
  // The id behind them.
  runs: changingRunColumns.length + 1,
  started: startedColumns.length,
  startedItems: startedColumns.length + startedItemColumns.length,
  finished: 8,
  left: 10,
  newRows: storedColumns.length,
  // The version before in front of them.
  rows: 1 + storedColumns.length,
};

/** In the column of the step: the rating is of the whole run. */
export const wholeRun = 0;

export function flattenBatch(batch: Batch): FlatBatch {
  const flat = emptyFlat(batch);
  for (const { hash, name, source, createdAt } of batch.flows)
    flat.flows.push(hash, name, JSON.stringify(source), createdAt);
  for (const write of batch.runs) {
    if (write.isNew) encodeNewRun(flat.newRuns, write, batch.at);
    else encodeRunChange(flat.runs, write, batch.at);
  }
  for (const write of batch.rows) flattenRow(flat, write);
  for (const { run, event } of batch.events)
    flat.events.push(run, event.id, event.kind, event.at, event.row, event.by, JSON.stringify(event.data));
  for (const { run, signals } of batch.signals) {
    flat.signalRuns.push(run);
    for (const [position, { id, name, data }] of signals.entries())
      flat.signals.push(run, position, id, name, JSON.stringify(data));
  }
  for (const { run, step, count } of batch.visits) flat.visits.push(run, step, count.all, count.sinceRest, count.rest);
  for (const { id, answer } of batch.answers) flat.answers.push(JSON.stringify(answer), id);
  for (const { kind, key, version, updatedAt, value } of batch.entries) {
    if (value === null) flat.droppedEntries.push(kind, key);
    else flat.entries.push(kind, key, version, updatedAt, JSON.stringify(value));
  }
  flattenSayings(flat, batch);
  for (const run of batch.pruned) flat.pruned.push(run);
  for (const { run, name, createdBy } of batch.removed) flat.removed.push(run, name, createdBy);
  return flat;
}

/** What people have said of runs, and what they have done. */
function flattenSayings(flat: FlatBatch, { ratings, audit }: Batch): void {
  for (const { run, step, by, quality, feedback, at } of ratings) {
    if (step === null) flat.droppedRatings.push(run, by);
    flat.ratings.push(run, step ?? wholeRun, by, quality, feedback, at);
  }
  for (const { at, user, via, source, verb, subject, details } of audit)
    flat.audit.push(at, user, via, source, verb, subject, JSON.stringify(details));
}

function emptyFlat({ no, at, lastId }: Batch): FlatBatch {
  return {
    no,
    at,
    lastId,
    flows: [],
    newRuns: [],
    runs: [],
    started: [],
    startedItems: [],
    finished: [],
    left: [],
    newRows: [],
    rows: [],
    blobs: [],
    droppedBlobs: [],
    events: [],
    signalRuns: [],
    signals: [],
    visits: [],
    answers: [],
    entries: [],
    droppedEntries: [],
    droppedRatings: [],
    ratings: [],
    audit: [],
    pruned: [],
    removed: [],
  };
}

function flattenRow(flat: FlatBatch, write: RowWrite): void {
  const { row, before } = write;
  if (before === null) {
    if (!(isStart(row) && flattenStart(flat, write))) flattenNew(flat, write);
  } else if (!(isFinish(row, before) && flattenFinish(flat, write))) {
    flattenChange(flat, write, before);
  }
}

/** A call that was made, admitted and begun in one batch, and is nothing special. */
function isStart(row: Row): boolean {
  return (
    row.status === "running" &&
    row.tool !== null &&
    row.attempt === 1 &&
    row.createdAt === row.startedAt &&
    row.createdAt === row.readyAt &&
    row.finishedNo === null &&
    row.result === null &&
    row.error === null &&
    row.outcome === null &&
    row.ended === null &&
    !row.arrived &&
    !row.isUndoable &&
    row.token !== null
  );
}

/** False: it does not fit. */
function flattenStart({ started, startedItems }: FlatBatch, { run, uid, row }: RowWrite): boolean {
  const isItem = row.role === "item" && row.index !== null && row.serves !== null;
  const isStep = row.role === "step" && row.index === null && row.serves === null;
  const epoch = epochOf(row);
  if (!(isItem ? isPlainItem(row, uid, epoch) : isStep && isPlain(row, uid, epoch))) return false;
  const args = textOf(row.args);
  if (args !== null && args.length > inlineMax) return false;
  const target = isItem ? startedItems : started;
  target.push(
    row.id,
    run,
    row.step,
    row.name === row.step ? null : row.name,
    row.version,
    row.visit,
    row.scope,
    row.causedBy,
    row.via,
    row.tool,
    args,
    epoch,
    row.createdAt,
    lonelyTimeout(row),
  );
  if (isItem) target.push(row.index, row.serves, moreOfItem(row));
  return true;
}

/** A call that has ended well: besides what that changes all is as it was. */
function isFinish(row: Row, before: Row): boolean {
  return (
    row.status === "done" &&
    before.status === "running" &&
    row.token === null &&
    row.alarms.length === 0 &&
    before.result === null &&
    before.ended === null &&
    !before.arrived &&
    lonelyTimeout(before) !== null &&
    epochOf(before) !== "" &&
    (row.ended === null || row.ended.output === row.result) &&
    (row.warnings === before.warnings || (row.warnings.length === 0 && before.warnings.length === 0)) &&
    isOtherwiseAlike(row, before)
  );
}

/** All fields but those that `isFinish` looks at, and those that `flattenFinish` writes. Written out: a loop over their
 *  names takes longer than all the rest. */
function isOtherwiseAlike(row: Row, before: Row): boolean {
  return (
    row.step === before.step &&
    row.name === before.name &&
    row.role === before.role &&
    row.visit === before.visit &&
    row.index === before.index &&
    row.attempt === before.attempt &&
    row.interruptions === before.interruptions &&
    row.scope === before.scope &&
    row.side === before.side &&
    row.causedBy === before.causedBy &&
    row.via === before.via &&
    row.previous === before.previous &&
    row.tool === before.tool &&
    row.args === before.args &&
    row.secrets === before.secrets &&
    row.key === before.key &&
    row.handle === before.handle &&
    row.errors === before.errors &&
    row.error === before.error &&
    row.createdAt === before.createdAt &&
    row.readyAt === before.readyAt &&
    row.startedAt === before.startedAt &&
    row.open === before.open &&
    row.mayHaveHappened === before.mayHaveHappened &&
    row.isHeld === before.isHeld &&
    row.isUndoable === before.isUndoable &&
    row.childRun === before.childRun &&
    row.childFlow === before.childFlow &&
    row.gate === before.gate &&
    row.firing === before.firing &&
    row.serves === before.serves &&
    row.copiedFrom === before.copiedFrom
  );
}

function flattenFinish({ finished, left }: FlatBatch, { run, row, before }: RowWrite): boolean {
  const result = textOf(row.result);
  if (result !== null && result.length > inlineMax) return false;
  const isLast = row.arrived || row.ended !== null;
  const target = isLast ? left : finished;
  target.push(row.id, run, before?.version ?? 0, row.version, result, row.outcome, row.completedAt, row.finishedNo);
  if (isLast) target.push(row.arrived ? (forkOf(row.scope) ?? 0) : null, row.ended === null ? null : 1);
  return true;
}

function flattenNew(flat: FlatBatch, write: RowWrite): void {
  const { id, args, result } = write.row;
  const texts = { args: inRow(flat, id, "args", textOf(args)), result: inRow(flat, id, "result", textOf(result)) };
  encodeRow(flat.newRows, write, { ...texts, at: flat.at });
}

function flattenChange(flat: FlatBatch, write: RowWrite, before: Row): void {
  const { row } = write;
  const texts = { args: changedText(flat, "args", row, before), result: changedText(flat, "result", row, before) };
  flat.rows.push(before.version);
  encodeRow(flat.rows, write, { ...texts, at: flat.at });
}

type BlobColumn = "args" | "result";

/** The same value is the same text: rows are copies of each other that share what has not changed. */
function changedText(flat: FlatBatch, column: BlobColumn, row: Row, before: Row): Scalar {
  if (row[column] === before[column]) return unchanged;
  const wasLong = before[column] !== null && (textOf(before[column]) ?? "").length > inlineMax;
  const text = textOf(row[column]);
  const isLong = text !== null && text.length > inlineMax;
  if (wasLong && !isLong) flat.droppedBlobs.push(row.id, column);
  return inRow(flat, row.id, column, text);
}

/** The text, or what stands in its column when it is too long for it. */
function inRow({ blobs }: FlatBatch, id: number, column: BlobColumn, text: string | null): string | null {
  if (text === null || text.length <= inlineMax) return text;
  blobs.push(id, column, text);
  return outOfRow;
}

function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
