// `npm run live -- --kills 50 --cycles 2000`: live events of a server that is killed again and again, and of one to which
// clients come and go. RELIABILITY.md has the figures.

import { parseArgs } from "node:util";
import { runCycles } from "./cycles.ts";
import { runKills } from "./kills.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { kills: text, cycles: text, stalled: text, seed: text } });
const isAsked = values.kills !== undefined || values.cycles !== undefined;
const count = (given: string | undefined, otherwise: number): number => Number(given ?? (isAsked ? 0 : otherwise));
const kills = count(values.kills, 50);
const cycles = count(values.cycles, 2000);
const say = (line: string): void => console.error(`  … ${line}`);
const problems: string[] = [];

if (kills > 0) {
  const seed = Number(values.seed ?? 1);
  const startedAt = performance.now();
  const report = await runKills({ kills, seed, say });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const { runs, steps, events, connections } = report;
  console.log(`kills: ${kills} with seed ${seed} in ${seconds} s; ${events} events over ${connections} connections`);
  console.log(`  folded: ${runs} runs and ${steps} steps, ${report.problems.length} differ from the store`);
  problems.push(...report.problems);
}
if (cycles > 0) {
  const report = await runCycles({ cycles, stalled: Number(values.stalled ?? 50), say });
  console.log(`cycles: ${cycles}`);
  for (const line of report.lines) console.log(`  ${line}`);
  problems.push(...report.problems);
}
for (const problem of problems.slice(0, 20)) console.log(`! ${problem}`);
console.log(problems.length === 0 ? "good" : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
