// Changes of a flow as a JSON Patch, which the server puts into its text.

import { isObject, type Json } from "./json.ts";

type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly from: string; readonly path: string };

export type Patch = readonly Operation[];
export type Path = readonly string[];

export function pointerOf(path: Path): string {
  return path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What stands there; undefined: nothing. */
export function valueAt(root: Json, path: Path): Json | undefined {
  let found: Json | undefined = root;
  for (const part of path) {
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(part)];
    else found = isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

/** Whatever the order of keys. */
export function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key]))
    );
  }
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item: Json, at) => isSameValue(item, other[at] as Json));
  return one === other;
}

/** What makes this value stand there, with all that is missing around it; undefined takes it out. */
export function setAt(root: Json, path: Path, value: Json | undefined): Patch {
  const known = valueAt(root, path);
  if (value === undefined) return known === undefined ? [] : [{ op: "remove", path: pointerOf(path) }];
  if (isSameValue(known, value)) return [];
  if (known !== undefined) return [{ op: "replace", path: pointerOf(path), value }];
  const missing = path.findIndex((_, at) => !isContainer(valueAt(root, path.slice(0, at + 1))));
  const inner = path.slice(missing + 1).reduceRight<Json>((made, part) => ({ [part]: made }), value);
  const place = path.slice(0, missing + 1);
  const isThere = valueAt(root, place) !== undefined;
  return [{ op: isThere ? "replace" : "add", path: pointerOf(place), value: inner }];
}

function isContainer(value: Json | undefined): boolean {
  return isObject(value) || Array.isArray(value);
}

/** The same for a map, key by key, so that what did not change is left as it is written. */
export function setMap(root: Json, path: Path, value: Json): Patch {
  const known = valueAt(root, path);
  if (!isObject(known) || !isObject(value)) return setAt(root, path, value);
  const keys = new Set([...Object.keys(known), ...Object.keys(value)]);
  return [...keys].flatMap((key) => setAt(root, [...path, key], value[key]));
}
