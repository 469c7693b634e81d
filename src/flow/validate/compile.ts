// Validation for those who want the plan or an error, and nothing in between.

import { StepwellError } from "../../error.ts";
import type { Finding } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Plan } from "../plan.ts";
import { validate, type ValidateOptions } from "./validate.ts";

/** The plan of a flow; throws `FLOW_INVALID` with every finding when it has errors.
 *  `compile({ start: { tool: "greet", done: true } }).start === "start"` */
export function compile(input: Json, options: ValidateOptions = {}): Plan {
  const { plan, findings } = validate(input, options);
  if (plan !== null) return plan;
  const errors = findings.filter((found) => found.severity === "error");
  throw new StepwellError("FLOW_INVALID", summary(errors), { details: { findings } });
}

function summary(errors: readonly Finding[]): string {
  const [first] = errors;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `The flow cannot be used: ${first?.message ?? ""}${rest}`;
}
