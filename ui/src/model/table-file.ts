// Runs as a file for a spreadsheet or a program.

import { keyOf, spanOf } from "./run-row.ts";
import type { Run } from "./run.ts";
import { triggerOf } from "./trigger.ts";

type Cell = string | number | null;

/** A cell that begins like a formula would be computed by a spreadsheet: an apostrophe makes it a text. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(showCell).join(",")}\r\n`).join("");
}

function showCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[\s]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const columns = [
  "id",
  "uid",
  "workflow",
  "status",
  "key",
  "created_by",
  "created_at",
  "started_at",
  "completed_at",
  "duration_ms",
  "error",
  "trigger",
  "attempt",
] as const;

export function runsToCsv(runs: readonly Run[]): string {
  const lines = runs.map((run): readonly Cell[] => {
    const span = spanOf(run);
    return [
      run.id,
      run.uid,
      run.name,
      run.status,
      keyOf(run.input),
      run.createdBy,
      toIso(run.createdAt),
      toIso(run.startedAt),
      toIso(run.completedAt),
      span === null || span.to === null ? null : span.to - span.from,
      run.error?.message ?? null,
      triggerOf(run).kind,
      run.origin?.attempt ?? null,
    ];
  });
  return toCsv([columns, ...lines]);
}

function toIso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function runsToJson(runs: readonly Run[]): string {
  return `${JSON.stringify(runs, null, 2)}\n`;
}
