// A run as programs read it: the words and the times (integer milliseconds) of the public tables.

import type { Json } from "../flow/json.ts";
import type { RunRow } from "../run/model.ts";

export function toRunDocument(run: RunRow): { readonly [key: string]: Json } {
  const { startedAt, completedAt } = run;
  return {
    id: run.id,
    uid: run.uid,
    name: run.name,
    status: run.status,
    terminal_kind: run.terminalKind,
    input: run.input,
    output: run.output,
    error: run.error,
    created_by: run.createdBy,
    created_at: run.createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    duration_ms: startedAt === null || completedAt === null ? null : completedAt - startedAt,
  };
}
