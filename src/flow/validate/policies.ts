// Warnings about what a flow leaves open: branches without an else, writes that nobody undoes, keys that are read but
// do nothing yet.

import { finding, type Finding } from "../finding.ts";
import { canMissItsRoutes } from "../graph/ends.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import type { Plan, PlanStep } from "../plan.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";

export function checkPolicies(plan: Plan, isWrite: (step: PlanStep) => boolean): readonly Finding[] {
  const steps = Object.values(plan.steps);
  const compensates = steps.some((step) => "compensate" in step && step.compensate !== null);
  return steps.flatMap((step) => [...checkElse(step), ...(compensates && isWrite(step) ? checkCompensate(step) : [])]);
}

function checkElse(step: PlanStep): readonly Finding[] {
  if (!canMissItsRoutes(step) || step.onNoMatch !== "hold") return [];
  const [key, path] =
    step.transition.kind === "branch"
      ? ["else", under(step.pointer, "else")]
      : ["default", under(step.pointer, "routes", "default")];
  const at = under(step.pointer, step.transition.kind === "branch" ? "branch" : "routes");
  const message = `When nothing matches in "${step.label}", the run is held until a person decides. Add "${key}" to say where it goes.`;
  return [finding("no_else", at, message, [{ op: "add", path, value: "end" }])];
}

function checkCompensate(step: PlanStep): readonly Finding[] {
  if (!("compensate" in step) || step.compensate !== null) return [];
  const message = `Other steps of this flow are undone when it fails, but "${step.label}" writes and is not. Add "compensate", or say what it does with "effect".`;
  return [finding("write_without_compensate", step.pointer, message)];
}

/** Keys of parts of Stepwell that are still to come: read, kept, and without effect. */
export function checkInactive(document: JsonObject, isBare: boolean): readonly Finding[] {
  if (isBare) return inactiveInSteps("", document);
  const triggers = own(document, "triggers");
  const found = [
    ...(isArray(triggers) && triggers.length > 0
      ? [inactive(pointerTo("triggers"), "Triggers start nothing yet")]
      : []),
    ...(own(document, "requires_2fa") === true
      ? [inactive(pointerTo("requires_2fa"), "Nobody is asked for a second factor yet")]
      : []),
  ];
  return [...found, ...inactiveInSteps(pointerTo("steps"), own(document, "steps") ?? null)];
}

function inactiveInSteps(pointer: Pointer, steps: Json): readonly Finding[] {
  if (!isObject(steps) && !isArray(steps)) return [];
  return Object.entries(steps).flatMap(([key, step]) =>
    isObject(step) ? inactiveInStep(under(pointer, key), step) : [],
  );
}

const inactiveKeys: { readonly [key: string]: string } = {
  sanitize: "Results are not sanitised yet",
  prompt_template: "Language models are not asked yet; the tool is handed this text as it is",
  llm_tier: "Language models are not asked yet; the tool is handed this setting as it is",
  llm_model: "Language models are not asked yet; the tool is handed this setting as it is",
};

function inactiveInStep(pointer: Pointer, step: JsonObject): readonly Finding[] {
  return Object.entries(inactiveKeys).flatMap(([key, what]) => {
    const value = own(step, key);
    return value === undefined || value === null || value === "off" ? [] : [inactive(under(pointer, key), what)];
  });
}

function inactive(pointer: Pointer, what: string): Finding {
  return finding(
    "not_active_yet",
    pointer,
    `${what}: this key is read and kept, and comes into force in a later version.`,
  );
}
