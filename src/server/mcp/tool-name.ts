// What a workflow is called as a tool: letters, digits and _, and no longer than hosts allow that put their own words
// before it. The same names come out whatever is enabled, and in whatever order they are asked for; one that goes leaves its
// name to none of those that were there, so that nobody who has heard of it calls another. Pure.

import { createHash } from "node:crypto";

const prefix = "workflow_";
const lengthMax = 45;
const markLength = 6;

type Named = {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  /** null: it is there. */
  readonly deletedAt: number | null;
};

/** The name of each; of several that would be called the same, the oldest keeps the plain one. */
export function nameTools(workflows: readonly Named[], taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  /** When each name was free again. */
  const freeAt = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { name, createdAt, deletedAt } of workflows.toSorted((one, other) => one.id - other.id)) {
    const isFree = (tool: string): boolean => !taken.has(tool) && (freeAt.get(tool) ?? 0) <= createdAt;
    const tool = pick(name, isFree);
    freeAt.set(tool, deletedAt ?? Number.POSITIVE_INFINITY);
    names.set(name, tool);
  }
  return names;
}

/** Whether a workflow could be called so. */
export function isWorkflowTool(tool: string): boolean {
  return tool.length <= lengthMax && /^workflow_[a-z0-9_]+$/u.test(tool);
}

function pick(name: string, isFree: (tool: string) => boolean): string {
  const plain = prefix + slugOf(name);
  if (plain.length <= lengthMax && plain !== prefix && isFree(plain)) return plain;
  // Another one may be called just so: then what follows in the digest is taken.
  const marked = digestsOf(name).map((digest) => mark(plain, digest));
  return marked.find(isFree) ?? marked[0] ?? plain;
}

function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/gu, "_").replaceAll(/^_+|_+$/gu, "");
}

/** Of the whole name, which nobody else has. */
function digestsOf(name: string): readonly string[] {
  const digest = createHash("sha256").update(name).digest("hex");
  return Array.from({ length: Math.floor(digest.length / markLength) }, (_, at) =>
    digest.slice(at * markLength, (at + 1) * markLength),
  );
}

function mark(plain: string, digest: string): string {
  return `${plain.slice(0, lengthMax - markLength - 1).replace(/_+$/u, "")}_${digest}`;
}
