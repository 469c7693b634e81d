// What is counted rather than read: heads of runs, what is due next, how many are alive. Each by an index or the key.

import type { DatabaseSync } from "node:sqlite";
import type { RunId, RunStatus } from "../../run/model.ts";
import type { DuePlace, RunHead } from "../store.ts";

export type Figures = {
  readonly listHeads: (before: RunId, limitMax: number) => readonly RunHead[];
  readonly listNextDue: (limitMax: number) => readonly DuePlace[];
  readonly countLive: () => Partial<Record<RunStatus, number>>;
};

export function createFigures(database: DatabaseSync): Figures {
  const heads = database.prepare(`
    select id, name, status, created_at, created_by, terminal_kind, started_at, completed_at from runs where id < :before order by id desc limit :limit`);
  // From zero on, which all are: a partial index is searched, not read through.
  const dueRuns = database.prepare(`
    select id as run, null as row, due_at from runs where due_at >= 0 order by due_at limit :limit`);
  const dueRows = database.prepare(`
    select run_id as run, id as row, due_at from steps where due_at >= 0 order by due_at limit :limit`);
  const live = database.prepare(`
    select status, count(*) as runs from runs
    where status in ('scheduled', 'running', 'paused') and status <> 'completed' group by status`);
  return {
    listHeads: (before, limitMax) =>
      heads.all({ ":before": before, ":limit": limitMax }).map((columns) => ({
        id: Number(columns["id"]),
        name: String(columns["name"]),
        status: columns["status"] as RunStatus,
        createdAt: Number(columns["created_at"]),
        createdBy: String(columns["created_by"]),
        terminalKind: columns["terminal_kind"] as RunHead["terminalKind"],
        startedAt: columns["started_at"] as number | null,
        completedAt: columns["completed_at"] as number | null,
      })),
    listNextDue: (limitMax) =>
      [dueRuns, dueRows]
        .flatMap((statement) => statement.all({ ":limit": limitMax }))
        .map(({ run, row, due_at: dueAt }) => {
          return { run: Number(run), row: row === null ? null : Number(row), dueAt: Number(dueAt) };
        })
        .toSorted((one, other) => one.dueAt - other.dueAt)
        .slice(0, limitMax),
    countLive: () => Object.fromEntries(live.all().map(({ status, runs }) => [String(status), Number(runs)])),
  };
}
