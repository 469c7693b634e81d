// What became of calls, what people think of it, and who has changed what.

import { z } from "@hono/zod-openapi";
import { toOutcomeDocument } from "../../engine/outcome-document.ts";
import type { App } from "../door.ts";
import {
  failureSchema,
  jsonSchema,
  rowStatuses,
  type AuditDocument,
  type NumberedStepDocument,
  type OutcomeDocument,
  type StatisticsDocument,
} from "../contract.ts";
import { toAuditDocument, toNumberedDocument, toStatisticsDocument } from "../document/outcome.ts";
import { readId } from "../reading.ts";
import { addRoute } from "../route.ts";

const tag = "Outcomes";

const qualitySchema = z.enum(["up", "down", "neutral"]);

const outcomeSchema: z.ZodType<OutcomeDocument> = z
  .object({
    run_id: z.int(),
    workflow: z.string(),
    flow: z.string(),
    step_id: z.int(),
    name: z.string(),
    tool: z.string(),
    quality: qualitySchema,
    feedback: z.string().nullable(),
    duration_ms: z.int().nullable(),
    snapshot: z.string().nullable().describe("The beginning of the result as JSON, 2,048 characters at most"),
    status: z.enum(rowStatuses),
    attempt: z.int(),
    outcome: z.string().nullable(),
    error: failureSchema,
    at: z.int(),
  })
  .openapi("Outcome");

const numberedSchema: z.ZodType<NumberedStepDocument> = z.object({
  number: z.int(),
  step_id: z.int(),
  name: z.string(),
  tool: z.string(),
  status: z.enum(rowStatuses),
  quality: qualitySchema,
  feedback: z.string().nullable(),
});

const figures = {
  total: z.int(),
  up: z.int(),
  down: z.int(),
  failed: z.int(),
  mean_duration_ms: z.int().nullable(),
};

const statisticsSchema: z.ZodType<StatisticsDocument> = z
  .object({
    ...figures,
    groups: z.array(
      z.object({
        tool: z.string(),
        workflow: z.string(),
        version: z.int().nullable(),
        flow: z.string(),
        step: z.string().nullable().describe("Its key in the flow; null: it was not asked for by steps"),
        ...figures,
      }),
    ),
  })
  .openapi("Statistics");

const auditSchema: z.ZodType<AuditDocument> = z
  .object({
    no: z.int(),
    at: z.int(),
    user: z.string(),
    via: z.string().nullable(),
    source: z.string(),
    verb: z.string(),
    subject: z.string().nullable(),
    details: z.record(z.string(), jsonSchema),
  })
  .openapi("AuditEntry");

const filterShape = {
  tool: z.string().max(200).optional(),
  workflow: z.string().max(200).optional(),
};
const limit = z.coerce.number().int().min(1).max(1000);
const cursor = z.coerce.number().int().positive().optional();

export function addOutcomeRoutes(app: App): void {
  addRatings(app);
  addRoute(
    app,
    {
      method: "get",
      path: "/api/outcomes",
      about: "What became of calls, newest first",
      tag,
      right: "read",
      query: z.object({
        ...filterShape,
        quality: qualitySchema.optional(),
        limit: limit.default(20),
        cursor: cursor.describe("Only steps older than this one"),
      }),
      answer: z.array(outcomeSchema),
    },
    async ({ engine, query: { limit: limitMax, cursor: before, ...filter } }) => {
      const query = { ...withoutAbsent(filter), limitMax, ...(before === undefined ? {} : { before }) };
      return (await engine.outcomes.list(query)).map(toOutcomeDocument);
    },
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/statistics",
      about: "How calls went, by tool, workflow and version; the 1,000 groups with most calls",
      tag,
      right: "read",
      query: z.object({
        ...filterShape,
        by: z.literal("step").optional().describe("Two steps that call the same tool are told apart"),
      }),
      answer: statisticsSchema,
    },
    async ({ engine, query }) => toStatisticsDocument(await engine.outcomes.statistics(withoutAbsent(query))),
  );
  addAudit(app);
}

function addRatings(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/ratings",
      about: "The calls of a run by their numbers, with what people think of them",
      tag,
      right: "read",
      answer: z.array(numberedSchema),
    },
    async ({ engine, named }) => (await engine.outcomes.steps(readId(named("id")))).map(toNumberedDocument),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{id}/rate",
      about: "Say what you think of a run, or of one of its steps",
      tag,
      right: "answer",
      body: z.strictObject({
        rating: z.string().max(100).describe("up + yes ok good 👍, or down - no bad nope 👎"),
        step: z
          .union([z.int(), z.string().max(200)])
          .optional()
          .describe("Its id, its number or its name; all of them unless given"),
        text: z.string().max(10_000).optional(),
      }),
      answer: z.object({ id: z.int(), step_id: z.int().nullable(), status: z.string() }),
    },
    async ({ engine, named, body: { rating, step, text } }) => {
      const id = readId(named("id"));
      const more = { ...(step === undefined ? {} : { step }), ...(text === undefined ? {} : { feedback: text }) };
      return { id, step_id: await engine.outcomes.rate(id, { quality: rating, ...more }), status: "rated" };
    },
  );
}

function addAudit(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/audit",
      about: "Who has changed what, when and from where, newest first",
      tag: "Access",
      right: "admin",
      query: z.object({
        user: z.string().max(200).optional(),
        verb: z.string().max(200).optional().describe("run.cancel, workflow.save, …"),
        subject: z.string().max(500).optional().describe("The id of a run or of a step, or a name"),
        limit: limit.default(50),
        cursor: cursor.describe("Only entries older than the one of this number"),
      }),
      answer: z.array(auditSchema),
    },
    async ({ engine, query: { limit: limitMax, cursor: before, ...filter } }) => {
      const query = { ...withoutAbsent(filter), limitMax, ...(before === undefined ? {} : { before }) };
      return (await engine.access.audit(query)).map(toAuditDocument);
    },
  );
}

/** What is not given is left out, not undefined. */
function withoutAbsent<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
