// What a run's page reads is described by these.

import { z } from "@hono/zod-openapi";
import type { Edge } from "../../flow/edges.ts";
import {
  jsonSchema,
  rowStatuses,
  runFields,
  runStatuses,
  stepFields,
  type FieldsOf,
  type RunDocument,
} from "../contract.ts";
import { inboxItemSchema } from "./inbox-schema.ts";
import type {
  BriefRunDocument,
  BriefStepDocument,
  CanDocument,
  GraphDocument,
  GraphNodeDocument,
  OutlineDocument,
  OutlineStepDocument,
} from "./outline.ts";
import type { OmittedDocument } from "./run.ts";

const omittedSchema: z.ZodType<OmittedDocument> = z
  .object({ $omitted: z.int() })
  .openapi("Omitted", { description: "In the place of a value that is too long: the bytes of its JSON" });

const errorSchema: z.ZodType<RunDocument["error"] | OmittedDocument> = z.union([runFields.error, omittedSchema]);

const briefRunSchema: z.ZodType<BriefRunDocument> = z.object({ ...runFields, error: errorSchema }).openapi("BriefRun");

const tries: FieldsOf<Pick<OutlineStepDocument, "key_of_idempotency" | "attempts_max" | "next_try_at">> = {
  key_of_idempotency: z.string().nullable().describe("Under which a tool knows the call again"),
  attempts_max: z.int().nullable().describe("Tries in all; null: it is not tried again"),
  next_try_at: z.int().nullable(),
};

export const outlineStepSchema: z.ZodType<OutlineStepDocument> = z
  .object({
    ...stepFields,
    args_bytes: z.int(),
    result_bytes: z.int(),
    errors_bytes: z.int(),
    has_error: z.boolean(),
    ...tries,
  })
  .openapi("OutlineStep");

export const briefStepSchema: z.ZodType<BriefStepDocument> = z
  .object({ ...stepFields, args: jsonSchema, result: jsonSchema, errors: jsonSchema, ...tries })
  .openapi("BriefStep");

const nodeKinds: readonly GraphNodeDocument["kind"][] = [
  "tool",
  "flow",
  "gate",
  "wait",
  "set",
  "end",
  "state",
  "missing",
];

const linkKinds: readonly Edge["kind"][] = [
  "next",
  "branch",
  "else",
  "route",
  "fork",
  "join",
  "event",
  "escalate",
  "cleanup",
];

const graphSchema: z.ZodType<GraphDocument> = z
  .object({
    title: z.string(),
    notation: z.enum(["flow", "pipeline", "machine"]),
    start: z.string(),
    nodes: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        kind: z.enum(nodeKinds),
        detail: z.string(),
        tool: z.string().nullable(),
        ending: z.enum(["success", "failure", "cancel"]).nullable(),
        is_fork: z.boolean(),
        is_join: z.boolean(),
        join: z.string().nullable(),
        is_each: z.boolean(),
        attempts_max: z.int(),
        pointer: z.string().nullable(),
      }),
    ),
    links: z.array(
      z.object({
        id: z.string(),
        from: z.string(),
        to: z.string().nullable().describe("null: the path ends here"),
        kind: z.enum(linkKinds),
        label: z.string(),
        is_failure: z.boolean(),
        is_back: z.boolean(),
        is_side: z.boolean(),
      }),
    ),
  })
  .openapi("Graph");

const canSchema: z.ZodType<CanDocument> = z.object({
  cancel: z.boolean(),
  cancel_refused: z.string().nullable().describe("Why it cannot be cancelled"),
  pause: z.boolean(),
  resume: z.boolean(),
  retry: z.boolean(),
  rerun: z.boolean(),
  fork: z.boolean(),
  signal: z.boolean(),
  fire: z.boolean(),
  answer: z.boolean(),
  operate: z.boolean(),
  remove: z.boolean(),
  rate: z.boolean(),
});

export const outlineSchema: z.ZodType<OutlineDocument> = z
  .object({
    run: briefRunSchema,
    version: z.object({ name: z.string(), version: z.int() }).nullable(),
    steps: z.array(outlineStepSchema).describe("All but the items of eaches, in the order in which they were made"),
    is_complete: z.boolean().describe("false: so many steps that only the newest 5,000 are told"),
    items: z
      .record(z.string(), z.object({ count: z.int(), statuses: z.partialRecord(z.enum(rowStatuses), z.int()) }))
      .describe("By the id of the each's step"),
    progress: z
      .record(z.string(), z.object({ fraction: z.number().min(0).max(1).nullable(), message: z.string().nullable() }))
      .describe("By the id of the step: how far its call is, as its tool said last"),
    children: z.array(
      z.object({
        id: z.int(),
        uid: z.string(),
        name: z.string(),
        status: z.enum(runStatuses),
        step_id: z.int().nullable(),
      }),
    ),
    parent: z.object({ id: z.int(), name: z.string() }).nullable(),
    graph: graphSchema.nullable(),
    waiting: z.array(inboxItemSchema),
    transitions: z.array(
      z.object({
        name: z.string(),
        to: z.string(),
        requires_reason: z.boolean(),
        is_open: z.boolean().describe("Its guard is met now"),
        is_timed: z.boolean(),
        step_id: z.int(),
      }),
    ),
    state: z.string().nullable(),
    can: canSchema,
  })
  .openapi("Outline");
