// A JSON Schema as people read it: one line for each property. Pure.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { drawTable } from "./table.ts";
import type { Look } from "./terminal.ts";

/** Empty: anything goes. */
export function drawSchema(schema: JsonObject | null, look: Look): readonly string[] {
  const properties = schema === null ? undefined : own(schema, "properties");
  if (schema === null || !isObject(properties)) return schema === null ? [] : [typeOf(schema)];
  const required = own(schema, "required");
  const needed = new Set(required !== undefined && isArray(required) ? required : []);
  const rows = Object.entries(properties).map(([name, property]) =>
    [name, typeOf(property), needed.has(name) ? "yes" : "", aboutOf(property)].map((text) => ({ text })),
  );
  return rows.length === 0 ? ["nothing"] : drawTable({ headings: ["NAME", "TYPE", "NEEDED", "ABOUT"], rows }, look);
}

function typeOf(schema: Json): string {
  if (!isObject(schema)) return "any";
  const { type, enum: choices, const: only, items, anyOf, oneOf } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined && isArray(choices)) return choices.map((each) => JSON.stringify(each)).join("|");
  if (isArray(type)) return type.map((each) => (typeof each === "string" ? each : "any")).join("|");
  if (type === "array") return items === undefined ? "list" : `list of ${typeOf(items)}`;
  const unions = anyOf ?? oneOf;
  if (unions !== undefined && isArray(unions)) return unions.map(typeOf).join("|");
  return typeof type === "string" ? type : "any";
}

function aboutOf(schema: Json): string {
  if (!isObject(schema)) return "";
  const about = own(schema, "description") ?? own(schema, "title") ?? "";
  const usual = own(schema, "default");
  return `${typeof about === "string" ? about : ""}${usual === undefined ? "" : ` (${JSON.stringify(usual)} unless given)`}`.trim();
}
