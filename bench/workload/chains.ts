// W1: many runs of ten steps at once. W2: one such run at a time. W4: runs of one step.

import { completeRun, completeRuns } from "../bench-engine.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import type { Sizes } from "../sizes.ts";
import { median, percentile } from "../statistics.ts";
import { repeat, type Repetition } from "./repeat.ts";

export async function measureManyChains(place: string, sizes: Sizes, jitterMs: number): Promise<Measurement> {
  const { chainRuns, steps } = sizes;
  const expected = { completedRuns: chainRuns, doneSteps: chainRuns * steps };
  const flow = chainFlow(steps);
  const repetitions = await repeat({ place, sizes, choice: { jitterMs }, expected }, async (engine) => {
    const before = performance.now();
    await completeRuns(engine, flow, chainRuns);
    return performance.now() - before;
  });
  return {
    workload: jitterMs > 0 ? "W1j" : "W1",
    unit: "steps/s",
    values: repetitions.map(({ found }) => (expected.doneSteps / found) * 1000),
    foreignCpu: repetitions.map(({ foreignCpu }) => foreignCpu),
    notes: {
      ...expected,
      ...commitsOf(repetitions),
      steps_per_commit: Math.round(expected.doneSteps / median(repetitions.map(({ rows }) => rows.commits))),
      peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    },
  };
}

export async function measureSoloChains(place: string, sizes: Sizes): Promise<Measurement> {
  const { soloRuns, steps } = sizes;
  const expected = { completedRuns: soloRuns, doneSteps: soloRuns * steps };
  const flow = chainFlow(steps);
  const repetitions = await repeat({ place, sizes, expected }, async (engine) => {
    const times: number[] = [];
    for (let run = 0; run < soloRuns; run++) {
      const before = performance.now();
      await completeRun(engine, flow);
      times.push(performance.now() - before);
    }
    return times;
  });
  return {
    workload: "W2",
    unit: "ms",
    values: repetitions.map(({ found }) => median(found)),
    foreignCpu: repetitions.map(({ foreignCpu }) => foreignCpu),
    notes: {
      ...expected,
      p99_ms: median(repetitions.map(({ found }) => percentile(found, 99))),
      commits_per_run: median(repetitions.map(({ rows }) => rows.commits)) / soloRuns,
      ...flushesOf(repetitions),
    },
  };
}

export async function measureShortRuns(place: string, sizes: Sizes): Promise<Measurement> {
  const { shortRuns } = sizes;
  const expected = { completedRuns: shortRuns, doneSteps: shortRuns };
  const flow = chainFlow(1);
  const repetitions = await repeat({ place, sizes, expected, chainsBefore: sizes.repeats }, async (engine) => {
    const before = performance.now();
    await completeRuns(engine, flow, shortRuns);
    return performance.now() - before;
  });
  return {
    workload: "W4",
    unit: "runs/s",
    values: repetitions.map(({ found }) => (shortRuns / found) * 1000),
    foreignCpu: repetitions.map(({ foreignCpu }) => foreignCpu),
    notes: { ...expected, ...commitsOf(repetitions) },
  };
}

type Counted = readonly Pick<Repetition<unknown>, "rows" | "flushes">[];

function commitsOf(repetitions: Counted): Measurement["notes"] {
  return { commits: repetitions.map(({ rows }) => rows.commits), ...flushesOf(repetitions) };
}

function flushesOf(repetitions: Counted): Measurement["notes"] {
  const flushes = repetitions.flatMap((repetition) => repetition.flushes ?? []);
  return flushes.length === 0 ? {} : { log_flushes: flushes };
}
