// Repetitions of one workload in one process, each on a fresh store. The first store is for warming up and is thrown away:
// the peers' processes have run as many workflows when their first clock starts. There one process goes through all
// workloads, W2, W1, W3, W4; here each has its own, which runs first what would have run before it.

import type { Engine } from "../../src/engine/engine.ts";
import { completeRun, completeRuns, openBenchEngine, type EngineChoice } from "../bench-engine.ts";
import { checkRows, type ExpectedRows, type RowCounts } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import { watchFlushes } from "../flushes.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import { withFreshStore } from "../place.ts";
import type { Sizes } from "../sizes.ts";

export type Repetition<T> = {
  readonly found: T;
  readonly foreignCpu: number | null;
  readonly rows: RowCounts;
  /** Of the server's log; null: there is no server, or it does not tell. */
  readonly flushes: number | null;
};

export type Repeated = {
  readonly place: string;
  readonly sizes: Sizes;
  readonly choice?: EngineChoice;
  readonly expected: ExpectedRows;
  /** How often W1 has run before, in the peers' order. */
  readonly chainsBefore?: number;
};

export async function repeat<T>(
  { place, sizes, choice = {}, expected, chainsBefore = 0 }: Repeated,
  measure: (engine: Engine) => Promise<T>,
): Promise<readonly Repetition<T>[]> {
  await warmUp(place, sizes, chainsBefore);
  const repetitions: Repetition<T>[] = [];
  for (let no = 0; no < sizes.repeats; no++) {
    repetitions.push(
      await withFreshStore(place, async (store) => repeatOnce(store, { place, sizes, choice, expected }, measure)),
    );
  }
  return repetitions;
}

async function repeatOnce<T>(
  store: string,
  { sizes, choice, expected }: Repeated,
  measure: (engine: Engine) => Promise<T>,
): Promise<Repetition<T>> {
  await using engine = await openBenchEngine(store, choice);
  await awaitQuiet(sizes.quietMs);
  const flushed = await watchFlushes(store);
  const foreign = watchForeignCpu();
  const found = await measure(engine);
  const foreignCpu = foreign();
  await engine.stop();
  const rows = await checkRows(store, expected);
  return { found, foreignCpu, rows, flushes: await flushed(rows.commits) };
}

async function warmUp(place: string, { warmRuns, steps, chainRuns }: Sizes, chainsBefore: number): Promise<void> {
  await withFreshStore(place, async (store) => {
    await using engine = await openBenchEngine(store);
    const flow = chainFlow(steps);
    for (let run = 0; run < warmRuns; run++) await completeRun(engine, flow);
    for (let no = 0; no < chainsBefore; no++) await completeRuns(engine, flow, chainRuns);
  });
}
