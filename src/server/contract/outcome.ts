// What became of calls, and what people think of it, as it goes over the wire.

import type { Failure, RowStatus } from "../../run/model.ts";

type Quality = "up" | "down" | "neutral";

export type OutcomeDocument = {
  readonly run_id: number;
  readonly workflow: string;
  readonly flow: string;
  readonly step_id: number;
  readonly name: string;
  readonly tool: string;
  readonly quality: Quality;
  readonly feedback: string | null;
  readonly duration_ms: number | null;
  /** The beginning of the result as JSON, 2,048 characters at most. */
  readonly snapshot: string | null;
  readonly status: RowStatus;
  readonly attempt: number;
  readonly outcome: string | null;
  readonly error: Failure | null;
  readonly at: number;
};

export type FiguresDocument = {
  readonly total: number;
  readonly up: number;
  readonly down: number;
  readonly failed: number;
  readonly mean_duration_ms: number | null;
};

export type StatisticsDocument = FiguresDocument & {
  readonly groups: readonly (FiguresDocument & {
    readonly tool: string;
    readonly workflow: string;
    /** The number of the saved workflow's version; null: it was not saved under this name. */
    readonly version: number | null;
    readonly flow: string;
    /** Its key in the flow; null: it was not asked for by steps. */
    readonly step: string | null;
  })[];
};

/** `number`: its place among the run's calls, from 1. */
export type NumberedStepDocument = {
  readonly number: number;
  readonly step_id: number;
  readonly name: string;
  readonly tool: string;
  readonly status: RowStatus;
  readonly quality: Quality;
  readonly feedback: string | null;
};
