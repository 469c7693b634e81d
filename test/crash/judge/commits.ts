// The feed of commits has no gap, and whoever folds it sees what the rows say.

import type { Json } from "../../../src/flow/json.ts";
import type { World } from "./world.ts";

export function findUntold({ commits, runs, steps }: World): readonly string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  let last: number | undefined;
  for (const { no, changes } of commits) {
    if (last !== undefined && no !== last + 1) problems.push(`commit ${no} follows ${last}`);
    last = no;
    for (const [run, row, status] of triplesOf(changes)) seen.set(row === null ? `run ${run}` : `row ${row}`, status);
  }
  for (const { id, status } of runs.values()) check(problems, status, seen.get(`run ${id}`), `run ${id}`);
  for (const { id, status, role } of steps.values())
    if (role !== "items") check(problems, status, seen.get(`row ${id}`), `row ${id}`);
  return problems;
}

function check(problems: string[], status: string, told: string | undefined, name: string): void {
  if (told !== status) problems.push(`${name} is ${status}, the commits say ${told ?? "nothing"}`);
}

/** `[run, row, status]`, row null for the run itself. */
function triplesOf(changes: Json): readonly (readonly [number, number | null, string])[] {
  return changes as unknown as readonly (readonly [number, number | null, string])[];
}
