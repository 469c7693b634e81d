// Findings in the order in which their places stand in the document.

import type { Finding } from "../finding.ts";
import { isArray, isObject, type Json } from "../json.ts";
import { partsOf } from "../pointer.ts";

type Branch = { readonly findings: Finding[]; readonly children: Map<string, Branch> };

/** Linear in the findings and in the objects that have findings below them. */
export function inDocumentOrder(value: Json, findings: readonly Finding[]): readonly Finding[] {
  const root = branch();
  for (const found of findings) {
    let at = root;
    for (const part of partsOf(found.pointer)) {
      const next = at.children.get(part) ?? branch();
      at.children.set(part, next);
      at = next;
    }
    at.findings.push(found);
  }
  const ordered: Finding[] = [];
  collect(value, root, ordered);
  return ordered;
}

function branch(): Branch {
  return { findings: [], children: new Map() };
}

function collect(value: Json, { findings, children }: Branch, ordered: Finding[]): void {
  for (const found of findings) ordered.push(found);
  if (children.size === 0) return;
  const members = isArray(value) ? value.entries() : Object.entries(isObject(value) ? value : {});
  for (const [key, member] of members) {
    const child = children.get(String(key));
    if (child !== undefined) collect(member, child, ordered);
  }
}
