// A run's story as a table: when, which step, what happened. Pure.

import type { HistoryEntry } from "../run/history.ts";
import type { Row } from "../run/model.ts";
import { drawTable, type Cell } from "./table.ts";
import type { Look } from "./terminal.ts";

export type HistoryContext = { readonly rows: readonly Row[]; readonly format: (at: number) => string };

export function drawHistory(
  entries: readonly HistoryEntry[],
  { rows, format }: HistoryContext,
  look: Look,
): readonly string[] {
  const names = new Map(rows.map((row) => [row.id, row.index === null ? row.name : `${row.name}[${row.index}]`]));
  const lines = entries.map((entry): readonly Cell[] => {
    const { what, more } = tell(entry);
    return [
      { text: format(entry.at) },
      { text: entry.row === null ? "-" : String(entry.row), style: "gray" },
      { text: entry.row === null ? "(run)" : (names.get(entry.row) ?? "") },
      { text: what },
      { text: more, style: "gray" },
    ];
  });
  return drawTable({ headings: ["TIME", "ID", "STEP", "WHAT", ""], rows: lines }, look);
}

function tell(entry: HistoryEntry): { readonly what: string; readonly more: string } {
  switch (entry.kind) {
    case "entered":
      return { what: entry.attempt > 1 ? `entered, try ${entry.attempt}` : "entered", more: entry.via };
    case "started":
      return { what: "started", more: "" };
    case "event":
      return { what: entry.event, more: sentence([entry.by === null ? "" : `by ${entry.by}`, textOf(entry.data)]) };
    case "ended":
      return { what: entry.status, more: sentence([wayOf(entry.outcome), errorOf(entry.error)]) };
  }
}

function sentence(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function wayOf(outcome: string | null): string {
  return outcome === null || outcome === "success" ? "" : `-> ${outcome}`;
}

function errorOf(error: { readonly code: string; readonly message: string } | null): string {
  return error === null ? "" : `${error.message} (${error.code})`;
}

function textOf(value: unknown): string {
  const text = value === null ? "" : JSON.stringify(value);
  return text === "{}" ? "" : text;
}
