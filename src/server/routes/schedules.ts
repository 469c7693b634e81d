// What will happen by itself: runs that have a time to begin, retries, reminders and limits; and what has happened, in
// figures for people.

import { z } from "@hono/zod-openapi";
import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import type { StoredRun } from "../../store/store.ts";
import type { App } from "../door.ts";
import { jsonSchema, type TimePreviewDocument } from "../contract.ts";
import { alarmSchema } from "../contract/overview-schema.ts";
import { toAlarmDocument } from "../document/overview.ts";
import { readId } from "../reading.ts";
import { addRoute } from "../route.ts";
import { pageBytesMax } from "../searching.ts";

const tag = "Schedules";

const scheduleSchema = z
  .object({
    id: z.int(),
    uid: z.string(),
    name: z.string(),
    scheduled_at: z.int().nullable(),
    created_by: z.string(),
    created_at: z.int(),
    input: jsonSchema,
  })
  .openapi("Schedule");

const timePreviewSchema: z.ZodType<TimePreviewDocument> = z
  .object({
    at: z.int(),
    tz: z.string().describe("In which it was read"),
    text: z.string().describe("Mon 16 Nov 2026, 09:00 CET (Europe/Berlin)"),
    in_ms: z.int(),
  })
  .openapi("TimePreview");

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.coerce.number().int().positive().optional().describe("The last id of the page before"),
});

export function addScheduleRoutes(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/schedules",
      about: "Runs that have a time to begin, newest first",
      tag,
      right: "read",
      query: pageQuery,
      answer: z.array(scheduleSchema),
    },
    async ({ engine, query: { limit, cursor }, context }) => {
      const wanted = {
        status: "scheduled",
        limitMax: limit,
        bytesMax: pageBytesMax,
        ...(cursor === undefined ? {} : { before: cursor }),
      } as const;
      const { runs, next } = await engine.overview.search(wanted);
      if (next !== null) context.header("x-next-cursor", String(next));
      return runs.map(toScheduleDocument);
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/schedules/{id}",
      about: "Let a run that has not begun never begin",
      tag,
      right: "cancel",
      answer: z.object({ id: z.int(), status: z.string() }),
    },
    async ({ engine, named }) => {
      const id = readId(named("id"));
      const { status } = await engine.get(id);
      if (status !== "scheduled")
        throw new StepwellError("REFUSED", `Run ${id} is ${status}: it waits for no time to begin.`, {
          hint: `DELETE /api/workflow/${id} cancels a run that has begun.`,
          details: { code: "not_scheduled" },
        });
      await engine.cancel(id);
      return { id, status: (await engine.get(id)).status };
    },
  );
  addPreviewRoute(app);
  addFigureRoutes(app);
}

function addPreviewRoute(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/schedules/preview",
      about: "Which instant is meant, as a start would understand it; nothing is started",
      tag,
      right: "read",
      body: z.strictObject({ text: z.union([z.string(), z.number()]), tz: z.string().optional() }),
      answer: timePreviewSchema,
    },
    async ({ engine, body: { text, tz } }) => {
      const { at, zone, text: told, inMs } = await engine.overview.readTime(text, { tz });
      return { at, tz: zone, text: told, in_ms: inMs };
    },
  );
}

function addFigureRoutes(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/alarms",
      about: "What is due when, soonest first: starts, retries, sleeps, gates, limits",
      tag,
      right: "read",
      query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1000) }),
      answer: z.array(alarmSchema),
    },
    async ({ engine, query: { limit } }) => (await engine.overview.alarms({ limitMax: limit })).map(toAlarmDocument),
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/stats",
      about: "Runs of the last 24 hours by status and workflow",
      tag,
      right: "read",
      query: z.object({ since: z.coerce.number().int().min(0).optional().describe("From this instant on") }),
      answer: z.object({
        since: z.int(),
        runs: z.int(),
        statuses: z.record(z.string(), z.int()),
        workflows: z.array(z.object({ name: z.string(), runs: z.int(), statuses: z.record(z.string(), z.int()) })),
        is_complete: z.boolean().describe("false: so many that only the newest were counted"),
      }),
    },
    async ({ engine, query: { since } }) => {
      const { isComplete, ...stats } = await engine.overview.stats(since === undefined ? {} : { since });
      return { ...stats, is_complete: isComplete };
    },
  );
}

function toScheduleDocument({ run }: StoredRun): JsonObject {
  return {
    id: run.id,
    uid: run.uid,
    name: run.name,
    scheduled_at: run.alarms.find(({ kind }) => kind === "start")?.at ?? null,
    created_by: run.createdBy,
    created_at: run.createdAt,
    input: run.input,
  };
}
