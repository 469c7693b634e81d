// Saved workflows, which the seeds call templates.

import { z } from "@hono/zod-openapi";
import { flowSchema } from "../../flow/schema/editor.ts";
import { patchText } from "../../flow/source/patch-text.ts";
import type { WorkflowReference } from "../../engine/workflow-entry.ts";
import type { Expected } from "../../engine/workflow-view.ts";
import type { SaveOptions } from "../../engine/workflows.ts";
import { StepwellError } from "../../error.ts";
import type { App } from "../door.ts";
import { findingSchema, jsonSchema, savedWorkflowSchema, wholeWorkflowSchema, workflowSchema } from "../contract.ts";
import { toGraphDocument } from "../document/graph.ts";
import { toDiffDocument, toVersionDocument } from "../document/workflow.ts";
import { toSavedTemplate, toTemplateDocument, toWholeTemplate } from "../document/template.ts";
import { findToolName } from "../mcp/workflow-tools.ts";
import { readInput } from "../reading.ts";
import { addRoute } from "../route.ts";

const tag = "Workflows";
const base = "/api/workflow/templates";

const saveBody = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  flow_json: jsonSchema.optional().describe("A flow, or its text in JSON or YAML"),
  flow: jsonSchema.optional().describe("The same"),
  input_json: jsonSchema.optional().describe("An input to begin with"),
  input: jsonSchema.optional().describe("The same"),
  description: z.string().max(10_000).nullish(),
  note: z.string().max(1000).nullish().describe("What is new in this version"),
  expected_version: z.int().min(0).optional().describe("409 unless the newest version is this one; 0: none is there"),
  updated_at: z.int().optional().describe("409 unless it was last changed then"),
});

const changeQuery = z.object({
  expected_version: z.coerce.number().int().min(0).optional().describe("409 unless the newest version is this one"),
  updated_at: z.coerce.number().int().optional().describe("409 unless it was last changed then"),
});

function toExpected({ expected_version: version, updated_at: at }: z.output<typeof changeQuery>): Expected {
  return {
    ...(version === undefined ? {} : { expectedVersion: version }),
    ...(at === undefined ? {} : { expectedUpdatedAt: at }),
  };
}

export function addWorkflowRoutes(app: App): void {
  addLists(app);
  addSaving(app);
  addVersions(app);
  addSwitches(app);
  addWriting(app);
}

const patchSchema = z.array(
  z.discriminatedUnion("op", [
    z.strictObject({ op: z.enum(["add", "replace"]), path: z.string(), value: jsonSchema }),
    z.strictObject({ op: z.literal("remove"), path: z.string() }),
    z.strictObject({ op: z.literal("move"), from: z.string(), path: z.string() }),
  ]),
);

/** Nobody else is answered while a text is mended: together these are below a second. */
const mendedLengthMax = 256_000;
const operationsMax = 20;

function refuseLarge(patch: z.output<typeof patchSchema>): void {
  if (JSON.stringify(patch).length <= mendedLengthMax) return;
  throw new StepwellError("INPUT_INVALID", `A patch has at most ${mendedLengthMax} characters.`);
}

/** What an editor asks for while somebody writes a flow. */
function addWriting(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/schema",
      about: "The JSON Schema of flows, for editors",
      tag,
      right: "anyone",
      answer: jsonSchema,
    },
    async () => flowSchema(),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/mend",
      about: "The text of a flow with a finding's patch in it; comments and layout stay",
      tag,
      right: "read",
      body: z.strictObject({ text: z.string().max(mendedLengthMax), patch: patchSchema.max(operationsMax) }),
      answer: z.object({ text: z.string() }),
    },
    async ({ engine, body: { text, patch } }) => {
      // For the right alone: nothing else here asks the engine.
      await engine.validate(null);
      refuseLarge(patch);
      const patched = patchText(text, patch);
      if (patched.kind === "misfit") throw new StepwellError("INPUT_INVALID", patched.why);
      return { text: patched.text };
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/validate",
      about: "What is wrong with a flow, with patches that mend it",
      tag,
      right: "read",
      body: z.strictObject({ flow: jsonSchema.optional(), flow_json: jsonSchema.optional() }),
      answer: z.object({
        is_valid: z.boolean(),
        findings: z.array(findingSchema),
        graph: jsonSchema.describe("Its steps and what leads where, for a drawing; null: it cannot be drawn"),
      }),
    },
    async ({ engine, body }) => {
      const { findings, plan } = await engine.validate(body.flow ?? body.flow_json ?? null);
      const isValid = findings.every(({ severity }) => severity !== "error");
      return { is_valid: isValid, findings, graph: plan === null ? null : toGraphDocument(plan) };
    },
  );
}

function addLists(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: base,
      about: "Saved workflows, by name",
      tag,
      right: "read",
      query: z.object({ all: z.enum(["true", "false"]).optional().describe("Deleted ones too") }),
      answer: z.array(workflowSchema),
    },
    async ({ engine, query }) => (await engine.workflows.list({ all: query.all === "true" })).map(toTemplateDocument),
  );
  addRoute(
    app,
    {
      method: "get",
      path: `${base}/{id}`,
      about: "One workflow by its id or name, `digest@3` for a version, with its flow",
      tag,
      right: "read",
      answer: wholeWorkflowSchema,
    },
    async ({ engine, named }) => {
      const view = await engine.workflows.get(readReference(named("id")));
      return toWholeTemplate(view, await findToolName(engine, view.name));
    },
  );
}

function addSaving(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: base,
      about: "Save a workflow; what is new becomes a version",
      tag,
      right: "save",
      body: saveBody,
      answer: savedWorkflowSchema,
      status: 201,
    },
    async ({ engine, body, context }) => {
      const flow = body.flow_json ?? body.flow;
      if (flow === undefined) throw new StepwellError("INPUT_INVALID", "Say what to save: flow_json.");
      const saved = await engine.workflows.save(flow, toSaveOptions(body));
      context.header("location", `${base}/${saved.id}`);
      return toSavedTemplate(saved);
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: `${base}/{id}`,
      about: "Take it off the list; its versions stay",
      tag,
      right: "save",
      query: changeQuery,
      answer: savedWorkflowSchema,
    },
    async ({ engine, named, query }) =>
      toSavedTemplate(await engine.workflows.delete(readReference(named("id")), toExpected(query))),
  );
}

function toSaveOptions(body: z.output<typeof saveBody>): SaveOptions {
  const input = body.input_json ?? body.input;
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(typeof body.note === "string" ? { note: body.note } : {}),
    ...(input === undefined ? {} : { input: readInput(input) }),
    ...(body.expected_version === undefined ? {} : { expectedVersion: body.expected_version }),
    ...(body.updated_at === undefined ? {} : { expectedUpdatedAt: body.updated_at }),
  };
}

function addVersions(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: `${base}/{id}/versions`,
      about: "Its versions, newest first",
      tag,
      right: "read",
      answer: z.array(jsonSchema),
    },
    async ({ engine, named }) => (await engine.workflows.versions(readReference(named("id")))).map(toVersionDocument),
  );
  addRoute(
    app,
    {
      method: "get",
      path: `${base}/{id}/diff`,
      about: "What changed between two versions",
      tag,
      right: "read",
      query: z.object({
        from: z.coerce.number().int().positive(),
        to: z.coerce.number().int().positive().optional().describe("The newest unless given"),
      }),
      answer: jsonSchema,
    },
    async ({ engine, named, query: { from, to } }) =>
      toDiffDocument(await engine.workflows.diff(readReference(named("id")), from, to)),
  );
  addRoute(
    app,
    {
      method: "post",
      path: `${base}/{id}/restore`,
      about: "Make an older version the newest",
      tag,
      right: "save",
      query: changeQuery,
      body: z.strictObject({ version: z.int().positive(), note: z.string().max(1000).optional() }),
      answer: savedWorkflowSchema,
    },
    async ({ engine, named, query, body: { version, note } }) => {
      const options = { ...toExpected(query), ...(note === undefined ? {} : { note }) };
      const saved = await engine.workflows.restore(readReference(named("id")), version, options);
      return toSavedTemplate(saved);
    },
  );
}

function addSwitches(app: App): void {
  for (const verb of ["enable", "disable"] as const) {
    addRoute(
      app,
      {
        method: "post",
        path: `${base}/{id}/${verb}`,
        about: verb === "enable" ? "Let it be started" : "Do not let it be started",
        tag,
        right: "save",
        query: changeQuery,
        answer: savedWorkflowSchema,
      },
      async ({ engine, named, query }) =>
        toSavedTemplate(await engine.workflows[verb](readReference(named("id")), toExpected(query))),
    );
  }
}

/** Digits are an id; all else is a name. */
function readReference(text: string): WorkflowReference {
  return /^\d{1,15}$/u.test(text) ? Number(text) : text;
}
