// What waits for a person is described by these.

import { z } from "@hono/zod-openapi";
import { failureSchema, gateAnswerSchema, jsonSchema } from "../contract.ts";
import type { DecisionDocument, InboxItemDocument, WaitKind } from "./inbox.ts";

const kinds: readonly (WaitKind | "changed_tool")[] = [
  "gate",
  "state",
  "uncertain",
  "no_branch_matched",
  "compensation_failed",
  "tool_changed",
  "poison",
  "changed_tool",
];

const gateSchema = z
  .object({
    title: z.string().nullable(),
    message: z.string().nullable(),
    form: jsonSchema.describe("JSON Schema of what an answer may bring; null: nothing is asked for"),
    choices: z.array(
      z.object({
        outcome: z.string(),
        label: z.string(),
        leads_to: z.string().nullable().describe("Name of the step that follows"),
        tool: z.string().nullable().describe("What that step calls"),
        ends_as: z
          .enum(["completed", "failed", "cancelled", "path"])
          .nullable()
          .describe("How the run ends with it; path: this path alone; null: a step follows, or it is not known before"),
      }),
    ),
    need: z.int().describe("So many people have to say the same"),
    answers: z.array(gateAnswerSchema),
    approvers: z.array(z.string()).nullable().describe("user:ann, group:staff; null: whoever may approve here"),
    self_approval: z.boolean().describe("Whoever started the run may answer"),
    due_at: z.int().nullable(),
    escalates_at: z.int().nullable().describe("Then escalate_to begins; null: it does not, or has"),
    expires_at: z.int().nullable(),
    reminders: z.int(),
    data: jsonSchema.describe('The value before the gate; {"$omitted": bytes} when it is over 64 KiB'),
  })
  .nullable();

const callSchema = z
  .object({
    tool: z.string().nullable(),
    args: jsonSchema,
    error: failureSchema,
    attempt: z.int(),
    since: z.int(),
  })
  .nullable();

const crossroadsSchema = z
  .object({
    value: jsonSchema,
    outcome: z.string().nullable(),
    steps: z.array(z.object({ key: z.string(), name: z.string() })),
  })
  .nullable();

export const inboxItemSchema: z.ZodType<InboxItemDocument> = z
  .object({
    kind: z.enum(kinds),
    workflow_id: z.int().nullable().describe("null: it is no run's, but a changed_tool"),
    uid: z.string().nullable(),
    workflow: z.string().nullable(),
    step_id: z.int().nullable(),
    step: z.string().nullable(),
    title: z.string(),
    message: z.string().nullable(),
    hash: z.string().nullable(),
    created_by: z.string().nullable(),
    about: z.string().nullable().describe("The first plain value of the run's input, cut; null: there is none"),
    since: z.int(),
    actions: z
      .array(z.object({ method: z.enum(["POST", "DELETE"]), path: z.string(), body: jsonSchema }))
      .describe("What answers it; STEP stands for the key of a step"),
    gate: gateSchema,
    call: callSchema.describe("Of a step that nobody knows the end of, was cut off, or could not be undone"),
    crossroads: crossroadsSchema.describe("Of a step after which nothing says what follows"),
    change: z
      .object({ server: z.string(), tool: z.string(), kind: z.string(), lines: z.array(z.string()) })
      .nullable()
      .describe("Of a tool that is not what was agreed on"),
  })
  .openapi("InboxItem");

export const decisionSchema: z.ZodType<DecisionDocument> = z
  .object({
    workflow_id: z.int(),
    uid: z.string(),
    workflow: z.string(),
    step_id: z.int(),
    step: z.string(),
    title: z.string().nullable(),
    by: z.string(),
    at: z.int(),
    outcome: z.string(),
    comment: z.string().nullable(),
    status: z.string(),
  })
  .openapi("Decision");
