// Saved workflows as they go over the wire.

import type { Finding } from "../../flow/finding.ts";
import type { Json } from "../../flow/json.ts";
import type { GraphDocument } from "./outline.ts";

export type WorkflowDocument = {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  /** Of the newest version; null: it was saved before they were counted. */
  readonly step_count: number | null;
  readonly is_enabled: boolean;
  readonly description: string | null;
  readonly input: Json;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_by: string;
  readonly updated_at: number;
  readonly deleted_at: number | null;
};

/** With the seeds' word for `deleted_at`. */
export type TemplateDocument = WorkflowDocument & { readonly cancelled_at: number | null };

/** One version, with its flow. */
export type VersionedWorkflowDocument = WorkflowDocument & {
  readonly newest_version: number;
  readonly note: string | null;
  readonly flow: Json;
  /** As it was written, with comments and layout. */
  readonly text: string | null;
};

export type WholeWorkflowDocument = VersionedWorkflowDocument & {
  /** Under which name MCP clients call it; null: it is not offered to them. */
  readonly mcp_tool: string | null;
  readonly cancelled_at: number | null;
  readonly flow_json: string;
  readonly input_json: string | null;
};

export type SavedWorkflowDocument = WorkflowDocument & {
  readonly is_new_version: boolean;
  readonly warnings: readonly string[];
};

export type SavedTemplateDocument = SavedWorkflowDocument & { readonly cancelled_at: number | null };

export type VersionDocument = {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly note: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly is_enabled: boolean;
};

export type FindingDocument = Omit<Finding, "code"> & { readonly code: string };

export type ValidationDocument = {
  readonly is_valid: boolean;
  readonly findings: readonly FindingDocument[];
  /** null: it cannot be drawn. */
  readonly graph: GraphDocument | null;
};
