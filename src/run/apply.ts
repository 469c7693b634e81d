// Keeps a frontier up to date with the decisions made on it. Bookkeeping only: it decides nothing, and the frontier is
// afterwards what loading the run's live rows anew would give.

import type { StepKey } from "../flow/plan.ts";
import type { Changes, ScopeChange } from "./decision.ts";
import {
  isLive,
  type Row,
  type RowId,
  type RunRow,
  type ScopePath,
  type Signal,
  type Visit,
  type VisitCount,
} from "./model.ts";

/** A map of whatever make. */
interface MutableRows extends ReadonlyMap<RowId, Row> {
  set(id: RowId, row: Row): unknown;
  delete(id: RowId): boolean;
  clear(): void;
}

/** A frontier whose owner writes to it. */
export type MutableFrontier = {
  run: RunRow;
  readonly rows: MutableRows;
  readonly scopes: Map<ScopePath, Map<StepKey, Visit>>;
  readonly visits: Map<StepKey, VisitCount>;
  signals: readonly Signal[];
};

export function applyChanges(frontier: MutableFrontier, changes: Changes): void {
  frontier.run = changes.run ?? frontier.run;
  frontier.signals = changes.signals ?? frontier.signals;
  for (const { step, count } of changes.visits) frontier.visits.set(step, count);
  for (const change of changes.scopes) applyScope(frontier, change);
  for (const row of changes.rows) {
    if (isLive(row)) frontier.rows.set(row.id, row);
    else frontier.rows.delete(row.id);
  }
}

function applyScope({ scopes }: MutableFrontier, change: ScopeChange): void {
  if (change.kind === "drop") {
    scopes.delete(change.scope);
    return;
  }
  const steps = scopes.get(change.scope) ?? new Map<StepKey, Visit>();
  scopes.set(change.scope, steps.set(change.step, change.visit));
}
