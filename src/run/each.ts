// One step over a list. The parent row counts; item rows are made when an item starts, so that a hundred thousand items
// cost no more than are under way.

import { isArray, type Json } from "../flow/json.ts";
import type { Each } from "../flow/plan.ts";
import { findRow, liveRows, putRow, require, stepOf, type Draft } from "./draft.ts";
import { abort } from "./ending.ts";
import { failForGood, failStep } from "./fail.ts";
import type { OpenWork, Row } from "./model.ts";
import { causedBy, makeRow } from "./row.ts";
import { computeTemplate } from "./values.ts";

type OpenEach = Extract<OpenWork, { kind: "each" }>;

/** The items are computed once, on entry, and kept in a row of their own. */
export function openEach(draft: Draft, row: Row, each: Each): void {
  const items = computeTemplate(draft, row, each.items);
  if (items.error !== null) return failForGood(draft, row, items.error);
  if (!isArray(items.value) || items.value.length > draft.env.limits.items) {
    const message = `The items of "${row.name}" must be a list of at most ${draft.env.limits.items}.`;
    return failForGood(draft, row, { code: "bad_items", message });
  }
  const step = stepOf(draft, row);
  const list = makeRow(draft, step, { cause: causedBy(row, "items"), visit: row.visit, role: "items" });
  putRow(draft, { ...list, status: "done", result: items.value, serves: row.id, completedAt: draft.env.now });
  const open = { kind: "each", count: items.value.length, started: 0, ended: 0, failed: 0, items: list.id } as const;
  const parent = putRow(draft, { ...row, status: "running", startedAt: draft.env.now, open, warnings: [...row.warnings, ...items.warnings] });
  if (open.count === 0) draft.todo.push({ kind: "each_over", row: parent.id });
  else startItems(draft, parent, open);
}

/** As many items as may run at once. */
function startItems(draft: Draft, parent: Row, open: OpenEach): void {
  const step = stepOf(draft, parent);
  const each = step.kind === "tool" || step.kind === "flow" ? step.each : null;
  const room = Math.min(open.count, open.ended + (each?.concurrency ?? 1));
  for (let index = open.started; index < room; index++) {
    // The list leads to its items: whoever asks for an item finds it there.
    const cause = { ...causedBy(parent, "item"), causedBy: open.items, previous: parent.previous };
    const item = makeRow(draft, step, { cause, visit: parent.visit, role: "item" });
    putRow(draft, { ...item, index, serves: parent.id });
    draft.todo.push({ kind: "item", row: item.id });
  }
  putRow(draft, { ...parent, open: { ...open, started: Math.max(open.started, room) } });
}

/** An item is over, well or not. */
export function endItem(draft: Draft, item: Row): void {
  const parent = item.serves === null ? undefined : findRow(draft, item.serves);
  const step = stepOf(draft, item);
  if (parent?.open?.kind !== "each" || (step.kind !== "tool" && step.kind !== "flow")) return;
  const hasFailed = item.status === "failed";
  if (hasFailed && step.each?.onItemError !== "collect") return failAll(draft, parent, item);
  const { open } = parent;
  const counted = { ...open, ended: open.ended + 1, failed: open.failed + Number(hasFailed) };
  const next = putRow(draft, { ...parent, open: counted });
  if (counted.ended === counted.count) draft.todo.push({ kind: "each_over", row: next.id });
  else startItems(draft, next, counted);
}

/** One failed item fails the step; the others stop, and so do their probes. */
function failAll(draft: Draft, parent: Row, item: Row): void {
  const live = liveRows(draft);
  const items = new Set(live.filter((row) => row.serves === parent.id).map((row) => row.id));
  for (const row of live) if (items.has(row.id) || items.has(row.serves ?? 0)) abort(draft, row);
  const error = item.error ?? { code: "item_failed", message: `An item of "${parent.name}" failed.` };
  const failed = putRow(draft, { ...parent, status: "failed", error, outcome: "error", open: null, completedAt: draft.env.now });
  failStep(draft, failed, error);
}

export type Gathered = {
  readonly result: Json;
  readonly errors: Json;
  readonly outcome: "empty" | "partial" | "error" | null;
};

/** The list in the items' order, with what went wrong beside it. */
export function gather(draft: Draft, parent: Row): Gathered {
  const step = stepOf(draft, parent);
  const each = step.kind === "tool" || step.kind === "flow" ? step.each : null;
  const open = parent.open?.kind === "each" ? parent.open : undefined;
  if (open === undefined || open.count === 0) return { result: [], errors: null, outcome: "empty" };
  const wanted = each?.result === "list" || open.failed > 0;
  const stored = wanted ? require(draft, { kind: "items", each: parent.id }).filter((row) => !draft.rows.has(row.id)) : [];
  const items = [...stored, ...draft.rows.values()].filter((row) => row.serves === parent.id && isLast(row));
  const result: Json[] = Array.from({ length: open.count }, () => null);
  const errors: Json[] = [];
  for (const item of items.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))) {
    if (item.status === "failed") errors.push({ index: item.index, error: item.error });
    else result[item.index ?? 0] = item.result;
  }
  const outcome = open.failed === 0 ? null : open.failed === open.count ? "error" : "partial";
  return { result: each?.result === "none" ? null : result, errors: errors.length === 0 ? null : errors, outcome };
}

/** Of all tries of an item, the one that decided it. */
function isLast(row: Row): boolean {
  return row.role === "item" && row.finishedNo !== null;
}
