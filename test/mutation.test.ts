// Each class of mistake, put into many random flows: the validator must tell of it at the right place, and where it
// offers a patch, the patched flow must be valid.

import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../src/flow/json.ts";
import { validate } from "../src/flow/validate/validate.ts";
import { mutationClasses, type Mutation, type MutationClass } from "../src/testing/mutate-flow.ts";
import { applyPatch } from "../src/testing/patch.ts";
import { randomFlow } from "../src/testing/random-flow.ts";
import { createRandom } from "../src/testing/random.ts";

// Enough that every class meets the flows it needs; forks with three branches are the rarest.
const flows: readonly JsonObject[] = Array.from({ length: 400 }, (_, seed) => randomFlow(createRandom(seed)));
const triesWanted = 25;

type Tally = {
  readonly name: string;
  tried: number;
  found: number;
  patched: number;
  cured: number;
  /** What was missed, with the seed that shows it again. */
  readonly misses: string[];
};

function tryClass({ name, apply }: MutationClass): Tally {
  const tally: Tally = { name, tried: 0, found: 0, patched: 0, cured: 0, misses: [] };
  for (const [seed, flow] of flows.entries()) {
    const mutation = tally.tried < triesWanted ? apply(flow, createRandom(seed)) : undefined;
    if (mutation === undefined) continue;
    tally.tried += 1;
    try {
      judge(tally, mutation, seed);
    } catch (error) {
      tally.misses.push(`seed ${seed}: ${String(error)}`);
    }
  }
  return tally;
}

function judge(tally: Tally, { document, expected }: Mutation, seed: number): void {
  const { findings } = validate(document);
  const found = findings.find(({ code, pointer }) => code === expected.code && pointer === expected.pointer);
  if (found === undefined) {
    const told = findings
      .filter(({ severity }) => severity === "error")
      .map(({ code, pointer }) => `${code} at ${pointer}`);
    tally.misses.push(
      `seed ${seed}: ${expected.code} at ${expected.pointer} expected, ${told.join(", ") || "nothing"} told`,
    );
    return;
  }
  tally.found += 1;
  if (found.patch === undefined) return;
  tally.patched += 1;
  const patched = applyPatch(document, found.patch);
  if (isCured(patched)) tally.cured += 1;
  else tally.misses.push(`seed ${seed}: the patch ${JSON.stringify(found.patch)} does not cure ${found.code}`);
}

function isCured(document: Json): boolean {
  return isObject(document) && validate(document).ok;
}

function line(name: string, ...cells: readonly (string | number)[]): string {
  return `${name.padEnd(52)}${cells.map((cell) => String(cell).padStart(9)).join("")}`;
}

function tableOf(tallies: readonly Tally[]): string {
  return [
    line("class", "tried", "found", "patched", "cured"),
    ...tallies.map(({ name, tried, found, patched, cured }) => line(name, tried, found, patched, cured)),
  ].join("\n");
}

describe("mistakes put into valid flows", () => {
  const tallies = mutationClasses.map(tryClass);
  console.log(tableOf(tallies));

  it("come in at least 35 classes, each tried at least five times", () => {
    expect(mutationClasses.length).toBeGreaterThanOrEqual(35);
    expect(new Set(mutationClasses.map(({ name }) => name)).size).toBe(mutationClasses.length);
    expect(tallies.filter(({ tried }) => tried < 5).map(({ name }) => name)).toEqual([]);
  });

  it("are all found at the right place", () => {
    const missed = tallies.filter(({ tried, found }) => found < tried);
    expect(missed.map(({ name, misses }) => ({ name, misses: misses.slice(0, 3) }))).toEqual([]);
  });

  it("are cured by the patch that comes with the finding, in at least 95 of 100 cases", () => {
    const patched = tallies.reduce((sum, tally) => sum + tally.patched, 0);
    const cured = tallies.reduce((sum, tally) => sum + tally.cured, 0);
    expect(patched).toBeGreaterThan(100);
    expect(cured / patched).toBeGreaterThanOrEqual(0.95);
  });
});
