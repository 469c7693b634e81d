// G3: one row is one call. So effects are never more than attempts plus interruptions; a payment, which may not be
// repeated, is made once; and what is done was called.

import type { World } from "./world.ts";
import type { RunRecord, StepRecord } from "../rows.ts";

export function findRepeated({ lines, steps, runs, isLate }: World): readonly string[] {
  const byRow = Map.groupBy(lines, ({ row }) => row);
  const calls = [...byRow].flatMap(([row, list]) =>
    list.length > 1 ? [`row ${row} was called once and had ${list.length} effects`] : [],
  );
  const payments = lines.filter((line) => line.tool === "pay" && !isLate(line));
  const paid = [...Map.groupBy(payments, ({ key }) => key)].flatMap(([key, list]) =>
    list.length > 1 ? [`${key} was paid ${list.length} times`] : [],
  );
  const keys = lines.flatMap(({ row, key }) => {
    const step = steps.get(row);
    const run = step === undefined ? undefined : runs.get(step.run);
    if (step === undefined || run === undefined) return [];
    const wanted = keyOf(run, step, steps);
    return key === wanted ? [] : [`row ${row} was called under the key ${key}, not ${wanted}`];
  });
  return [...calls, ...paid, ...keys];
}

/** Worked out anew from the rows: the same over all tries of a visit. */
function keyOf(run: RunRecord, step: StepRecord, steps: ReadonlyMap<number, StepRecord>): string {
  const { role, serves } = step;
  if ((role === "undo" || role === "probe") && serves !== null) {
    const served = steps.get(serves);
    return served === undefined ? "" : `${keyOf(run, served, steps)}:${role}`;
  }
  return `${run.uid}:${step.step}:${step.visit}${step.item === null ? "" : `:${step.item}`}`;
}

/** Done without an effect under its key, although it calls a tool. */
export function findUncalled({ lines, steps, runs }: World): readonly string[] {
  const called = new Set(lines.map(({ key }) => key));
  const eaches = new Set([...steps.values()].flatMap(({ role, serves }) => (role === "items" ? [serves] : [])));
  return [...steps.values()].flatMap((step) => {
    const run = runs.get(step.run);
    if (run === undefined) return [`row ${step.id} belongs to run ${step.run}, which is not there`];
    if (step.status !== "done" || step.tool === null || step.role === "items" || eaches.has(step.id)) return [];
    const key = keyOf(run, step, steps);
    return called.has(key) ? [] : [`row ${step.id} (${key}) is done and ${step.tool} was never called`];
  });
}
