// One step over a list. The parent row counts; item rows are made when an item starts, so that a hundred thousand items
// cost no more than are under way.

import { isArray, type Json } from "../flow/json.ts";
import type { Each } from "../flow/plan.ts";
import { findServed, liveRows, putRow, require, stepOf, type Draft } from "./draft.ts";
import { abort } from "./ending.ts";
import { failForGood } from "./fail.ts";
import type { Failure, OpenWork, Row, RowId } from "./model.ts";
import { copyItem, makeItem } from "./recall.ts";
import { causedBy, makeRow, pinVersion } from "./row.ts";
import { computeTemplate, type Computed } from "./values.ts";

export type OpenEach = Extract<OpenWork, { kind: "each" }>;

/** The items are computed once, on entry, and kept in a row of their own. */
export function openEach(draft: Draft, row: Row, each: Each): void {
  const recorded = draft.recalled.get(row.id)?.items ?? null;
  const items = recorded === null ? computeTemplate(draft, row, each.items) : listOf(recorded.list);
  if (items.error !== null) return failForGood(draft, row, items.error);
  if (!isArray(items.value) || items.value.length > draft.env.limits.items) {
    const message = `The items of "${row.name}" must be a list of at most ${draft.env.limits.items}.`;
    return failForGood(draft, row, { code: "bad_items", message });
  }
  const step = stepOf(draft, row);
  const list = makeRow(draft, step, { cause: causedBy(row, "items"), visit: row.visit, role: "items" });
  const kept = { status: "done", result: items.value, serves: row.id, completedAt: draft.env.now } as const;
  putRow(draft, { ...list, ...kept, copiedFrom: recorded?.list.id ?? null });
  const counts = { count: items.value.length, started: 0, ended: 0, failed: 0 };
  const copied = rangesOf(recorded?.done ?? []);
  const open = { kind: "each", ...counts, items: list.id, copied } as const;
  const parent = putRow(draft, {
    ...pinVersion(draft, row, step),
    status: "running",
    startedAt: draft.env.now,
    open,
    warnings: [...row.warnings, ...items.warnings],
  });
  for (const item of recorded?.done ?? []) copyItem(draft, { parent, list, old: item });
  goOn(draft, parent, open);
}

function listOf(list: Row): Pick<Computed, "value" | "warnings" | "error"> {
  return { value: list.result, warnings: [], error: null };
}

/** Where the items stand that were taken over. */
function rangesOf(items: readonly Row[]): OpenEach["copied"] {
  const ranges: [number, number][] = [];
  for (const index of items.map((item) => item.index ?? 0).toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else ranges.push([index, index + 1]);
  }
  return ranges;
}

/** How the step of this row goes over its items. */
function eachOf(draft: Draft, row: Row): Each {
  const step = stepOf(draft, row);
  const each = step.kind === "tool" || step.kind === "flow" ? step.each : null;
  if (each === null) throw new Error(`"${row.name}" has no items`);
  return each;
}

/** As many items start as may run at once; those that were taken over are passed by. When none is left, it is over. */
function goOn(draft: Draft, parent: Row, open: OpenEach): void {
  const { concurrency } = eachOf(draft, parent);
  let { started, ended } = open;
  let passed = 0;
  while (started < open.count && started - ended < concurrency) {
    const range = open.copied[passed];
    if (range?.[0] === started) {
      const [from, to] = range;
      [started, ended, passed] = [to, ended + to - from, passed + 1];
    } else {
      startItem(draft, parent, { list: open.items, index: started });
      started += 1;
    }
  }
  const copied = passed === 0 ? open.copied : open.copied.slice(passed);
  const next = putRow(draft, { ...parent, open: { ...open, started, ended, copied } });
  if (ended === open.count) draft.todo.push({ kind: "each_over", row: next.id });
}

function startItem(draft: Draft, parent: Row, { list, index }: { readonly list: RowId; readonly index: number }): void {
  draft.todo.push({ kind: "item", row: makeItem(draft, list, { parent, index }).id });
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
  goOn(draft, parent, counted);
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
