// What a child process is asked to measure.

import { measureBudget } from "./growth/budget.ts";
import { measureEach } from "./growth/each.ts";
import { fillFinished, measureFinished } from "./growth/finished.ts";
import { measureRatio, type RatioOrder } from "./growth/ratio.ts";
import { measureDue, measureScheduling } from "./growth/scheduled.ts";
import { measureFdatasync } from "./limit/fdatasync.ts";
import { measureRawPostgres } from "./limit/raw-postgres.ts";
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
  | { readonly kind: "fill"; readonly store: string; readonly count: number }
  | { readonly kind: "finished"; readonly store: string; readonly count: number }
  | ({ readonly kind: "ratio" } & RatioOrder)
  | { readonly kind: "schedule"; readonly file: string }
  | { readonly kind: "due"; readonly file: string; readonly waiting: number }
  | { readonly kind: "each"; readonly items: number }
  | { readonly kind: "budget"; readonly bytesMax: number | null };

export type Order = {
  readonly task: Task;
  /** On a disk; whoever gave it removes it. */
  readonly folder: string;
  /** Its address: stores are databases of it, not files of the folder. */
  readonly server?: string | undefined;
  readonly sizes: Sizes;
};

export async function measure({ task, folder, server, sizes }: Order): Promise<Measurement> {
  const place = server ?? folder;
  switch (task.kind) {
    case "chains":
      return measureManyChains(place, sizes, task.jitterMs);
    case "solo":
      return measureSoloChains(place, sizes);
    case "fork":
      return measureFork(place, sizes, task.branches);
    case "short":
      return measureShortRuns(place, sizes);
    case "memory":
      return measureMemory(place, sizes);
    case "fdatasync":
      return measureFdatasync(folder, sizes.limitMs);
    case "raw":
      return server === undefined
        ? measureRawSqlite(folder, task.stepsPerCommit, sizes.limitMs)
        : measureRawPostgres(server, task.stepsPerCommit, sizes.limitMs);
    case "fill":
      return measureFill(task.store, task.count, sizes);
    case "finished":
      return measureFinished(task.store, task.count, sizes);
    case "ratio":
      return measureRatio(task, sizes);
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

async function measureFill(store: string, count: number, sizes: Sizes): Promise<Measurement> {
  const before = performance.now();
  await fillFinished(store, count, sizes);
  const seconds = (performance.now() - before) / 1000;
  return { workload: `fill-${count}`, unit: "runs/s", values: [count / seconds], foreignCpu: [], notes: {} };
}
