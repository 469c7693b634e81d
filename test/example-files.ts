// The example flows as the tests read them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate, type Plan, type PlanStep, type Report } from "../src/index.ts";

export const root: string = join(import.meta.dirname, "..");

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

export function planOf(path: string): Plan {
  const report = reportOf(path);
  if (report.plan === null) throw new Error(`${path} has no plan: ${JSON.stringify(report.findings)}`);
  return report.plan;
}

/** The step that answers to `name`. */
export function stepOf(plan: Plan, name: string): PlanStep {
  const step = plan.steps[plan.names[name] ?? ""];
  if (step === undefined) throw new Error(`no step answers to ${name}`);
  return step;
}
