// What a workflow takes, in a form that hosts hand on to their models: these refuse all tools of a server by one schema
// with a choice at its top, or with a property whose name is not plain. Such a schema is listed as the one property
// `input`, and what comes is unwrapped. Pure.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";

/** As the strictest of them has it. */
const plainName = /^[a-zA-Z0-9_.-]{1,64}$/;
const choices: readonly string[] = ["oneOf", "anyOf", "allOf"];

const wrapper = "input";

export function needsWrapping(schema: JsonObject): boolean {
  const properties = own(schema, "properties");
  const names = properties !== undefined && isObject(properties) ? Object.keys(properties) : [];
  return choices.some((key) => Object.hasOwn(schema, key)) || !names.every((name) => plainName.test(name));
}

export function wrapSchema(schema: JsonObject): JsonObject {
  const inner = Object.hasOwn(schema, "$id") ? schema : moveReferences(schema);
  return { type: "object", properties: { [wrapper]: inner }, required: [wrapper] };
}

/** Whoever knows the workflow better than its tool may leave the wrapper out. */
export function unwrapInput(given: JsonObject): JsonObject {
  const inner = own(given, wrapper);
  return inner !== undefined && isObject(inner) && Object.keys(given).length === 1 ? inner : given;
}

export function wrapInput(input: JsonObject): JsonObject {
  return { [wrapper]: input };
}

/** What was at the top lies one level below. */
function moveReferences<Schema extends Json>(schema: Schema): Schema;
function moveReferences(schema: Json): Json {
  if (isArray(schema)) return schema.map((item) => moveReferences(item));
  if (!isObject(schema)) return schema;
  const moved = Object.entries(schema).map(([key, value]): readonly [string, Json] => {
    const isPath = key === "$ref" && typeof value === "string" && /^#(?:\/|$)/.test(value);
    return [key, isPath ? `#/properties/${wrapper}${value.slice(1)}` : moveReferences(value)];
  });
  return objectFrom(moved);
}
