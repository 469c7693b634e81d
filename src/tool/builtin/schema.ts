// Shorthand for the JSON Schemas of the built-in tools, so that each stands beside its tool in a few lines.

import type { Json, JsonObject } from "../../flow/json.ts";

export const anything: JsonObject = {};

export function text(description: string): JsonObject {
  return { type: "string", description };
}

export function whole(
  description: string,
  bounds: { readonly minimum?: number; readonly maximum?: number },
): JsonObject {
  return { type: "integer", description, ...bounds };
}

export function yesOrNo(description: string): JsonObject {
  return { type: "boolean", description };
}

export function listOf(items: JsonObject, description: string): JsonObject {
  return { type: "array", items, description };
}

/** An object with these members and no others. */
export function closed(properties: Readonly<Record<string, JsonObject>>, required: readonly string[] = []): JsonObject {
  return { ...open(properties, required), additionalProperties: false };
}

/** Arguments that may all be left out. In a pipeline a step without arguments is handed what the one before gave. */
export function optional(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return closed({ ...properties, input: { description: "Not used" } });
}

/** An object with these members, and perhaps others. */
export function open(properties: Readonly<Record<string, JsonObject>>, required: readonly string[] = []): JsonObject {
  const names: readonly Json[] = required;
  return { type: "object", properties, ...(required.length === 0 ? {} : { required: names }) };
}
