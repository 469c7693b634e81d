// The place of a visit: what led to it, in words that mean the same in the run that tries again. Numbers of rows differ
// from run to run, and numbers of visits depend on which branch was quicker; what leads to a step does not.

import type { StepKey } from "../flow/plan.ts";
import { requireRow, type Draft } from "./draft.ts";
import type { Row, RowId } from "./model.ts";

type Cause = { readonly step: StepKey; readonly visit: number };

/** `rate:1>route:large>ask`: what `ask` was entered for. */
export function placeIn(cause: Cause | undefined, via: string, step: StepKey): string {
  return `${cause === undefined ? "" : `${cause.step}:${cause.visit}`}>${via}>${step}`;
}

export function placeOfItem({ step, visit, index }: Pick<Row, "step" | "visit" | "index">): string {
  return `${step}:${visit}#${index}`;
}

/** Of the first try of a visit, or of an item. */
export function placeOf(draft: Draft, row: Row): string {
  return row.index === null ? placeAfter(draft, row, row.step) : placeOfItem(row);
}

export function placeAfter(
  draft: Draft,
  { causedBy, via }: { readonly causedBy: RowId | null; readonly via: string },
  step: StepKey,
): string {
  return placeIn(causedBy === null ? undefined : requireRow(draft, causedBy), via, step);
}
