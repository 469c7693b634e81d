// A saved workflow as the seeds' table of templates has it, beside our own words.

import type { SavedWorkflow, Workflow, WorkflowView } from "../../engine/workflow-view.ts";
import type { SavedTemplateDocument, TemplateDocument, WholeWorkflowDocument } from "../contract/workflow.ts";
import { toSavedDocument, toWholeWorkflow, toWorkflowDocument } from "./workflow.ts";

export function toTemplateDocument(workflow: Workflow): TemplateDocument {
  return { ...toWorkflowDocument(workflow), cancelled_at: workflow.deletedAt };
}

export function toSavedTemplate(saved: SavedWorkflow): SavedTemplateDocument {
  return { ...toSavedDocument(saved), cancelled_at: saved.deletedAt };
}

/** `tool`: under which name MCP clients call it. */
export function toWholeTemplate(view: WorkflowView, tool: string | null): WholeWorkflowDocument {
  return {
    ...toWholeWorkflow(view),
    mcp_tool: tool,
    cancelled_at: view.deletedAt,
    flow_json: JSON.stringify(view.flow),
    input_json: view.input === null ? null : JSON.stringify(view.input),
  };
}
