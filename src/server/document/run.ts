// Runs, steps and all that is told about them as programs read it: the words and the times (integer milliseconds) of the
// public tables. The one place that makes these documents; every door answers the same.

import type { HistoryEntry } from "../../run/history.ts";
import { attemptOf, type Origin, type Row, type RunId, type RunRow } from "../../run/model.ts";
import type { BriefRow } from "../../store/brief.ts";
import type { StoredRun } from "../../store/store.ts";
import type {
  AttentionDocument,
  EndingDocument,
  GateStateDocument,
  HistoryEntryDocument,
  OpenDocument,
  RunDocument,
  StepDocument,
} from "../contract/run.ts";

/** A run without its steps, as lists show it. */
export function toRunDocument({ run, flow, updatedAt }: Omit<StoredRun, "startKey">): RunDocument {
  return {
    id: run.id,
    uid: run.uid,
    name: run.name,
    status: run.status,
    terminal_kind: run.terminalKind,
    attention: attentionOf(run),
    ending: endingOf(run),
    flow,
    input: run.input,
    output: run.output,
    error: run.error,
    data: run.data,
    created_by: run.createdBy,
    created_via: run.createdVia,
    created_at: run.createdAt,
    updated_at: updatedAt,
    scheduled_at: run.alarms.find(({ kind }) => kind === "start")?.at ?? null,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    cancelled_at: run.cancelledAt,
    duration_ms: durationOf(run),
    parent_id: run.parent?.run ?? null,
    origin: originOf(run.origin),
  };
}

function originOf(origin: Origin | null): RunDocument["origin"] {
  if (origin === null) return null;
  return { kind: origin.kind, id: origin.run, uid: origin.uid, attempt: attemptOf(origin) };
}

export type WholeRun = Omit<StoredRun, "startKey"> & { readonly rows: readonly Row[] };

export function toWholeDocument(whole: WholeRun): RunDocument & { readonly steps: readonly StepDocument[] } {
  return { ...toRunDocument(whole), steps: toStepDocuments(whole.run.id, whole.rows) };
}

/** The row that keeps the items of an each is no step. */
function toStepDocuments(run: RunId, rows: readonly Row[]): readonly StepDocument[] {
  return rows.filter(({ role }) => role !== "items").map((row) => toStepDocument(run, row));
}

export function toStepDocument(run: RunId, row: Row): StepDocument {
  const { id, workflow_id: workflow, key, name, role, tool, outcome, error, ...rest } = toStepFields(run, row);
  const { args, result, errors } = row;
  return { id, workflow_id: workflow, key, name, role, tool, args, result, outcome, error, errors, ...rest };
}

/** All of a step but its values. */
export function toStepFields(run: RunId, row: BriefRow): Omit<StepDocument, "args" | "result" | "errors"> {
  return {
    id: row.id,
    workflow_id: run,
    key: row.step,
    name: row.name,
    role: row.role,
    tool: row.tool,
    outcome: row.outcome,
    error: row.error,
    warnings: row.warnings,
    status: row.status,
    attempt: row.attempt,
    visit: row.visit,
    item: row.index,
    scope: row.scope,
    caused_by: row.causedBy,
    child_id: row.childRun,
    serves: row.serves,
    is_held: row.isHeld,
    may_have_happened: row.mayHaveHappened,
    interruptions: row.interruptions,
    transition: row.firing?.transition ?? null,
    open: openOf(row),
    gate: gateOf(row),
    alarms: row.alarms.map(({ kind, at }) => ({ kind, at })),
    due_at: row.alarms.reduce<number | null>((least, { at }) => (least === null || at < least ? at : least), null),
    created_at: row.createdAt,
    ready_at: row.readyAt,
    started_at: row.startedAt,
    completed_at: row.completedAt,
    duration_ms: durationOf(row),
  };
}

export function toHistoryDocument(entry: HistoryEntry): HistoryEntryDocument {
  switch (entry.kind) {
    case "entered": {
      const { causedBy, index, row, ...rest } = entry;
      return { ...rest, step_id: row, item: index, caused_by: causedBy };
    }
    case "started":
      return { kind: entry.kind, at: entry.at, step_id: entry.row };
    case "event":
      return { kind: entry.kind, at: entry.at, step_id: entry.row, event: entry.event, by: entry.by, data: entry.data };
    case "ended": {
      const { row, mayHaveHappened, ...rest } = entry;
      return { ...rest, step_id: row, may_have_happened: mayHaveHappened };
    }
  }
}

function attentionOf({ attention }: RunRow): AttentionDocument | null {
  return attention === null ? null : { code: attention.code, step_id: attention.row, value: attention.value };
}

/** On its way to its end: nothing new starts but clean-up and undoing. */
function endingOf({ ending }: RunRow): EndingDocument | null {
  if (ending === null) return null;
  const { kind, phase, by, reason } = ending;
  return { kind, phase, by, reason };
}

/** What of a fork or an each is still to come. */
function openOf({ open }: BriefRow): OpenDocument | null {
  if (open === null) return null;
  if (open.kind === "fork") return { kind: open.kind, open: open.open, arrived: open.arrived };
  const { kind, count, started, ended, failed } = open;
  return { kind, count, started, ended, failed };
}

function gateOf({ gate }: BriefRow): GateStateDocument | null {
  if (gate === null) return null;
  return {
    title: gate.title,
    message: gate.message,
    hash: gate.hash,
    reminders: gate.reminders,
    answers: gate.answers,
  };
}

function durationOf({
  startedAt,
  completedAt,
}: {
  readonly startedAt: number | null;
  readonly completedAt: number | null;
}): number | null {
  return startedAt === null || completedAt === null ? null : completedAt - startedAt;
}
