// A row is over: what it gave is recorded, and its outcome picks the way.

import { own, type Json } from "../flow/json.ts";
import type { OutcomeName, Transition } from "../flow/plan.ts";
import { raiseAttention } from "./attention.ts";
import { patchRun, putRow, stepOf, type Draft } from "./draft.ts";
import { beginEnding } from "./ending.ts";
import { failForGood, failPath, failStep } from "./fail.ts";
import { noteVisit, openFork } from "./fork.ts";
import type { Row } from "./model.ts";
import { endPath, go } from "./path.ts";
import { causedBy } from "./row.ts";
import { canBeUndone } from "./undo.ts";
import { computeExpression, computeTemplate, holds } from "./values.ts";

/** Names that only the kernel gives; `empty` is free. */
export const reservedOutcomes: ReadonlySet<string> = new Set([
  "error",
  "approved",
  "rejected",
  "expired",
  "timeout",
  "skipped",
  "cancelled",
  "partial",
]);
const outcomeShape = /^[a-z][a-z0-9_]{0,39}$/;

export type Success = {
  readonly result: Json;
  /** What the tool declares; null: nothing. */
  readonly outcome: OutcomeName | null;
  readonly errors?: Json;
};

/** A step has ended well: by its expression, by its tool, or just so. */
export function succeed(draft: Draft, row: Row, { result, outcome, errors = null }: Success): void {
  const { outcome: expression } = stepOf(draft, row);
  if (expression === null) {
    const named = outcome === null ? plainSuccess : checkName(outcome);
    return leave(draft, complete(draft, row, { ...named, result, errors }));
  }
  const done = complete(draft, row, { result, errors, outcome: null });
  const computed = computeExpression(draft, done, expression, { result });
  const { error } = computed;
  if (error !== null)
    return failStep(draft, putRow(draft, { ...done, status: "failed", outcome: "error", error }), error);
  const named = checkName(computed.value);
  const warnings = [...done.warnings, ...named.warnings];
  leave(draft, putRow(draft, { ...done, outcome: named.outcome, warnings }));
}

/** A step has ended with an outcome of the kernel's own: a gate's answer, a skip, `partial`. */
export function succeedAs(draft: Draft, row: Row, outcome: OutcomeName, result: Json): void {
  leave(draft, complete(draft, row, { result, errors: row.errors, outcome }));
}

/** A step has ended in one of the ways that take only a route of their own name; without one it has failed with it. */
export function endAs(
  draft: Draft,
  row: Row,
  end: { readonly outcome: OutcomeName; readonly result: Json; readonly message: string },
): void {
  const { outcome, result, message } = end;
  const hasRoute = row.role === "step" && own(stepOf(draft, row).routes, outcome) !== undefined;
  if (hasRoute) return succeedAs(draft, row, outcome, result);
  failForGood(draft, putRow(draft, { ...row, result }), { code: outcome, message });
}

type Named = { readonly outcome: OutcomeName; readonly warnings: readonly string[] };

const plainSuccess: Named = { outcome: "success", warnings: [] };

function checkName(name: Json): Named {
  if (typeof name === "string" && outcomeShape.test(name) && !reservedOutcomes.has(name)) {
    return { outcome: name, warnings: [] };
  }
  const warning = `${JSON.stringify(name)} is no name for an outcome and counts as "success".`;
  return { outcome: "success", warnings: [warning] };
}

type Ended = Pick<Row, "result" | "errors" | "outcome"> & Partial<Pick<Row, "warnings">>;

/** An item has ended well: its parent counts it. */
export function succeedItem(draft: Draft, row: Row, result: Json): void {
  complete(draft, row, { result, errors: null, outcome: "success" });
  draft.todo.push({ kind: "item_over", row: row.id });
}

/** The row is done, and from now on `steps.x` means it. */
export function complete(draft: Draft, row: Row, ended: Ended): Row {
  const finishedNo = draft.run.finishedCount + 1;
  patchRun(draft, { finishedCount: finishedNo });
  if (row.role === "step") noteVisit(draft, { scope: row.scope, step: row.step, visit: { row: row.id, finishedNo } });
  // An earlier try may have happened, but now it surely has.
  const { result, errors, outcome, warnings = [] } = ended;
  return putRow(draft, {
    ...row,
    status: "done",
    result,
    errors,
    outcome,
    warnings: warnings.length === 0 ? row.warnings : [...row.warnings, ...warnings],
    error: null,
    mayHaveHappened: false,
    token: null,
    alarms: [],
    open: null,
    isHeld: false,
    completedAt: draft.env.now,
    finishedNo,
    isUndoable: canBeUndone(draft, row),
  });
}

/** Routes first, by the outcome's name; then the transition. A skipped step asks no routes. */
export function leave(draft: Draft, row: Row): void {
  // The state that waits for this action leads on.
  if (row.firing !== null) return void draft.todo.push({ kind: "fired", row: row.id });
  const { routes } = stepOf(draft, row);
  const outcome = row.outcome ?? "success";
  const target = outcome === "skipped" ? undefined : (own(routes, outcome) ?? own(routes, "default"));
  if (target === undefined) return follow(draft, row);
  go(draft, row, target, causedBy(row, `route:${outcome}`));
}

function follow(draft: Draft, row: Row): void {
  const { transition } = stepOf(draft, row);
  switch (transition.kind) {
    case "next":
      return go(draft, row, transition.to, causedBy(row, "next"));
    case "join":
      return go(draft, row, { kind: "step", step: transition.to }, causedBy(row, "join"));
    case "fork":
      return openFork(draft, row, transition);
    case "branch":
      return followBranch(draft, row, transition);
    case "end":
      return followEnd(draft, row, transition);
    case "routes":
      return noMatch(draft, row);
    case "events":
      return undefined;
  }
}

type TransitionOf<Kind extends Transition["kind"]> = Extract<Transition, { kind: Kind }>;

function followBranch(draft: Draft, row: Row, transition: TransitionOf<"branch">): void {
  const warnings = [...row.warnings];
  for (const [index, choice] of transition.cases.entries()) {
    const verdict = holds(draft, row, choice.if, { result: row.result });
    warnings.push(...verdict.warnings);
    if (verdict.holds)
      return go(draft, putRow(draft, { ...row, warnings }), choice.to, causedBy(row, `branch:${index}`));
  }
  const judged = putRow(draft, { ...row, warnings });
  if (transition.otherwise === null) noMatch(draft, judged);
  else go(draft, judged, transition.otherwise, causedBy(row, "else"));
}

function noMatch(draft: Draft, row: Row): void {
  const { onNoMatch } = stepOf(draft, row);
  switch (onNoMatch) {
    case "hold":
      return raiseAttention(draft, putRow(draft, { ...row, isHeld: true }));
    case "fail": {
      const error = { code: "no_branch_matched", message: `No branch or route of "${row.name}" matches.` };
      return failPath(draft, row, error);
    }
    case "complete":
      return endPath(draft, row, row.result);
  }
}

function followEnd(draft: Draft, row: Row, transition: TransitionOf<"end">): void {
  const output =
    transition.output === null ? null : computeTemplate(draft, row, transition.output, { result: row.result });
  if (output !== null && output.error !== null) return failPath(draft, row, output.error);
  const value = output === null ? row.result : output.value;
  if (transition.terminal === "success") return endPath(draft, row, value);
  const said =
    transition.message === null ? null : computeTemplate(draft, row, transition.message, { result: row.result });
  const message = typeof said?.value === "string" ? said.value : `The flow ended in "${row.name}".`;
  const kind = transition.terminal;
  if (row.side !== null) return failPath(draft, row, { code: `ended_with_${kind}`, message });
  const error = kind === "failure" ? { code: "ended_with_failure", message } : null;
  beginEnding(draft, { kind, error, output: output === null ? null : value, by: null, reason: message });
}
