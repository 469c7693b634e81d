// What is going on, what is due and what was counted, as programs read it.

import type { StepSums } from "../../engine/doing.ts";
import type { RunOverview, WorkflowFigures } from "../../engine/run-overview.ts";
import type { Upcoming } from "../../engine/upcoming.ts";
import type { AlarmDocument, OverviewDocument, WorkflowFiguresDocument } from "../contract/overview.ts";
import type { StepCountsDocument } from "../contract/run.ts";

export function toAlarmDocument({ kind, dueAt, run, name, step, createdBy }: Upcoming): AlarmDocument {
  return {
    kind,
    due_at: dueAt,
    workflow_id: run,
    workflow: name,
    step_id: step?.id ?? null,
    step: step?.name ?? null,
    created_by: createdBy,
  };
}

export function toOverviewDocument(overview: RunOverview, waiting: number): OverviewDocument {
  const { now, isComplete, today, hours, workflows, failures, running, upcoming } = overview;
  return {
    now,
    is_complete: isComplete,
    today: { ...today, waiting },
    hours,
    workflows: workflows.map(toFigures),
    failures: failures.map(({ lastId, lastAt, ...failure }) => ({ ...failure, last_id: lastId, last_at: lastAt })),
    running: running.map(({ id, name, status, startedAt, sums }) => {
      return { id, name, status, started_at: startedAt, steps: toCountsDocument(sums), doing: sums.doing };
    }),
    upcoming: upcoming.map(toAlarmDocument),
  };
}

function toFigures(figures: WorkflowFigures): WorkflowFiguresDocument {
  const { name, last, runs, successRate, p50Ms, p95Ms, nextAt } = figures;
  return {
    name,
    last: last.map(({ id, status, terminalKind, startedAt, completedAt, createdAt, doing }) => ({
      id,
      status,
      terminal_kind: terminalKind,
      duration_ms: startedAt === null || completedAt === null ? null : completedAt - startedAt,
      created_at: createdAt,
      doing,
    })),
    runs,
    success_rate: successRate,
    p50_ms: p50Ms,
    p95_ms: p95Ms,
    next_at: nextAt,
  };
}

export function toCountsDocument({ statuses, waits }: StepSums): StepCountsDocument {
  return { total: Object.values(statuses).reduce((sum, count) => sum + count, 0), statuses, waits };
}
