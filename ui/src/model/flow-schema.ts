// Walks the JSON Schema of flows along a path: which keys may stand there, and which values.

import type { Entry } from "./flow-text.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

export type Notation = "flow" | "pipeline" | "machine" | "bare";

const stepKeys = new Set([
  "tool",
  "gate",
  "wait",
  "flow",
  "set",
  "next",
  "branch",
  "routes",
  "parallel",
  "done",
  "terminal",
]);

/** What kind of flow it is, as far as it is written. */
export function notationOf(entries: readonly Entry[]): Notation {
  const tops = new Set(entries.filter(({ path }) => path.length === 1).map(({ path }) => path[0]));
  if (tops.has("states") || (tops.has("transitions") && !tops.has("steps"))) return "machine";
  if (entries.some(({ path }) => path.length === 2 && path[0] === "steps" && path[1] === "0")) return "pipeline";
  const isBare = entries.some(({ path }) => path.length === 2 && stepKeys.has(path[1] ?? ""));
  return isBare && !tops.has("steps") && !tops.has("format") ? "bare" : "flow";
}

function rootOf(notation: Notation): JsonObject {
  if (notation === "bare") return { additionalProperties: { $ref: "#/definitions/step" } };
  return { $ref: `#/definitions/${notation}` };
}

/** All that may stand at the path, one beside the other. */
export function schemasAt(schema: Json, notation: Notation, path: readonly string[]): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  let found = flatten(schema, rootOf(notation));
  for (const part of path) found = found.flatMap((each) => flatten(schema, stepInto(each, part)));
  return found;
}

/** The same for the arguments of a tool, whose schema stands for itself. */
export function schemasIn(schema: Json, path: readonly string[]): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  let found = flatten(schema, schema);
  for (const part of path) found = found.flatMap((each) => flatten(schema, stepInto(each, part)));
  return found;
}

function stepInto(schema: JsonObject, part: string): Json | undefined {
  const { properties, additionalProperties, items } = schema;
  if (isObject(properties) && Object.hasOwn(properties, part)) return properties[part];
  if (/^\d+$/.test(part) && isObject(items)) return items;
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

const depthMax = 12;

/** A reference is replaced by what it names, and alternatives by each of them. */
function flatten(root: JsonObject, schema: Json | undefined, depth = 0): readonly JsonObject[] {
  if (!isObject(schema) || depth > depthMax) return [];
  const { $ref } = schema;
  if (typeof $ref === "string") return flatten(root, named(root, $ref), depth + 1);
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) ? (list as readonly Json[]).flatMap((each) => flatten(root, each, depth + 1)) : [];
  });
  return [schema, ...inner];
}

function named(root: JsonObject, reference: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter(Boolean))
    found = isObject(found) ? found[part] : undefined;
  return found;
}

export type KnownKey = { readonly name: string; readonly about: string; readonly isRequired: boolean };

export function keysOf(schemas: readonly JsonObject[]): readonly KnownKey[] {
  const keys = new Map<string, KnownKey>();
  for (const { properties, required } of schemas) {
    if (!isObject(properties)) continue;
    const needed = Array.isArray(required) ? (required as readonly Json[]) : [];
    for (const [name, schema] of Object.entries(properties))
      if (!keys.has(name)) keys.set(name, { name, about: aboutOf(schema), isRequired: needed.includes(name) });
  }
  return [...keys.values()];
}

function aboutOf(schema: Json): string {
  return isObject(schema) && typeof schema["description"] === "string" ? schema["description"] : "";
}

export type KnownValue = { readonly value: Json; readonly isExample: boolean };

export function valuesOf(schemas: readonly JsonObject[]): readonly KnownValue[] {
  const values = new Map<string, KnownValue>();
  const add = (value: Json, isExample: boolean): void => {
    const key = JSON.stringify(value);
    if (!values.has(key) && (typeof value !== "object" || value === null)) values.set(key, { value, isExample });
  };
  for (const { enum: choices, const: only, type } of schemas) {
    if (Array.isArray(choices)) for (const choice of choices as readonly Json[]) add(choice, false);
    if (only !== undefined) add(only, false);
    if (type === "boolean" || (Array.isArray(type) && type.includes("boolean")))
      for (const each of [true, false]) add(each, false);
  }
  for (const { examples } of schemas)
    if (Array.isArray(examples)) for (const example of examples as readonly Json[]) add(example, true);
  return [...values.values()];
}
