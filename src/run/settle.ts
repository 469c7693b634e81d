// Carries out what a message has started, until only the world outside can bring the run on.

import { findRow, nextTodo, putRow, stepOf, type Draft, type Todo } from "./draft.ts";
import { endItem, gather, openEach } from "./each.ts";
import { endOrGoOn } from "./ending.ts";
import { enter } from "./enter.ts";
import { failForGood } from "./fail.ts";
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
  while (!hasEnded(draft.run) && draft.needs === null) {
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
      // What starts beside the flow, or in a branch, is not the row's own path.
      if (todo.cause.scope !== row.scope || !arriveAtJoin(draft, row, todo.step)) enter(draft, todo.step, todo.cause);
      return;
    case "end":
      return finishPath(draft, row, todo.output);
    case "open":
      // Paused, or enough for one decision: the row stays ready and goes on when it is admitted.
      if (row.status === "ready" && draft.run.status === "running" && steps.instant-- > 0) open(draft, row);
      return;
    case "item":
      // Not one that was stopped before it began.
      return row.status === "ready" ? openItem(draft, row) : undefined;
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
function open(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  switch (step.kind) {
    case "tool":
      return undefined;
    case "set": {
      const { value, warnings, error } = computeTemplate(draft, row, step.values);
      const counted = putRow(draft, { ...row, startedAt: draft.env.now, warnings });
      if (error !== null) return failForGood(draft, counted, error);
      return succeed(draft, counted, { result: value, outcome: null });
    }
    case "end":
      return leave(draft, complete(draft, row, { result: previousOf(draft, row), errors: null, outcome: "success" }));
    case "gate":
      return openGate(draft, row, step);
    case "wait":
      return openWait(draft, row, step);
    case "flow":
      return step.each === null ? openChild(draft, row, step) : openEach(draft, row, step.each);
    case "state":
      return openState(draft, row, step);
  }
}

function openItem(draft: Draft, row: Row): void {
  const step = stepOf(draft, row);
  if (step.kind === "tool") fillCall(draft, row, step);
  // Paused: the sub-run starts when the run goes on.
  if (step.kind === "flow" && draft.run.status === "running") openChild(draft, row, step);
}

function closeEach(draft: Draft, row: Row): void {
  if (row.open?.kind !== "each") return;
  const { result, errors, outcome } = gather(draft, row, row.open);
  const parent = putRow(draft, { ...row, errors });
  if (outcome === null) return succeed(draft, parent, { result, errors, outcome: null });
  if (outcome !== "error") return succeedAs(draft, parent, outcome, result);
  const error = { code: "all_items_failed", message: `Every item of "${row.name}" failed.` };
  failForGood(draft, { ...parent, result }, error);
}

function closeSkipped(draft: Draft, row: Row): void {
  const { result } = row;
  const done = complete(draft, row, { result, errors: null, outcome: "skipped" });
  const skipped = putRow(draft, { ...done, status: "skipped", isUndoable: false });
  if (row.role === "item") draft.todo.push({ kind: "item_over", row: row.id });
  else leave(draft, skipped);
}
