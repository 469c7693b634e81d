// The example flows as the tests read them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate, type Json, type JsonObject, type Plan, type PlanStep, type Report } from "../src/index.ts";

const root: string = join(import.meta.dirname, "..");

export const seeds = "examples/seeds";

/** Paths of the flows in a folder of examples, from the root of the repository. */
export function flowsIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => /\.(json|yaml)$/.test(name))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function reportOf(path: string): Report {
  return validate(readText(path));
}

export function parsed(path: string): JsonObject {
  const document: JsonObject = JSON.parse(readText(path));
  return document;
}

export function planOf(path: string): Plan {
  return planFrom(readText(path));
}

export function planFrom(input: Json): Plan {
  const { plan, findings } = validate(input);
  if (plan === null) throw new Error(`There is no plan: ${JSON.stringify(findings)}`);
  return plan;
}

export function codesOf(report: Report): readonly string[] {
  return report.findings.map((found) => found.code);
}

/** How often a step is tried, and when; undefined for one that calls no tool. */
export function retryOf(step: PlanStep | undefined): unknown {
  return step?.kind === "tool" ? step.retry : undefined;
}

/** The step that answers to `name`. */
export function stepOf(plan: Plan, name: string): PlanStep {
  const step = plan.steps[plan.names[name] ?? ""];
  if (step === undefined) throw new Error(`no step answers to ${name}`);
  return step;
}
