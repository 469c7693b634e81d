// The input of a run, checked before anything is written.

import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { prepareInput } from "../flow/validate/input.ts";

export function checkInput(plan: Plan, input: Json): JsonObject {
  const prepared = prepareInput(plan, input);
  if (prepared.ok) return prepared.input;
  const { problems } = prepared;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new StepwellError("INPUT_INVALID", `${problems[0]?.message ?? "The input does not fit."}${rest}`, {
    details: { problems },
  });
}
