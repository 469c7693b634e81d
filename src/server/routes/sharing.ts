// Workflows as files: out of here, into here, and a second time.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { checkSharedSize } from "../../engine/sharing/document.ts";
import type { WorkflowReference } from "../../engine/workflow-entry.ts";
import type { App, Door } from "../door.ts";
import { jsonSchema, savedWorkflowSchema, workflowSchema } from "../contract.ts";
import { toImportedDocument, toPlanDocument } from "../document/sharing.ts";
import { toSavedTemplate } from "../document/template.ts";
import { addRoute } from "../route.ts";
import type { Visitor } from "../visitor.ts";

const tag = "Workflows";
const base = "/api/workflow/templates";

/** As one of the seeds calls it; it lies outside of what the service asks everybody's name for. */
const seedPath = "/workflows/{id}/export";

const planShape = {
  name: z.string().describe("What the workflow will be called here"),
  workflows: z.array(
    z.object({
      name: z.string().describe("In the file"),
      as: z.string().describe("Here"),
      state: z.enum(["new", "changed", "same"]).describe("Compared with what is saved under its name"),
      action: z.enum(["create", "link"]),
    }),
  ),
  resources: z.array(z.object({ name: z.string(), url: z.string().nullable(), action: z.enum(["create", "link"]) })),
  missing_tools: z.array(z.string()),
  missing_secrets: z.array(z.string()),
  permissions: z.array(z.string()).describe("Keys that whoever runs it must have"),
  warnings: z.array(z.string()),
};

const yesOrNo = z.enum(["true", "false"]).optional();

export function addSharingRoutes(app: App, letIn: (context: Context<Door>) => Promise<Visitor>): void {
  app.use(seedPath.replace("{id}", ":p0"), async (context, next) => {
    context.set("visitor", await letIn(context));
    await next();
  });
  for (const path of [`${base}/{id}/export`, seedPath]) addExport(app, path);
  addExportWithTests(app);
  addImport(app);
  addRoute(
    app,
    {
      method: "post",
      path: `${base}/{id}/clone`,
      about: "A copy under another name; disabled, and without what starts it by itself",
      tag,
      right: "save",
      answer: savedWorkflowSchema,
      status: 201,
    },
    async ({ engine, named, context }) => {
      const saved = await engine.workflows.clone(readReference(named("id")));
      context.header("location", `${base}/${saved.id}`);
      return toSavedTemplate(saved);
    },
  );
}

function addExport(app: App, path: string): void {
  addRoute(
    app,
    {
      method: "get",
      path,
      about: "One file that stands for itself: the workflow, what it starts, reads and needs",
      tag,
      right: "read",
      answer: jsonSchema,
    },
    async ({ engine, named, context }) => {
      const text = await engine.workflows.exportText(readReference(named("id")));
      const { workflow } = JSON.parse(text) as { readonly workflow: { readonly name: string } };
      return context.body(text, 200, {
        "content-type": "application/json",
        "content-disposition": toDisposition(workflow.name),
      });
    },
  );
}

/** The same with test files that go along. */
function addExportWithTests(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: `${base}/{id}/export`,
      about: "The same file, with test files in it",
      tag,
      right: "read",
      body: z.strictObject({ tests: z.array(jsonSchema).max(100) }),
      answer: jsonSchema,
    },
    async ({ engine, named, body: { tests }, context }) => {
      const text = await engine.workflows.exportText(readReference(named("id")), { tests });
      return context.body(text, 200, { "content-type": "application/json" });
    },
  );
}

function addImport(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: `${base}/import`,
      about: "Bring a file in: disabled, unless the query says otherwise, and all of it or nothing",
      tag,
      right: "save",
      query: z.object({
        plan: yesOrNo.describe("Only say what would happen"),
        enable: yesOrNo.describe("Let it be started at once"),
      }),
      body: jsonSchema,
      answer: z.object({ ...planShape, id: z.int(), workflow: workflowSchema }),
      status: 201,
    },
    async ({ engine, query: { plan, enable }, body, context }) => {
      checkSharedSize(Number(context.req.header("content-length") ?? 0));
      const file = body;
      if (plan === "true") return context.json(toPlanDocument(await engine.workflows.planImport(file)), 200);
      const imported = await engine.workflows.import(file, { enable: enable === "true" });
      context.header("location", `${base}/${imported.workflow.id}`);
      return toImportedDocument(imported);
    },
  );
}

/** Names that no file of some systems can have. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu;

/** What a browser saves it as: nothing in it leads anywhere. */
function toFileName(name: string): string {
  const clean = name
    .normalize()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replaceAll(/^[._-]+|[._-]+$/gu, "");
  const short = clean.slice(0, 100).toWellFormed();
  return `${short === "" || reserved.test(short) ? `workflow_${short}` : short}.json`;
}

/** Plain letters for those that know no others. */
function toDisposition(name: string): string {
  const fileName = toFileName(name);
  const plain = fileName.replaceAll(/[^\w.-]/gu, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}

/** Digits are an id; all else is a name. */
function readReference(text: string): WorkflowReference {
  return /^\d{1,15}$/u.test(text) ? Number(text) : text;
}
