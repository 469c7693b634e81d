// What a person must look at. The first cause stays the run's `attention` until it is gone; then the next one is looked
// for among the live rows. Only then, so that a decision costs the same however many rows are live.

import { findRow, liveRows, patchRun, type Draft } from "./draft.ts";
import type { Attention, Row, RunRow } from "./model.ts";

/** This row waits for a person from now on. */
export function raiseAttention(draft: Draft, row: Row): void {
  if (!stands(draft)) patchRun(draft, { attention: causeIn(row) });
}

/** Once the message is decided: has what the run asked a person for been settled? */
export function reviewAttention(draft: Draft): void {
  if (draft.run.attention !== null && !stands(draft)) patchRun(draft, { attention: attentionOf(draft) });
}

/** Said of the run as a whole: what it led to cannot be written. */
export function isPoisoned({ attention }: RunRow): boolean {
  return attention?.code === "poison" && attention.row === null;
}

/** A person has looked; what else is there to look at? */
export function clearPoison(draft: Draft): void {
  if (isPoisoned(draft.run)) patchRun(draft, { attention: attentionOf(draft) });
}

function stands(draft: Draft): boolean {
  const { attention } = draft.run;
  if (attention === null) return false;
  if (attention.row === null) return true;
  const row = findRow(draft, attention.row);
  return row !== undefined && causeIn(row)?.code === attention.code;
}

/** The oldest live row for which a person is needed. */
function attentionOf(draft: Draft): Attention | null {
  const live = liveRows(draft);
  const probed = new Set(live.filter((row) => row.role === "probe").map((row) => row.serves));
  for (const row of live) {
    const cause = probed.has(row.id) ? null : causeIn(row);
    if (cause !== null) return cause;
  }
  return null;
}

/** Cut off too often; or not called, since what it would call is not what was agreed on. */
function pendingCause({ id, error, interruptions }: Row): Attention {
  return error === null
    ? { code: "poison", row: id, value: interruptions }
    : { code: error.code, row: id, value: error.message };
}

function causeIn(row: Row): Attention | null {
  const { id, error } = row;
  if (row.status === "uncertain") return { code: "uncertain", row: id, value: error };
  if (!row.isHeld) return null;
  if (row.status === "pending") return pendingCause(row);
  if (row.role === "undo") return { code: "compensation_failed", row: id, value: error };
  return { code: "no_branch_matched", row: id, value: row.outcome === "success" ? row.result : row.outcome };
}
