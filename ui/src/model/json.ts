// Any JSON, as the page holds it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that was too large to be sent along; it is fetched when somebody asks. */
export function omittedBytes(value: unknown): number | null {
  if (!isObject(value)) return null;
  const bytes = value["$omitted"];
  return typeof bytes === "number" && Object.keys(value).length === 1 ? bytes : null;
}
