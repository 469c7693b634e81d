// Many seeds, added up: what ran, what broke, and which constructs of the language took part.

import { allConstructs, constructsOf } from "../constructs.ts";
import { soundDuties } from "./executor.ts";
import type { Flow } from "./library.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { OracleName } from "./oracles/oracle.ts";
import { simulate, type OpenStore, type Simulated } from "./simulate.ts";
import type { Violation } from "./world.ts";

export type FailedSeed = {
  readonly seed: number;
  readonly violation: Violation;
  readonly lastEvents: readonly string[];
};

export type Tally = {
  seeds: number;
  events: number;
  crashes: number;
  runs: number;
  /** The first few, oldest first. */
  readonly failed: FailedSeed[];
  violations: number;
  /** How many flows that were run use each construct. */
  readonly constructs: Map<string, number>;
  /** Flows that are counted already. */
  readonly flows: Set<number>;
  /** Messages decided, ends of runs and refusals heard, by kind. */
  readonly happenings: Map<string, number>;
};

export function emptyTally(): Tally {
  const counts = { seeds: 0, events: 0, crashes: 0, runs: 0, violations: 0 };
  const constructs = new Map(allConstructs.map((name) => [name, 0]));
  return { ...counts, failed: [], constructs, flows: new Set(), happenings: new Map() };
}

const failedKept = 20;

/** One seed more. Every hundredth is simulated twice, since the same seed must give the same trace. */
export function addSeed(tally: Tally, seed: number, openStore: OpenStore = createMemoryStore): void {
  const simulated = simulate(seed, soundDuties, openStore);
  tally.seeds += 1;
  tally.events += simulated.events;
  tally.crashes += simulated.crashes;
  tally.runs += simulated.runs;
  const [violation] = simulated.violations;
  if (violation !== undefined) addViolation(tally, simulated, violation);
  if (seed % 100 === 0) checkDeterminism(tally, simulated, openStore);
  for (const flow of simulated.flows) addFlow(tally, flow);
  addHappenings(tally, simulated);
}

function addViolation(tally: Tally, { seed, lastEvents }: Simulated, violation: Violation): void {
  tally.violations += 1;
  if (tally.failed.length < failedKept) tally.failed.push({ seed, violation, lastEvents });
}

function checkDeterminism(tally: Tally, first: Simulated, openStore: OpenStore): void {
  const second = simulate(first.seed, soundDuties, openStore);
  if (second.hash === first.hash) return;
  const oracle: OracleName = "same seed, same trace";
  addViolation(tally, first, {
    oracle,
    message: `${first.hash} and then ${second.hash}`,
    event: first.events,
    time: 0,
  });
}

function addFlow({ flows, constructs }: Tally, { number, document }: Flow): void {
  if (flows.has(number)) return;
  flows.add(number);
  for (const name of constructsOf(document)) count(constructs, name);
}

function addHappenings({ happenings }: Tally, { store, refusals, messages }: Simulated): void {
  for (const { run } of store.runs.values()) {
    count(happenings, `run: ${run.status}${run.error === null ? "" : `, ${run.error.code}`}`);
    if (run.origin !== null) count(happenings, `run: from another by ${run.origin.kind}`);
  }
  for (const [code, times] of refusals) count(happenings, `refused: ${code}`, times);
  for (const [kind, times] of messages) count(happenings, `message: ${kind}`, times);
}

function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

/** The tables, as text. */
export function describeTally(tally: Tally, elapsedMs: number): string {
  const { seeds, events, crashes, runs, violations, flows, constructs, happenings } = tally;
  const numbers: readonly (readonly [string, number])[] = [
    ["seeds", seeds],
    ["events", events],
    ["crashes", crashes],
    ["runs", runs],
    ["violations", violations],
    ["events/s", Math.round((events / Math.max(1, elapsedMs)) * 1000)],
  ];
  const used = [...constructs.values()].filter((times) => times > 0).length;
  return [
    table(numbers),
    `Constructs: ${used} of ${constructs.size}, in ${flows.size} flows`,
    table([...constructs]),
    "What happened",
    table([...happenings].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  ].join("\n\n");
}

function table(rows: readonly (readonly [string, number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, number]) => `  ${name.padEnd(width)}  ${number.toLocaleString("en").padStart(12)}`)
    .join("\n");
}

/** `store`: the name of the one that it was simulated on. */
export function describeFailure({ seed, violation, lastEvents }: FailedSeed, store: string): string {
  const { oracle, message, event, time } = violation;
  return [
    `Seed ${seed}: ${oracle}: ${message}`,
    `  at event ${event}, ${time} ms after the beginning; again with: npm run sim -- --store ${store} --seed ${seed}`,
    ...lastEvents.map((line) => `  | ${line}`),
  ].join("\n");
}
