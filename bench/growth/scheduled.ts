// A million runs that are to start some day: what they cost in memory, and whether those that are due start in time.

import { DatabaseSync } from "node:sqlite";
import { completeRunsInTurn, openBenchEngine } from "../bench-engine.ts";
import { checkRows } from "../count-rows.ts";
import { chainFlow } from "../flows.ts";
import type { Measurement } from "../measurement.ts";
import { awaitQuiet, watchForeignCpu } from "../noise.ts";
import type { Sizes } from "../sizes.ts";
import { percentile } from "../statistics.ts";

const megabyte = 1024 * 1024;
const dayMs = 24 * 3600 * 1000;
const underWay = 1000;

/** Schedules them through the engine; the value is how many a second it takes. */
export async function measureScheduling(file: string, sizes: Sizes): Promise<Measurement> {
  await using engine = await openBenchEngine(file);
  const flow = chainFlow(1);
  const base = Date.now() + 30 * dayMs;
  let made = 0;
  const schedule = async (): Promise<void> => {
    made += 1;
    await engine.start(flow, { at: new Date(base + made * 1000).toISOString() });
  };
  await completeRunsInTurn(schedule, Math.min(1000, sizes.scheduledRuns), underWay);
  const before = process.memoryUsage.rss();
  const foreign = watchForeignCpu();
  const startedAt = performance.now();
  const rest = sizes.scheduledRuns - made;
  await completeRunsInTurn(schedule, rest, underWay);
  const seconds = (performance.now() - startedAt) / 1000;
  const foreignCpu = foreign();
  const after = process.memoryUsage.rss();
  await engine.stop();
  await checkRows(file, { completedRuns: 0, doneSteps: 0, scheduledRuns: sizes.scheduledRuns });
  return {
    workload: "schedule",
    unit: "runs/s",
    values: [rest / seconds],
    foreignCpu: [foreignCpu],
    notes: { scheduled: sizes.scheduledRuns, added_rss_mb: (after - before) / megabyte },
  };
}

/** Opens a file, maybe with a million scheduled runs in it, adds some that are due within one second, and sees how late
 *  the last of them starts. */
export async function measureDue(file: string, sizes: Sizes, waiting: number): Promise<Measurement> {
  const beforeOpen = performance.now();
  await using engine = await openBenchEngine(file);
  const openMs = performance.now() - beforeOpen;
  const flow = chainFlow(1);
  await awaitQuiet(sizes.quietMs);
  const base = Date.now() + sizes.dueInMs;
  const idle = process.memoryUsage.rss();
  const started = Array.from({ length: sizes.dueRuns }, (_, no) => {
    const at = base + Math.floor((no * 1000) / sizes.dueRuns);
    return engine.start(flow, { at: new Date(at).toISOString(), input: { due: at } });
  });
  const runs = await Promise.all(started);
  const foreign = watchForeignCpu();
  await Promise.all(runs.map(async ({ id }) => engine.result(id)));
  const foreignCpu = foreign();
  await engine.stop();
  const done = sizes.dueRuns;
  await checkRows(file, { completedRuns: done, doneSteps: done, scheduledRuns: waiting });
  const late = readLateness(file);
  return {
    workload: `due-of-${waiting}`,
    unit: "ms",
    values: [Math.max(...late)],
    foreignCpu: [foreignCpu],
    notes: { due: done, late_p50_ms: percentile(late, 50), open_ms: openMs, idle_rss_mb: idle / megabyte },
  };
}

function readLateness(file: string): readonly number[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const query =
      "select started_at - json_extract(input, '$.due') as late from runs where json_extract(input, '$.due') is not null";
    return database
      .prepare(query)
      .all()
      .map((row) => Number(row["late"]));
  } finally {
    database.close();
  }
}
