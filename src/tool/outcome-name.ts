// Names of outcomes, as tools say them.

import { outcomeName } from "../flow/schema/scalars.ts";

const pattern = new RegExp(outcomeName.pattern);

export function isOutcomeName(name: unknown): name is string {
  return typeof name === "string" && fitsOutcome(name);
}

export function fitsOutcome(name: string): boolean {
  return pattern.test(name);
}

export function bareOutcome(name: string): string {
  return name.replace(/^on_/, "");
}
