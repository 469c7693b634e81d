// What a step costs when many runs have ended in the same file.

import { completeRun, completeRuns, openBenchEngine } from "../bench-engine.ts";
import { countRows } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import type { Sizes } from "../sizes.ts";
import { median } from "../statistics.ts";
import { copyRun } from "./copies.ts";

/** Makes the file: one run by the engine, the others after its likeness. */
export async function fillFinished(file: string, count: number, sizes: Sizes): Promise<void> {
  {
    await using engine = await openBenchEngine(file);
    await completeRun(engine, chainFlow(sizes.steps));
  }
  if (count > 1) copyRun(file, count - 1);
  const found = countRows(file);
  if (found.runs["completed"] !== count || found.steps["done"] !== count * sizes.steps) {
    throw new Error(`${count} finished runs were to be in the file; it holds ${JSON.stringify(found)}.`);
  }
}

export async function measureFinished(file: string, count: number, sizes: Sizes): Promise<Measurement> {
  const { chainRuns, steps, soloRuns } = sizes;
  const before = countRows(file);
  const beforeOpen = performance.now();
  await using engine = await openBenchEngine(file);
  const openMs = performance.now() - beforeOpen;
  const flow = chainFlow(steps);
  for (let run = 0; run < sizes.warmRuns; run++) await completeRun(engine, flow);
  await awaitQuiet(sizes.quietMs);
  const foreign = watchForeignCpu();
  const startedAt = performance.now();
  await completeRuns(engine, flow, chainRuns);
  const chainsMs = performance.now() - startedAt;
  const foreignCpu = foreign();
  const times: number[] = [];
  for (let run = 0; run < soloRuns; run++) {
    const runStartedAt = performance.now();
    await completeRun(engine, flow);
    times.push(performance.now() - runStartedAt);
  }
  await engine.stop();
  const added = chainRuns + soloRuns + sizes.warmRuns;
  const after = countRows(file);
  if ((after.runs["completed"] ?? 0) - (before.runs["completed"] ?? 0) !== added) throw new Error("Runs are missing.");
  if ((after.steps["done"] ?? 0) - (before.steps["done"] ?? 0) !== added * steps) throw new Error("Steps are missing.");
  return {
    workload: `finished-${count}`,
    unit: "steps/s",
    values: [((chainRuns * steps) / chainsMs) * 1000],
    foreignCpu: [foreignCpu],
    notes: { open_ms: openMs, w2_p50_ms: median(times) },
  };
}
