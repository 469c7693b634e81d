// Saved workflows as programs read them, in the words of the public tables.

import type { WorkflowDiff } from "../../engine/workflow-diff.ts";
import type { SavedWorkflow, Workflow, WorkflowVersion, WorkflowView } from "../../engine/workflow-view.ts";
import type { JsonObject } from "../../flow/json.ts";
import type {
  SavedWorkflowDocument,
  VersionDocument,
  VersionedWorkflowDocument,
  WorkflowDocument,
} from "../contract/workflow.ts";

export function toWorkflowDocument(workflow: Workflow): WorkflowDocument {
  return {
    id: workflow.id,
    name: workflow.name,
    version: workflow.version,
    hash: workflow.hash,
    step_count: workflow.stepCount,
    is_enabled: workflow.isEnabled,
    description: workflow.description,
    input: workflow.input,
    created_by: workflow.createdBy,
    created_at: workflow.createdAt,
    updated_by: workflow.updatedBy,
    updated_at: workflow.updatedAt,
    deleted_at: workflow.deletedAt,
  };
}

export function toSavedDocument(saved: SavedWorkflow): SavedWorkflowDocument {
  return { ...toWorkflowDocument(saved), is_new_version: saved.isNewVersion, warnings: saved.warnings };
}

/** One version, with its flow. */
export function toWholeWorkflow(view: WorkflowView): VersionedWorkflowDocument {
  const { newestVersion, note, flow, text } = view;
  return { ...toWorkflowDocument(view), newest_version: newestVersion, note, flow, text };
}

export function toVersionDocument({ name, version, hash, note, by, at, isEnabled }: WorkflowVersion): VersionDocument {
  return { name, version, hash, note, created_by: by, created_at: at, is_enabled: isEnabled };
}

export function toDiffDocument({ name, from, to, steps, keys, lines }: WorkflowDiff): JsonObject {
  return { name, from, to, steps: { ...steps }, keys, lines };
}
