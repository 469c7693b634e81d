// Repetitions of one workload in one process, each on a fresh file. The first file is for warming up and is thrown away:
// the peers' processes have run as many workflows when their first clock starts. There one process goes through all
// workloads, W2, W1, W3, W4; here each has its own, which runs first what would have run before it.

import type { Engine } from "../../src/engine/engine.ts";
import { completeRun, completeRuns, openBenchEngine, withFreshFile, type EngineChoice } from "../bench-engine.ts";
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
  /** How often W1 has run before, in the peers' order. */
  readonly chainsBefore?: number;
};

export async function repeat<T>(
  { folder, sizes, choice = {}, expected, chainsBefore = 0 }: Repeated,
  measure: (engine: Engine) => Promise<T>,
): Promise<readonly Repetition<T>[]> {
  await warmUp(folder, sizes, chainsBefore);
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

async function warmUp(folder: string, { warmRuns, steps, chainRuns }: Sizes, chainsBefore: number): Promise<void> {
  await withFreshFile(folder, async (file) => {
    await using engine = await openBenchEngine(file);
    const flow = chainFlow(steps);
    for (let run = 0; run < warmRuns; run++) await completeRun(engine, flow);
    for (let no = 0; no < chainsBefore; no++) await completeRuns(engine, flow, chainRuns);
  });
}
