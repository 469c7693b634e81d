// Validation for those who want the plan or an error, and nothing in between.

import { StepwellError } from "../../error.ts";
import type { Finding, FindingCode } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Plan } from "../plan.ts";
import { validate, type ValidateOptions } from "./validate.ts";

/** The plan of a flow; throws `FLOW_INVALID` with every finding when it has errors, `FLOW_UNREADABLE` when
 *  its text cannot be read.
 *  `compile({ start: { tool: "greet", done: true } }).start === "start"` */
export function compile(input: Json, options: ValidateOptions = {}): Plan {
  const { plan, findings } = validate(input, options);
  if (plan !== null) return plan;
  const errors = findings.filter((found) => found.severity === "error");
  const code = errors.some((found) => unreadable.has(found.code)) ? "FLOW_UNREADABLE" : "FLOW_INVALID";
  throw new StepwellError(code, summary(errors), { details: { findings } });
}

/** There is no document at all that could be right or wrong. */
const unreadable: ReadonlySet<FindingCode> = new Set([
  "not_json",
  "not_yaml",
  "empty_document",
  "several_documents",
  "too_large",
  "too_deep",
  "key_too_long",
  "alias_limit",
]);

function summary(errors: readonly Finding[]): string {
  const [first] = errors;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `The flow cannot be used: ${first?.message ?? ""}${rest}`;
}
