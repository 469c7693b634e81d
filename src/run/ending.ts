// How a run comes to its end. With nothing live left it completes. On failure or cancel nothing new starts: calls are
// aborted, clean-up steps run, what was done is undone, newest first, and only then the run is over.

import { objectFrom, type Json } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import { dropTodos, liveRows, patchRun, putRow, require, stepOf, type Draft } from "./draft.ts";
import { effectOf } from "./effect.ts";
import type { Ending, Failure, Row, RunId } from "./model.ts";
import { goTo } from "./path.ts";
import { causedBeside } from "./row.ts";
import { canBeUndone, startUndo } from "./undo.ts";

export type End = Omit<Ending, "phase" | "undoneTo">;

/** From here on only clean-up and compensation run. */
export function beginEnding(draft: Draft, end: End): void {
  if (draft.run.ending !== null) return;
  dropTodos(draft, () => false);
  const live = liveRows(draft);
  for (const row of live) abort(draft, row);
  patchRun(draft, { ending: { ...end, phase: "cleanup", undoneTo: null }, attention: null });
  if (end.kind === "failure") return;
  for (const [step, row] of cleanupOf(draft, live)) goTo(draft, row, step, causedBeside(row, "cancel", "cleanup"));
}

/** Calls stop, sub-runs are cancelled; a write that may have happened keeps the mark by which it is undone. */
export function abort(draft: Draft, row: Row): void {
  if (row.token !== null) draft.aborts.push(row.token);
  if (row.status === "running") cancelChild(draft, row);
  const stopped = { token: null, alarms: [], open: null, isHeld: false } as const;
  // It has ended; only its fork was open, or a person was to say where it goes on.
  if (row.completedAt !== null) return void putRow(draft, { ...row, ...stopped });
  const cancelled = { ...row, ...stopped, status: "cancelled", completedAt: draft.env.now } as const;
  if (!isCutOffWrite(draft, row)) return void putRow(draft, cancelled);
  const finishedNo = draft.run.finishedCount + 1;
  patchRun(draft, { finishedCount: finishedNo });
  putRow(draft, { ...cancelled, mayHaveHappened: true, isUndoable: canBeUndone(draft, row), finishedNo });
}

function isCutOffWrite(draft: Draft, row: Row): boolean {
  if (row.role !== "step" && row.role !== "item") return false;
  // An earlier try of the same visit may have happened, even if this one never began.
  if (row.mayHaveHappened) return true;
  const isCut = (row.status === "running" && row.token !== null) || row.status === "uncertain";
  return isCut && effectOf(draft, row) === "write";
}

/** How a run signs what it sends to its sub-runs. */
export function parentName(run: RunId): string {
  return `run:${run}`;
}

export function cancelChild(draft: Draft, row: Row): void {
  if (row.childRun === null) return;
  const message = {
    kind: "cancel",
    id: `${draft.messageId}!${row.id}`,
    by: parentName(draft.run.id),
    reason: null,
  } as const;
  draft.sends.push({ to: row.childRun, message, workflow: null });
}

/** The steps that clean up after these rows, each once, with the oldest row that names it. */
export function cleanupOf(draft: Draft, live: readonly Row[]): ReadonlyMap<StepKey, Row> {
  const steps = new Map<StepKey, Row>();
  // Nothing has begun that could leave anything behind.
  if (draft.run.startedAt === null) return steps;
  for (const row of live) {
    const { cancel } = stepOf(draft, row);
    if (cancel.kind === "cleanup" && !steps.has(cancel.step)) steps.set(cancel.step, row);
  }
  return steps;
}

/** Called when nothing is live and nothing is left to do in this decision. */
export function endOrGoOn(draft: Draft): void {
  const { ending } = draft.run;
  if (ending === null) return completeRun(draft);
  const next = nextToUndo(draft, ending.undoneTo);
  if (next === undefined) return closeRun(draft, ending);
  patchRun(draft, { ending: { ...ending, phase: "undo", undoneTo: next.finishedNo } });
  startUndo(draft, next);
}

function nextToUndo(draft: Draft, below: number | null): Row | undefined {
  const rows = undoOrder(draft, require(draft, { kind: "undo", below }));
  return rows.find((row) => below === null || placeOf(row) < below);
}

/** When the row finished, among those of its run. */
function placeOf({ finishedNo }: Row): number {
  return finishedNo ?? 0;
}

/** What can be undone of these stored rows and those of this decision, newest completion first. */
export function undoOrder(draft: Draft, stored: readonly Row[]): readonly Row[] {
  const rows = [...draft.rows.values(), ...stored.filter((row) => !draft.rows.has(row.id))];
  return rows.filter((row) => row.isUndoable).toSorted((one, other) => placeOf(other) - placeOf(one));
}

function completeRun(draft: Draft): void {
  patchRun(draft, { output: outputOf(draft) });
  over(draft, { status: "completed", terminalKind: "success" });
}

function closeRun(draft: Draft, { kind, error, output }: Ending): void {
  patchRun(draft, { error, output, ending: null });
  if (kind === "failure") return over(draft, { status: "failed", terminalKind: "failure" });
  patchRun(draft, { cancelledAt: draft.env.now });
  over(draft, { status: "cancelled", terminalKind: "cancel" });
}

type Over =
  | { readonly status: "completed"; readonly terminalKind: "success" }
  | { readonly status: "failed"; readonly terminalKind: "failure" }
  | { readonly status: "cancelled"; readonly terminalKind: "cancel" };

function over(draft: Draft, { status, terminalKind }: Over): void {
  patchRun(draft, { status, terminalKind, completedAt: draft.env.now, alarms: [], attention: null });
  const { parent, id, output, error } = draft.run;
  if (parent === null) return;
  const message = {
    kind: "child",
    id: `${draft.messageId}<${id}`,
    row: parent.row,
    child: id,
    status,
    output,
    error,
  } as const;
  draft.sends.push({ to: parent.run, message, workflow: null });
}

/** One path gives its output, several an object by the names of the steps they ended in. */
function outputOf(draft: Draft): Json {
  if (draft.run.endedCount === 0) return null;
  const here = [...draft.rows.values()].filter((row) => row.ended !== null && !row.arrived);
  // Most runs end with the message that ends their only path: nothing old is looked at.
  const isAllHere = here.length === draft.run.endedCount;
  const stored = isAllHere ? [] : require(draft, { kind: "ends" }).filter((row) => !draft.rows.has(row.id));
  const rows = [...stored.filter((row) => !row.arrived), ...here].toSorted((one, other) => one.id - other.id);
  const ends = rows.flatMap(({ name, ended }) => (ended === null ? [] : [{ name, output: ended.output }]));
  if (draft.run.endedCount === 1) return alone(ends);
  const byName = Map.groupBy(ends, ({ name }) => name);
  return objectFrom([...byName].map(([name, ended]) => [name, alone(ended)]));
}

/** What one path gives; a list of what several give. */
function alone(ends: readonly { readonly output: Json }[]): Json {
  const outputs = ends.map(({ output }) => output);
  const [first = null, ...others] = outputs;
  return others.length === 0 ? first : outputs;
}

export function failRun(draft: Draft, error: Failure): void {
  beginEnding(draft, { kind: "failure", error, output: null, by: null, reason: null });
}
