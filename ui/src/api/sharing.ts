// Workflows as files: out of here, into here, and a second time.

import type { SavedTemplateDocument } from "../../../src/server/contract.ts";
import type { ImportPlan } from "../model/import.ts";
import type { Json } from "../model/json.ts";
import { ask } from "./request.ts";

const base = "/api/workflow/templates";

type PlanDocument = {
  readonly name: string;
  readonly workflows: ImportPlan["workflows"];
  readonly resources: ImportPlan["resources"];
  readonly missing_tools: readonly string[];
  readonly missing_secrets: readonly string[];
  readonly permissions: readonly string[];
  readonly warnings: readonly string[];
};

function toPlan(found: PlanDocument): ImportPlan {
  return {
    name: found.name,
    workflows: found.workflows,
    resources: found.resources,
    missingTools: found.missing_tools,
    missingSecrets: found.missing_secrets,
    permissions: found.permissions,
    warnings: found.warnings,
  };
}

/** A file to save, with all that it needs. */
export function exportAddress(name: string): string {
  return `${base}/${encodeURIComponent(name)}/export`;
}

/** What an import would do; nothing is done. */
export async function planImport(file: Json): Promise<ImportPlan> {
  return toPlan(await ask<PlanDocument>(`${base}/import`, { method: "POST", body: file, query: { plan: true } }));
}

/** All of it, or nothing. */
export async function importFile(file: Json, isEnabled: boolean): Promise<ImportPlan> {
  return toPlan(
    await ask<PlanDocument>(`${base}/import`, { method: "POST", body: file, query: { enable: isEnabled } }),
  );
}

/** A copy under another name, which is told. */
export async function cloneWorkflow(name: string): Promise<string> {
  return (await ask<SavedTemplateDocument>(`${base}/${encodeURIComponent(name)}/clone`, { method: "POST" })).name;
}
