// What SQLite gives back of a run, against what was decided of it. They may differ in little, and it does not matter:
// a run's version and its count of finished rows may be behind, since counters alone are not written (versions only ever
// rise, numbers of completion stay unique); a first visit is known by its row, without the rest since which it counts
// (a loop is counted from its second visit on); and from a run that has ended nobody looks back.

import type { MutableFrontier } from "../../../run/apply.ts";
import { hasEnded, type Row, type RunRow, type VisitCount } from "../../../run/model.ts";
import { describe } from "../oracles/oracle.ts";
import { findDifference, isSame } from "../same.ts";
import { loadFrontier, type StoredRun } from "../store.ts";

export function compareLoaded(loaded: MutableFrontier | undefined, stored: StoredRun | undefined): string | undefined {
  if (loaded === undefined || stored === undefined)
    return loaded === undefined && stored === undefined ? undefined : "only one of memory and disk knows the run";
  const kept = loadFrontier(stored);
  return (
    compareRuns(loaded.run, kept.run) ??
    compareRows([...loaded.rows.values()], [...kept.rows.values()]) ??
    (isSame(loaded.signals, kept.signals) ? undefined : "the signals differ") ??
    compareVisits(loaded.visits, kept.visits) ??
    (hasEnded(kept.run) ? undefined : compareScopes(loaded, kept))
  );
}

function compareRuns(loaded: RunRow, kept: RunRow): string | undefined {
  if (loaded.version > kept.version || loaded.finishedCount > kept.finishedCount) return "the run on disk is ahead";
  const { version, finishedCount } = kept;
  const field = findDifference({ ...loaded, version, finishedCount }, kept);
  return field === undefined ? undefined : `the run's ${field} differs`;
}

/** In their order. */
export function compareRows(loaded: readonly Row[], kept: readonly Row[]): string | undefined {
  if (loaded.length !== kept.length) return `${loaded.length} rows are read, ${kept.length} were written`;
  for (const [place, row] of kept.entries()) {
    const other = loaded[place];
    const field = other === undefined ? "place" : findDifference(other, row);
    if (field !== undefined) return `the ${field} of ${describe(row)} differs`;
  }
  return undefined;
}

type Visits = ReadonlyMap<string, VisitCount>;

function compareVisits(loaded: Visits, kept: Visits): string | undefined {
  for (const [step, count] of kept) {
    const other = loaded.get(step);
    const isKnown = count.all > 1 ? isSame(other, count) : (other?.all ?? 1) === 1;
    if (!isKnown) return `${count.all} visits of ${step} were written, ${other?.all ?? 0} are read`;
  }
  for (const step of loaded.keys()) if (!kept.has(step)) return `a visit of ${step} is read that was never made`;
  return undefined;
}

function compareScopes(loaded: MutableFrontier, kept: MutableFrontier): string | undefined {
  for (const scope of new Set([...loaded.scopes.keys(), ...kept.scopes.keys()])) {
    const [seen, known] = [loaded.scopes.get(scope), kept.scopes.get(scope)];
    for (const step of new Set([...(seen?.keys() ?? []), ...(known?.keys() ?? [])])) {
      const [read, written] = [seen?.get(step), known?.get(step)];
      if (!isSame(read, written))
        return `in "${scope}" row ${written?.row ?? "none"} is the newest visit of ${step}, ${read?.row ?? "none"} is read`;
    }
  }
  return undefined;
}

/** What was read stands for the run from now on: the executor goes on from it. */
export function adopt(stored: StoredRun, loaded: MutableFrontier): void {
  const { run, signals, visits, scopes } = loaded;
  stored.run = run;
  stored.signals = signals;
  stored.visits.clear();
  for (const [step, count] of visits) stored.visits.set(step, count);
  stored.scopes.clear();
  for (const [scope, steps] of scopes) stored.scopes.set(scope, new Map(steps));
}
