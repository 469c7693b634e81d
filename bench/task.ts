// What a child process is asked to measure.

import { measureBudget } from "./growth/budget.ts";
import { measureEach } from "./growth/each.ts";
import { fillFinished, measureFinished } from "./growth/finished.ts";
import { measureDue, measureScheduling } from "./growth/scheduled.ts";
import { measureFdatasync } from "./limit/fdatasync.ts";
import { measureRawSqlite } from "./limit/raw-sqlite.ts";
import type { Measurement } from "./measurement.ts";
import type { Sizes } from "./sizes.ts";
import { measureManyChains, measureShortRuns, measureSoloChains } from "./workload/chains.ts";
import { measureFork } from "./workload/forks.ts";
import { measureMemory } from "./workload/memory.ts";

export type Task =
  | { readonly kind: "chains"; readonly jitterMs: number }
  | { readonly kind: "solo" }
  | { readonly kind: "fork"; readonly branches: number }
  | { readonly kind: "short" }
  | { readonly kind: "memory" }
  | { readonly kind: "fdatasync" }
  | { readonly kind: "raw"; readonly stepsPerCommit: number }
  | { readonly kind: "fill"; readonly file: string; readonly count: number }
  | { readonly kind: "finished"; readonly file: string; readonly count: number }
  | { readonly kind: "schedule"; readonly file: string }
  | { readonly kind: "due"; readonly file: string; readonly waiting: number }
  | { readonly kind: "each"; readonly items: number }
  | { readonly kind: "budget"; readonly bytesMax: number | null };

/** The folder is on a disk, and whoever gave it removes it. */
export type Order = { readonly task: Task; readonly folder: string; readonly sizes: Sizes };

export async function measure({ task, folder, sizes }: Order): Promise<Measurement> {
  switch (task.kind) {
    case "chains":
      return measureManyChains(folder, sizes, task.jitterMs);
    case "solo":
      return measureSoloChains(folder, sizes);
    case "fork":
      return measureFork(folder, sizes, task.branches);
    case "short":
      return measureShortRuns(folder, sizes);
    case "memory":
      return measureMemory(folder, sizes);
    case "fdatasync":
      return measureFdatasync(folder, sizes.limitMs);
    case "raw":
      return measureRawSqlite(folder, task.stepsPerCommit, sizes.limitMs);
    case "fill":
      return measureFill(task.file, task.count, sizes);
    case "finished":
      return measureFinished(task.file, task.count, sizes);
    case "schedule":
      return measureScheduling(task.file, sizes);
    case "due":
      return measureDue(task.file, sizes, task.waiting);
    case "each":
      return measureEach(folder, sizes, task.items);
    case "budget":
      return measureBudget(folder, sizes, task.bytesMax);
  }
}

async function measureFill(file: string, count: number, sizes: Sizes): Promise<Measurement> {
  const before = performance.now();
  await fillFinished(file, count, sizes);
  const seconds = (performance.now() - before) / 1000;
  return { workload: `fill-${count}`, unit: "runs/s", values: [count / seconds], foreignCpu: [], notes: {} };
}
