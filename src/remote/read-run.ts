// Runs and steps of a server as the library's own. What only the process that works on them needs, such as versions,
// counters and keys, a server does not tell; it stands here at its empty value.

import type { JsonObject } from "../flow/json.ts";
import type { HistoryEntry } from "../run/history.ts";
import type { Attention, Ending, OpenWork, Origin, Row, RunRow } from "../run/model.ts";
import type { StoredRun } from "../store/store.ts";
import { fieldIn, listIn, numberIn, objectIn, take, textIn } from "./fields.ts";

export function readStoredRun(document: JsonObject): StoredRun {
  return {
    run: readRun(document),
    flow: textIn(document, "flow"),
    updatedAt: numberIn(document, "updated_at"),
    startKey: null,
  };
}

const runNames = [
  "id",
  "uid",
  "name",
  "status",
  "input",
  "output",
  "error",
  "data",
  "createdBy",
  "createdVia",
  "createdAt",
  "startedAt",
  "completedAt",
  "cancelledAt",
  "terminalKind",
] as const;

function readRun(document: JsonObject): RunRow {
  const scheduledAt = fieldIn(document, "scheduled_at");
  const parent = fieldIn(document, "parent_id");
  return {
    ...take<RunRow, (typeof runNames)[number]>(document, runNames),
    alarms: typeof scheduledAt === "number" ? [{ kind: "start", at: scheduledAt }] : [],
    attention: readAttention(document),
    ending: readEnding(document),
    parent: typeof parent === "number" ? { run: parent, row: 0, depth: 0 } : null,
    origin: readOrigin(document),
    version: 0,
    live: 0,
    rowCount: 0,
    finishedCount: 0,
    restCount: 0,
    endedCount: 0,
    keys: null,
    seen: [],
  };
}

function readAttention(document: JsonObject): Attention | null {
  const told = fieldIn(document, "attention");
  if (told === null) return null;
  const { step_id: row = null, ...rest } = objectIn(told);
  return { ...take<Attention, "code" | "value">(rest, ["code", "value"]), row: typeof row === "number" ? row : null };
}

function readEnding(document: JsonObject): Ending | null {
  const told = fieldIn(document, "ending");
  if (told === null) return null;
  const ending = take<Ending, "kind" | "phase" | "by" | "reason">(objectIn(told), ["kind", "phase", "by", "reason"]);
  return { ...ending, undoneTo: null, error: null, output: null };
}

function readOrigin(document: JsonObject): Origin | null {
  const told = fieldIn(document, "origin");
  if (told === null) return null;
  const origin = objectIn(told);
  const attempt = fieldIn(origin, "attempt");
  return {
    ...take<Origin, "kind" | "uid">(origin, ["kind", "uid"]),
    run: numberIn(origin, "id"),
    ...(typeof attempt === "number" ? { attempt } : {}),
  };
}

const rowNames = [
  "id",
  "name",
  "role",
  "tool",
  "args",
  "result",
  "outcome",
  "error",
  "errors",
  "warnings",
  "status",
  "attempt",
  "visit",
  "scope",
  "causedBy",
  "serves",
  "isHeld",
  "mayHaveHappened",
  "interruptions",
  "gate",
  "alarms",
  "createdAt",
  "readyAt",
  "startedAt",
  "completedAt",
] as const;

function readRow(document: JsonObject): Row {
  const transition = fieldIn(document, "transition");
  const child = fieldIn(document, "child_id");
  const index = fieldIn(document, "item");
  return {
    ...take<Row, (typeof rowNames)[number]>(document, rowNames),
    step: textIn(document, "key"),
    index: typeof index === "number" ? index : null,
    childRun: typeof child === "number" ? child : null,
    open: readOpen(document),
    firing: typeof transition === "string" ? { transition, by: null, reason: null, data: {}, alarms: [] } : null,
    version: 0,
    side: null,
    via: "",
    previous: { kind: "input" },
    secrets: [],
    key: null,
    token: null,
    handle: null,
    finishedNo: null,
    arrived: false,
    ended: null,
    isUndoable: false,
    childFlow: null,
    copiedFrom: null,
  };
}

function readOpen(document: JsonObject): OpenWork | null {
  const told = fieldIn(document, "open");
  if (told === null) return null;
  const open = objectIn(told);
  if (textIn(open, "kind") === "fork")
    return { kind: "fork", open: numberIn(open, "open"), arrived: numberIn(open, "arrived") };
  const [count, started, ended, failed] = [
    numberIn(open, "count"),
    numberIn(open, "started"),
    numberIn(open, "ended"),
    numberIn(open, "failed"),
  ];
  return { kind: "each", count, started, ended, failed, items: 0, copied: [] };
}

type Entered = Extract<HistoryEntry, { readonly kind: "entered" }>;
type Ended = Extract<HistoryEntry, { readonly kind: "ended" }>;
type Told = Extract<HistoryEntry, { readonly kind: "event" }>;

export function readHistoryEntry(document: JsonObject): HistoryEntry {
  const at = numberIn(document, "at");
  const step = fieldIn(document, "step_id");
  const place = { at, row: typeof step === "number" ? step : null };
  switch (textIn(document, "kind")) {
    case "entered": {
      const names = ["step", "name", "role", "visit", "attempt", "causedBy", "via"] as const;
      const index = fieldIn(document, "item");
      const entered = take<Entered, (typeof names)[number]>(document, names);
      return { kind: "entered", ...place, ...entered, index: typeof index === "number" ? index : null };
    }
    case "started":
      return { kind: "started", ...place };
    case "ended": {
      const names = ["status", "outcome", "result", "error", "mayHaveHappened"] as const;
      return { kind: "ended", ...place, ...take<Ended, (typeof names)[number]>(document, names) };
    }
    // Whatever else a newer server tells, it is something that happened.
    default:
      return { kind: "event", ...place, ...take<Told, "event" | "by" | "data">(document, ["event", "by", "data"]) };
  }
}

export function readRows(document: JsonObject): readonly Row[] {
  return listIn(fieldIn(document, "steps")).map(readRow);
}
