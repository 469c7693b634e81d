// G1: what was acknowledged is on disk. And what was done outside was on disk before: a call whose row nobody finds is
// a commit that was lost, or one that came too late.

import type { World } from "./world.ts";

export function findLost(world: World, isMidway: boolean): readonly string[] {
  return [...findLostRuns(world), ...findLostAnswers(world), ...(isMidway ? [] : findLostNudges(world))];
}

function findLostRuns({ book, runs }: World): readonly string[] {
  const byKey = Map.groupBy(runs.values(), ({ startKey }) => startKey);
  return book.orders.flatMap(({ key, run, kind }) => {
    const found = byKey.get(key) ?? [];
    if (found.length > 1) return [`${key} was started ${found.length} times`];
    if (run === null) return [];
    const [only] = found;
    if (only === undefined) return [`run ${run} (${kind}, ${key}) was acknowledged and is not there`];
    if (only.id !== run) return [`${key} was acknowledged as run ${run} and is run ${only.id}`];
    return only.name === kind ? [] : [`run ${run} is a ${only.name}, not a ${kind}`];
  });
}

function findLostAnswers({ book, steps }: World): readonly string[] {
  const gates = [...book.approved].flatMap((id) => {
    const gate = steps.get(id);
    return gate?.status === "done" && gate.outcome === "approved" ? [] : [`the approval of ${id} was acknowledged`];
  });
  const words = [...book.resolved].flatMap((id) => {
    const step = steps.get(id);
    return step !== undefined && step.status !== "uncertain" ? [] : [`the word about ${id} was acknowledged`];
  });
  return [...gates, ...words];
}

/** Cancelled for good, and heard. */
function findLostNudges({ book, runs }: World): readonly string[] {
  return book.orders.flatMap(({ run, kind, isNudged }) => {
    if (!isNudged || run === null) return [];
    const wanted = kind === "cancel" ? "cancelled" : "completed";
    return runs.get(run)?.status === wanted ? [] : [`the ${kind} of run ${run} was acknowledged`];
  });
}

export function findUnknownEffects({ lines, steps }: World): readonly string[] {
  return lines.flatMap(({ row, run, tool, key }) => {
    const step = steps.get(row);
    if (step === undefined) return [`${tool} was called for row ${row} (${key}), which is not on disk`];
    if (step.run !== run) return [`${tool} was called for row ${row} of run ${run}, it belongs to ${step.run}`];
    return step.startedAt === null ? [`${tool} was called for row ${row}, which never started`] : [];
  });
}
