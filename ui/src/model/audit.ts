// What was done, in one line.

import { isObject, type Json } from "./json.ts";

/** `reason: too late, version: 3`; what is empty is left out. */
export function showDetails(details: Json): string {
  if (!isObject(details)) return isEmpty(details) ? "" : showValue(details);
  return Object.entries(details)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${showValue(value)}`)
    .join(", ");
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function showValue(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(showValue).join(" ");
  return JSON.stringify(value);
}
