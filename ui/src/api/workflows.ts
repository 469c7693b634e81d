// Saved workflows.

import { queryOptions } from "@tanstack/react-query";
import type { SavedTemplateDocument, WholeWorkflowDocument, WorkflowDocument } from "../../../src/server/contract.ts";
import type { Json } from "../model/json.ts";
import type { WholeWorkflow, Workflow } from "../model/workflow.ts";
import { ask } from "./request.ts";

export const workflowsQuery = queryOptions({
  queryKey: ["workflows"],
  queryFn: async ({ signal }): Promise<readonly Workflow[]> =>
    (await ask<readonly WorkflowDocument[]>("/api/workflow/templates", { signal })).map(toWorkflow),
});

/** `digest` is the newest version, `digest@3` the third. */
export function workflowQuery(name: string) {
  return queryOptions({
    queryKey: ["workflow", name, "whole"],
    queryFn: async ({ signal }): Promise<WholeWorkflow> =>
      toWholeWorkflow(
        await ask<WholeWorkflowDocument>(`/api/workflow/templates/${encodeURIComponent(name)}`, { signal }),
      ),
  });
}

function toWorkflow(found: WorkflowDocument): Workflow {
  return {
    id: found.id,
    name: found.name,
    version: found.version,
    hash: found.hash,
    stepCount: found.step_count,
    isEnabled: found.is_enabled,
    description: found.description,
    input: found.input,
    createdBy: found.created_by,
    createdAt: found.created_at,
    updatedBy: found.updated_by,
    updatedAt: found.updated_at,
    deletedAt: found.deleted_at,
  };
}

function toWholeWorkflow(found: WholeWorkflowDocument): WholeWorkflow {
  return {
    ...toWorkflow(found),
    newestVersion: found.newest_version,
    mcpTool: found.mcp_tool,
    note: found.note,
    flow: found.flow,
    text: found.text,
  };
}

export type SaveWish = {
  readonly name: string;
  /** A flow, or its text in JSON or YAML. */
  readonly flow: Json;
  readonly input?: Json;
  readonly description?: string;
  readonly note?: string;
  /** Refused unless the newest version is this one; 0: none is there. */
  readonly expectedVersion?: number;
  /** Refused unless it was last changed then: a comment that is changed makes no version. */
  readonly expectedUpdatedAt?: number;
};

export type Saved = {
  readonly name: string;
  readonly version: number;
  readonly isNewVersion: boolean;
  readonly updatedAt: number;
  readonly warnings: readonly string[];
};

export async function saveWorkflow({ expectedVersion, expectedUpdatedAt, ...wish }: SaveWish): Promise<Saved> {
  const body = {
    ...wish,
    ...(expectedVersion === undefined ? {} : { expected_version: expectedVersion }),
    ...(expectedUpdatedAt === undefined ? {} : { updated_at: expectedUpdatedAt }),
  };
  const saved = await ask<SavedTemplateDocument>("/api/workflow/templates", { method: "POST", body });
  return {
    name: saved.name,
    version: saved.version,
    isNewVersion: saved.is_new_version,
    updatedAt: saved.updated_at,
    warnings: saved.warnings,
  };
}

/** Takes it off the list; its versions stay. */
export function deleteWorkflow(name: string): Promise<unknown> {
  return ask(`/api/workflow/templates/${encodeURIComponent(name)}`, { method: "DELETE" });
}

export function enableWorkflow(name: string, isEnabled: boolean): Promise<unknown> {
  return ask(`/api/workflow/templates/${encodeURIComponent(name)}/${isEnabled ? "enable" : "disable"}`, {
    method: "POST",
  });
}

/** Its ended runs are removed for good; how many there were. */
export async function clearHistory(name: string): Promise<number> {
  const { runs } = await ask<{ readonly runs: number }>("/api/workflow/prune", {
    method: "POST",
    body: { workflow: name },
  });
  return runs;
}
