// JSON Patch (RFC 6902), as far as findings use it: add, replace, remove, move. The document is not changed; what a
// patch names and is not there is an error, since a finding that names it is one.

import type { PatchOperation } from "./finding.ts";
import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "./json.ts";
import { parentOf, partsOf, type Pointer } from "./pointer.ts";

/** The document is not such that the patch can be applied; its message says why, for people. */
export class PatchMisfit extends Error {
  override readonly name: string = "PatchMisfit";
}

export function applyPatch(document: Json, patch: readonly PatchOperation[]): Json {
  return patch.reduce<Json>(applyOperation, document);
}

/** The value at a pointer, or undefined. */
export function valueAt(document: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = document;
  for (const part of partsOf(pointer)) {
    if (isArray(value)) value = value[indexIn(value, part)];
    else value = isObject(value) ? own(value, part) : undefined;
  }
  return value;
}

function applyOperation(document: Json, operation: PatchOperation): Json {
  const parts = partsIn(operation.path);
  switch (operation.op) {
    case "add":
      return changed(document, parts, { kind: "add", value: operation.value });
    case "replace":
      return changed(document, parts, { kind: "replace", value: operation.value });
    case "remove":
      return changed(document, parts, { kind: "remove" });
    case "move":
      return moved(document, operation.from, operation.path);
  }
}

function moved(document: Json, from: Pointer, path: Pointer): Json {
  const parts = partsIn(from);
  const value = valueAt(document, from);
  if (value === undefined) throw missing(parts.at(-1) ?? "");
  if (from === path) return document;
  if (isRename(document, from, path)) return changed(document, parts, { kind: "rename", to: lastOf(path) });
  const without = changed(document, parts, { kind: "remove" });
  return changed(without, partsOf(path), { kind: "add", value });
}

/** Another name within the same map: what it names keeps its place. */
function isRename(document: Json, from: Pointer, path: Pointer): boolean {
  if (from === "" || path === "" || parentOf(from) !== parentOf(path)) return false;
  const around = valueAt(document, parentOf(from));
  return isObject(around) && Object.hasOwn(around, lastOf(from)) && !Object.hasOwn(around, lastOf(path));
}

function partsIn(pointer: Pointer): readonly string[] {
  if (pointer === "" || pointer.startsWith("/")) return partsOf(pointer);
  throw new PatchMisfit(`"${pointer}" is no JSON Pointer: it starts with a slash, or is empty.`);
}

function lastOf(pointer: Pointer): string {
  return partsOf(pointer).at(-1) ?? "";
}

type Change =
  | { readonly kind: "add" | "replace"; readonly value: Json }
  | { readonly kind: "rename"; readonly to: string }
  | { readonly kind: "remove" };

function changed(value: Json, parts: readonly string[], change: Change): Json {
  const [key, ...rest] = parts;
  if (key === undefined) {
    if ("value" in change) return change.value;
    throw new PatchMisfit("The whole document cannot be removed.");
  }
  if (isArray(value)) return changedList(value, { key, rest, change });
  if (!isObject(value)) throw missing(key);
  if (rest.length > 0) {
    const member = own(value, key);
    if (member === undefined) throw missing(key);
    return withMember(value, key, [key, changed(member, rest, change)]);
  }
  if (change.kind !== "add" && !Object.hasOwn(value, key)) throw missing(key);
  if (change.kind === "rename") return withMember(value, key, [change.to, value[key] ?? null]);
  return withMember(value, key, change.kind === "remove" ? null : [key, change.value]);
}

/** null: without it. What was there keeps its place. */
function withMember(object: JsonObject, key: string, member: readonly [string, Json] | null): Json {
  const entries = Object.entries(object).flatMap((entry): readonly (readonly [string, Json])[] => {
    if (entry[0] !== key) return [entry];
    return member === null ? [] : [member];
  });
  const isNew = member !== null && !Object.hasOwn(object, key);
  return objectFrom(isNew ? [...entries, member] : entries);
}

type Inside = { readonly key: string; readonly rest: readonly string[]; readonly change: Change };

function changedList(list: readonly Json[], { key, rest, change }: Inside): Json {
  const index = indexIn(list, key);
  if (rest.length === 0 && change.kind === "add" && index <= list.length) return list.toSpliced(index, 0, change.value);
  const member = list[index];
  if (member === undefined) throw missing(key);
  if (rest.length > 0) return list.with(index, changed(member, rest, change));
  return "value" in change ? list.with(index, change.value) : list.toSpliced(index, 1);
}

/** `-` stands for the place behind the last. */
export function indexIn(list: { readonly length: number }, key: string): number {
  if (key === "-") return list.length;
  return /^(0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
}

function missing(name: string): PatchMisfit {
  return new PatchMisfit(`The patch names "${name}", which the document does not have.`);
}
