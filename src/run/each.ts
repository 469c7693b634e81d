// One step over a list. The parent row counts; item rows are made when an item starts, so that a hundred thousand items
// cost no more than are under way.

import { isArray, type Json } from "../flow/json.ts";
import type { Each } from "../flow/plan.ts";
import { findServed, liveRows, putRow, require, stepOf, type Draft } from "./draft.ts";
import { abort } from "./ending.ts";
import { failForGood } from "./fail.ts";
import type { Failure, OpenWork, Row, RowId } from "./model.ts";
import { causedBy, makeRow } from "./row.ts";
import { computeTemplate } from "./values.ts";

export type OpenEach = Extract<OpenWork, { kind: "each" }>;

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
  const parent = putRow(draft, {
    ...row,
    status: "running",
    startedAt: draft.env.now,
    open,
    warnings: [...row.warnings, ...items.warnings],
  });
  if (open.count === 0) draft.todo.push({ kind: "each_over", row: parent.id });
  else startItems(draft, parent, open);
}

/** How the step of this row goes over its items. */
function eachOf(draft: Draft, row: Row): Each {
  const step = stepOf(draft, row);
  const each = step.kind === "tool" || step.kind === "flow" ? step.each : null;
  if (each === null) throw new Error(`"${row.name}" has no items`);
  return each;
}

/** As many items as may run at once. */
function startItems(draft: Draft, parent: Row, open: OpenEach): void {
  const step = stepOf(draft, parent);
  const room = Math.min(open.count, open.ended + eachOf(draft, parent).concurrency);
  for (let index = open.started; index < room; index++) {
    // The list leads to its items: whoever asks for an item finds it there.
    const cause = { ...causedBy(parent, "item"), causedBy: open.items, previous: parent.previous };
    const item = makeRow(draft, step, { cause, visit: parent.visit, role: "item" });
    putRow(draft, { ...item, index, serves: parent.id });
    draft.todo.push({ kind: "item", row: item.id });
  }
  putRow(draft, { ...parent, open: { ...open, started: room } });
}

/** An item is over, well or not. */
export function endItem(draft: Draft, item: Row): void {
  const parent = findServed(draft, item);
  // Another item has failed the step meanwhile.
  if (parent?.open?.kind !== "each") return;
  const hasFailed = item.error !== null;
  if (hasFailed && eachOf(draft, parent).onItemError === "fail") return failAll(draft, parent, item.error);
  const { open } = parent;
  const counted = { ...open, ended: open.ended + 1, failed: open.failed + Number(hasFailed) };
  const next = putRow(draft, { ...parent, open: counted });
  if (counted.ended === counted.count) draft.todo.push({ kind: "each_over", row: next.id });
  else startItems(draft, next, counted);
}

/** One failed item fails the step; the others stop, and so do their probes. */
function failAll(draft: Draft, parent: Row, error: Failure): void {
  const live = liveRows(draft);
  const stopped = new Set<RowId | null>([parent.id]);
  for (const row of live) {
    if (!stopped.has(row.serves)) continue;
    stopped.add(row.id);
    abort(draft, row);
  }
  failForGood(draft, parent, error);
}

export type Gathered = {
  readonly result: Json;
  readonly errors: Json;
  readonly outcome: "empty" | "partial" | "error" | null;
};

/** The list in the items' order, with what went wrong beside it. */
export function gather(draft: Draft, parent: Row, open: OpenEach): Gathered {
  if (open.count === 0) return { result: [], errors: null, outcome: "empty" };
  const isListed = eachOf(draft, parent).result === "list";
  const items = isListed || open.failed > 0 ? lastTries(draft, parent) : [];
  const result: Json[] = Array.from({ length: open.count }, () => null);
  const errors: Json[] = [];
  for (const [index, { result: given, error }] of items) {
    if (error === null) result[index] = given;
    else errors.push({ index, error });
  }
  const outcome = open.failed === 0 ? null : open.failed === open.count ? "error" : "partial";
  return { result: isListed ? result : null, errors: errors.length === 0 ? null : errors, outcome };
}

/** Of all tries of each item the one that decided it, in the items' order. */
function lastTries(draft: Draft, parent: Row): readonly (readonly [number, Row])[] {
  const stored = require(draft, { kind: "items", each: parent.id }).filter((row) => !draft.rows.has(row.id));
  const ended = [...stored, ...draft.rows.values()].filter(
    (row) => row.serves === parent.id && row.finishedNo !== null,
  );
  const tries = ended.map((row) => [row.index ?? 0, row] as const);
  return tries.toSorted(([one], [other]) => one - other);
}
