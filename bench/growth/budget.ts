// A million steps through a file that may not grow: how large file and log get, and what the pruning costs.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../../src/engine/engine.ts";
import type { JsonObject } from "../../src/flow/json.ts";
import { completeRun, completeRunsInTurn, openBenchEngine } from "../bench-engine.ts";
import { countRows } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import { withFreshStore } from "../place.ts";
import type { Sizes } from "../sizes.ts";

const underWay = 1000;
const lookEveryMs = 5;
const megabyte = 1024 * 1024;

/** `bytesMax` null: without a budget, to compare with. */
export async function measureBudget(folder: string, sizes: Sizes, bytesMax: number | null): Promise<Measurement> {
  const { steps, budgetSteps } = sizes;
  const runs = Math.ceil(budgetSteps / steps);
  return withFreshStore(folder, async (file) => {
    await using engine = await openBenchEngine(file, bytesMax === null ? {} : { bytesMax });
    await awaitQuiet(sizes.quietMs);
    const size = watchSize(file);
    const foreign = watchForeignCpu();
    const flow = chainFlow(steps);
    let refused = 0;
    const before = performance.now();
    await completeRunsInTurn(async () => void (refused += await completePatiently(engine, flow)), runs, underWay);
    const seconds = (performance.now() - before) / 1000;
    const foreignCpu = foreign();
    await engine.stop();
    const maxBytes = size();
    const kept = await countRows(file);
    checkKept(kept.runs, { runs, isPruned: bytesMax !== null });
    return {
      workload: bytesMax === null ? "unbounded" : "budget",
      unit: "steps/s",
      values: [(runs * steps) / seconds],
      foreignCpu: [foreignCpu],
      notes: {
        budget_mb: bytesMax === null ? 0 : bytesMax / megabyte,
        file_and_log_max_mb: maxBytes / megabyte,
        runs_kept: kept.runs["completed"] ?? 0,
        starts_refused: refused,
        peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1024),
      },
    };
  });
}

/** A start that finds no room waits and asks again; how often it was refused is the answer. */
async function completePatiently(engine: Engine, flow: JsonObject): Promise<number> {
  for (let refused = 0; ; refused++) {
    try {
      await completeRun(engine, flow);
      return refused;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await sleep(20);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "STORE_FULL" || code === "OVERLOADED";
}

/** The most that file and log had together, at any look. */
function watchSize(file: string): () => number {
  let max = 0;
  const look = (): void => {
    max = Math.max(max, sizeOf(file) + sizeOf(`${file}-wal`));
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    look();
    return max;
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function checkKept(
  found: Readonly<Record<string, number>>,
  { runs, isPruned }: { readonly runs: number; readonly isPruned: boolean },
): void {
  const { completed = 0, ...others } = found;
  const isRight = isPruned ? completed <= runs : completed === runs;
  if (!isRight || Object.keys(others).length > 0) throw new Error(`The file holds runs ${JSON.stringify(found)}.`);
}
