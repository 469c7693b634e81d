// What is counted rather than read: heads of runs, what is due next, how many are alive. Each by an index or the key.

import type { RunId, RunStatus } from "../../run/model.ts";
import type { StoredValue } from "../columns/row.ts";
import type { DuePlace, RunHead } from "../store.ts";
import type { Pool } from "./connection.ts";

export type Figures = {
  readonly listHeads: (before: RunId, limitMax: number) => Promise<readonly RunHead[]>;
  readonly listNextDue: (limitMax: number) => Promise<readonly DuePlace[]>;
  readonly countLive: () => Promise<Partial<Record<RunStatus, number>>>;
};

/** Exported for the test of the plans. */
export const figureTexts: { readonly [name in "heads" | "dueRuns" | "dueRows" | "live"]: string } = {
  heads: `select id, name, status, created_at, created_by, terminal_kind, started_at, completed_at
    from runs where id < $1 order by id desc limit $2`,
  dueRuns: "select id, null::bigint, due_at from runs where due_at >= 0 order by due_at limit $1",
  dueRows: "select run_id, id, due_at from steps where due_at >= 0 order by due_at limit $1",
  live: `select status, count(*) from runs
    where status in ('scheduled', 'running', 'paused') and status <> 'completed' group by status`,
};

export function createFigures(pool: Pool): Figures {
  return {
    listHeads: async (before, limitMax) =>
      (await pool.rows("figures_heads", figureTexts.heads, [before, limitMax])).map(toHead),
    listNextDue: async (limitMax) => {
      const found = await Promise.all([
        pool.rows("figures_due_runs", figureTexts.dueRuns, [limitMax]),
        pool.rows("figures_due_rows", figureTexts.dueRows, [limitMax]),
      ]);
      return found
        .flat()
        .map(toDuePlace)
        .toSorted((one, other) => one.dueAt - other.dueAt)
        .slice(0, limitMax);
    },
    countLive: async () => {
      const found = await pool.rows("figures_live", figureTexts.live, []);
      return Object.fromEntries(found.map(([status, runs]) => [String(status), Number(runs)]));
    },
  };
}

function toHead(values: readonly StoredValue[]): RunHead {
  const [id, name, status, createdAt, createdBy, terminalKind, startedAt, completedAt] = values;
  return {
    id: Number(id),
    name: String(name),
    status: status as RunStatus,
    createdAt: Number(createdAt),
    createdBy: String(createdBy),
    terminalKind: terminalKind as RunHead["terminalKind"],
    startedAt: startedAt as number | null,
    completedAt: completedAt as number | null,
  };
}

function toDuePlace([run, row, dueAt]: readonly StoredValue[]): DuePlace {
  return { run: Number(run), row: row === null ? null : Number(row), dueAt: Number(dueAt) };
}
