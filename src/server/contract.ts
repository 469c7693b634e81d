// What goes over the wire, in one definition for each thing: it is checked, typed and described by the same words. The
// words and the times (integer milliseconds) are those of the public tables.

import { z } from "@hono/zod-openapi";
import type { RunStatus } from "../run/model.ts";

/** Any JSON. */
export const jsonSchema: z.ZodType = z
  .unknown()
  .openapi({ type: ["object", "array", "string", "number", "boolean", "null"] });

const instant = z.int().describe("Milliseconds since 1970");
const maybeInstant = instant.nullable();

export const problemSchema: z.ZodType = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe("As in docs/errors.md"),
    detail: z.string(),
    hint: z.string().optional(),
    details: z.looseObject({}).optional(),
  })
  .openapi("Problem");

const runStatuses: readonly RunStatus[] = ["scheduled", "running", "paused", "completed", "failed", "cancelled"];

const runShape = {
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  status: z.enum(runStatuses),
  terminal_kind: z.enum(["success", "failure", "cancel"]).nullable(),
  attention: z.object({ code: z.string(), step_id: z.int().nullable(), value: jsonSchema }).nullable(),
  ending: z
    .object({ kind: z.string(), phase: z.string(), by: z.string().nullable(), reason: z.string().nullable() })
    .nullable()
    .describe("It is on its way to its end"),
  flow: z.string().describe("Hash of the flow's version"),
  input: jsonSchema,
  output: jsonSchema,
  error: jsonSchema,
  data: jsonSchema.describe("Of a machine; null: it is none"),
  created_by: z.string(),
  created_via: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  scheduled_at: maybeInstant,
  started_at: maybeInstant,
  completed_at: maybeInstant,
  cancelled_at: maybeInstant,
  duration_ms: z.int().nullable(),
  parent_id: z.int().nullable(),
  origin: z.object({ kind: z.string(), id: z.int(), uid: z.string() }).nullable(),
};

export const runSchema: z.ZodType = z.object(runShape).openapi("Run");

const stepSchema: z.ZodType = z
  .looseObject({
    id: z.int(),
    workflow_id: z.int(),
    key: z.string(),
    name: z.string(),
    tool: z.string().nullable(),
    args_json: z.string().nullable(),
    result_json: z.string().nullable(),
    status: z.string(),
    attempt: z.int(),
    ready_at: maybeInstant,
    started_at: maybeInstant,
    completed_at: maybeInstant,
  })
  .openapi("Step");

export const wholeRunSchema: z.ZodType = z
  .object({ ...runShape, flow_json: z.string(), input_json: z.string().nullable(), steps: z.array(stepSchema) })
  .openapi("RunWithSteps");

export const startedSchema: z.ZodType = z
  .object({
    id: z.int(),
    uid: z.string(),
    status: z.enum(["started", "scheduled"]),
    scheduled_at: maybeInstant,
    warnings: z.array(z.string()),
  })
  .openapi("Started");

const workflowShape = {
  id: z.int(),
  name: z.string(),
  version: z.int(),
  hash: z.string(),
  is_enabled: z.boolean(),
  description: z.string().nullable(),
  input: jsonSchema,
  created_by: z.string(),
  created_at: instant,
  updated_by: z.string(),
  updated_at: instant,
  deleted_at: maybeInstant,
  cancelled_at: maybeInstant.describe("The same, as the seeds call it"),
};

export const workflowSchema: z.ZodType = z.object(workflowShape).openapi("Workflow");

export const wholeWorkflowSchema: z.ZodType = z
  .object({
    ...workflowShape,
    newest_version: z.int(),
    note: z.string().nullable(),
    flow: jsonSchema,
    text: z.string().nullable().describe("As it was written, with comments and layout"),
    flow_json: z.string(),
    input_json: z.string().nullable(),
  })
  .openapi("WorkflowWithFlow");

export const savedWorkflowSchema: z.ZodType = z
  .object({ ...workflowShape, is_new_version: z.boolean(), warnings: z.array(z.string()) })
  .openapi("SavedWorkflow");

export const findingSchema: z.ZodType = z
  .looseObject({
    code: z.string(),
    severity: z.string(),
    message: z.string(),
    pointer: z.string(),
  })
  .openapi("Finding");

export const principalSchema: z.ZodType = z
  .object({ id: z.string().describe("user:ann, group:staff"), groups: z.array(z.string()), keys: z.array(z.string()) })
  .openapi("Principal");

export const tokenSchema: z.ZodType = z
  .object({
    id: z.string(),
    user: z.string(),
    name: z.string(),
    scopes: z.array(z.string()).nullable(),
    created_at: instant,
    expires_at: maybeInstant,
    revoked_at: maybeInstant,
    last_used_at: maybeInstant,
  })
  .openapi("Token");

export const secretSchema: z.ZodType = z
  .object({ name: z.string(), created_at: instant, updated_at: instant })
  .openapi("Secret");
