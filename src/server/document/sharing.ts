// What an import does, as programs read it.

import type { ImportPlan } from "../../engine/sharing/import.ts";
import type { ImportedWorkflow } from "../../engine/workflows.ts";
import type { JsonObject } from "../../flow/json.ts";
import { toTemplateDocument } from "./template.ts";

export function toPlanDocument(plan: ImportPlan): JsonObject {
  const { name, workflows, resources, missingTools, missingSecrets, permissions, warnings } = plan;
  const needs = { missing_tools: missingTools, missing_secrets: missingSecrets, permissions };
  return { name, workflows, resources, ...needs, warnings };
}

export function toImportedDocument(imported: ImportedWorkflow): JsonObject {
  const { workflow } = imported;
  return { id: workflow.id, ...toPlanDocument(imported), workflow: toTemplateDocument(workflow) };
}
