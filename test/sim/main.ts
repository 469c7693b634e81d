// `npm run sim`: simulates seeds and says what the oracles have seen. One seed always makes the same world.

import { addSeed, describeFailure, describeTally, emptyTally } from "../../src/testing/simulator/report.ts";
import { soundDuties } from "../../src/testing/simulator/executor.ts";
import { createMemoryStore } from "../../src/testing/simulator/memory-store.ts";
import { simulate, type OpenStore } from "../../src/testing/simulator/simulate.ts";
import { createSqliteStore } from "../../src/testing/simulator/sqlite/store.ts";
import { parseArguments, usage, type SimArguments, type StoreName } from "./arguments.ts";
import { findBug, plantedBugs } from "./planted.ts";

const stores: { readonly [name in StoreName]: OpenStore } = { memory: createMemoryStore, sqlite: createSqliteStore };

const parsed = parseArguments(process.argv.slice(2));
if (parsed.ok) process.exitCode = run(parsed.value);
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

function run(asked: SimArguments): number {
  if (asked.isPlanted) return findPlanted();
  return asked.isAlone ? tellSeed(asked) : simulateAll(asked);
}

function simulateAll({ firstSeed, seeds, store }: SimArguments): number {
  const tally = emptyTally();
  const startedAt = performance.now();
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const before = tally.violations;
    addSeed(tally, seed, stores[store]);
    // At once: a long run may be stopped before its end.
    if (tally.violations > before) console.error(`seed ${seed}: ${tally.failed.at(-1)?.violation.oracle ?? ""}`);
    if (tally.seeds % 1000 === 0) console.error(`${tally.seeds} seeds, ${tally.violations} violations`);
  }
  console.log(describeTally(tally, performance.now() - startedAt));
  for (const failed of tally.failed) console.log(`\n${describeFailure(failed, store)}`);
  return tally.violations === 0 ? 0 : 1;
}

function tellSeed({ firstSeed: seed, store }: SimArguments): number {
  const { hash, events, crashes, runs, violations, lastEvents } = simulate(seed, soundDuties, stores[store]);
  const [violation] = violations;
  console.log(`Seed ${seed}: ${events} events, ${crashes} crashes, ${runs} runs, trace ${hash}`);
  if (violation !== undefined) console.log(describeFailure({ seed, violation, lastEvents }, store));
  else for (const line of lastEvents) console.log(`  | ${line}`);
  return violation === undefined ? 0 : 1;
}

function findPlanted(): number {
  let missed = 0;
  for (const bug of plantedBugs) {
    const found = findBug(bug);
    if (found === undefined) missed += 1;
    const told =
      found === undefined
        ? `NOT FOUND in ${bug.within} seeds`
        : `seed ${found.seed}: ${found.oracle}: ${found.message}`;
    console.log(`${bug.name.padEnd(52)} ${told}`);
  }
  console.log(`\n${plantedBugs.length - missed} of ${plantedBugs.length} planted bugs found`);
  return missed === 0 ? 0 : 1;
}
