// A run that takes over from another one: what was done is not done again, and a retry is known outside by the keys of
// the run before it, unless what was done under them was undone. Worked out anew from the rows of both runs.

import { canonicalText } from "../../../flow/json.ts";
import type { PlanStep } from "../../../flow/plan.ts";
import type { Row, RowId } from "../../../run/model.ts";
import type { StoredRun } from "../store.ts";
import { describe, firstProblem, isOver, stepOf, type Oracle, type WriteView } from "./oracle.ts";

export const doneIsTakenOver: Oracle = {
  name: "done is taken over",
  judge: (view) =>
    firstProblem(view.changed, ({ before, after }) => {
      if (after.copiedFrom !== null) return before === undefined ? judgeCopy(view, after) : undefined;
      return before === undefined ? judgeRepetition(view, after) : undefined;
    }) ?? judgeCalls(view),
};

/** A row that was taken over is over, says what the first one says, and was never called. */
function judgeCopy(view: WriteView, row: Row): string | undefined {
  const { origin } = view;
  const old = row.copiedFrom === null ? undefined : origin?.rows.get(row.copiedFrom);
  if (origin === undefined || old === undefined) return `${describe(row)} was taken over from nowhere`;
  if (!isOver({ ...row, isHeld: false })) return `${describe(row)} was taken over and is not over`;
  if (row.startedAt !== null || row.childRun !== null)
    return `${describe(row)} was taken over and started all the same`;
  if (isUndone(origin, old) && !couldBeUndone(view, old.id))
    return `${describe(row)} was taken over although it was undone`;
  const isSame = row.step === old.step && row.status === old.status && row.outcome === old.outcome;
  if (!isSame || canonicalText(row.result) !== canonicalText(old.result))
    return `${describe(row)} is not what ${describe(old)} was`;
  return undefined;
}

/** When the new run was asked for; the first one may have gone on since, and undone what the new one takes over. */
function couldBeUndone({ write }: WriteView, id: RowId): boolean {
  const { message } = write;
  const recorded = message.kind === "start" ? (message.again?.recorded ?? []) : [];
  return recorded.some(({ row, items, actions }) =>
    [row, ...(items?.done ?? []), ...actions].some((one) => one.id === id && one.isUndoable),
  );
}

function judgeCalls(view: WriteView): string | undefined {
  return firstProblem(view.write.decision.calls, (call) => {
    const called = view.row(call.row);
    return called === undefined || called.copiedFrom === null ? undefined : `${describe(called)} was called`;
  });
}

/** In the decision that starts a retry: a step whose call was done, and not undone, is not there to be called again. */
function judgeRepetition(view: WriteView, row: Row): string | undefined {
  const { origin, write, runAfter } = view;
  if (write.message.kind !== "start" || runAfter?.origin?.kind !== "retry" || origin === undefined) return undefined;
  const step = stepOf(view.plan, row);
  if (row.role !== "step" || step?.kind !== "tool" || step.each !== null || isBadEnd(step)) return undefined;
  if (comesOfNew(view, row)) return undefined;
  const old = counterpart(view, origin, row);
  return old?.status === "done" && !isUndone(origin, old)
    ? `${describe(row)} runs again, ${describe(old)} was done`
    : undefined;
}

/** What led to it happened anew, and may have failed or gone another way at once: a branch that was given up begins again,
 *  and with it whatever follows its join. */
function comesOfNew(view: WriteView, { via, causedBy }: Row): boolean {
  if (causedBy === null) return false;
  if (view.row(causedBy)?.copiedFrom === null) return true;
  const isInside = (scope: string): boolean => scope.split("/").some((part) => part.startsWith(`${causedBy}:`));
  return (
    via === "join" &&
    view.changed.some(({ after }) => after.role === "step" && after.copiedFrom === null && isInside(after.scope))
  );
}

function isBadEnd({ transition }: PlanStep): boolean {
  return transition.kind === "end" && transition.terminal !== "success";
}

export const retryKeepsKeys: Oracle = {
  name: "a retry keeps its keys",
  judge: (view) => {
    const { origin, runAfter, write } = view;
    if (origin === undefined || runAfter === null) return undefined;
    return firstProblem(write.decision.calls, (call) => {
      const row = view.row(call.row);
      return row === undefined ? undefined : judgeKey(view, origin, row);
    });
  },
};

function judgeKey(view: WriteView, origin: StoredRun, row: Row): string | undefined {
  const step = stepOf(view.plan, row);
  const isOwn = row.role === "step" || row.role === "item";
  // What is fired again is another event.
  if (!isOwn || row.side !== null || row.firing !== null || step?.kind !== "tool" || step.idempotencyKey !== null)
    return undefined;
  const key = plainKey(row);
  const { uid } = view.runAfter ?? {};
  if (view.runAfter?.origin?.kind !== "retry")
    return key.startsWith(`${uid}:`) ? undefined : `${describe(row)} has the key ${key}, which is not its own`;
  const undone = [...origin.rows.values()].find((old) => plainKey(old) === key && isUndone(origin, old));
  if (undone !== undefined) return `${describe(row)} has the key ${key}, under which ${describe(undone)} was undone`;
  const old = row.attempt === 1 ? counterpart(view, origin, row) : undefined;
  if (old === undefined || old.key === null || isUndone(origin, old)) return undefined;
  return plainKey(old) === key ? undefined : `${describe(row)} has the key ${key}, ${describe(old)} had ${old.key}`;
}

function plainKey({ key }: Row): string {
  return (key ?? "").replace(/:fallback$/, "");
}

function isUndone({ rows }: StoredRun, row: Row): boolean {
  return [...rows.values()].some((undo) => undo.role === "undo" && undo.serves === row.id && undo.status === "done");
}

/** The last try of the same visit, of the same item, to which the same visit had led in the same way. */
function counterpart(view: WriteView, origin: StoredRun, row: Row): Row | undefined {
  const alike = [...origin.rows.values()].filter(
    ({ step, visit, index, role, side }) =>
      step === row.step && visit === row.visit && index === row.index && role === row.role && side === null,
  );
  const [first] = alike;
  if (first === undefined) return undefined;
  if (row.role === "item") {
    const parent = row.serves === null ? undefined : view.row(row.serves);
    return parent !== undefined && counterpart(view, origin, parent)?.id === first.serves ? alike.at(-1) : undefined;
  }
  const isSame = first.via === row.via && sameCause(view, origin, [first.causedBy, row.causedBy]);
  return isSame ? alike.at(-1) : undefined;
}

function sameCause(
  view: WriteView,
  origin: StoredRun,
  [old, own]: readonly [old: RowId | null, own: RowId | null],
): boolean {
  const [one, other] = [old === null ? null : origin.rows.get(old), own === null ? null : view.row(own)];
  return one?.step === other?.step && one?.visit === other?.visit;
}
