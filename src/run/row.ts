// Making rows.

import { own } from "../flow/json.ts";
import type { PlanStep } from "../flow/plan.ts";
import { findServed, patchRun, putRow, type Cause, type Draft } from "./draft.ts";
import type { Row, RowRole, SideKind } from "./model.ts";
import { placeOf } from "./place.ts";
import { sideScope } from "./values.ts";

export function causedBy(row: Row, via: string): Cause {
  const { scope, side } = row;
  return { scope, side, causedBy: row.id, via, previous: { kind: "row", row: row.id } };
}

/** Of a path that starts beside the flow and ends by itself. */
export function causedBeside(row: Row, via: string, side: SideKind): Cause {
  return { ...causedBy(row, via), scope: sideScope(row), side };
}

/** Of which each an item is, and where it stands in it; null: that is told later. */
export type ItemPlace = { readonly parent: Row; readonly index: number | null };

/** A new row for a visit of `step`; it is ready and has done nothing yet. */
export function makeRow(
  draft: Draft,
  step: PlanStep,
  made: { readonly cause: Cause; readonly visit: number; readonly role?: RowRole; readonly item?: ItemPlace },
): Row {
  const { env, run } = draft;
  const { scope, side, causedBy: cause, via, previous, firing } = made.cause;
  patchRun(draft, { rowCount: run.rowCount + 1 });
  // Field by field: an object that begins with another one's fields costs several times as much to make.
  return putRow(draft, {
    id: env.newId(),
    step: step.key,
    name: step.label,
    role: made.role ?? "step",
    status: "ready",
    version: 1,
    visit: made.visit,
    index: made.item?.index ?? null,
    attempt: 1,
    interruptions: 0,
    scope,
    side,
    causedBy: cause,
    via,
    previous,
    tool: step.kind === "tool" ? step.tool : null,
    args: null,
    secrets: [],
    key: null,
    token: null,
    handle: null,
    result: null,
    errors: null,
    outcome: null,
    error: null,
    warnings: [],
    alarms: [],
    createdAt: env.now,
    readyAt: env.now,
    startedAt: null,
    completedAt: null,
    finishedNo: null,
    open: null,
    arrived: false,
    ended: null,
    mayHaveHappened: false,
    isHeld: false,
    isUndoable: false,
    childRun: null,
    childFlow: made.item?.parent.childFlow ?? null,
    gate: null,
    firing: firing ?? null,
    serves: made.item?.parent.id ?? null,
    copiedFrom: null,
  });
}

/** The version of a sub-flow is chosen when its step is first entered: further tries and all items follow the same one. */
export function pinVersion({ env }: Draft, row: Row, step: PlanStep): Row {
  if (step.kind !== "flow" || row.childFlow !== null) return row;
  return { ...row, childFlow: env.flowOf(step.workflow, step.version) };
}

/** What every try of this visit, or of this item of it, is known by outside; a retry keeps the keys it knows. */
export function keyOf(draft: Draft, row: Row): string {
  return keptKey(draft, row) ?? ownKey(draft, row);
}

/** Of this very run. */
export function ownKey({ run }: Draft, { step, visit, index }: Row): string {
  return `${run.uid}:${step}:${visit}${index === null ? "" : `:${index}`}`;
}

/** The key that the author gives. Where the effect under it was undone, it stands for something new. */
export function givenKey(draft: Draft, row: Row, given: string): string {
  const kept = keptKey(draft, row);
  if (kept !== undefined) return kept;
  const isFresh = draft.run.keys?.fresh.includes(placeOf(draft, row)) === true;
  return isFresh ? `${given}:${draft.run.uid}` : given;
}

function keptKey(draft: Draft, row: Row): string | undefined {
  const { keys } = draft.run;
  if (keys === null) return undefined;
  const parent = row.index === null ? undefined : findServed(draft, row);
  const ofParent = parent === undefined ? undefined : own(keys.known, placeOf(draft, parent));
  return own(keys.known, placeOf(draft, row)) ?? (ofParent === undefined ? undefined : `${ofParent}:${row.index}`);
}

/** Of a call that serves this row, or stands in for its own. */
export function keyFor({ key }: Row, service: "undo" | "probe" | "fallback"): string {
  return `${key ?? ""}:${service}`;
}

/** Another try of the same visit: same args, same key, and the same doubt whether one of them has happened. */
export function makeNextTry(draft: Draft, row: Row, change: Partial<Row>): Row {
  const { env, run } = draft;
  patchRun(draft, { rowCount: run.rowCount + 1 });
  return putRow(draft, {
    ...row,
    id: env.newId(),
    version: 1,
    status: "ready",
    causedBy: row.id,
    token: null,
    handle: null,
    result: null,
    outcome: null,
    error: null,
    alarms: [],
    createdAt: env.now,
    readyAt: env.now,
    startedAt: null,
    completedAt: null,
    finishedNo: null,
    isHeld: false,
    childRun: null,
    ...change,
  });
}
