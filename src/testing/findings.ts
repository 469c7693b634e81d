// What the validator says about small flows, in the form in which tests compare it.

import type { FindingCode } from "../flow/finding.ts";
import type { Json } from "../flow/json.ts";
import { validate, type ValidateOptions } from "../flow/validate/validate.ts";

/** A step that ends its path. */
export const endStep = { tool: "log", done: true } as const;

/** A document around `steps`, which start at `a`. */
export function flowOf(steps: Json, more: { readonly [key: string]: Json } = {}): Json {
  return { format: "stepwell/v1", start: "a", steps, ...more };
}

/** Each finding as `code pointer`. */
export function found(input: Json, options?: ValidateOptions): readonly string[] {
  return validate(input, options).findings.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** A row of a table: what is wrong, a flow with it, the finding and its place. */
export type FindingCase = readonly [title: string, flow: Json, code: FindingCode, pointer: string];
