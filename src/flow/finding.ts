// What the validator says. Every finding has a code of this closed list (explained one by one in docs/errors.md, which
// a test compares with it), a place, a sentence that says what to do, and a patch where one cures it.

import type { Json } from "./json.ts";
import type { Pointer } from "./pointer.ts";

export type Severity = "error" | "warning";

export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: Pointer; readonly value: Json }
  | { readonly op: "remove"; readonly path: Pointer }
  | { readonly op: "move"; readonly from: Pointer; readonly path: Pointer };

export type Finding = {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Where in the document as it was written. */
  readonly pointer: Pointer;
  /** One-based; there when the document was read from text. */
  readonly line?: number;
  readonly column?: number;
  /** What is wrong, which one, and what to do. */
  readonly message: string;
  /** RFC 6902, against the document as it was written. */
  readonly patch?: readonly PatchOperation[];
};

export type FindingCode = keyof typeof severityOf;

export const severityOf = {
  // reading a text
  not_json: "error",
  not_yaml: "error",
  empty_document: "error",
  several_documents: "error",
  too_large: "error",
  too_deep: "error",
  key_too_long: "error",
  duplicate_key: "error",
  alias_limit: "error",
  custom_tag: "error",
  unsafe_number: "error",
  misread_on: "error",
  // the shape of a document
  not_a_flow: "error",
  unknown_format: "error",
  unknown_key: "error",
  missing_key: "error",
  wrong_type: "error",
  wrong_value: "error",
  bad_duration: "error",
  bad_time: "error",
  bad_schema: "error",
  bad_defaults: "error",
  no_action: "error",
  several_actions: "error",
  several_transitions: "error",
  misplaced_key: "error",
  bad_outcome_name: "error",
  expiry_means_yes: "error",
  // names
  duplicate_name: "error",
  dangling_name: "error",
  no_start: "error",
  // the graph
  unreachable_step: "error",
  no_way_to_end: "error",
  empty_parallel: "error",
  duplicate_branch: "error",
  fan_out_not_allowed: "error",
  join_never_met: "error",
  different_joins: "error",
  branch_leaves_fork: "error",
  // machines
  terminal_without_kind: "error",
  non_terminal_with_kind: "error",
  invalid_terminal_kind: "error",
  unknown_state: "error",
  no_initial_state: "error",
  several_initial_states: "error",
  unreachable_state: "error",
  duplicate_transition: "error",
  transition_from_terminal: "error",
  // expressions and templates
  expression_syntax: "error",
  expression_too_long: "error",
  expression_too_deep: "error",
  expression_too_large: "error",
  unknown_name: "error",
  unknown_function: "error",
  name_not_available: "error",
  secret_outside_args: "error",
  dangling_reference: "error",
  reference_cannot_have_run: "error",
  // tools
  bad_arguments: "error",
  // warnings
  unknown_placeholder: "warning",
  unknown_tool: "warning",
  unknown_workflow: "warning",
  unknown_zone: "warning",
  missing_secret: "warning",
  outside_input_schema: "warning",
  bad_header_mark: "warning",
  no_else: "warning",
  loop_without_wait: "warning",
  write_without_compensate: "warning",
  not_active_yet: "warning",
} as const;

/** A finding with the severity of its code. */
export function finding(
  code: FindingCode,
  pointer: Pointer,
  message: string,
  patch?: readonly PatchOperation[],
): Finding {
  const severity = severityOf[code];
  return patch === undefined ? { code, severity, pointer, message } : { code, severity, pointer, message, patch };
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((found) => found.severity === "error");
}
