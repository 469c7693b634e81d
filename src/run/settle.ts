// Carries out what a message has started, until only the world outside can bring the run on.

import { findRow, nextTodo, putRow, stepOf, type Draft, type Todo } from "./draft.ts";
import { endItem, gather, itemValue } from "./each.ts";
import { endOrGoOn } from "./ending.ts";
import { enter } from "./enter.ts";
import { failStep } from "./fail.ts";
import { complete, leave, succeed, succeedAs } from "./finish.ts";
import { arriveAtJoin, finishPath } from "./fork.ts";
import { openGate } from "./gate.ts";
import { endFiring, openState } from "./machine.ts";
import { hasEnded, type Row } from "./model.ts";
import { openChild } from "./subflow.ts";
import { fillCall } from "./tool.ts";
import { startProbe } from "./uncertain.ts";
import { computeTemplate, previousOf } from "./values.ts";
import { openWait } from "./wait.ts";

export function settle(draft: Draft): void {
  const steps = { instant: draft.env.limits.instant };
  while (!hasEnded(draft.run) && draft.needs.size === 0) {
    const todo = nextTodo(draft);
    if (todo !== undefined) carryOut(draft, todo, steps);
    else if (draft.run.live > 0 || draft.run.status !== "running") return;
    else endOrGoOn(draft);
  }
}

function carryOut(draft: Draft, todo: Todo, steps: { instant: number }): void {
  const row = findRow(draft, todo.row);
  if (row === undefined) return;
  switch (todo.kind) {
    case "go":
      // What starts beside the flow has left the forks around it.
      if (todo.cause.side !== row.side || !arriveAtJoin(draft, row, todo.step)) enter(draft, todo.step, todo.cause);
      return;
    case "end":
      return finishPath(draft, row, todo.output);
    case "open":
      // Paused, or enough for one decision: the row stays ready and goes on when it is admitted.
      if (draft.run.status === "running" && steps.instant-- > 0) open(draft, row);
      return;
    case "item":
      return openItem(draft, row);
    case "item_over":
      return endItem(draft, row);
    case "each_over":
      return closeEach(draft, row);
    case "skipped":
      return closeSkipped(draft, row);
    case "uncertain":
      return startProbe(draft, row);
    case "fired":
      return endFiring(draft, row);
  }
}

/** What a step does by itself; a tool waits to be admitted. */
export function open(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  switch (step.kind) {
    case "tool":
      return undefined;
    case "set": {
      const values = computeTemplate(draft, row, step.values);
      const counted = putRow(draft, { ...row, startedAt: draft.env.now, warnings: values.warnings });
      if (values.error !== null) return failStep(draft, putRow(draft, { ...counted, status: "failed", error: values.error, outcome: "error", completedAt: draft.env.now }), values.error);
      return succeed(draft, counted, { result: values.value, outcome: null });
    }
    case "end":
      return leave(draft, complete(draft, row, { result: previousOf(draft, row), errors: null, outcome: "success" }));
    case "gate":
      return openGate(draft, row, step);
    case "wait":
      return openWait(draft, row, step);
    case "flow":
      return openChild(draft, row, step);
    case "state":
      return openState(draft, row, step);
  }
}

function openItem(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  const extras = { item: itemValue(draft, row), index: row.index ?? 0 };
  if (step.kind === "tool") fillCall(draft, row, step, extras);
  if (step.kind === "flow") openChild(draft, row, step, extras);
}

function closeEach(draft: Draft, row: Row): void {
  const { result, errors, outcome } = gather(draft, row);
  const parent = putRow(draft, { ...row, errors });
  if (outcome === null) return succeed(draft, parent, { result, errors, outcome: null });
  if (outcome !== "error") return succeedAs(draft, parent, outcome, result);
  const error = { code: "all_items_failed", message: `Every item of "${row.name}" failed.` };
  failStep(draft, putRow(draft, { ...parent, status: "failed", result, error, outcome: "error", open: null, completedAt: draft.env.now }), error);
}

function closeSkipped(draft: Draft, row: Row): void {
  const { result } = row;
  const done = complete(draft, row, { result, errors: null, outcome: "skipped" });
  leave(draft, putRow(draft, { ...done, status: "skipped", isUndoable: false }));
}
