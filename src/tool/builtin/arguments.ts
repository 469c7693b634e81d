// Arguments of a built-in tool, one by one. Whoever calls it may have put anything in a placeholder's place, so each is
// looked at where it is used; what does not fit is the caller's mistake, and trying again would not help.

import { isArray, isObject, type Json, type JsonObject } from "../../flow/json.ts";
import { ToolError } from "../function.ts";

export function readText(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : refuse(name, "a text", value);
}

export function readTextOr(input: JsonObject, name: string, otherwise: string): string {
  return isAbsent(input[name]) ? otherwise : readText(input, name);
}

/** A whole number; what is beyond the bounds is refused, not moved. */
export function readCount(
  input: JsonObject,
  name: string,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const value = input[name];
  if (isAbsent(value)) return otherwise;
  const fits = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  return fits ? value : refuse(name, `a whole number from ${min} to ${max}`, value);
}

export function readBoolean(input: JsonObject, name: string): boolean {
  const value = input[name];
  if (isAbsent(value)) return false;
  return typeof value === "boolean" ? value : refuse(name, "true or false", value);
}

export function readList(input: JsonObject, name: string): readonly Json[] {
  const value = input[name];
  return isArray(value) ? value : refuse(name, "a list", value);
}

/** An empty one when it is not given. */
export function readObject(input: JsonObject, name: string): JsonObject {
  const value = input[name];
  if (isAbsent(value)) return {};
  return isObject(value) ? value : refuse(name, "an object", value);
}

export function badArguments(message: string): ToolError {
  return new ToolError({ code: "bad_args", message, isFinal: true });
}

function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function refuse(name: string, expected: string, given: Json | undefined): never {
  throw badArguments(`"${name}" must be ${expected}; it is ${kindOf(given)}.`);
}

/** Never the value itself: it may be a secret. */
function kindOf(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? "another number" : "an object";
}
