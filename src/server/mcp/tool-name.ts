// What a workflow is called as a tool: letters, digits and _, and no longer than hosts allow that put their own words
// before it. The same names come out whatever is enabled, and in whatever order they are asked for. Pure.

import { createHash } from "node:crypto";

const prefix = "workflow_";
const lengthMax = 45;
const markLength = 6;

type Named = { readonly id: number; readonly name: string };

/** The name of each; of several that would be called the same, the oldest keeps the plain one. */
export function nameTools(workflows: readonly Named[], taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const { name } of workflows.toSorted((one, other) => one.id - other.id)) {
    const plain = prefix + slugOf(name);
    const tool = plain.length > lengthMax || plain === prefix || used.has(plain) ? mark(plain, name) : plain;
    used.add(tool);
    names.set(name, tool);
  }
  return names;
}

function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/gu, "_").replaceAll(/^_+|_+$/gu, "");
}

/** By the whole name, which nobody else has. */
function mark(plain: string, name: string): string {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, markLength);
  return `${plain.slice(0, lengthMax - markLength - 1).replace(/_+$/u, "")}_${digest}`;
}
