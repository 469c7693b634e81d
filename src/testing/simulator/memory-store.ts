// Durable memory without a disk: maps that no crash empties. Fast, and without a bug of its own to hide the kernel's.

import { createHeldRun, type HeldRun } from "../../engine/held-run.ts";
import type { Plan } from "../../flow/plan.ts";
import { applyChanges, type MutableFrontier } from "../../run/apply.ts";
import type { Changes } from "../../run/decision.ts";
import { hasEnded, type RowId, type RunId, type RunRow } from "../../run/model.ts";
import { pickNeeded } from "../../run/need.ts";
import type { RowPlace } from "../../store/store.ts";
import { nextAlarm } from "./alarms.ts";
import {
  loadFrontier,
  type Agenda,
  type Draft,
  type Grounds,
  type Shelf,
  type Store,
  type StoredRun,
  type Taken,
  type Write,
} from "./store.ts";

export function createMemoryStore(): Store {
  const shelf = createShelf();
  return {
    ...shelf,
    agenda: createAgenda(shelf),
    load(run) {
      const stored = shelf.find(run);
      return stored === undefined ? undefined : holdRun(stored.plan, loadFrontier(stored));
    },
    bring({ run, needs, unwritten }) {
      const rows = new Map(shelf.find(run)?.rows);
      for (const [id, row] of unwritten()) rows.set(id, row);
      return needs.map((need) => pickNeeded(need, rows));
    },
    listReady: () => shelf.open().flatMap(readyOf),
    listInterrupted: (epoch) =>
      shelf.open().flatMap(({ run, rows }) =>
        [...rows.values()].flatMap(({ id, status, token }) => {
          const isInterrupted = status === "running" && token !== null && !token.endsWith(`.${epoch}`);
          return isInterrupted ? [{ run: run.id, row: id, token }] : [];
        }),
      ),
    draft: () => draft,
    lose: () => {},
    examine: () => undefined,
    close: () => {},
  };
}

function readyOf({ run, rows }: StoredRun): readonly RowPlace[] {
  if (run.status !== "running") return [];
  return [...rows.values()].flatMap(({ id, status }) => (status === "ready" ? [{ run: run.id, row: id }] : []));
}

export function createShelf(): Shelf {
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

/** The instant of each run, kept in memory with every decision; after a crash it is in the rows. */
function createAgenda(shelf: Shelf): Agenda {
  const instants = new Map<RunId, number>();
  const note = (known: Parameters<typeof nextAlarm>[0]): void => {
    const next = nextAlarm(known);
    if (next === undefined) instants.delete(known.run.id);
    else instants.set(known.run.id, next);
  };
  return {
    note: ({ frontier }) => note(frontier),
    settled: () => {},
    nextAt: () => (instants.size === 0 ? undefined : Math.min(...instants.values())),
    take(now) {
      const due = [...instants].flatMap(([run, at]) => (at > now ? [] : [run]));
      for (const run of due) instants.delete(run);
      return due;
    },
    reload() {
      instants.clear();
      for (const stored of shelf.open()) note(stored);
    },
    clear: () => instants.clear(),
  };
}

/** Decisions reach the shelf one by one, once their batch is committed: there is nothing to gather. */
const draft: Draft = {
  take: takeDecision,
  close: () => {},
  commit(fault) {
    if (fault === "none") return { kind: "committed", isOnDisk: true };
    if (fault === "refused") return { kind: "refused", isOnDisk: false };
    return { kind: "unknown", isOnDisk: fault === "crash_after" };
  },
  release: () => [],
};

function takeDecision({ plan, decision }: Write, { held }: Grounds): Taken | undefined {
  const { changes } = decision;
  const taken = held ?? bearRun(plan, changes.run);
  if (taken === undefined) return undefined;
  const { frontier } = taken;
  const wasPaused = frontier.run.status === "paused";
  applyChanges(frontier, changes);
  // What was ready while the run was paused was let go by.
  const isResumed = wasPaused && frontier.run.status === "running";
  return { held: taken, ready: readyAmong(isResumed ? frontier.rows.values() : changes.rows) };
}

function readyAmong(rows: Iterable<{ readonly id: RowId; readonly status: string }>): readonly RowId[] {
  const ready: RowId[] = [];
  for (const { id, status } of rows) if (status === "ready") ready.push(id);
  return ready;
}

function bearRun(plan: Plan, run: RunRow | null): HeldRun | undefined {
  if (run === null) return undefined;
  return holdRun(plan, { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] });
}

function holdRun(plan: Plan, frontier: MutableFrontier): HeldRun {
  return createHeldRun({ plan, flow: plan.hash, frontier, written: null });
}
