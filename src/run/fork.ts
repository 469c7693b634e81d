// Fork and join. The forking row holds the number of branches that are still out; each one that comes back lowers it in
// the same decision, and at zero the join is entered, once. Every arrival costs the same, whatever the fork's size.

import { edgesFrom } from "../flow/edges.ts";
import type { Json } from "../flow/json.ts";
import type { Fork, StepKey } from "../flow/plan.ts";
import { patchRun, putRow, stepOf, type Draft } from "./draft.ts";
import type { Row, ScopePath, Visit } from "./model.ts";
import { endPath, goTo } from "./path.ts";
import { causedBy } from "./row.ts";
import { forkAround, hasForked, innerScope } from "./values.ts";

export function openFork(draft: Draft, row: Row, fork: Fork): void {
  const open = { kind: "fork", open: fork.branches.length, arrived: 0 } as const;
  const forking = putRow(draft, { ...row, open });
  for (const [branch, step] of fork.branches.entries()) {
    goTo(draft, forking, step, { ...causedBy(forking, "fork"), scope: innerScope(row.scope, row.id, branch) });
  }
}

/** Inside a fork any way to its join is an arrival: true when `step` is that join and `row` has arrived. */
export function arriveAtJoin(draft: Draft, row: Row, step: StepKey): boolean {
  const forking = forkAround(draft, row);
  if (forking === undefined || forkOfRow(draft, forking).join !== step) return false;
  arrive(draft, row, forking);
  return true;
}

/** The path of `row` ends well. In a fork whose join stands on the forking step that is an arrival. */
export function finishPath(draft: Draft, row: Row, output: Json): void {
  const forking = forkAround(draft, row);
  if (row.side !== null && forking === undefined) return dropScope(draft, row.scope);
  // The branches of a fork without a join have given their outputs themselves.
  const isGiven = hasForked(draft, row);
  const last = isGiven ? row : putRow(draft, { ...row, ended: { output } });
  if (forking !== undefined && everyPathArrives(draft, forking)) return arrive(draft, last, forking);
  if (!isGiven) giveOutput(draft, last);
  if (forking !== undefined) comeBack(draft, forking, 0);
}

/** The join stands on the forking step; or there is none, and the fork around it waits for all that ends in here. */
function everyPathArrives(draft: Draft, forking: Row): boolean {
  const { join, everyBranchArrives } = forkOfRow(draft, forking);
  if (join !== null) return everyBranchArrives;
  const around = forkAround(draft, forking);
  return around !== undefined && everyPathArrives(draft, around);
}

/** Paths beside the flow give no output. */
function giveOutput(draft: Draft, last: Row): void {
  if (last.side === null) patchRun(draft, { endedCount: draft.run.endedCount + 1 });
  else putRow(draft, { ...last, ended: null });
}

export function forkOfRow(draft: Draft, forking: Row): Fork {
  const { transition } = stepOf(draft, forking);
  if (transition.kind !== "fork") throw new Error(`row ${forking.id} opened no fork`);
  return transition;
}

/** Where a person may send a row of a branch: to what the branches of its fork lead to, up to the join. */
export function staysInFork(draft: Draft, row: Row, step: StepKey): boolean {
  const forking = forkAround(draft, row);
  if (forking === undefined) return true;
  const { branches, join } = forkOfRow(draft, forking);
  const inside = new Set<StepKey>(branches);
  // A set is walked with what is added to it meanwhile.
  for (const key of inside) {
    for (const { to } of edgesFrom(stepOf(draft, { step: key }))) if (to !== null && to !== join) inside.add(to);
  }
  return step === join || inside.has(step);
}

export function arrive(draft: Draft, row: Row, forking: Row): void {
  putRow(draft, { ...row, arrived: true });
  comeBack(draft, forking, 1);
}

function comeBack(draft: Draft, forking: Row, arrived: number): void {
  const { open } = forking;
  if (open?.kind !== "fork") return;
  const left = { ...open, open: open.open - 1, arrived: open.arrived + arrived };
  if (left.open > 0) putRow(draft, { ...forking, open: left });
  else closeFork(draft, putRow(draft, { ...forking, open: null }), left.arrived);
}

function closeFork(draft: Draft, forking: Row, arrived: number): void {
  const fork = forkOfRow(draft, forking);
  for (const branch of fork.branches.keys())
    mergeScope(draft, innerScope(forking.scope, forking.id, branch), forking.scope);
  if (fork.join === null || arrived === 0) return endPath(draft, forking, null);
  const previous = { kind: "arrivals", fork: forking.id } as const;
  goTo(draft, forking, fork.join, { ...causedBy(forking, "join"), previous });
}

/** What a branch has seen becomes visible around it; of two visits the one that finished later. */
function mergeScope(draft: Draft, from: ScopePath, into: ScopePath): void {
  const seen = new Map([...(draft.base.scopes.get(from) ?? []), ...(draft.scopes?.get(from) ?? [])]);
  for (const [step, visit] of seen) noteVisit(draft, { scope: into, step, visit });
  dropScope(draft, from);
}

/** The forks inside a branch are given up: what they have seen is the branch's own from now on. */
export function mergeInner(draft: Draft, scope: ScopePath): void {
  const known = new Set([...draft.base.scopes.keys(), ...(draft.scopes?.keys() ?? [])]);
  for (const inner of known) if (inner.startsWith(`${scope}/`)) mergeScope(draft, inner, scope);
}

export function dropScope(draft: Draft, scope: ScopePath): void {
  if (draft.base.scopes.has(scope)) draft.droppedScopes = (draft.droppedScopes ?? new Set()).add(scope);
  draft.scopes?.delete(scope);
}

export function noteVisit(
  draft: Draft,
  { scope, step, visit }: { scope: ScopePath; step: string; visit: Visit },
): void {
  draft.scopes ??= new Map<ScopePath, Map<string, Visit>>();
  const steps = draft.scopes.get(scope) ?? new Map<string, Visit>();
  const known = steps.get(step) ?? draft.base.scopes.get(scope)?.get(step);
  if (known === undefined || known.finishedNo < visit.finishedNo) steps.set(step, visit);
  draft.scopes.set(scope, steps);
}
