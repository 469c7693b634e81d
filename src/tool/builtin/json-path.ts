// A dotted path into a value: `items.0.title`, `items[0].title`, `items[-1]`. Only what a value has of its own is found.

import { isArray, isObject, own, type Json } from "../../flow/json.ts";

/** undefined: it leads nowhere. An empty path is the value itself. */
export function findPath(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const key of keysOf(path)) {
    if (isArray(found)) found = /^-?\d{1,9}$/.test(key) ? found.at(Number(key)) : undefined;
    else found = isObject(found) ? own(found, key) : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

function keysOf(path: string): readonly string[] {
  return path === ""
    ? []
    : path
        .replaceAll(/\[(-?\d+)\]/g, ".$1")
        .replace(/^\./, "")
        .split(".");
}
