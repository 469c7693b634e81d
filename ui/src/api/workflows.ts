// Saved workflows.

import { queryOptions } from "@tanstack/react-query";
import type { WholeWorkflowDocument, WorkflowDocument } from "../../../src/server/contract.ts";
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

export function toWorkflow(found: WorkflowDocument): Workflow {
  return {
    id: found.id,
    name: found.name,
    version: found.version,
    hash: found.hash,
    isEnabled: found.is_enabled,
    description: found.description,
    input: found.input as Json,
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
    note: found.note,
    flow: found.flow as Json,
    text: found.text,
  };
}
