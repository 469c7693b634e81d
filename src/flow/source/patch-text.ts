// Applies a patch to the text of a flow. What can be written over where it stands leaves all else as it is, to the blank;
// else YAML keeps its comments and its order, and JSON its indent.

import { isMap, isPair, isScalar, parseDocument, stringify, type Document, type Scalar } from "yaml";
import type { PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import { partsOf } from "../pointer.ts";

type Path = readonly (string | number)[];

/** undefined: the text is not such that the patch can be applied. */
export function patchText(text: string, patch: readonly PatchOperation[]): string | undefined {
  const isJson = /^\s*[[{]/.test(text) && isJsonText(text);
  let current = text;
  for (const operation of patch) {
    const next = applyToText(current, operation, isJson);
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}

function applyToText(text: string, operation: PatchOperation, isJson: boolean): string | undefined {
  const before = parse(text);
  if (before.errors.length > 0) return undefined;
  const after = parse(text);
  if (!applyOperation(after, operation)) return undefined;
  const written = writeOver(text, before, operation, isJson);
  // What is written in place must stand for the same as what was patched.
  if (written !== undefined && isAlike(written, after)) return written;
  if (!isJson) return after.toString({ lineWidth: 0 });
  return JSON.stringify(after.toJS(), null, indentOf(text)) + (text.endsWith("\n") ? "\n" : "");
}

function parse(text: string): Document {
  return parseDocument(text, { version: "1.2", merge: false });
}

function isAlike(text: string, document: Document): boolean {
  const read = parse(text);
  return read.errors.length === 0 && JSON.stringify(read.toJS()) === JSON.stringify(document.toJS());
}

/** Only a scalar in place of a scalar, and one name of a key in place of another. */
function writeOver(text: string, document: Document, operation: PatchOperation, isJson: boolean): string | undefined {
  const path = pathOf(document, operation.path);
  if (operation.op === "replace" && (typeof operation.value !== "object" || operation.value === null)) {
    const node: unknown = document.getIn(path, true);
    return isScalar(node) ? splice(text, node, operation.value, isJson) : undefined;
  }
  if (operation.op !== "move") return undefined;
  const key = keyToRename(document, pathOf(document, operation.from), path);
  return key === undefined ? undefined : splice(text, key, String(path.at(-1)), isJson);
}

function splice(text: string, node: Scalar, value: Json, isJson: boolean): string | undefined {
  const { range } = node;
  if (range === undefined || range === null) return undefined;
  const [from, to] = range;
  return text.slice(0, from) + toScalarText(text.slice(from, to), value, isJson) + text.slice(to);
}

/** In the quotes that stood there. */
function toScalarText(old: string, value: Json, isJson: boolean): string {
  if (isJson || (old.startsWith('"') && typeof value === "string")) return JSON.stringify(value);
  if (old.startsWith("'") && typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function indentOf(text: string): string {
  return /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? "";
}

function applyOperation(document: Document, operation: PatchOperation): boolean {
  const path = pathOf(document, operation.path);
  switch (operation.op) {
    case "add":
    case "replace":
      document.setIn(path, document.createNode(operation.value));
      return true;
    case "remove":
      return document.deleteIn(path);
    case "move": {
      const from = pathOf(document, operation.from);
      const key = keyToRename(document, from, path);
      if (key !== undefined) {
        key.value = path.at(-1);
        return true;
      }
      const node: unknown = document.getIn(from, true);
      if (node === undefined || !document.deleteIn(from)) return false;
      document.setIn(path, node);
      return true;
    }
  }
}

/** Within one map a key keeps its place, and its comments. */
function keyToRename(document: Document, from: Path, to: Path): Scalar | undefined {
  const parent = from.slice(0, -1);
  if (JSON.stringify(parent) !== JSON.stringify(to.slice(0, -1)) || document.hasIn(to)) return undefined;
  const map: unknown = parent.length === 0 ? document.contents : document.getIn(parent, true);
  if (!isMap(map)) return undefined;
  for (const pair of map.items)
    if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(from.at(-1))) return pair.key;
  return undefined;
}

/** Parts of a list are numbers, parts of a map texts. */
function pathOf(document: Document, pointer: string): (string | number)[] {
  const path: (string | number)[] = [];
  for (const part of partsOf(pointer)) {
    const around: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    path.push(isMap(around) || !/^\d+$/.test(part) ? part : Number(part));
  }
  return path;
}
