// The durable memory of the simulation: what is written here survives every crash. A commit writes a whole batch or
// nothing; who commits says, by the fault it draws, which of the two it will be.

import type { Plan } from "../../flow/plan.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { Changes, Decision, Need, RunEvent } from "../../run/decision.ts";
import type { Message } from "../../run/message.ts";
import {
  hasEnded,
  isLive,
  type Row,
  type RowId,
  type RunId,
  type RunRow,
  type ScopePath,
  type Signal,
  type Visit,
  type VisitCount,
} from "../../run/model.ts";
import { forkOf } from "../../run/values.ts";

/** One decision, as it is written. */
export type Write = {
  readonly run: RunId;
  readonly plan: Plan;
  readonly message: Message;
  /** The wall clock when it was decided. */
  readonly now: number;
  readonly decision: Decision;
};

/** All that is on disk of one run. */
export type StoredRun = {
  readonly plan: Plan;
  run: RunRow;
  /** Every row there ever was, in the order in which they were made. */
  readonly rows: Map<RowId, Row>;
  readonly scopes: Map<ScopePath, Map<string, Visit>>;
  readonly visits: Map<string, VisitCount>;
  signals: readonly Signal[];
  readonly events: Map<string, RunEvent>;
};

export interface Store {
  readonly runs: ReadonlyMap<RunId, StoredRun>;
  find(run: RunId): StoredRun | undefined;
  /** Runs that have not ended. */
  open(): readonly StoredRun[];
  write(write: Write): void;
}

export function createStore(): Store {
  const runs = new Map<RunId, StoredRun>();
  const open = new Set<StoredRun>();
  return {
    runs,
    find: (run) => runs.get(run),
    open: () => [...open],
    write({ run, plan, decision }) {
      const stored = runs.get(run) ?? emptyRun(plan, decision.changes);
      if (stored === undefined) return;
      runs.set(run, stored);
      put(stored, decision.changes);
      if (hasEnded(stored.run)) open.delete(stored);
      else open.add(stored);
    },
  };
}

/** undefined: what was decided made no run. */
function emptyRun(plan: Plan, { run }: Changes): StoredRun | undefined {
  if (run === null) return undefined;
  return { plan, run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [], events: new Map() };
}

function put(stored: StoredRun, changes: Changes): void {
  stored.run = changes.run ?? stored.run;
  stored.signals = changes.signals ?? stored.signals;
  for (const row of changes.rows) stored.rows.set(row.id, row);
  // A message that is decided twice tells the same events, under the same ids.
  for (const event of changes.events) if (!stored.events.has(event.id)) stored.events.set(event.id, event);
  for (const { step, count } of changes.visits) stored.visits.set(step, count);
  for (const change of changes.scopes) {
    if (change.kind === "drop") stored.scopes.delete(change.scope);
    else stored.scopes.set(change.scope, new Map(stored.scopes.get(change.scope)).set(change.step, change.visit));
  }
}

/** What the kernel is given after memory was lost: live rows, and what the finished ones have left behind. */
export function loadFrontier(stored: StoredRun): MutableFrontier {
  const live = [...stored.rows.values()].filter(isLive).toSorted((one, other) => one.id - other.id);
  return {
    run: stored.run,
    rows: new Map(live.map((row) => [row.id, row])),
    scopes: new Map([...stored.scopes].map(([scope, steps]) => [scope, new Map(steps)])),
    visits: new Map(stored.visits),
    signals: stored.signals,
  };
}

/** Answers a need from a run's rows, those on disk and those on their way to it. */
export function bring(need: Need, rows: ReadonlyMap<RowId, Row>): readonly Row[] {
  switch (need.kind) {
    case "row": {
      const row = rows.get(need.row);
      return row === undefined ? [] : [row];
    }
    case "arrivals":
      return pick(rows, (row) => row.arrived && forkOf(row.scope) === need.fork);
    case "items":
      return pick(rows, (row) => row.serves === need.each && row.role === "item" && row.finishedNo !== null);
    case "ends":
      return pick(rows, (row) => row.ended !== null);
    case "undo":
      return newestUndoable(rows, need.below);
  }
}

function pick(rows: ReadonlyMap<RowId, Row>, isWanted: (row: Row) => boolean): readonly Row[] {
  return [...rows.values()].filter(isWanted);
}

function newestUndoable(rows: ReadonlyMap<RowId, Row>, below: number | null): readonly Row[] {
  let newest: Row | undefined;
  for (const row of rows.values()) {
    const finishedNo = row.finishedNo ?? 0;
    if (!row.isUndoable || (below !== null && finishedNo >= below)) continue;
    if (newest === undefined || finishedNo > (newest.finishedNo ?? 0)) newest = row;
  }
  return newest === undefined ? [] : [newest];
}
