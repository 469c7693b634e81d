// The verbs on saved workflows, through a server.

import type { WorkflowReference } from "../engine/workflow-entry.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { WorkflowDiff } from "../engine/workflow-diff.ts";
import type { Expected, SavedWorkflow, Workflow, WorkflowVersion, WorkflowView } from "../engine/workflow-view.ts";
import type { ImportPlan } from "../engine/sharing/import.ts";
import type { SharedDocument } from "../engine/sharing/document.ts";
import type { ExportOptions, SaveOptions } from "../engine/workflows.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { toPath, type Query } from "./address.ts";
import { fieldIn, listIn, objectIn, take, textIn } from "./fields.ts";
import type { Wire } from "./wire.ts";

type Verbs = UserEngine["workflows"];

const base = "api/workflow/templates";

/** `key`: the caller's own, for whatever is changed. */
export function createWorkflows(wire: Wire, key: string | null): Verbs {
  const change = async (verb: string, workflow: WorkflowReference, options: Expected): Promise<Json> => {
    const ask = { path: toPath(base, workflow, verb), query: toExpected(options), key };
    return (await wire.send({ method: "POST", ...ask, ...onceIf(isExpecting(options)) })).body;
  };
  const read = async (path: string, query: Query = {}): Promise<Json> => (await wire.read(path, query)).body;
  const exportText = async (workflow: WorkflowReference, { tests = [] }: ExportOptions = {}): Promise<string> => {
    const path = toPath(base, workflow, "export");
    if (tests.length === 0) return (await wire.read(path)).text;
    return (await wire.send({ method: "POST", path, body: { tests }, key })).text;
  };
  return {
    save: (flow, options) => save(wire, { flow, key, ...options }),
    list: async (wish) => listIn(await read(base, { all: String(wish?.all ?? false) })).map(toWorkflow),
    get: async (workflow) => toView(objectIn(await read(toPath(base, workflow)))),
    versions: async (workflow) => listIn(await read(toPath(base, workflow, "versions"))).map(toVersion),
    diff: async (workflow, from, to) => toDiff(objectIn(await read(toPath(base, workflow, "diff"), { from, to }))),
    restore: async (workflow, version, wish) => {
      const { note, ...options } = wish ?? {};
      const body = { version, ...(note === undefined ? {} : { note }) };
      const path = toPath(base, workflow, "restore");
      const ask = { method: "POST", path, query: toExpected(options), body, key, repeat: "once" } as const;
      return toSaved(objectIn((await wire.send(ask)).body));
    },
    enable: async (workflow, options) => toSaved(objectIn(await change("enable", workflow, options ?? {}))),
    disable: async (workflow, options) => toSaved(objectIn(await change("disable", workflow, options ?? {}))),
    delete: async (workflow, options) => {
      const ask = { method: "DELETE", path: toPath(base, workflow), query: toExpected(options ?? {}) } as const;
      return toSaved(objectIn((await wire.send({ ...ask, key, repeat: "once" })).body));
    },
    export: async (workflow, options) => JSON.parse(await exportText(workflow, options)) as SharedDocument,
    exportText,
    planImport: async (file) => toPlan(objectIn(await bringIn(wire, { file, key, query: { plan: "true" } }))),
    import: async (file, options) => {
      const query = { enable: String(options?.enable ?? false) };
      const document = objectIn(await bringIn(wire, { file, key, query }));
      return { ...toPlan(document), workflow: toWorkflow(objectIn(fieldIn(document, "workflow"))) };
    },
    clone: async (workflow) => {
      const ask = { method: "POST", path: toPath(base, workflow, "clone"), key, repeat: "once" } as const;
      return toSaved(objectIn((await wire.send(ask)).body));
    },
  };
}

type Saving = SaveOptions & { readonly flow: Json; readonly key: string | null };

async function save(wire: Wire, saving: Saving): Promise<SavedWorkflow> {
  const { flow, key, name, note, description, input, expectedVersion, expectedUpdatedAt } = saving;
  const body: JsonObject = {
    flow,
    ...(name === undefined ? {} : { name }),
    ...(note === undefined ? {} : { note }),
    ...(description === undefined ? {} : { description }),
    ...(input === undefined ? {} : { input }),
    ...(expectedVersion === undefined ? {} : { expected_version: expectedVersion }),
    ...(expectedUpdatedAt === undefined ? {} : { updated_at: expectedUpdatedAt }),
  };
  const ask = { method: "POST", path: base, body, key } as const;
  return toSaved(objectIn((await wire.send({ ...ask, ...onceIf(isExpecting(saving)) })).body));
}

type Bringing = { readonly file: Json; readonly key: string | null; readonly query: Query };

/** As its text: what is wrong with it is told as of a file. */
async function bringIn(wire: Wire, { file, key, query }: Bringing): Promise<Json> {
  const body = typeof file === "string" ? file : JSON.stringify(file);
  const ask = { method: "POST", path: `${base}/import`, body, query, key } as const;
  return (await wire.send({ ...ask, ...onceIf(query["plan"] === undefined) })).body;
}

function toExpected({ expectedVersion, expectedUpdatedAt }: Expected): Query {
  return { expected_version: expectedVersion, updated_at: expectedUpdatedAt };
}

/** The second time it would no longer be as it was expected. */
function isExpecting({ expectedVersion, expectedUpdatedAt }: Expected): boolean {
  return expectedVersion !== undefined || expectedUpdatedAt !== undefined;
}

function onceIf(isOnce: boolean): { readonly repeat?: "once" } {
  return isOnce ? { repeat: "once" } : {};
}

const workflowNames = [
  "id",
  "name",
  "version",
  "hash",
  "stepCount",
  "isEnabled",
  "description",
  "input",
  "createdBy",
  "createdAt",
  "updatedBy",
  "updatedAt",
  "deletedAt",
] as const;

function toWorkflow(document: JsonObject): Workflow {
  return take<Workflow>(document, workflowNames);
}

function toSaved(document: JsonObject): SavedWorkflow {
  return take<SavedWorkflow>(document, [...workflowNames, "isNewVersion", "warnings"]);
}

function toView(document: JsonObject): WorkflowView {
  return take<WorkflowView>(document, [...workflowNames, "newestVersion", "note", "flow", "text"]);
}

function toVersion(document: JsonObject): WorkflowVersion {
  const { created_by: by = null, created_at: at = null } = document;
  return take<WorkflowVersion>({ ...document, by, at }, ["name", "version", "hash", "note", "by", "at", "isEnabled"]);
}

function toDiff(document: JsonObject): WorkflowDiff {
  return take<WorkflowDiff>(document, ["name", "from", "to", "steps", "keys", "lines"]);
}

function toPlan(document: JsonObject): ImportPlan {
  const names = ["workflows", "resources", "missingTools", "missingSecrets", "permissions", "warnings"] as const;
  return { name: textIn(document, "name"), ...take<ImportPlan, (typeof names)[number]>(document, names) };
}
