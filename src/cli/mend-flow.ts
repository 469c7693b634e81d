// Applies the patches of the validator to the text of a flow. YAML keeps its comments and its order; JSON its indent.

import { isMap, isPair, isScalar, parseDocument, type Document } from "yaml";
import type { Finding, PatchOperation } from "../flow/finding.ts";
import { partsOf } from "../flow/pointer.ts";
import { validate } from "../flow/validate/validate.ts";

export type Mended = { readonly text: string; readonly fixed: readonly Finding[] };

/** One patch may bring up what the next one cures. */
const roundsMax = 200;

/** One after the other, and looked at again after each: a patch may move what others name. */
export function mendFlow(text: string): Mended {
  const seen = new Set([text]);
  const fixed: Finding[] = [];
  let current = text;
  for (let round = 0; round < roundsMax; round += 1) {
    const mended = mendOnce(current, seen);
    if (mended === undefined) break;
    fixed.push(mended.finding);
    current = mended.text;
    seen.add(current);
  }
  return { text: current, fixed };
}

/** The first finding whose patch leads to a text that was not there before. */
function mendOnce(
  text: string,
  seen: ReadonlySet<string>,
): { readonly text: string; readonly finding: Finding } | undefined {
  for (const finding of validate(text).findings) {
    if (finding.patch === undefined) continue;
    const patched = applyToText(text, finding.patch);
    if (patched !== undefined && !seen.has(patched)) return { text: patched, finding };
  }
  return undefined;
}

/** undefined: the text is not such that the patch can be applied. */
export function applyToText(text: string, patch: readonly PatchOperation[]): string | undefined {
  const isJson = /^\s*[[{]/.test(text) && isJsonText(text);
  const document = parseDocument(text, { version: "1.2", merge: false });
  if (document.errors.length > 0) return undefined;
  for (const operation of patch) if (!applyOperation(document, operation)) return undefined;
  if (!isJson) return document.toString({ lineWidth: 0 });
  return JSON.stringify(document.toJS(), null, indentOf(text)) + (text.endsWith("\n") ? "\n" : "");
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
      if (rename(document, from, path)) return true;
      const node: unknown = document.getIn(from, true);
      if (node === undefined || !document.deleteIn(from)) return false;
      document.setIn(path, node);
      return true;
    }
  }
}

/** Within one map a key keeps its place, and its comments. */
function rename(document: Document, from: readonly (string | number)[], to: readonly (string | number)[]): boolean {
  const parent = from.slice(0, -1);
  if (JSON.stringify(parent) !== JSON.stringify(to.slice(0, -1)) || document.hasIn(to)) return false;
  const map: unknown = parent.length === 0 ? document.contents : document.getIn(parent, true);
  if (!isMap(map)) return false;
  for (const pair of map.items) {
    if (!isPair(pair) || !isScalar(pair.key) || String(pair.key.value) !== String(from.at(-1))) continue;
    pair.key.value = to.at(-1);
    return true;
  }
  return false;
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
