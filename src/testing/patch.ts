// JSON Patch (RFC 6902), as far as findings use it: add, replace, remove, move. The document is not changed; what a
// patch names and is not there is an error, since a finding that names it is one.

import type { PatchOperation } from "../flow/finding.ts";
import { isArray, isObject, objectFrom, own, type Json } from "../flow/json.ts";
import { partsOf, type Pointer } from "../flow/pointer.ts";

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
  switch (operation.op) {
    case "add":
      return changed(document, partsOf(operation.path), { kind: "add", value: operation.value });
    case "replace":
      return changed(document, partsOf(operation.path), { kind: "replace", value: operation.value });
    case "remove":
      return changed(document, partsOf(operation.path), { kind: "remove" });
    case "move": {
      const value = valueAt(document, operation.from);
      if (value === undefined) throw missing(operation.from);
      const without = changed(document, partsOf(operation.from), { kind: "remove" });
      return changed(without, partsOf(operation.path), { kind: "add", value });
    }
  }
}

type Change = { readonly kind: "add" | "replace"; readonly value: Json } | { readonly kind: "remove" };

function changed(value: Json, parts: readonly string[], change: Change): Json {
  const [key, ...rest] = parts;
  if (key === undefined) {
    if (change.kind === "remove") throw new Error("The whole document cannot be removed.");
    return change.value;
  }
  if (isArray(value)) return changedList(value, { key, rest, change });
  if (!isObject(value)) throw missing(key);
  if (rest.length > 0) {
    const member = own(value, key);
    if (member === undefined) throw missing(key);
    return withMember(value, key, changed(member, rest, change));
  }
  if (change.kind !== "add" && !Object.hasOwn(value, key)) throw missing(key);
  return withMember(value, key, change.kind === "remove" ? undefined : change.value);
}

/** undefined: without it. What was there keeps its place. */
function withMember(object: { readonly [key: string]: Json }, key: string, value: Json | undefined): Json {
  const others = Object.entries(object).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (name !== key) return [[name, member]];
    return value === undefined ? [] : [[name, value]];
  });
  const isNew = value !== undefined && !Object.hasOwn(object, key);
  return objectFrom(isNew ? [...others, [key, value]] : others);
}

type Inside = { readonly key: string; readonly rest: readonly string[]; readonly change: Change };

function changedList(list: readonly Json[], { key, rest, change }: Inside): Json {
  const index = indexIn(list, key);
  if (rest.length === 0 && change.kind === "add" && index <= list.length) return list.toSpliced(index, 0, change.value);
  const member = list[index];
  if (member === undefined) throw missing(key);
  if (rest.length > 0) return list.with(index, changed(member, rest, change));
  return change.kind === "remove" ? list.toSpliced(index, 1) : list.with(index, change.value);
}

/** `-` stands for the place behind the last. */
function indexIn(list: readonly Json[], key: string): number {
  if (key === "-") return list.length;
  return /^(0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
}

function missing(name: string): Error {
  return new Error(`The patch names "${name}", which the document does not have.`);
}
