// What many finished runs in a store cost, as a ratio: two engines in one process, one on a store with hardly a run in it,
// one on a store with many, take turns. Whatever slows the machine for a while slows both.

import type { Engine } from "../../src/engine/engine.ts";
import { completeRun, completeRuns, openBenchEngine } from "../bench-engine.ts";
import { countRows } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import type { Sizes } from "../sizes.ts";
import { median } from "../statistics.ts";

export type RatioOrder = {
  readonly workload: "W1" | "W2" | "W4";
  readonly few: string;
  readonly many: string;
  /** Finished runs in `many`. */
  readonly count: number;
};

type Side = { readonly engine: Engine; readonly times: number[] };

export async function measureRatio({ workload, few, many, count }: RatioOrder, sizes: Sizes): Promise<Measurement> {
  const before = await countCompleted([few, many]);
  await using fewEngine = await openBenchEngine(few);
  await using manyEngine = await openBenchEngine(many);
  const sides: readonly [Side, Side] = [
    { engine: fewEngine, times: [] },
    { engine: manyEngine, times: [] },
  ];
  const { runs, turns, work } = turnOf(workload, sizes);
  for (const { engine } of sides)
    for (let run = 0; run < sizes.warmRuns; run++) await completeRun(engine, chainFlow(sizes.steps));
  await awaitQuiet(sizes.quietMs);
  const foreign = watchForeignCpu();
  for (let turn = 0; turn < turns; turn++) {
    // Neither is always the first.
    for (const { engine, times } of turn % 2 === 0 ? sides : sides.toReversed()) {
      const startedAt = performance.now();
      await work(engine);
      times.push(performance.now() - startedAt);
    }
  }
  const foreignCpu = foreign();
  await Promise.all(sides.map(({ engine }) => engine.stop()));
  const added = (await countCompleted([few, many])) - before;
  const expected = 2 * (sizes.warmRuns + turns * runs);
  if (added !== expected) throw new Error(`${expected} runs were to be added; ${added} were.`);
  const [fewMs, manyMs] = [median(sides[0].times), median(sides[1].times)];
  return {
    workload: `${workload}-beside-${count}`,
    unit: "x",
    values: [manyMs / fewMs],
    foreignCpu: [foreignCpu],
    notes: { turns, runs_a_turn: runs, few_ms: fewMs, many_ms: manyMs },
  };
}

type Turn = { readonly runs: number; readonly turns: number; readonly work: (engine: Engine) => Promise<void> };

/** What each does before it is the other's turn, and how often. */
function turnOf(workload: RatioOrder["workload"], sizes: Sizes): Turn {
  const { chainRuns, shortRuns, soloRuns, steps, repeats } = sizes;
  const [chain, short] = [chainFlow(steps), chainFlow(1)];
  switch (workload) {
    case "W1":
      return { runs: chainRuns, turns: repeats * 4, work: (engine) => completeRuns(engine, chain, chainRuns) };
    case "W2":
      return { runs: 1, turns: repeats * soloRuns, work: (engine) => completeRun(engine, chain) };
    case "W4":
      return { runs: shortRuns, turns: repeats * 4, work: (engine) => completeRuns(engine, short, shortRuns) };
  }
}

async function countCompleted(stores: readonly string[]): Promise<number> {
  const counts = await Promise.all(stores.map(countRows));
  return counts.reduce((sum, { runs }) => sum + (runs["completed"] ?? 0), 0);
}
