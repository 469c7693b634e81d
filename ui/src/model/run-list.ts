// A list of runs that does not jump: what is shown stays where it is, and says how it is now; what is new is held back
// until whoever looks can bear it. Newest first, which is by id.

import type { Change } from "./change.ts";
import { foldRuns, withoutRemoved } from "./fold.ts";
import type { Run } from "./run.ts";
import { hasRunEnded } from "./status.ts";

/** Rows as they were told to be. What was read of the steps of a run that has ended since is not true any more; it may not
 *  be read again here, since it may not belong into the list any more. */
export function foldRows(rows: readonly Run[], changes: readonly Change[]): readonly Run[] {
  const left = withoutRemoved(rows, changes);
  const folded = foldRuns(left, changes);
  if (folded === left) return left;
  return folded.map((run, at) =>
    run !== left[at] && run.steps !== null && hasRunEnded(run.status) ? { ...run, steps: null } : run,
  );
}

/** The same rows, each as it was read last. */
export function refresh(rows: readonly Run[], read: readonly (readonly Run[])[]): readonly Run[] {
  const newest = new Map<number, Run>();
  for (const run of read.flat()) {
    const known = newest.get(run.id);
    if (known === undefined || known.updatedAt <= run.updatedAt) newest.set(run.id, run);
  }
  if (newest.size === 0) return rows;
  return rows.map((row) => {
    const found = newest.get(row.id);
    if (found === undefined) return row;
    if (found.updatedAt >= row.updatedAt) return found;
    // It is being read anew: until then, the bar of its steps does not come and go.
    return row.steps === null && found.steps !== null ? { ...row, steps: found.steps } : row;
  });
}

/** What was read at the head of the list and is not shown. */
export function heldBack(rows: readonly Run[], head: readonly Run[]): readonly Run[] {
  const shown = new Set(rows.map(({ id }) => id));
  return head.filter(({ id }) => !shown.has(id));
}

export type Head = {
  readonly runs: readonly Run[];
  /** There are none beyond it. */
  readonly isAll: boolean;
};

/** The head as it is now takes the place of what was shown of it: what does not belong there any more goes. When it does
 *  not reach down to what was shown, there are runs in between that nobody has read: the list begins anew. */
export function absorb(rows: readonly Run[], head: Head): readonly Run[] {
  if (!reaches(rows, head)) return head.runs;
  const oldest = head.runs.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return [...head.runs, ...rows.filter(({ id }) => id < oldest)];
}

/** What is shown goes on behind the head. */
export function reaches(rows: readonly Run[], { runs, isAll }: Head): boolean {
  const [newest, oldest] = [rows[0], runs.at(-1)];
  return !isAll && newest !== undefined && oldest !== undefined && newest.id >= oldest.id;
}

export function isSameRows(one: readonly Run[], other: readonly Run[]): boolean {
  return one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);
}

/** Each run once, however the pages overlap. */
export function joinPages(pages: readonly (readonly Run[])[]): readonly Run[] {
  const seen = new Set<number>();
  return pages.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Behind which runs to read to see rows `from` to `to` as they are now; null: from the head on. */
export function cursorsFor(
  rows: readonly Run[],
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
): readonly (string | null)[] {
  if (rows.length === 0) return [null];
  const last = Math.min(Math.max(to, 0), rows.length - 1);
  const cursors: (string | null)[] = [];
  for (let at = Math.floor(Math.max(from, 0) / size) * size; at <= last; at += size) {
    const before = rows[at - 1];
    cursors.push(before === undefined ? null : String(before.id));
  }
  return cursors;
}
