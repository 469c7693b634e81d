// Reads what a clerk is asked: data that may come from another process, or another version.

import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json } from "../flow/json.ts";

export function textIn(ask: Json, field: string): string {
  const found = findIn(ask, field);
  return typeof found === "string" ? found : refuse(field, "a text");
}

export function textsIn(ask: Json, field: string): readonly string[] {
  const found = findIn(ask, field);
  if (found === undefined || !isArray(found)) return refuse(field, "a list of texts");
  return found.map((item) => (typeof item === "string" ? item : refuse(field, "a list of texts")));
}

/** null: it says so, or nothing. */
export function numberIn(ask: Json, field: string): number | null {
  const found = findIn(ask, field) ?? null;
  return found === null || typeof found === "number" ? found : refuse(field, "a number");
}

export function findIn(ask: Json, field: string): Json | undefined {
  return isObject(ask) ? own(ask, field) : undefined;
}

/** Of an answer; nothing where there is none. */
export function textsOf(list: Json | undefined): readonly string[] {
  return list !== undefined && isArray(list) ? list.map(String) : [];
}

function refuse(field: string, wanted: string): never {
  throw new StepwellError("INPUT_INVALID", `"${field}" must be ${wanted}.`);
}
