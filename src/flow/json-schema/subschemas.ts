// Where in a JSON Schema other schemas stand.

import { isArray, isObject, type Json, type JsonObject } from "../json.ts";

const single = new Set(
  "additionalProperties items contains not if then else propertyNames unevaluatedItems unevaluatedProperties additionalItems".split(
    " ",
  ),
);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]);

/** One schema, a list of them, or one for each name; undefined: no schema stands there. */
export function shapeOf(keyword: string): "single" | "list" | "map" | undefined {
  if (single.has(keyword)) return "single";
  if (lists.has(keyword)) return "list";
  return maps.has(keyword) ? "map" : undefined;
}

export type Subschema = {
  readonly keyword: string;
  /** Its place in the list, or its name; null: it stands there alone. */
  readonly key: string | number | null;
  readonly schema: Json;
};

/** Those that stand directly in it, as they are written. */
export function subschemasOf(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapeOf(keyword);
    if (shape === undefined) continue;
    // Older drafts list the schemas of the first items under `items`.
    if (shape !== "map" && isArray(value))
      for (const [key, part] of value.entries()) found.push({ keyword, key, schema: part });
    else if (shape === "single") found.push({ keyword, key: null, schema: value });
    else if (shape === "map" && isObject(value))
      for (const [key, part] of Object.entries(value)) found.push({ keyword, key, schema: part });
  }
  return found;
}
