// What goes over the wire, in one definition for each thing: it is checked, typed and described by the same words. The
// words and the times (integer milliseconds) are those of the public tables. The types stand in contract/; whoever reads
// what the service says, as its page does, needs nothing else.

import { z } from "@hono/zod-openapi";
import type { Json } from "../flow/json.ts";
import type { Failure, RowRole, RowStatus, RunStatus } from "../run/model.ts";
import type { PrincipalDocument, SecretDocument, TokenDocument } from "./contract/access.ts";
import type { ProblemDocument } from "./contract/problem.ts";
import type {
  GateAnswerDocument,
  ListedRunDocument,
  RunDocument,
  SeedStepDocument,
  StartedDocument,
  StepCountsDocument,
  DoingWord,
  StepDocument,
  WholeRunDocument,
} from "./contract/run.ts";
import type {
  FindingDocument,
  SavedTemplateDocument,
  TemplateDocument,
  WholeWorkflowDocument,
} from "./contract/workflow.ts";

export type * from "./contract/access.ts";
export type * from "./contract/inbox.ts";
export type * from "./contract/outcome.ts";
export type * from "./contract/outline.ts";
export type * from "./contract/system.ts";
export type * from "./contract/overview.ts";
export type * from "./contract/problem.ts";
export type * from "./contract/run.ts";
export type * from "./contract/tool.ts";
export type * from "./contract/workflow.ts";

/** Any JSON. */
export const jsonSchema: z.ZodType<Json> = z
  .custom<Json>(() => true)
  .openapi({ type: ["object", "array", "string", "number", "boolean", "null"] });

const instant = z.int().describe("Milliseconds since 1970");
const maybeInstant = instant.nullable();

export const problemSchema: z.ZodType<ProblemDocument> = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe("As in docs/errors.md"),
    detail: z.string(),
    hint: z.string().exactOptional(),
    details: z.looseObject({}).exactOptional(),
    request_id: z.string().exactOptional().describe("Of the request, as in the header X-Request-Id and in the log"),
  })
  .openapi("Problem");

export const runStatuses: readonly RunStatus[] = ["scheduled", "running", "paused", "completed", "failed", "cancelled"];
export const rowStatuses: readonly RowStatus[] = [
  "pending",
  "ready",
  "running",
  "done",
  "failed",
  "skipped",
  "cancelled",
  "uncertain",
];
const roles: readonly RowRole[] = ["step", "items", "item", "probe", "notify", "undo"];

export const failureSchema: z.ZodType<Failure | null> = z.object({ code: z.string(), message: z.string() }).nullable();

/** A schema for each member of a document. */
export type FieldsOf<Document> = { readonly [Field in keyof Document]: z.ZodType<Document[Field]> };

export const runFields: FieldsOf<RunDocument> = {
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  status: z.enum(runStatuses),
  terminal_kind: z.enum(["success", "failure", "cancel"]).nullable(),
  attention: z.object({ code: z.string(), step_id: z.int().nullable(), value: jsonSchema }).nullable(),
  ending: z
    .object({
      kind: z.enum(["failure", "cancel"]),
      phase: z.enum(["cleanup", "undo"]),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe("It is on its way to its end"),
  flow: z.string().describe("Hash of the flow's version"),
  input: jsonSchema,
  output: jsonSchema,
  error: failureSchema,
  data: jsonSchema.describe("Of a machine; null: it is none"),
  created_by: z.string(),
  created_via: z.string().nullable().describe("The token by which it was started"),
  created_at: instant,
  updated_at: instant,
  scheduled_at: maybeInstant,
  started_at: maybeInstant,
  completed_at: maybeInstant,
  cancelled_at: maybeInstant,
  duration_ms: z.int().nullable(),
  parent_id: z.int().nullable(),
  origin: z
    .object({
      kind: z.enum(["retry", "rerun", "fork"]),
      id: z.int(),
      uid: z.string(),
      attempt: z.int().nullable().describe("Which try a retry is, the first run being 1; null: it is none"),
    })
    .nullable(),
};

/** How many there are of each status; those of which there is none may be missing. */
export const doingSchema: z.ZodType<DoingWord> = z
  .enum(["work", "person", "retry", "event", "sleep", "rest"])
  .describe("rest: a machine is in a state, and nobody has to do anything about it");

export const stepCountsSchema: z.ZodType<StepCountsDocument> = z
  .object({
    total: z.int(),
    statuses: z.partialRecord(z.enum(rowStatuses), z.int()),
    waits: z
      .partialRecord(z.enum(["person", "choice", "retry", "event", "sleep", "rest"]), z.int())
      .describe("Of those that are pending, what they wait for; choice: done, and a person says what follows"),
  })
  .openapi("StepCounts");

export const listedRunSchema: z.ZodType<RunDocument | ListedRunDocument> = z
  .object({
    ...runFields,
    steps: stepCountsSchema.exactOptional().describe("Where it was asked for: with=steps"),
    doing: doingSchema.exactOptional().describe("What it is about while it runs; with=steps"),
  })
  .openapi("ListedRun");

export const gateAnswerSchema: z.ZodType<GateAnswerDocument> = z.object({
  by: z.string(),
  at: instant,
  outcome: z.string(),
  data: jsonSchema,
  comment: z.string().nullable(),
});

/** All of a step but its values. */
export const stepFields: FieldsOf<Omit<StepDocument, "args" | "result" | "errors">> = {
  id: z.int(),
  workflow_id: z.int(),
  key: z.string(),
  name: z.string(),
  role: z.enum(roles),
  tool: z.string().nullable(),
  outcome: z.string().nullable(),
  error: failureSchema,
  warnings: z.array(z.string()),
  status: z.enum(rowStatuses),
  attempt: z.int(),
  visit: z.int(),
  item: z.int().nullable().describe("Its number among the items of an each, from 0"),
  scope: z.string(),
  caused_by: z.int().nullable(),
  child_id: z.int().nullable(),
  serves: z.int().nullable(),
  is_held: z.boolean(),
  may_have_happened: z.boolean(),
  interruptions: z.int(),
  transition: z.string().nullable(),
  open: z
    .union([
      z.object({ kind: z.literal("fork"), open: z.int(), arrived: z.int() }),
      z.object({ kind: z.literal("each"), count: z.int(), started: z.int(), ended: z.int(), failed: z.int() }),
    ])
    .nullable(),
  gate: z
    .object({
      title: z.string().nullable(),
      message: z.string().nullable(),
      hash: z.string(),
      reminders: z.int(),
      answers: z.array(gateAnswerSchema),
    })
    .nullable(),
  alarms: z.array(z.object({ kind: z.string(), at: instant })),
  due_at: maybeInstant,
  created_at: instant,
  ready_at: maybeInstant,
  started_at: maybeInstant,
  completed_at: maybeInstant,
  duration_ms: z.int().nullable(),
};

const seedStepSchema: z.ZodType<SeedStepDocument> = z
  .object({
    ...stepFields,
    args: jsonSchema,
    result: jsonSchema,
    errors: jsonSchema,
    args_json: z.string().nullable(),
    result_json: z.string().nullable(),
  })
  .openapi("Step");

export const wholeRunSchema: z.ZodType<WholeRunDocument> = z
  .object({ ...runFields, flow_json: z.string(), input_json: z.string().nullable(), steps: z.array(seedStepSchema) })
  .openapi("RunWithSteps");

export const startedSchema: z.ZodType<StartedDocument> = z
  .object({
    id: z.int(),
    uid: z.string(),
    status: z.enum(["started", "scheduled"]),
    scheduled_at: maybeInstant,
    warnings: z.array(z.string()),
  })
  .openapi("Started");

const workflowFields = {
  id: z.int(),
  name: z.string(),
  version: z.int(),
  hash: z.string(),
  step_count: z.int().nullable().describe("Of the newest version; null: it was saved before they were counted"),
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

export const workflowSchema: z.ZodType<TemplateDocument> = z.object(workflowFields).openapi("Workflow");

export const wholeWorkflowSchema: z.ZodType<WholeWorkflowDocument> = z
  .object({
    ...workflowFields,
    newest_version: z.int(),
    note: z.string().nullable(),
    flow: jsonSchema,
    text: z.string().nullable().describe("As it was written, with comments and layout"),
    mcp_tool: z.string().nullable().describe("Under which name MCP clients call it; null: it is not offered to them"),
    flow_json: z.string(),
    input_json: z.string().nullable(),
  })
  .openapi("WorkflowWithFlow");

export const savedWorkflowSchema: z.ZodType<SavedTemplateDocument> = z
  .object({ ...workflowFields, is_new_version: z.boolean(), warnings: z.array(z.string()) })
  .openapi("SavedWorkflow");

const patchSchema = z.union([
  z.object({ op: z.enum(["add", "replace"]), path: z.string(), value: jsonSchema }),
  z.object({ op: z.literal("remove"), path: z.string() }),
  z.object({ op: z.literal("move"), from: z.string(), path: z.string() }),
]);

export const findingSchema: z.ZodType<FindingDocument> = z
  .object({
    code: z.string(),
    severity: z.enum(["error", "warning"]),
    message: z.string(),
    pointer: z.string(),
    line: z.int().exactOptional(),
    column: z.int().exactOptional(),
    patch: z.array(patchSchema).exactOptional().describe("RFC 6902, against the document as it was written"),
  })
  .openapi("Finding");

export const principalSchema: z.ZodType<PrincipalDocument> = z
  .object({ id: z.string().describe("user:ann, group:staff"), groups: z.array(z.string()), keys: z.array(z.string()) })
  .openapi("Principal");

export const tokenSchema: z.ZodType<TokenDocument> = z
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

export const secretSchema: z.ZodType<SecretDocument> = z
  .object({ name: z.string(), created_at: instant, updated_at: instant })
  .openapi("Secret");
