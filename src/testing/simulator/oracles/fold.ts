// History folds to the state: what was visited, what expressions see, and what a run gives, worked out from its rows alone.

import { canonicalText, objectFrom, type Json } from "../../../flow/json.ts";
import { hasEnded, type Row, type RunRow } from "../../../run/model.ts";
import type { StoredRun } from "../store.ts";
import { describe } from "./oracle.ts";

export function judgeFold(stored: StoredRun): string | undefined {
  return judgeVisits(stored) ?? judgeScopes(stored) ?? judgeOutput(stored);
}

function judgeVisits({ run, rows, visits }: StoredRun): string | undefined {
  const entered = new Map<string, number>();
  for (const { role, step, visit } of rows.values()) {
    if (role === "step") entered.set(step, Math.max(entered.get(step) ?? 0, visit));
  }
  for (const [step, visit] of entered) {
    const counted = visits.get(step)?.all ?? 0;
    // The visit that is one too many is counted, and makes no row.
    const refused = hasFailedBy(run, "step_limit") ? 1 : 0;
    // What was to be taken over, and was not reached because the run ended at once, is counted, too.
    const unreached = run.origin === null ? 0 : Number.POSITIVE_INFINITY;
    if (counted < visit || counted > visit + refused + unreached)
      return `the rows show ${visit} visits of ${step}, ${counted} are counted`;
  }
  return undefined;
}

function hasFailedBy({ error, ending }: RunRow, code: string): boolean {
  return error?.code === code || ending?.error?.code === code;
}

/** The newest finished visit of each step, in each branch that is out and around them. */
function judgeScopes(stored: StoredRun): string | undefined {
  const { run, scopes } = stored;
  // On its way to its end a run gives up its forks as they are.
  if (hasEnded(run) || run.ending !== null) return undefined;
  const newest = newestVisits(stored);
  for (const [scope, steps] of newest) {
    for (const [step, row] of steps) {
      const seen = scopes.get(scope)?.get(step)?.row;
      if (seen !== row.id) return `in "${scope}" ${describe(row)} is the newest visit, ${seen ?? "none"} is seen`;
    }
  }
  for (const [scope, steps] of scopes) {
    if (!isBeside(scope) && steps.size !== (newest.get(scope)?.size ?? 0))
      return `"${scope}" sees steps that were not visited in it`;
  }
  return undefined;
}

function newestVisits(stored: StoredRun): ReadonlyMap<string, ReadonlyMap<string, Row>> {
  const newest = new Map<string, Map<string, Row>>();
  for (const row of stored.rows.values()) {
    const isVisit = row.role === "step" && row.finishedNo !== null && row.status !== "cancelled";
    if (!isVisit || isBeside(row.scope)) continue;
    const scope = openScope(stored, row.scope);
    const steps = newest.get(scope) ?? new Map<string, Row>();
    const known = steps.get(row.step);
    if (known === undefined || (known.finishedNo ?? 0) < (row.finishedNo ?? 0)) steps.set(row.step, row);
    newest.set(scope, steps);
  }
  return newest;
}

/** On a path beside the flow: what is seen there is forgotten with it. */
function isBeside(scope: string): boolean {
  return scope.includes(":side");
}

/** The scope as far as its forks are open: what stood in a fork that has closed stands around it. */
function openScope({ rows }: StoredRun, scope: string): string {
  const parts = scope === "" ? [] : scope.split("/");
  const closed = parts.findIndex((part) => rows.get(Number(part.split(":")[0]))?.open === null);
  return (closed < 0 ? parts : parts.slice(0, closed)).join("/");
}

/** One path gives its output, several an object by the names of the steps they ended in. */
function judgeOutput({ run, rows }: StoredRun): string | undefined {
  if (run.status !== "completed") return undefined;
  const ends = [...rows.values()].filter((row) => row.ended !== null && !row.arrived);
  const byName = Map.groupBy(ends, ({ name }) => name);
  const named = [...byName].map(([name, group]): readonly [string, Json] => {
    const outputs = group.map(({ ended }) => ended?.output ?? null);
    return [name, outputs.length === 1 ? (outputs[0] ?? null) : outputs];
  });
  const expected = ends.length === 0 ? null : ends.length === 1 ? (named[0]?.[1] ?? null) : objectFrom(named);
  const isGiven = run.output === expected || canonicalText(run.output) === canonicalText(expected);
  return isGiven
    ? undefined
    : `the paths of the run gave ${canonicalText(expected)}, its output is ${canonicalText(run.output)}`;
}
