// A run that takes over from an earlier one. It is decided like any other, from its first step on; but a visit that is
// recorded is done at once, with what it gave then. It calls nothing, asks nobody and waits for nothing, and leads where
// it led. All of it happens in the decision that starts the run.

import { isObject } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { patchRun, putRow, stepOf, type Cause, type Draft } from "./draft.ts";
import { failPath } from "./fail.ts";
import { leave } from "./finish.ts";
import { arrive, noteVisit } from "./fork.ts";
import type { Recorded, Way } from "./message.ts";
import type { Row, RowId, VisitCount } from "./model.ts";
import { endPath, goTo } from "./path.ts";
import { placeAfter } from "./place.ts";
import { causedBy, makeRow, type ItemPlace } from "./row.ts";
import { canBeUndone } from "./undo.ts";
import { forkAround } from "./values.ts";

/** From now on steps are looked up here before they begin. Visits and completions are counted from the highest on. */
export function recall(draft: Draft, recorded: readonly Recorded[]): void {
  draft.recorded = new Map(recorded.map((one) => [one.place, one]));
  draft.recalled = new Map();
  const rows = recorded.flatMap(({ row, items, actions }) => [row, ...(items?.done ?? []), ...actions]);
  let finishedCount = 0;
  for (const { role, step, visit, finishedNo } of rows) {
    finishedCount = Math.max(finishedCount, finishedNo ?? 0);
    const all = Math.max(draft.visits?.get(step)?.all ?? 0, visit);
    if (role === "step")
      draft.visits = (draft.visits ?? new Map<StepKey, VisitCount>()).set(step, { all, sinceRest: 0, rest: 0 });
  }
  patchRun(draft, { finishedCount });
}

export function findRecorded(draft: Draft, step: StepKey, cause: Cause): Recorded | undefined {
  if (draft.recorded.size === 0 || cause.side !== null) return undefined;
  return draft.recorded.get(placeAfter(draft, cause, step));
}

type Taken = Recorded & { readonly way: Way };

export function takeOver(draft: Draft, made: Row, recorded: Taken): void {
  const { row: old, items, way } = recorded;
  const copied = copyRow(draft, made, old);
  if (items !== null) copyItems(draft, copied, items);
  if (stepOf(draft, made).kind === "state") leaveState(draft, copied, recorded);
  else leadOn(draft, copied, way);
}

/** The result and all that is known of how it came about; when it was called is told by the run that called. */
function copyRow(draft: Draft, made: Row, old: Row): Row {
  const { status, finishedNo, mayHaveHappened, firing } = old;
  // Also what a person let go by when it should have been undone: it is there, and may have to be undone with this run.
  const isUndoable = (status === "done" || mayHaveHappened) && canBeUndone(draft, { ...made, firing });
  const row = putRow(draft, {
    ...made,
    status,
    index: old.index,
    attempt: old.attempt,
    tool: old.tool,
    args: old.args,
    secrets: old.secrets,
    key: old.key,
    result: old.result,
    errors: old.errors,
    outcome: old.outcome,
    error: old.error,
    warnings: old.warnings,
    childFlow: old.childFlow,
    gate: old.gate,
    firing,
    finishedNo,
    mayHaveHappened,
    isUndoable,
    completedAt: draft.env.now,
    copiedFrom: old.id,
  });
  if (row.role === "step" && finishedNo !== null)
    noteVisit(draft, { scope: row.scope, step: row.step, visit: { row: row.id, finishedNo } });
  return row;
}

function copyItems(draft: Draft, parent: Row, { list, done }: NonNullable<Recorded["items"]>): void {
  const made = makeRow(draft, stepOf(draft, parent), {
    cause: causedBy(parent, "items"),
    visit: parent.visit,
    role: "items",
  });
  const kept = copyRow(draft, { ...made, serves: parent.id }, list);
  for (const old of done) copyItem(draft, { parent, list: kept, old });
}

export function copyItem(
  draft: Draft,
  { parent, list, old }: { readonly parent: Row; readonly list: Row; readonly old: Row },
): void {
  copyRow(draft, makeItem(draft, list.id, { parent, index: old.index }), old);
}

/** The list leads to its items: whoever asks for an item finds it there. */
export function makeItem(draft: Draft, list: RowId, item: ItemPlace): Row {
  const { scope, side, previous, visit } = item.parent;
  const cause = { scope, side, causedBy: list, via: "item", previous };
  return makeRow(draft, stepOf(draft, item.parent), { cause, visit, role: "item", item });
}

function leadOn(draft: Draft, row: Row, way: Way): void {
  switch (way.kind) {
    case "leave":
      return leave(draft, row);
    case "go": {
      const previous = { kind: row.status === "failed" ? "error" : "row", row: row.id } as const;
      return goTo(draft, row, way.step, { ...causedBy(row, way.via), previous });
    }
    case "end":
      return endPath(draft, row, way.output);
    case "arrive": {
      const forking = forkAround(draft, row);
      if (row.error !== null) return failPath(draft, row, row.error);
      return forking === undefined ? undefined : arrive(draft, row, forking);
    }
  }
}

/** A machine moves as it moved then: its data are what they were after it, and its actions are not called. */
function leaveState(draft: Draft, state: Row, { actions, way }: Taken): void {
  if (isObject(state.result)) patchRun(draft, { data: state.result });
  const hasFailed = way.kind === "go" && way.via === "route:error";
  let last = state;
  for (const old of actions) {
    // Its last try came of the one before; its first one was fired.
    const cause = { ...causedBy(state, `fire:${old.firing?.transition}`), previous: state.previous };
    const action = copyRow(draft, makeRow(draft, stepOf(draft, old), { cause, visit: old.visit }), old);
    // Of several only the last one led on, and only if it is the one whose transition was made.
    last = hasFailed || old.firing?.transition === state.outcome ? action : state;
  }
  if (way.kind !== "go") return;
  const previous = { kind: hasFailed ? "error" : "row", row: hasFailed ? last.id : state.id } as const;
  goTo(draft, state, way.step, { ...causedBy(last, way.via), previous });
}
