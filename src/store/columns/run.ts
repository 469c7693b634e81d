// A run's own row as columns, and back. Its counters are not stored: whoever loads the run counts its rows.

import type { Json, JsonObject } from "../../flow/json.ts";
import type { RunRow } from "../../run/model.ts";
import type { RunWrite, StoredRun } from "../store.ts";
import type { Scalar, StoredValue } from "./row.ts";

/** Of a new run, in the order in which `encodeNewRun` gives them: what never changes, then what may. */
export const fixedRunColumns = [
  "id",
  "uid",
  "flow",
  "name",
  "input",
  "created_by",
  "created_via",
  "created_at",
  "parent_run",
  "start_key",
] as const;

export const changingRunColumns = [
  "status",
  "version",
  "updated_at",
  "started_at",
  "completed_at",
  "cancelled_at",
  "terminal_kind",
  "output",
  "error",
  "due_at",
  "rest_count",
  "ended_count",
  "more",
] as const;

/** What to select from `runs` so that `decodeRun` can read it. */
export const runColumns: string = [...fixedRunColumns, ...changingRunColumns]
  .map((column) => `runs.${column} as ${column}`)
  .join(", ");

/** One row of a query for `runColumns`. */
export type RunColumns = { readonly [column: string]: StoredValue };

export function encodeNewRun(target: Scalar[], { run, flow, startKey }: RunWrite, at: number): void {
  target.push(
    run.id,
    run.uid,
    flow,
    run.name,
    JSON.stringify(run.input),
    run.createdBy,
    run.createdVia,
    run.createdAt,
    run.parent === null ? null : run.parent.run,
    startKey,
  );
  encodeChanging(target, run, at);
}

/** The changing columns, and the id last. */
export function encodeRunChange(target: Scalar[], { run }: RunWrite, at: number): void {
  encodeChanging(target, run, at);
  target.push(run.id);
}

function encodeChanging(target: Scalar[], run: RunRow, at: number): void {
  target.push(
    run.status,
    run.version,
    at,
    run.startedAt,
    run.completedAt,
    run.cancelledAt,
    run.terminalKind,
    run.output === null ? null : JSON.stringify(run.output),
    run.error === null ? null : JSON.stringify(run.error),
    dueAt(run),
    run.restCount,
    run.endedCount,
    moreOf(run),
  );
}

/** A run that stands still as a whole is not due, whatever it waits for. */
function dueAt({ alarms, attention }: RunRow): number | null {
  if (alarms.length === 0 || (attention !== null && attention.row === null)) return null;
  return Math.ceil(Math.min(...alarms.map(({ at }) => at)));
}

type More = Partial<Pick<RunRow, "attention" | "ending" | "alarms" | "parent" | "origin" | "keys" | "data" | "seen">>;

function moreOf({ attention, ending, alarms, parent, origin, keys, data, seen }: RunRow): string | null {
  const more: { -readonly [Field in keyof More]: More[Field] } = {};
  if (attention !== null) more.attention = attention;
  if (ending !== null) more.ending = ending;
  if (alarms.length > 0) more.alarms = alarms;
  if (parent !== null) more.parent = parent;
  if (origin !== null) more.origin = origin;
  if (keys !== null) more.keys = keys;
  if (data !== null) more.data = data;
  if (seen.length > 0) more.seen = seen;
  return Object.keys(more).length === 0 ? null : JSON.stringify(more);
}

/** What the rows of a run tell of it. */
export type Counts = Pick<RunRow, "live" | "rowCount" | "finishedCount">;

const uncounted: Counts = { live: 0, rowCount: 0, finishedCount: 0 };

export function decodeRun(columns: RunColumns, counts: Counts = uncounted): StoredRun {
  const more = columns["more"] === null ? {} : (JSON.parse(columns["more"] as string) as More);
  const run: RunRow = {
    id: columns["id"] as number,
    uid: columns["uid"] as string,
    name: columns["name"] as string,
    status: columns["status"] as RunRow["status"],
    version: columns["version"] as number,
    input: JSON.parse(columns["input"] as string) as JsonObject,
    createdBy: columns["created_by"] as string,
    createdVia: columns["created_via"] as string | null,
    createdAt: columns["created_at"] as number,
    startedAt: columns["started_at"] as number | null,
    completedAt: columns["completed_at"] as number | null,
    cancelledAt: columns["cancelled_at"] as number | null,
    terminalKind: columns["terminal_kind"] as RunRow["terminalKind"],
    output: parseText(columns["output"]),
    error: parseText(columns["error"]) as RunRow["error"],
    attention: more.attention ?? null,
    ending: more.ending ?? null,
    alarms: more.alarms ?? [],
    ...counts,
    restCount: columns["rest_count"] as number,
    endedCount: columns["ended_count"] as number,
    parent: more.parent ?? null,
    origin: more.origin ?? null,
    keys: more.keys ?? null,
    data: more.data ?? null,
    seen: more.seen ?? [],
  };
  return {
    run,
    flow: columns["flow"] as string,
    updatedAt: columns["updated_at"] as number,
    startKey: columns["start_key"] as string | null,
  };
}

function parseText(text: StoredValue): Json {
  return typeof text === "string" ? (JSON.parse(text) as Json) : null;
}
