// A step that runs another workflow: the child is created in the commit that starts the step, and its end is the
// step's. What it did is in its own rows, so a sub-flow is never uncertain.

import { isObject, type JsonObject } from "../flow/json.ts";
import type { FlowStep } from "../flow/plan.ts";
import { findRow, putRow, tell, type Draft } from "./draft.ts";
import { cancelChild } from "./ending.ts";
import { failForGood, failTry } from "./fail.ts";
import { endAs, succeed, succeedItem } from "./finish.ts";
import type { ChildMessage } from "./message.ts";
import type { Failure, Row } from "./model.ts";
import { keyOf, pinVersion } from "./row.ts";
import { computeTemplate } from "./values.ts";

/** Creates the sub-run; another try of the same visit starts another child with the same input. */
export function openChild(draft: Draft, row: Row, step: FlowStep): void {
  const filled = row.args === null ? fillInput(draft, row, step) : row;
  const input = filled.args;
  if (filled.error !== null) return failForGood(draft, filled, filled.error);
  if (!isObject(input)) return failForGood(draft, filled, badInput(filled));
  const depth = (draft.run.parent?.depth ?? 0) + 1;
  if (depth > draft.env.limits.depth) return failForGood(draft, filled, tooDeep(draft));
  startChild(draft, pinVersion(draft, filled, step), step, { input, depth });
}

/** Like the arguments of a call, the input is computed once per visit or item. */
function fillInput(draft: Draft, row: Row, step: FlowStep): Row {
  const { value, secrets, warnings, error } = computeTemplate(draft, row, step.input);
  const key = keyOf(draft, row);
  return putRow(draft, { ...row, args: value ?? {}, secrets, key, error, warnings: [...row.warnings, ...warnings] });
}

function badInput({ name }: Row): Failure {
  return { code: "bad_input", message: `The input of "${name}" must be an object.` };
}

function tooDeep({ env }: Draft): Failure {
  return { code: "too_deep", message: `Sub-flows may be nested ${env.limits.depth} deep, not more.` };
}

type Start = { readonly input: JsonObject; readonly depth: number };

function startChild(draft: Draft, row: Row, step: FlowStep, { input, depth }: Start): void {
  const { env, run } = draft;
  const child = env.newId();
  const alarms = step.timeoutMs === null ? [] : [{ kind: "timeout", at: env.now + step.timeoutMs } as const];
  putRow(draft, { ...row, status: "running", startedAt: env.now, childRun: child, alarms });
  const message = {
    kind: "start",
    id: `${draft.messageId}>${row.id}`,
    run: child,
    uid: `${run.uid}.${row.id}`,
    name: step.workflow,
    input,
    by: run.createdBy,
    via: run.createdVia,
    at: null,
    parent: { run: run.id, row: row.id, depth },
    again: null,
  } as const;
  draft.sends.push({
    to: child,
    message,
    workflow: { name: step.workflow, version: step.version, flow: row.childFlow },
  });
}

/** What another child could not mend either. */
const finalCodes: ReadonlySet<string> = new Set(["too_deep", "bad_input", "unknown_workflow", "workflow_disabled"]);

/** The child has ended. One that has been given up meanwhile changes nothing. */
export function childEnded(draft: Draft, message: ChildMessage): void {
  const row = findRow(draft, message.row);
  if (row === undefined || row.status !== "running" || row.childRun !== message.child) return noteLate(draft, message);
  const { output } = message;
  switch (message.status) {
    case "completed":
      return row.role === "item"
        ? succeedItem(draft, row, output)
        : succeed(draft, row, { result: output, outcome: null });
    case "failed": {
      const error = message.error ?? { code: "child_failed", message: `The sub-flow of "${row.name}" failed.` };
      return finalCodes.has(error.code) ? failForGood(draft, row, error) : failTry(draft, row, error);
    }
    case "cancelled":
      return endAs(draft, row, {
        outcome: "cancelled",
        result: output,
        message: `The sub-flow of "${row.name}" was cancelled.`,
      });
  }
}

/** That a child which was given up has stopped is no news. */
function noteLate(draft: Draft, { row, child, status }: ChildMessage): void {
  if (status !== "cancelled") tell(draft, "late_result", { row, data: { kind: "child", child, status } });
}

export function timeOutChild(draft: Draft, row: Row): void {
  cancelChild(draft, row);
  endAs(draft, row, {
    outcome: "timeout",
    result: null,
    message: `The sub-flow of "${row.name}" took longer than it may.`,
  });
}
