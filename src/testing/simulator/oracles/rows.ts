// Rows and runs move only along their status diagrams, and what is over stays as it is.

import { hasEnded, isLive, type Row, type RowStatus, type RunRow, type RunStatus } from "../../../run/model.ts";
import { isSame } from "../same.ts";
import { describe, firstProblem, isOver, type ChangedRow, type Oracle, type WriteView } from "./oracle.ts";

const over = ["done", "failed", "skipped", "cancelled"] as const;

const rowMoves: { readonly [from in RowStatus]: readonly RowStatus[] } = {
  pending: ["pending", "ready", "running", "uncertain", ...over],
  ready: ["ready", "pending", "running", "uncertain", ...over],
  // Back, if it is followed or held: another oracle looks at that.
  running: ["running", "ready", "pending", "uncertain", ...over],
  uncertain: ["uncertain", ...over],
  done: ["done"],
  failed: ["failed"],
  skipped: ["skipped"],
  cancelled: ["cancelled"],
};

const runMoves: { readonly [from in RunStatus]: readonly RunStatus[] } = {
  scheduled: ["scheduled", "running", "paused", "completed", "failed", "cancelled"],
  running: ["running", "paused", "completed", "failed", "cancelled"],
  // Back to waiting for its start, if it was held before that.
  paused: ["paused", "scheduled", "running", "completed", "failed", "cancelled"],
  completed: ["completed"],
  failed: ["failed"],
  cancelled: ["cancelled"],
};

const terminalKinds = { completed: "success", failed: "failure", cancelled: "cancel" } as const;

export const legalTransitions: Oracle = {
  name: "legal transitions",
  judge: (view) => firstProblem(view.changed, judgeMove) ?? judgeRun(view) ?? firstProblem(view.changed, judgeRest),
};

function judgeMove({ before, after }: ChangedRow): string | undefined {
  if (before === undefined || rowMoves[before.status].includes(after.status)) return undefined;
  // An undoing that failed, until a person has said what became of it.
  if (before.isHeld && before.role === "undo") return undefined;
  return `${describe(before)} became ${after.status}`;
}

function judgeRun({ runBefore, runAfter }: WriteView): string | undefined {
  if (runAfter === null) return undefined;
  if (runBefore !== null && !runMoves[runBefore.status].includes(runAfter.status)) {
    return `the run went from ${runBefore.status} to ${runAfter.status}`;
  }
  return judgeEnd(runAfter);
}

function judgeEnd(run: RunRow): string | undefined {
  const { status, terminalKind, completedAt, live, alarms, ending } = run;
  if (status !== "completed" && status !== "failed" && status !== "cancelled") {
    return terminalKind === null && completedAt === null ? undefined : `a run that is ${status} has an end`;
  }
  if (terminalKind !== terminalKinds[status]) return `a ${status} run is of kind ${terminalKind}`;
  if (completedAt === null) return `a ${status} run has no completed_at`;
  if (live !== 0 || alarms.length > 0 || ending !== null) return `a ${status} run has something left to do`;
  return undefined;
}

/** What is over waits for nothing. */
function judgeRest({ after }: ChangedRow): string | undefined {
  if (!isOver(after)) return undefined;
  if (after.token !== null) return `${describe(after)} still has a token`;
  if (after.alarms.length > 0) return `${describe(after)} still has an alarm: ${after.alarms[0]?.kind}`;
  if (after.completedAt === null) return `${describe(after)} has no completed_at`;
  return undefined;
}

export const terminalIsFinal: Oracle = {
  name: "terminal is final",
  judge: (view) => judgeEndedRun(view) ?? firstProblem(view.changed, judgeEndedRow),
};

function judgeEndedRun({ runBefore, runAfter, changed, write }: WriteView): string | undefined {
  if (runBefore === null || runAfter === null || !hasEnded(runBefore)) return undefined;
  const [first] = changed;
  if (first !== undefined) return `after its end ${describe(first.after)} was written, by ${write.message.kind}`;
  // That a message was seen is no change of the run.
  const names = Object.keys(runBefore) as (keyof RunRow)[];
  const changedName = names.find((name) => name !== "seen" && !isSame(runBefore[name], runAfter[name]));
  return changedName === undefined
    ? undefined
    : `after its end the run's ${changedName} changed, by ${write.message.kind}`;
}

const fixedWhenOver: readonly (keyof Row)[] = [
  "result",
  "completedAt",
  "startedAt",
  "args",
  "tool",
  "attempt",
  "finishedNo",
];
const fixedForEver: readonly (keyof Row)[] = [
  "step",
  "role",
  "visit",
  "index",
  "scope",
  "side",
  "causedBy",
  "createdAt",
];

function judgeEndedRow({ before, after }: ChangedRow): string | undefined {
  if (before === undefined) return undefined;
  const changed =
    fixedForEver.find((name) => before[name] !== after[name]) ??
    (isOver(before) ? fixedWhenOver.find((name) => !isSame(before[name], after[name])) : undefined);
  if (changed !== undefined) return `the ${changed} of ${describe(before)} changed`;
  // What people see is rendered once.
  if (before.gate !== null && before.gate.hash !== after.gate?.hash) return `what ${describe(before)} shows changed`;
  if (isOver(before) && !isLive(before) && isLive(after)) return `${describe(before)} came to life again`;
  return undefined;
}

export const noLostUpdate: Oracle = {
  name: "no lost update",
  judge: ({ changed, runBefore, write }) => {
    const { run } = write.decision.changes;
    if (run !== null && run.version !== (runBefore?.version ?? 0) + 1) {
      return `the run is written as version ${run.version}, on top of ${runBefore?.version ?? "nothing"}`;
    }
    return firstProblem(changed, ({ before, after }) => {
      const expected = (before?.version ?? 0) + 1;
      if (after.version === expected) return undefined;
      return `${describe(after)} is written as version ${after.version}, on top of ${before?.version ?? "nothing"}`;
    });
  },
};

/** Whatever waits for an instant waits until the clock shows it, unless somebody says otherwise. */
export const nothingIsEarly: Oracle = {
  name: "nothing is early",
  judge: ({ changed, write }) => {
    if (write.message.kind !== "alarm") return undefined;
    return firstProblem(changed, ({ before, after }) => {
      const hasMoved = before?.status === "pending" && after.status !== "pending" && after.status !== "cancelled";
      if (!hasMoved || before.alarms.length === 0 || before.alarms.some(({ at }) => at <= write.now)) return undefined;
      return `${describe(after)} was not due yet`;
    });
  },
};
