// Dependencies point one way, and in no circle.

import { breach, importsOf, isTest, isTypeScript, resolveImport, type Breach, type SourceFile } from "./source-file.ts";

/** Each part of `src` and the parts that it may use besides itself. */
const uses: ReadonlyMap<string, readonly string[]> = new Map([
  ["error", []],
  ["crash-point", []],
  ["live-map", []],
  ["flow", ["error"]],
  ["run", ["error", "flow"]],
  ["store", ["error", "crash-point", "flow", "run"]],
  ["tool", ["error", "live-map", "flow", "run"]],
  ["access", ["error", "flow", "run", "store"]],
  ["engine", ["error", "crash-point", "live-map", "flow", "run", "store", "tool", "access"]],
  ["open-engine", ["error", "flow", "run", "store", "tool", "access", "engine", "server"]],
  ["connect", ["error", "flow", "run", "store", "tool", "access", "engine", "open-engine", "remote"]],
  ["remote", ["error", "flow", "run", "store", "tool", "access", "engine"]],
  ["server", ["error", "flow", "run", "store", "tool", "access", "engine"]],
  ["cli", ["error", "flow", "run", "store", "tool", "access", "engine", "open-engine", "server", "remote", "testing"]],
  ["testing", ["error", "flow", "run", "store", "tool", "access", "engine", "server"]],
  [
    "index",
    ["error", "flow", "run", "store", "tool", "access", "engine", "open-engine", "connect", "remote", "server"],
  ],
]);

/** The engine knows the contracts of store and tool, never one of their adapters. */
const adapters = /^src\/(?:store\/(?:sqlite|postgres)|tool\/(?:mcp|builtin))\//;

/** Imports against the direction flow ← run ← store ← engine ← server ← cli. Tests may look wherever they need. */
export function findLayerBreaches(files: readonly SourceFile[]): readonly Breach[] {
  return files
    .filter((file) => file.path.startsWith("src/") && isTypeScript(file) && !isTest(file))
    .flatMap((file) => {
      const part = partOf(file.path);
      const allowed = uses.get(part);
      if (allowed === undefined) return [breach(file, 0, `${part} is no part of src that the layers know`)];
      return importsOf(file).flatMap((imported) => {
        const target = resolveImport(file, imported);
        if (target === undefined) return [];
        const isAllowed = target.startsWith("src/") && [part, ...allowed].includes(partOf(target));
        if (isAllowed && !(part === "engine" && adapters.test(target))) return [];
        return [breach(file, imported.at, `${part} must not use ${target}`)];
      });
    });
}

/** Each part of the page and the parts that it may use besides itself. Thinking stands alone; only `api` knows the server. */
const pageUses: ReadonlyMap<string, readonly string[]> = new Map([
  ["model", []],
  ["api", ["model"]],
  ["preferences", []],
  ["reading", []],
  ["asking", ["model"]],
  ["live-desk", ["model", "api", "reading", "asking"]],
  ["lazy-view", ["api"]],
  ["components", ["model", "api", "preferences", "live-desk"]],
  ["shell", ["model", "api", "preferences", "live-desk", "components", "views", "lazy-view"]],
  ["views", ["model", "api", "preferences", "live-desk", "components", "shell", "lazy-view"]],
  ["router", ["views", "shell", "lazy-view"]],
  ["main", ["views", "api", "lazy-view", "live-desk", "components", "router", "styles.css"]],
]);

const contract = "src/server/contract.ts";

export function findPageBreaches(files: readonly SourceFile[]): readonly Breach[] {
  return files
    .filter((file) => file.path.startsWith("ui/src/") && isTypeScript(file) && !isTest(file))
    .flatMap((file) => {
      const part = partOf(file.path.slice("ui/".length));
      const allowed = pageUses.get(part);
      if (allowed === undefined) return [breach(file, 0, `${part} is no part of the page that the layers know`)];
      return importsOf(file).flatMap((imported) => {
        const target = resolveImport(file, imported);
        if (target === undefined || (part === "api" && target === contract)) return [];
        const isOwn = target.startsWith("ui/src/") && [part, ...allowed].includes(partOf(target.slice("ui/".length)));
        return isOwn ? [] : [breach(file, imported.at, `${part} must not use ${target}`)];
      });
    });
}

/** `flow` of src/flow/plan.ts, `error` of src/error.ts. */
function partOf(path: string): string {
  return path.split("/")[1]?.replace(/\.tsx?$/, "") ?? "";
}

/** Circles of imports, types included: whoever reads one file of a circle has to read all. */
export function findCycles(files: readonly SourceFile[]): readonly Breach[] {
  const graph = new Map(
    files
      .filter(isTypeScript)
      .map((file) => [file.path, importsOf(file).flatMap((imported) => resolveImport(file, imported) ?? [])]),
  );
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: Breach[] = [];
  const visit = (node: string): void => {
    if (path.includes(node)) {
      cycles.push([...path.slice(path.indexOf(node)), node].join(" → "));
      return;
    }
    if (done.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
