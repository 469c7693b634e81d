// W5: the peak of memory in W1, and whether it stays: one engine, the same runs again and again.

import { completeRuns, openBenchEngine } from "../bench-engine.ts";
import { checkRows } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import { withFreshStore } from "../place.ts";
import type { Sizes } from "../sizes.ts";

const megabyte = 1024 * 1024;

export async function measureMemory(place: string, sizes: Sizes): Promise<Measurement> {
  const { chainRuns, steps, memoryRepeats } = sizes;
  return withFreshStore(place, async (store) => {
    await using engine = await openBenchEngine(store);
    const idle = process.memoryUsage.rss() / megabyte;
    await awaitQuiet(sizes.quietMs);
    const peaks: number[] = [];
    const foreignCpu: (number | null)[] = [];
    const resting: number[] = [];
    for (let no = 0; no < memoryRepeats; no++) {
      const foreign = watchForeignCpu();
      await completeRuns(engine, chainFlow(steps), chainRuns);
      foreignCpu.push(foreign());
      resting.push(Math.round(process.memoryUsage.rss() / megabyte));
      // The system's own mark, in KB: no peak between two looks is missed. It only ever rises.
      peaks.push(process.resourceUsage().maxRSS / 1024);
    }
    await engine.stop();
    const runs = chainRuns * memoryRepeats;
    await checkRows(store, { completedRuns: runs, doneSteps: runs * steps });
    return {
      workload: "W5",
      unit: "MB",
      values: [peaks[0] ?? Number.NaN],
      foreignCpu,
      notes: { idle_rss_mb: Math.round(idle), peak_by_repetition_mb: peaks.map(Math.round), rss_after_mb: resting },
    };
  });
}
