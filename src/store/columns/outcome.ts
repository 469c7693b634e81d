// Outcomes and ratings as columns: what to select, and how it is read. The texts are the same in every dialect.

import type { Failure, RowStatus } from "../../run/model.ts";
import type { AuditEntry } from "../audit.ts";
import {
  cutSnapshot,
  snapshotMax,
  type OutcomeCount,
  type Quality,
  type Rating,
  type StepOutcome,
} from "../outcome.ts";
import { wholeRun } from "./batch.ts";
import type { StoredValue } from "./row.ts";

type Values = readonly StoredValue[];

/** Of all ratings of a call and of its run, what the newest one says. Most runs have none: that is asked first. */
function newestRating(column: "quality" | "feedback"): string {
  return `case when (select 1 from ratings where ratings.run_id = steps.run_id limit 1) = 1 then (select ratings.${column} from ratings
    where ratings.run_id = steps.run_id and ratings.step_id in (${wholeRun}, steps.id)
    order by ratings.at desc, ratings.step_id desc, ratings.by limit 1) end`;
}

const qualityText = newestRating("quality");

/** Of `steps` and, as `its`, of the run. In the order in which `toOutcome` reads them. */
const outcomeColumns = `steps.run_id, its.name, its.flow, steps.id, coalesce(steps.name, steps.step),
  steps.tool, steps.status, steps.attempt, steps.outcome, steps.error, steps.started_at, steps.completed_at,
  substr(case when steps.result = '' then
    (select body from blobs where step_id = steps.id and column_name = 'result') else steps.result end, 1, ${snapshotMax}),
  ${qualityText}, ${newestRating("feedback")}`;

export function toOutcome(values: Values): StepOutcome {
  const [run, workflow, flow, row, name, tool, status, attempt, outcome, error, ...rest] = values;
  const [startedAt, completedAt, snapshot, quality, feedback] = rest;
  return {
    run: Number(run),
    workflow: String(workflow),
    flow: String(flow),
    row: Number(row),
    name: String(name),
    tool: String(tool),
    status: status as RowStatus,
    attempt: Number(attempt),
    outcome: outcome as string | null,
    error: typeof error === "string" ? (JSON.parse(error) as Failure) : null,
    startedAt: startedAt as number | null,
    completedAt: Number(completedAt),
    snapshot: typeof snapshot === "string" ? cutSnapshot(snapshot) : null,
    quality: quality as Quality | null,
    feedback: feedback as string | null,
  };
}

/** Of the rows of `calls`, which has `tool`, `workflow`, `flow`, `step`, `status`, `duration_ms` and `quality`. */
const countColumns = `calls.tool, calls.workflow, calls.flow, calls.step, count(*),
  sum(case when calls.quality = 'up' then 1 else 0 end), sum(case when calls.quality = 'down' then 1 else 0 end),
  sum(case when calls.status = 'failed' then 1 else 0 end), coalesce(sum(calls.duration_ms), 0),
  count(calls.duration_ms)`;

export function toCount(values: Values): OutcomeCount {
  const [tool, workflow, flow, step, total, up, down, failed, durationMs, timedCount] = values;
  return {
    tool: String(tool),
    workflow: String(workflow),
    flow: String(flow),
    step: step as string | null,
    total: Number(total),
    up: Number(up),
    down: Number(down),
    failed: Number(failed),
    durationMs: Number(durationMs),
    timedCount: Number(timedCount),
  };
}

const ratingColumns = "run_id, step_id, by, quality, feedback, at";

export function toRating([run, step, by, quality, feedback, at]: Values): Rating {
  return {
    run: Number(run),
    step: Number(step) === wholeRun ? null : Number(step),
    by: String(by),
    quality: quality as Quality,
    feedback: feedback as string | null,
    at: Number(at),
  };
}

const auditColumns = "no, at, by, via, source, verb, subject, details";

export function toAuditEntry([no, at, user, via, source, verb, subject, details]: Values): AuditEntry {
  return {
    no: Number(no),
    at: Number(at),
    user: String(user),
    via: via as string | null,
    source: String(source),
    verb: String(verb),
    subject: subject as string | null,
    details: JSON.parse(String(details)) as AuditEntry["details"],
  };
}

/** What to select; "quality" is that of a call, of `steps`. */
export const columnTexts: { readonly [of in "outcome" | "count" | "rating" | "audit" | "quality"]: string } = {
  outcome: outcomeColumns,
  count: countColumns,
  rating: ratingColumns,
  audit: auditColumns,
  quality: qualityText,
};
