// A row of the kernel as columns, and back. What nearly every row has is a column; what few have stands in `more`, which
// is null for most. What other columns tell (the usual key, token, cause) is not stored at all. Decoding gives exactly
// the row that was encoded.

import type { Json } from "../../flow/json.ts";
import { isLive, type Alarm, type Previous, type Row } from "../../run/model.ts";
import { forkOf } from "../../run/values.ts";
import type { RowWrite } from "../store.ts";

/** What crosses to the thread that writes, and is bound to a statement. */
export type Scalar = string | number | null;

/** What a database gives back, as whole numbers, texts and nulls; nothing of ours is anything else. */
export type StoredValue = unknown;

/** In the place of a text that is as it was. */
export const unchanged = 0;

/** Longer texts of args and results stand in `blobs`, and the column is empty. */
export const inlineMax = 65_536;
export const outOfRow = "";

/** In the order in which `encodeRow` gives them; `id` and `run_id` come first. */
export const storedColumns = [
  "id",
  "run_id",
  "step",
  "name",
  "role",
  "status",
  "version",
  "updated_at",
  "visit",
  "item",
  "attempt",
  "scope",
  "caused_by",
  "via",
  "tool",
  "args",
  "epoch",
  "result",
  "outcome",
  "error",
  "created_at",
  "ready_at",
  "started_at",
  "completed_at",
  "finished_no",
  "timeout_at",
  "due_at",
  "is_live",
  "arrived_at",
  "serves",
  "ended",
  "undo_no",
  "waits",
  "more",
] as const;

type ColumnName = (typeof storedColumns)[number];
/** One row of a query for `rowColumns`. */
export type RowColumns = { readonly [column: string]: StoredValue };

/** What to select from `steps` so that `decodeRow` can read it. */
export const rowColumns: string = storedColumns.map(selected).join(", ");

function selected(column: ColumnName): string {
  if (column !== "args" && column !== "result") return `steps.${column} as ${column}`;
  const blob = `select body from blobs where step_id = steps.id and column_name = '${column}'`;
  return `case when steps.${column} = '' then (${blob}) else steps.${column} end as ${column}`;
}

/** Texts that are written anew; `unchanged` for the others. */
export type Texts = { readonly args: Scalar; readonly result: Scalar };

/** Puts the values of all columns behind those that are in `target`. */
export function encodeRow(target: Scalar[], { run, uid, row }: RowWrite, texts: Texts & { readonly at: number }): void {
  const { alarms } = row;
  const timeoutAt = lonelyTimeout(row);
  target.push(
    row.id,
    run,
    row.step,
    row.name === row.step ? null : row.name,
    row.role,
    row.status,
    row.version,
    texts.at,
    row.visit,
    row.index,
    row.attempt,
    row.scope,
    row.causedBy,
    row.via,
    row.tool,
    texts.args,
    epochOf(row),
    texts.result,
    row.outcome,
    row.error === null ? null : JSON.stringify(row.error),
    row.createdAt,
    row.readyAt,
    row.startedAt,
    row.completedAt,
    row.finishedNo,
    timeoutAt,
    timeoutAt === null ? dueAt(alarms) : null,
    isLive(row) ? 1 : 0,
    row.arrived ? (forkOf(row.scope) ?? 0) : null,
    row.serves,
    row.ended === null ? null : row.ended.output === row.result ? 1 : 2,
    row.isUndoable ? (row.finishedNo ?? 0) : null,
    mayWait(row) ? 1 : null,
    moreOf(row, uid),
  );
}

/** A running call that only waits for its answer: by far the most common alarm has a column of its own. */
export function lonelyTimeout({ alarms, status, tool }: Row): number | null {
  const [first] = alarms;
  if (first === undefined || alarms.length > 1 || status !== "running" || tool === null) return null;
  return first.kind === "timeout" && Number.isSafeInteger(first.at) ? first.at : null;
}

/** The instant of a run's start is the run's own. */
function dueAt(alarms: readonly Alarm[]): number | null {
  let earliest: number | null = null;
  for (const { kind, at } of alarms) if (kind !== "start" && (earliest === null || at < earliest)) earliest = at;
  return earliest === null ? null : Math.ceil(earliest);
}

/** The epoch of the usual token; of any other token "", and the token itself is in `more`. */
export function epochOf({ id, token }: Row): string | null {
  if (token === null) return null;
  const prefix = `${id}.`;
  return token.startsWith(prefix) ? token.slice(prefix.length) : "";
}

/** It rests, and neither for a time nor for an answer: only an event can bring it on. */
function mayWait({ status, role, tool, gate, isHeld, alarms }: Row): boolean {
  if (status !== "pending" || role !== "step" || tool !== null || gate !== null || isHeld) return false;
  return alarms.every(({ kind }) => kind === "timeout");
}

/** The usual key of a call, or of a sub-run. */
function usualKey(
  { step, visit, index, tool, args }: Pick<Row, "step" | "visit" | "index" | "tool" | "args">,
  uid: string,
): string | null {
  if (tool === null && args === null) return null;
  return index === null ? `${uid}:${step}:${visit}` : `${uid}:${step}:${visit}:${index}`;
}

/** `more` has nothing to tell. */
export function isPlain(row: Row, uid: string, epoch: string | null = epochOf(row)): boolean {
  return isUsualCause(row.previous, row.causedBy) && isPlainItem(row, uid, epoch);
}

/** The same of an item, of which it tells what came before: its list leads to it, and that is something else. */
export function isPlainItem(row: Row, uid: string, epoch: string | null): boolean {
  const { alarms } = row;
  return (
    row.interruptions === 0 &&
    row.side === null &&
    row.secrets.length === 0 &&
    row.handle === null &&
    row.errors === null &&
    row.warnings.length === 0 &&
    row.open === null &&
    (row.ended === null || row.ended.output === row.result) &&
    !row.mayHaveHappened &&
    !row.isHeld &&
    row.childRun === null &&
    row.childFlow === null &&
    row.gate === null &&
    row.firing === null &&
    row.copiedFrom === null &&
    (alarms.length === 0 || lonelyTimeout(row) !== null) &&
    epoch !== "" &&
    row.key === usualKey(row, uid)
  );
}

export function moreOfItem({ previous, causedBy }: Row): string | null {
  if (isUsualCause(previous, causedBy)) return null;
  if (previous !== newest.previous) newest = { previous, text: JSON.stringify({ previous } satisfies More) };
  return newest.text;
}

/** The items of a list have it in common, and come one after another. */
let newest: { readonly previous: Previous | null; readonly text: string } = { previous: null, text: "" };

function moreOf(row: Row, uid: string): string | null {
  if (isPlain(row, uid)) return null;
  const more: { -readonly [Field in keyof More]: More[Field] } = {};
  if (row.interruptions !== 0) more.interruptions = row.interruptions;
  if (row.side !== null) more.side = row.side;
  if (!isUsualCause(row.previous, row.causedBy)) more.previous = row.previous;
  if (row.secrets.length > 0) more.secrets = row.secrets;
  if (row.key !== usualKey(row, uid)) more.key = row.key;
  if (epochOf(row) === "") more.token = row.token;
  if (row.handle !== null) more.handle = row.handle;
  if (row.errors !== null) more.errors = row.errors;
  if (row.warnings.length > 0) more.warnings = row.warnings;
  if (row.alarms.length > 0 && lonelyTimeout(row) === null) more.alarms = row.alarms;
  if (row.open !== null) more.open = row.open;
  if (row.ended !== null && row.ended.output !== row.result) more.output = row.ended.output;
  if (row.mayHaveHappened) more.mayHaveHappened = true;
  if (row.isHeld) more.isHeld = true;
  if (row.childRun !== null) more.childRun = row.childRun;
  if (row.childFlow !== null) more.childFlow = row.childFlow;
  if (row.gate !== null) more.gate = row.gate;
  if (row.firing !== null) more.firing = row.firing;
  if (row.copiedFrom !== null) more.copiedFrom = row.copiedFrom;
  return JSON.stringify(more);
}

function isUsualCause(previous: Previous, causedBy: number | null): boolean {
  return previous.kind === "row" ? previous.row === causedBy : previous.kind === "input" && causedBy === null;
}

type More = Partial<
  Pick<Row, "interruptions" | "side" | "previous" | "secrets" | "key" | "token" | "errors" | "warnings" | "alarms">
> &
  Partial<
    Pick<
      Row,
      "handle" | "open" | "mayHaveHappened" | "isHeld" | "childRun" | "childFlow" | "gate" | "firing" | "copiedFrom"
    >
  > & {
    /** Of the path that ended here, unless it is the result. */
    readonly output?: Json;
  };

const nothing: More = {};

/** `uid`: of the run, of which the usual key is made. */
export function decodeRow(columns: RowColumns, uid: string): Row {
  return decodeValues(
    storedColumns.map((column) => columns[column] ?? null),
    uid,
  );
}

/** The same from a list of the values of `rowColumns`: answers come as lists in a fraction of the time. */
export function decodeValues(values: readonly StoredValue[], uid: string): Row {
  const more = values[place.more] === null ? nothing : (JSON.parse(values[place.more] as string) as More);
  const id = values[place.id] as number;
  const step = values[place.step] as string;
  const visit = values[place.visit] as number;
  const index = values[place.item] as number | null;
  const causedBy = values[place.caused_by] as number | null;
  const tool = values[place.tool] as string | null;
  const args = parseText(values[place.args]);
  const epoch = values[place.epoch] as string | null;
  const result = parseText(values[place.result]);
  const timeoutAt = values[place.timeout_at] as number | null;
  return {
    id,
    step,
    name: (values[place.name] ?? step) as string,
    role: values[place.role] as Row["role"],
    status: values[place.status] as Row["status"],
    version: values[place.version] as number,
    visit,
    index,
    attempt: values[place.attempt] as number,
    interruptions: more.interruptions ?? 0,
    scope: values[place.scope] as string,
    side: more.side ?? null,
    causedBy,
    via: values[place.via] as string,
    previous: more.previous ?? (causedBy === null ? { kind: "input" } : { kind: "row", row: causedBy }),
    tool,
    args,
    secrets: more.secrets ?? [],
    key: more.key === undefined ? usualKey({ step, visit, index, tool, args }, uid) : more.key,
    token: more.token ?? (epoch === null ? null : `${id}.${epoch}`),
    handle: more.handle ?? null,
    result,
    errors: more.errors ?? null,
    outcome: values[place.outcome] as string | null,
    error: parseText(values[place.error]) as Row["error"],
    warnings: more.warnings ?? [],
    alarms: more.alarms ?? (timeoutAt === null ? [] : [{ kind: "timeout", at: timeoutAt }]),
    createdAt: values[place.created_at] as number,
    readyAt: values[place.ready_at] as number | null,
    startedAt: values[place.started_at] as number | null,
    completedAt: values[place.completed_at] as number | null,
    finishedNo: values[place.finished_no] as number | null,
    open: more.open ?? null,
    arrived: values[place.arrived_at] !== null,
    ended: endedOf(values[place.ended], more, result),
    mayHaveHappened: more.mayHaveHappened ?? false,
    isHeld: more.isHeld ?? false,
    isUndoable: values[place.undo_no] !== null,
    childRun: more.childRun ?? null,
    childFlow: more.childFlow ?? null,
    gate: more.gate ?? null,
    firing: more.firing ?? null,
    serves: values[place.serves] as number | null,
    copiedFrom: more.copiedFrom ?? null,
  };
}

/** Where each column stands in such a list. */
const place = Object.fromEntries(storedColumns.map((column, position) => [column, position])) as {
  readonly [Column in ColumnName]: number;
};

function endedOf(ended: StoredValue, more: More, result: Json): Row["ended"] {
  if (ended === null) return null;
  return { output: ended === 1 ? result : (more.output ?? null) };
}

function parseText(text: StoredValue): Json {
  return typeof text === "string" ? (JSON.parse(text) as Json) : null;
}
