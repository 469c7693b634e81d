// What is going on, what is due and what was counted, as it goes over the wire.

import type { Json } from "../../flow/json.ts";
import type { TerminalKind } from "../../flow/plan.ts";
import type { RunStatus } from "../../run/model.ts";
import type { DoingWord, StatusCounts, StepCountsDocument } from "./run.ts";

export type ScheduleDocument = {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly scheduled_at: number | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly input: Json;
};

export type AlarmDocument = {
  /** start, retry, sleep, timeout, remind, escalate, expire, … */
  readonly kind: string;
  readonly due_at: number;
  readonly workflow_id: number;
  readonly workflow: string;
  readonly step_id: number | null;
  readonly step: string | null;
  readonly created_by: string;
};

export type OverviewDocument = {
  readonly now: number;
  /** false: there were so many that only the newest 5,000 runs were looked at. */
  readonly is_complete: boolean;
  /** Since midnight in the time zone that was asked for. */
  readonly today: TodayDocument;
  /** Oldest first; by when runs were created. */
  readonly hours: readonly HourDocument[];
  /** By name, of the newest 5,000 runs, however old; those with the newest run first. */
  readonly workflows: readonly WorkflowFiguresDocument[];
  /** Of the window, most frequent first; at most 10. */
  readonly failures: readonly FailureGroupDocument[];
  /** Newest first; at most 10. */
  readonly running: readonly RunningDocument[];
  /** What will happen by itself, soonest first; at most 6. */
  readonly upcoming: readonly AlarmDocument[];
};

type TodayDocument = {
  readonly since: number;
  readonly runs: number;
  readonly failed: number;
  /** What waits for a person now; counted to 1,000. */
  readonly waiting: number;
};

type HourDocument = {
  readonly from: number;
  readonly to: number;
  readonly statuses: StatusCounts<RunStatus>;
  /** Of those that run, what they are about; of the newest 200 that run in all. */
  readonly doing: StatusCounts<DoingWord>;
};

export type WorkflowFiguresDocument = {
  readonly name: string;
  /** Newest first; at most 30. */
  readonly last: readonly RunMarkDocument[];
  readonly runs: number;
  /** Of those that have ended, cancelled ones aside; null: none has. */
  readonly success_rate: number | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** When the next run that has a time to begin does. */
  readonly next_at: number | null;
};

type RunMarkDocument = {
  readonly id: number;
  readonly status: RunStatus;
  readonly terminal_kind: TerminalKind | null;
  readonly duration_ms: number | null;
  readonly created_at: number;
  /** null: it does not run. */
  readonly doing: DoingWord | null;
};

type FailureGroupDocument = {
  readonly message: string;
  readonly code: string;
  readonly workflow: string;
  readonly count: number;
  readonly last_id: number;
  readonly last_at: number;
};

type RunningDocument = {
  readonly id: number;
  readonly name: string;
  readonly status: RunStatus;
  readonly started_at: number | null;
  readonly steps: StepCountsDocument;
  readonly doing: DoingWord;
};
