// W3: one run that forks into many branches and joins them. Twice on each store: the first run of a flow also validates
// and compiles it, which a saved workflow has behind it and the peers, whose fan-out is a loop in code, do not have at
// all. The value is the second run; the first is noted.

import { completeRun } from "../bench-engine.ts";
import { forkFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import type { Sizes } from "../sizes.ts";
import { median } from "../statistics.ts";
import { repeat } from "./repeat.ts";

const runsPerStore = 2;

export async function measureFork(place: string, sizes: Sizes, branches: number): Promise<Measurement> {
  // Besides the branches the forking step and the join are rows.
  const expected = { completedRuns: runsPerStore, doneSteps: runsPerStore * (branches + 2) };
  const flow = forkFlow(branches);
  const repetitions = await repeat({ place, sizes, expected, chainsBefore: sizes.repeats }, async (engine) => {
    const times: number[] = [];
    for (let run = 0; run < runsPerStore; run++) {
      const before = performance.now();
      await completeRun(engine, flow);
      times.push(performance.now() - before);
    }
    return times;
  });
  return {
    workload: `W3-${branches}`,
    unit: "ms",
    values: repetitions.map(({ found }) => found.at(-1) ?? Number.NaN),
    foreignCpu: repetitions.map(({ foreignCpu }) => foreignCpu),
    notes: { ...expected, first_ms: median(repetitions.map(({ found }) => found[0] ?? Number.NaN)) },
  };
}
