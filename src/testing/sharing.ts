// Small workflows for tests of files that bring workflows along.

import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";

/** A workflow that says something. */
export function greet(message: string, more: JsonObject = {}): JsonObject {
  return { name: "greet", steps: { say: { set: { message }, done: true } }, ...more };
}

/** A workflow that starts others, one after the other. */
export function caller(name: string, ...flows: readonly string[]): JsonObject {
  const steps = flows.map((flow, index): readonly [string, JsonObject] => {
    const isLast = index === flows.length - 1;
    return [`go_${index}`, { flow, ...(isLast ? { done: true } : { next: `go_${index + 1}` }) }];
  });
  return { name, start: "go_0", steps: Object.fromEntries(steps) };
}

export async function refusalOf(promise: Promise<unknown>): Promise<StepwellError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof StepwellError) return error;
  throw new Error("nothing was refused");
}
