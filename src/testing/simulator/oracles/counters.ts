// What is counted is right, and what is held in memory is what the rows say. Judged after each commit, for the runs that
// it touched.

import type { Plan } from "../../../flow/plan.ts";
import type { MutableFrontier } from "../../../run/apply.ts";
import { hasEnded, isLive, type OpenWork, type Row, type RowId } from "../../../run/model.ts";
import { findDifference, isSame } from "../same.ts";
import { loadFrontier, type StoredRun } from "../store.ts";
import { describe, firstProblem } from "./oracle.ts";

export function judgeCounters(stored: StoredRun): string | undefined {
  const rows = [...stored.rows.values()];
  const live = rows.filter(isLive);
  const { run } = stored;
  if (run.live !== live.length) return `${live.length} rows are live, the run counts ${run.live}`;
  if (hasEnded(run) && live.length > 0) return `the run has ended, ${live.length} rows are live`;
  if (run.rowCount !== rows.length) return `there are ${rows.length} rows, the run counts ${run.rowCount}`;
  return judgeFinished(stored, rows) ?? firstProblem(live, (row) => judgeOpen(stored.plan, row, live));
}

/** The numbers of completion are 1, 2, 3 …, each once. */
function judgeFinished({ run }: StoredRun, rows: readonly Row[]): string | undefined {
  const numbers = rows.flatMap(({ finishedNo }) => finishedNo ?? []);
  if (new Set(numbers).size !== numbers.length) return "two rows have the same number of completion";
  const highest = numbers.reduce((one, other) => Math.max(one, other), 0);
  if (highest > run.finishedCount) return `a row finished as number ${highest}, the run counts ${run.finishedCount}`;
  const ended = rows.filter((row) => row.ended !== null && !row.arrived).length;
  return run.endedCount === ended ? undefined : `${ended} paths have ended, the run counts ${run.endedCount}`;
}

function judgeOpen(plan: Plan, row: Row, live: readonly Row[]): string | undefined {
  const { open } = row;
  if (open === null) return undefined;
  return open.kind === "fork" ? judgeFork(row, open, live) : judgeEach(plan, row, open, live);
}

/** As many branches are out as have something live in them. */
function judgeFork(fork: Row, open: Extract<OpenWork, { kind: "fork" }>, live: readonly Row[]): string | undefined {
  const branches = new Set(live.flatMap((row) => branchWithin(row, fork.id) ?? []));
  if (branches.size === open.open) return undefined;
  return `${describe(fork)} counts ${open.open} branches, ${branches.size} are out`;
}

/** The branch of this fork in which a row stands; side paths, notices and undoings belong to none. */
function branchWithin(row: Row, fork: RowId): string | undefined {
  if (row.side !== null || (row.role !== "step" && row.role !== "item")) return undefined;
  return row.scope.split("/").find((part) => part.startsWith(`${fork}:`));
}

type OpenEach = Extract<OpenWork, { kind: "each" }>;

function judgeEach(plan: Plan, each: Row, open: OpenEach, live: readonly Row[]): string | undefined {
  const items = live.filter((row) => row.serves === each.id && row.role === "item").length;
  const step = plan.steps[each.step];
  const concurrency = step?.kind === "tool" || step?.kind === "flow" ? (step.each?.concurrency ?? 1) : 1;
  if (items > concurrency) return `${describe(each)} has ${items} items under way, at most ${concurrency} may be`;
  if (open.ended + items === open.started && open.ended < open.count) return undefined;
  return `${describe(each)} counts ${open.started} started and ${open.ended} ended items of ${open.count}, ${items} are live`;
}

/** A run asks for a person exactly when one of its rows does, and says for which. */
export function judgeAttention({ run, rows }: StoredRun): string | undefined {
  const live = [...rows.values()].filter(isLive);
  const probed = new Set(live.filter((row) => row.role === "probe").map((row) => row.serves));
  const asking = live.filter((row) => row.isHeld || (row.status === "uncertain" && !probed.has(row.id)));
  const [first] = asking;
  if (run.attention === null)
    return first === undefined ? undefined : `${describe(first)} needs a person, the run does not say so`;
  // Said of the run as a whole: it stands still until a person has looked.
  if (run.attention.code === "poison" && run.attention.row === null)
    return run.status === "paused" ? undefined : `the run is poisoned and ${run.status}`;
  const isNamed = asking.some(({ id }) => id === run.attention?.row);
  return isNamed
    ? undefined
    : `the run asks for a person because of row ${run.attention.row} (${run.attention.code}), which does not`;
}

/** What the executor holds of a run, against what it would read from disk. */
export function judgeMemory(held: MutableFrontier, stored: StoredRun): string | undefined {
  const loaded = loadFrontier(stored);
  const field = findDifference(held.run, loaded.run);
  if (field !== undefined) return `the run's ${field} differs`;
  if (!isSame(held.signals, loaded.signals)) return "the signals differ";
  if (held.rows.size !== loaded.rows.size) return `${held.rows.size} rows are in memory, ${loaded.rows.size} on disk`;
  const order = [...held.rows.keys()];
  let place = 0;
  for (const [id, row] of loaded.rows) {
    if (!isSame(held.rows.get(id), row)) return `${describe(row)} differs`;
    if (order[place] !== id) return `${describe(row)} stands elsewhere in the order of rows`;
    place += 1;
  }
  return judgeSeen(held, loaded);
}

function judgeSeen(held: MutableFrontier, loaded: MutableFrontier): string | undefined {
  if (held.visits.size !== loaded.visits.size || held.scopes.size !== loaded.scopes.size)
    return "what was visited differs";
  for (const [step, count] of loaded.visits)
    if (!isSame(held.visits.get(step), count)) return `the visits of ${step} differ`;
  for (const [scope, steps] of loaded.scopes) {
    const known = held.scopes.get(scope);
    for (const [step, visit] of steps)
      if (!isSame(known?.get(step), visit)) return `the newest visit of ${step} in "${scope}" differs`;
    if (known?.size !== steps.size) return `what is seen in "${scope}" differs`;
  }
  return undefined;
}
