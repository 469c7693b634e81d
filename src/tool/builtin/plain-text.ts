// What people read of a value: the text itself, titles of items, else JSON.

import { isArray, isObject, type Json } from "../../flow/json.ts";

export function toText(value: Json): string {
  if (typeof value === "string") return value;
  if (isArray(value)) return value.map(toText).join(", ");
  const text = isObject(value) ? (value["text"] ?? value["title"]) : undefined;
  return typeof text === "string" ? text : JSON.stringify(value);
}
