// Findings get their line and column, and the order in which a reader meets them.

import type { Finding } from "../finding.ts";
import { isArray, isObject, own, type Json } from "../json.ts";
import { partsOf, type Pointer } from "../pointer.ts";
import type { Source } from "../source/read.ts";

/** A wrong value is shown at the value, a wrong key, list or map at its key. */
export function placed(found: Finding, source: Source): Finding {
  if (found.line !== undefined) return found;
  const isAtKey =
    found.code === "unknown_key" || found.code === "misplaced_key" || isContainer(source.value, found.pointer);
  const place = (isAtKey ? source.locateKey(found.pointer) : undefined) ?? source.locate(found.pointer);
  return place === undefined ? found : { ...found, line: place.line, column: place.column };
}

function isContainer(value: Json | undefined, pointer: Pointer): boolean {
  let at: Json | undefined = value;
  for (const part of partsOf(pointer)) {
    if (isArray(at)) at = at[Number(part)];
    else at = isObject(at) ? own(at, part) : undefined;
  }
  return isArray(at) || isObject(at);
}

/** A transition from two states is compiled twice; what is wrong with it is told once. */
export function onceEach(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((found) => [`${found.code} ${found.pointer} ${found.message}`, found])).values()];
}

/** By line where there are lines; else by place, so that the order of keys does not matter. */
export function inDocumentOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (one, other) =>
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0) ||
      compare(one.pointer, other.pointer) ||
      compare(one.code, other.code),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
