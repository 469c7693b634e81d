// What the server finds wrong with the input of a run, by field.

import { isObject, type Json } from "../model/json.ts";
import { problemsByField } from "../model/schema-form.ts";
import { Problem } from "./request.ts";

export function inputProblemsIn(error: unknown): ReadonlyMap<string, string> {
  const told = error instanceof Problem ? error.details["problems"] : undefined;
  if (!Array.isArray(told)) return new Map();
  const listed = (told as readonly Json[]).filter(isObject);
  return problemsByField(
    listed.map(({ pointer, message }) => ({ pointer: textOf(pointer), message: textOf(message) })),
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
