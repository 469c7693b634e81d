// Repetitions of one workload in one process, each on a fresh file. The first file is for warming up and is thrown away:
// the peers' processes have run as many workflows when their first clock starts.

import type { Engine } from "../../src/engine/engine.ts";
import { completeRun, openBenchEngine, withFreshFile, type EngineChoice } from "../bench-engine.ts";
import { checkRows, type ExpectedRows, type RowCounts } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import type { Sizes } from "../sizes.ts";

export type Repetition<T> = { readonly found: T; readonly foreignCpu: number | null; readonly rows: RowCounts };

export type Repeated = {
  readonly folder: string;
  readonly sizes: Sizes;
  readonly choice?: EngineChoice;
  readonly expected: ExpectedRows;
};

export async function repeat<T>(
  { folder, sizes, choice = {}, expected }: Repeated,
  measure: (engine: Engine) => Promise<T>,
): Promise<readonly Repetition<T>[]> {
  await warmUp(folder, sizes);
  const repetitions: Repetition<T>[] = [];
  for (let no = 0; no < sizes.repeats; no++) {
    repetitions.push(
      await withFreshFile(folder, async (file) => repeatOnce(file, { folder, sizes, choice, expected }, measure)),
    );
  }
  return repetitions;
}

async function repeatOnce<T>(
  file: string,
  { sizes, choice, expected }: Repeated,
  measure: (engine: Engine) => Promise<T>,
): Promise<Repetition<T>> {
  await using engine = await openBenchEngine(file, choice);
  await awaitQuiet(sizes.quietMs);
  const foreign = watchForeignCpu();
  const found = await measure(engine);
  const foreignCpu = foreign();
  await engine.stop();
  return { found, foreignCpu, rows: checkRows(file, expected) };
}

async function warmUp(folder: string, { warmRuns, steps }: Sizes): Promise<void> {
  await withFreshFile(folder, async (file) => {
    await using engine = await openBenchEngine(file);
    const flow = chainFlow(steps);
    for (let run = 0; run < warmRuns; run++) await completeRun(engine, flow);
  });
}
