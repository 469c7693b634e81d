// What an overview is described by.

import { z } from "@hono/zod-openapi";
import { doingSchema, runStatuses, stepCountsSchema } from "../contract.ts";
import type { AlarmDocument, OverviewDocument } from "./overview.ts";

export const alarmSchema: z.ZodType<AlarmDocument> = z
  .object({
    kind: z.string().describe("start, retry, sleep, timeout, remind, escalate, expire, …"),
    due_at: z.int(),
    workflow_id: z.int(),
    workflow: z.string(),
    step_id: z.int().nullable(),
    step: z.string().nullable(),
    created_by: z.string(),
  })
  .openapi("Alarm");

const counts = z.partialRecord(z.enum(runStatuses), z.int());
const doings = z.partialRecord(z.enum(["work", "person", "retry", "event", "sleep", "rest"]), z.int());
const runStatus = z.enum(runStatuses);

export const overviewSchema: z.ZodType<OverviewDocument> = z
  .object({
    now: z.int(),
    is_complete: z.boolean().describe("false: so many that only the newest 5,000 runs were looked at"),
    today: z.object({
      since: z.int(),
      runs: z.int(),
      failed: z.int(),
      waiting: z.int().describe("What waits for a person now; counted to 1,000"),
    }),
    hours: z.array(z.object({ from: z.int(), to: z.int(), statuses: counts, doing: doings })),
    workflows: z.array(
      z.object({
        name: z.string(),
        last: z
          .array(
            z.object({
              id: z.int(),
              status: runStatus,
              terminal_kind: z.enum(["success", "failure", "cancel"]).nullable(),
              duration_ms: z.int().nullable(),
              created_at: z.int(),
              doing: doingSchema.nullable().describe("null: it does not run"),
            }),
          )
          .describe("Newest first; 30 at most"),
        runs: z.int(),
        success_rate: z.number().nullable().describe("Of those that have ended, cancelled ones aside"),
        p50_ms: z.int().nullable(),
        p95_ms: z.int().nullable(),
        next_at: z.int().nullable().describe("When the next run that has a time to begin does"),
      }),
    ),
    failures: z.array(
      z.object({
        message: z.string(),
        code: z.string(),
        workflow: z.string(),
        count: z.int(),
        last_id: z.int(),
        last_at: z.int(),
      }),
    ),
    running: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        status: runStatus,
        started_at: z.int().nullable(),
        steps: stepCountsSchema,
        doing: doingSchema,
      }),
    ),
    upcoming: z.array(alarmSchema),
  })
  .openapi("Overview");
