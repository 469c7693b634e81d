// Which children run, and in which order. The limits are measured before, between and after the workloads: disks and
// neighbours change within minutes, and a ratio needs both of its sides from the same hour.

import { join } from "node:path";
import { mergeMeasurements, toLine, type Line, type Measurement } from "./measurement.ts";
import { nameStore } from "./place.ts";
import type { Sizes } from "./sizes.ts";
import type { Task } from "./task.ts";

export type Measure = (task: Task) => Promise<Measurement>;

export type Planned = {
  readonly sizes: Sizes;
  /** Names of workloads; empty: all. */
  readonly only: readonly string[];
  readonly measure: Measure;
};

const limits: readonly Task[] = [
  { kind: "fdatasync" },
  ...[1, 100, 300, 1000].map((stepsPerCommit): Task => ({ kind: "raw", stepsPerCommit })),
];

const jitterMs = 10;

export async function measureWorkloads({ sizes, only, measure }: Planned): Promise<readonly Line[]> {
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  const forks = sizes.branches.map((branches): readonly [string, Task] => [
    `W3-${branches}`,
    { kind: "fork", branches },
  ]);
  const thirds: readonly (readonly (readonly [string, Task])[])[] = [
    [
      ["W1", { kind: "chains", jitterMs: 0 }],
      ["W1j", { kind: "chains", jitterMs }],
    ],
    [["W2", { kind: "solo" }], ...forks],
    [
      ["W4", { kind: "short" }],
      ["W5", { kind: "memory" }],
    ],
  ];
  const found: Measurement[] = [];
  const limitsFound: Measurement[][] = limits.map(() => []);
  for (const third of thirds) {
    if (isWanted("limits")) for (const [no, limit] of limits.entries()) limitsFound[no]?.push(await measure(limit));
    for (const [name, task] of third) if (isWanted(name)) found.push(await measure(task));
  }
  return [
    ...found.map((measured) => toLine("stepwell", measured)),
    ...limitsFound.filter((parts) => parts.length > 0).map((parts) => toLine("limit", mergeMeasurements(parts))),
  ];
}

export async function measureGrowth({ sizes, only, measure }: Planned, folder: string): Promise<readonly Line[]> {
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  const lines: Line[] = [];
  if (isWanted("finished")) lines.push(...(await measureAllFinished({ sizes, only, measure }, folder)));
  if (isWanted("scheduled")) lines.push(...(await measureScheduled(sizes, measure, folder)));
  if (isWanted("each"))
    for (const items of sizes.items) lines.push(toLine("stepwell", await measure({ kind: "each", items })));
  if (isWanted("budget")) {
    lines.push(toLine("stepwell", await measure({ kind: "budget", bytesMax: null })));
    lines.push(toLine("stepwell", await measure({ kind: "budget", bytesMax: sizes.budgetBytes })));
  }
  return lines;
}

/** Round by round over all stores: what slows the machine for a while slows all of them. */
async function measureAllFinished({ sizes, measure }: Planned, place: string): Promise<readonly Line[]> {
  const counts = [1, ...sizes.finishedRuns];
  const stores = counts.map((count) => ({ count, store: nameStore(place, `finished-${count}`) }));
  for (const filled of stores) await measure({ kind: "fill", ...filled });
  const found: Measurement[][] = stores.map(() => []);
  for (let round = 0; round < sizes.repeats; round++) {
    for (const [no, filled] of stores.entries()) found[no]?.push(await measure({ kind: "finished", ...filled }));
  }
  return found.map((parts) => toLine("stepwell", mergeMeasurements(parts)));
}

/** On a server: the workloads beside as many finished runs as there are at most, and beside one. */
export async function measureServerGrowth({ sizes, only, measure }: Planned, server: string): Promise<readonly Line[]> {
  const count = Math.max(...sizes.finishedRuns);
  const [few, many] = [nameStore(server, `bench_few_${process.pid}`), nameStore(server, `bench_many_${process.pid}`)];
  await measure({ kind: "fill", store: few, count: 1 });
  await measure({ kind: "fill", store: many, count });
  const lines: Line[] = [];
  for (const workload of ["W1", "W2", "W4"] as const) {
    if (only.length > 0 && !only.includes(workload)) continue;
    lines.push(toLine("stepwell", await measure({ kind: "ratio", workload, few, many, count })));
  }
  return lines;
}

async function measureScheduled(sizes: Sizes, measure: Measure, folder: string): Promise<readonly Line[]> {
  const full = join(folder, "scheduled.db");
  const measured = [
    await measure({ kind: "schedule", file: full }),
    await measure({ kind: "due", file: join(folder, "empty.db"), waiting: 0 }),
    await measure({ kind: "due", file: full, waiting: sizes.scheduledRuns }),
  ];
  return measured.map((one) => toLine("stepwell", one));
}
