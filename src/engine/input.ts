// The input of a run, checked before anything is written.

import { StepwellError } from "../error.ts";
import { isObject, type Json, type JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";

export function checkInput(plan: Plan, input: Json): JsonObject {
  if (input !== null && !isObject(input)) throw new StepwellError("INPUT_INVALID", "The input must be an object.");
  return { ...plan.input.defaults, ...input };
}
