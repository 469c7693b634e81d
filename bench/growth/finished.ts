// What a step costs when many runs have ended in the same store.

import { isServerAddress } from "../../src/store/address.ts";
import { completeRun, completeRuns, openBenchEngine } from "../bench-engine.ts";
import { countRows, type RowCounts } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import { prepareStore } from "../place.ts";
import type { Sizes } from "../sizes.ts";
import { median } from "../statistics.ts";
import { copyRunInDatabase } from "./copies-postgres.ts";
import { copyRun } from "./copies.ts";

/** Makes the store: one run by the engine, the others after its likeness. */
export async function fillFinished(store: string, count: number, sizes: Sizes): Promise<void> {
  await prepareStore(store);
  {
    await using engine = await openBenchEngine(store);
    await completeRun(engine, chainFlow(sizes.steps));
  }
  if (count > 1 && isServerAddress(store)) await copyRunInDatabase(store, count - 1);
  else if (count > 1) copyRun(store, count - 1);
  const found = await countRows(store);
  if (found.runs["completed"] !== count || found.steps["done"] !== count * sizes.steps) {
    throw new Error(`${count} finished runs were to be in the store; it holds ${JSON.stringify(found)}.`);
  }
}

export async function measureFinished(store: string, count: number, sizes: Sizes): Promise<Measurement> {
  const { chainRuns, shortRuns, steps, soloRuns } = sizes;
  const before = await countRows(store);
  const beforeOpen = performance.now();
  await using engine = await openBenchEngine(store);
  const openMs = performance.now() - beforeOpen;
  const [chain, short] = [chainFlow(steps), chainFlow(1)];
  for (let run = 0; run < sizes.warmRuns; run++) await completeRun(engine, chain);
  await awaitQuiet(sizes.quietMs);
  const foreign = watchForeignCpu();
  const chainsMs = await timeOf(() => completeRuns(engine, chain, chainRuns));
  const foreignCpu = foreign();
  const times: number[] = [];
  for (let run = 0; run < soloRuns; run++) times.push(await timeOf(() => completeRun(engine, chain)));
  const shortMs = await timeOf(() => completeRuns(engine, short, shortRuns));
  await engine.stop();
  const chains = chainRuns + soloRuns + sizes.warmRuns;
  const added = { completed: chains + shortRuns, done: chains * steps + shortRuns };
  checkAdded(before, await countRows(store), added);
  return {
    workload: `finished-${count}`,
    unit: "steps/s",
    values: [((chainRuns * steps) / chainsMs) * 1000],
    foreignCpu: [foreignCpu],
    notes: { open_ms: openMs, w2_p50_ms: median(times), w4_runs_s: (shortRuns / shortMs) * 1000 },
  };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

type Added = { readonly completed: number; readonly done: number };

function grown(now: RowCounts["runs"], before: RowCounts["runs"], status: string): number {
  return (now[status] ?? 0) - (before[status] ?? 0);
}

function checkAdded(before: RowCounts, after: RowCounts, { completed, done }: Added): void {
  if (grown(after.runs, before.runs, "completed") !== completed) throw new Error("Runs are missing.");
  if (grown(after.steps, before.steps, "done") !== done) throw new Error("Steps are missing.");
}
