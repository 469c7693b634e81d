// Where a row leads. Nothing is entered here: what follows is put into the draft's list, so that a step never runs
// inside the step before it, however long the chain.

import type { Json } from "../flow/json.ts";
import type { StepKey, Target } from "../flow/plan.ts";
import type { Cause, Draft } from "./draft.ts";
import type { Row } from "./model.ts";
import { causedBy } from "./row.ts";

export function go(draft: Draft, row: Row, target: Target, cause: Cause): void {
  if (target.kind === "end") endPath(draft, row, row.result);
  else goTo(draft, row, target.step, cause);
}

export function goTo(draft: Draft, row: Row, step: StepKey, cause: Cause = causedBy(row, "next")): void {
  draft.todo.push({ kind: "go", row: row.id, step, cause });
}

export function endPath(draft: Draft, row: Row, output: Json): void {
  draft.todo.push({ kind: "end", row: row.id, output });
}
