// Tries mutants in a thread that stays warm. Each gets a fresh copy of the kernel, of its tests and of the simulator,
// told apart by a query in the address; all else is loaded once. No file is written.

import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { simulate } from "../../src/testing/simulator/simulate.ts";
import type { Mutant } from "./mutants.ts";
import { dropTests, runTests } from "./suite.ts";

export type Trial = { readonly root: string; readonly tests: readonly string[]; readonly seeds: number };

/** What a worker says: it is still at it, or what has become of the mutant; null: nothing saw it. */
export type Report = { readonly kind: "busy" } | { readonly kind: "tried"; readonly killer: string | null };

const { root, tests, seeds }: Trial = workerData;
const copied = ["src/run/", "src/testing/", "test/"].map((folder) => pathToFileURL(`${root}/${folder}`).href);
const stripped = new Map<string, string>();
const kills = new Map<string, number>();
let current: Mutant | null = null;
let copy = 0;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isCopied = context.parentURL?.includes("?copy=") === true;
    if (isCopied && specifier === "vitest") return nextResolve(new URL("./suite.ts", import.meta.url).href, context);
    const found = nextResolve(specifier, context);
    const isCopy = isCopied && copied.some((folder) => found.url.startsWith(folder));
    return isCopy ? { ...found, url: `${found.url}?copy=${copy}` } : found;
  },
  load: (url, context, nextLoad) => {
    if (!url.includes("?copy=") || !url.includes(".ts?")) return nextLoad(url, context);
    return { format: "module", source: sourceOf(fileURLToPath(url)), shortCircuit: true };
  },
});

function sourceOf(path: string): string {
  if (current !== null && path === `${root}/${current.file}`) {
    const text = readFileSync(path, "utf8");
    return stripTypeScriptTypes(text.slice(0, current.start) + current.text + text.slice(current.end));
  }
  const source = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
  stripped.set(path, source);
  return source;
}

function report(said: Report): void {
  parentPort?.postMessage(said, []);
}

/** The tests of the file itself first, then those that have killed most. */
function likeliestFirst({ file }: Mutant): readonly string[] {
  const own = basename(file, ".ts");
  const rank = (test: string): number => (basename(test).startsWith(own) ? 1e6 : 0) + (kills.get(test) ?? 0);
  return tests.toSorted((one, other) => rank(other) - rank(one));
}

async function findKiller(mutant: Mutant): Promise<string | null> {
  for (const test of likeliestFirst(mutant)) {
    report({ kind: "busy" });
    try {
      await import(`${pathToFileURL(`${root}/${test}`).href}?copy=${copy}`);
      await runTests();
    } catch {
      dropTests();
      return test;
    }
  }
  return findSeed();
}

async function findSeed(): Promise<string | null> {
  const path = `${root}/src/testing/simulator/simulate.ts`;
  const simulator: { simulate: typeof simulate } = await import(`${pathToFileURL(path).href}?copy=${copy}`);
  for (let seed = 1; seed <= seeds; seed++) {
    report({ kind: "busy" });
    try {
      if (simulator.simulate(seed).violations.length > 0) return `seed ${seed}`;
    } catch {
      return `seed ${seed}`;
    }
  }
  return null;
}

async function tryMutant(mutant: Mutant): Promise<void> {
  current = mutant;
  copy += 1;
  const killer = await findKiller(mutant);
  if (killer !== null) kills.set(killer, (kills.get(killer) ?? 0) + 1);
  report({ kind: "tried", killer });
}

parentPort?.on("message", (mutant: Mutant) => void tryMutant(mutant));
