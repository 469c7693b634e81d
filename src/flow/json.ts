// JSON values as the language sees them. Objects come from users: only own properties count, and `__proto__` is a
// key like any other, so lookups go through `own` and objects are built with `objectFrom`.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own property `key`, or undefined; never something inherited. */
export function own<T>(object: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A record without a prototype: safe to index with any name a user may write. */
export function objectFrom<T>(entries: Iterable<readonly [string, T]>): { readonly [key: string]: T } {
  const object: { [key: string]: T } = Object.create(null);
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** JSON text with sorted keys: equal values give equal texts, whatever the order in which they were written. */
export function canonicalText(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Freezes a value and all that it holds; what is frozen already may hold something that is not. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** A value of one's own: whoever gave it may change what they gave. */
export function copyJson(value: Json): Json {
  return typeof value === "object" && value !== null ? (JSON.parse(JSON.stringify(value)) as Json) : value;
}
