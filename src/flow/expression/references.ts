// Which names an expression uses. The validator asks it what a step mentions; a macro's variable is no such name and
// hides a root of the same name.

import type { Node, PathNode, Reference } from "./ast.ts";

export const rootNames: readonly string[] = Object.freeze([
  "input",
  "result",
  "previous",
  "steps",
  "item",
  "index",
  "run",
  "resources",
  "data",
  "event",
  "secrets",
]);

const roots: ReadonlySet<string> = new Set(rootNames);

export function isKnownRoot(name: string): boolean {
  return roots.has(name);
}

export function isPath(node: Node): node is PathNode {
  return node.kind === "name" || node.kind === "member" || node.kind === "index";
}

/** Every longest path from a root, in the order of the source. */
export function referencesOf(node: Node): readonly Reference[] {
  const found: Reference[] = [];
  collect(node, [], found);
  return Object.freeze(found);
}

function collect(node: Node, variables: readonly string[], found: Reference[]): void {
  switch (node.kind) {
    case "literal":
      return;
    case "seed":
      found.push(createReference({ root: "result", path: [], computed: false, at: node.at }));
      return;
    case "name":
    case "member":
    case "index":
      collectPath(node, variables, found);
      return;
    case "macro":
      collect(node.list, variables, found);
      collect(node.body, [...variables, node.variable], found);
      return;
    case "unary":
    case "binary":
    case "conditional":
    case "list":
    case "map":
    case "call":
      for (const child of childrenOf(node)) collect(child, variables, found);
  }
}

type Branching = Extract<Node, { kind: "unary" | "binary" | "conditional" | "list" | "map" | "call" }>;

function childrenOf(node: Branching): readonly Node[] {
  switch (node.kind) {
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.test, node.whenTrue, node.whenFalse];
    case "list":
      return node.items;
    case "map":
      return node.entries.flat();
    case "call":
      return node.args;
  }
}

function collectPath(node: PathNode, variables: readonly string[], found: Reference[]): void {
  const steps: Exclude<PathNode, { kind: "name" }>[] = [];
  let base: Node = node;
  while (base.kind === "member" || base.kind === "index") {
    steps.push(base);
    base = base.object;
  }
  steps.reverse();
  if (base.kind !== "name") collect(base, variables, found);
  else if (!variables.includes(base.name)) {
    const keys = steps.map(staticKey);
    const known = keys.indexOf(null);
    const path = keys.slice(0, known === -1 ? keys.length : known).filter((key) => key !== null);
    found.push(createReference({ root: base.name, path, computed: known !== -1, at: base.at }));
  }
  for (const step of steps) if (step.kind === "index") collect(step.index, variables, found);
}

/** The key that a step of a path picks, or null when it is computed. */
function staticKey(step: Exclude<PathNode, { kind: "name" }>): string | number | null {
  if (step.kind === "member") return step.key;
  if (step.index.kind !== "literal") return null;
  const { value } = step.index;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function createReference(reference: Reference): Reference {
  Object.freeze(reference.path);
  return Object.freeze(reference);
}
