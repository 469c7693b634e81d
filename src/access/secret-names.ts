// The secrets that a flow's calls name.

import type { Call, Plan, PlanStep } from "../flow/plan.ts";
import { secretsIn } from "../flow/template/parse.ts";
import type { Template } from "../flow/template/template.ts";

const known = new WeakMap<Plan, readonly string[]>();

/** Each once, in the order in which they stand. */
export function secretsOf(plan: Plan): readonly string[] {
  const found = known.get(plan) ?? [...new Set(Object.values(plan.steps).flatMap(argumentsOf).flatMap(secretsIn))];
  known.set(plan, found);
  return found;
}

function argumentsOf(step: PlanStep): readonly Template[] {
  switch (step.kind) {
    case "tool":
      return [step.args, ...callsOf(step.probe, step.compensate)];
    case "flow":
      return callsOf(step.compensate);
    case "gate":
      return callsOf(step.notify);
    case "wait":
    case "set":
    case "end":
    case "state":
      return [];
  }
}

function callsOf(...calls: readonly (Call | null)[]): readonly Template[] {
  return calls.flatMap((call) => (call === null ? [] : [call.args]));
}
