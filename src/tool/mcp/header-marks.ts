// Marks in a tool's schema by which arguments are repeated as headers (`x-mcp-header`). Over HTTP a tool whose marks are
// wrong must not be offered.

import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";

const mark = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<Json | undefined> = new Set(["string", "integer", "boolean"]);

/** A mark may stand on a property of a simple type that is reached through properties alone, each name once. */
export function hasWrongMark(schema: JsonObject): boolean {
  const names = new Set<string>();
  let reached = 0;
  const waiting: JsonObject[] = propertiesOf(schema);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    waiting.push(...propertiesOf(node));
    const name = own(node, mark);
    if (name === undefined) continue;
    if (typeof name !== "string" || !token.test(name) || !types.has(own(node, "type"))) return true;
    reached += 1;
    names.add(name.toLowerCase());
  }
  return names.size !== reached || countMarks(schema) !== reached;
}

function propertiesOf(schema: JsonObject): JsonObject[] {
  const properties = own(schema, "properties");
  return isObject(properties) ? Object.values(properties).filter(isObject) : [];
}

/** Wherever they stand. A property that has this very name counts as well; nobody has one. */
function countMarks(schema: JsonObject): number {
  let count = 0;
  const waiting: Json[] = [schema];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== "object" || node === null) continue;
    if (isObject(node) && own(node, mark) !== undefined) count += 1;
    waiting.push(...Object.values(node));
  }
  return count;
}
