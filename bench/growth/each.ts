// `each` over long lists: one run, a row for each item.

import { DatabaseSync } from "node:sqlite";
import { completeRun, openBenchEngine } from "../bench-engine.ts";
import { eachFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import { withFreshStore } from "../place.ts";
import type { Sizes } from "../sizes.ts";

/** Items under way at a time. */
const concurrency = 100;

export async function measureEach(folder: string, sizes: Sizes, items: number): Promise<Measurement> {
  const values: number[] = [];
  const foreignCpu: (number | null)[] = [];
  const input = { items: Array.from({ length: items }, (_, index) => index) };
  for (let no = 0; no < sizes.repeats; no++) {
    await withFreshStore(folder, async (file) => {
      await using engine = await openBenchEngine(file);
      await awaitQuiet(sizes.quietMs);
      const foreign = watchForeignCpu();
      const before = performance.now();
      await completeRun(engine, eachFlow(concurrency), input);
      values.push((items / (performance.now() - before)) * 1000);
      foreignCpu.push(foreign());
      await engine.stop();
      checkItems(file, items);
    });
  }
  const notes = { concurrency, peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1024) };
  return { workload: `each-${items}`, unit: "steps/s", values, foreignCpu, notes };
}

function checkItems(file: string, items: number): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const query = "select count(*) as count from steps where role = 'item' and status = 'done'";
    const found = Number(database.prepare(query).get()?.["count"]);
    if (found !== items) throw new Error(`${items} items were to be done; the file holds ${found}.`);
  } finally {
    database.close();
  }
}
