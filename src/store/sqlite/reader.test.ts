import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { hasEnded, isLive, type Row, type RowId, type RunId } from "../../run/model.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { Need } from "../../run/decision.ts";
import { pickNeeded } from "../../run/need.ts";
import { soundDuties } from "../../testing/simulator/executor.ts";
import type { Duties } from "../../testing/simulator/process.ts";
import { simulate } from "../../testing/simulator/simulate.ts";
import { loadFrontier, type StoredRun, type Write } from "../../testing/simulator/store.ts";
import { hasOwnChange, type Batch } from "../store.ts";
import { flattenBatch } from "./batch.ts";
import { listMigrations } from "./migrate.ts";
import { bringRows, listDue, listInterrupted, listReady, loadRuns, nextDueAt } from "./reader.ts";
import { createStatements, writeFlat, type Statements } from "./writer.ts";

/** A database beside the simulated one: every decision is written to both. */
class Mirror {
  readonly database: DatabaseSync = openMemory();
  readonly #statements: Statements = createStatements(this.database);
  no = 0;

  write({ run, now, decision }: Write, stored: StoredRun | undefined): void {
    const { changes } = decision;
    const after = changes.run ?? stored?.run;
    if (after === undefined) return;
    const isWritten = stored === undefined || hasOwnChange(stored.run, after);
    this.no += 1;
    const batch: Batch = {
      no: this.no,
      at: now,
      lastId: 0,
      flows: [],
      runs: isWritten ? [{ run: after, flow: "f", startKey: null, isNew: stored === undefined }] : [],
      rows: changes.rows.map((row) => ({ run, uid: after.uid, row, before: stored?.rows.get(row.id) ?? null })),
      events: changes.events.map((event) => ({ run, event })),
      signals: changes.signals === null ? [] : [{ run, signals: changes.signals }],
      visits: changes.visits.filter(({ count }) => count.all > 1).map((visit) => ({ run, ...visit })),
      answers: [],
      pruned: [],
    };
    const committed = writeFlat(this.database, this.#statements, structuredClone(flattenBatch(batch)));
    expect(committed).toEqual({ kind: "committed", no: this.no });
  }
}

function openMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const { text } of listMigrations()) database.exec(text);
  return database;
}

/** Runs one seed with a mirror beside it; `compare` is called for every run after each decision about it is written. */
function mirror(seed: number, compare: (mirrored: Mirror, stored: StoredRun, write: Write) => void): void {
  const mirrored = new Mirror();
  const duties: Duties = {
    ...soundDuties,
    toDisk(write, stored) {
      mirrored.write(write, stored);
      return write;
    },
    afterCommit(executor, batch) {
      for (const write of batch.writes) {
        const stored = executor.store.find(write.run);
        if (stored !== undefined) compare(mirrored, stored, write);
      }
      soundDuties.afterCommit(executor, batch);
    },
  };
  expect(simulate(seed, duties).violations).toEqual([]);
  mirrored.database.close();
}

describe("a run that is loaded", () => {
  it("is what the kernel has kept of it, whatever has happened", () => {
    let compared = 0;
    for (let seed = 1; seed <= 40; seed++) {
      mirror(seed, ({ database }, stored) => {
        const kept = loadFrontier(stored);
        const [loaded] = loadRuns(database, [stored.run.id]);
        compared += 1;
        expect(toComparable(loaded?.frontier)).toEqual(toComparable(kept));
      });
    }
    expect(compared).toBeGreaterThan(5000);
  });

  it("brings the old rows that a decision needs", () => {
    for (let seed = 41; seed <= 60; seed++) {
      mirror(seed, ({ database }, { run, rows }) => {
        const needs = needsOf(rows);
        const brought = bringRows(database, run.id, needs);
        expect(brought).toEqual(needs.map((need) => pickNeeded(need, rows)));
      });
    }
  });
});

/** Since which rest a step was visited once is not stored, nor are versions that only count; nobody looks at the
 *  scopes of a run that has ended. */
function toComparable(frontier: MutableFrontier | undefined): unknown {
  if (frontier === undefined) return undefined;
  const { run, rows, scopes, visits, signals } = frontier;
  const counts = [...visits].map(([step, count]) => [step, count.all === 1 ? { all: 1 } : count] as const);
  const seen = hasEnded(run) ? [] : [...scopes].filter(([, steps]) => steps.size > 0);
  return { run: { ...run, version: 0 }, rows, scopes: new Map(seen), visits: new Map(counts), signals };
}

function needsOf(rows: ReadonlyMap<RowId, Row>): readonly Need[] {
  const all = [...rows.values()];
  return [
    { kind: "ends" },
    { kind: "undo", below: null },
    ...all.flatMap((row): readonly Need[] => [
      { kind: "row", row: row.id },
      { kind: "arrivals", fork: row.id },
      { kind: "items", each: row.id },
      ...(row.finishedNo === null ? [] : [{ kind: "undo", below: row.finishedNo } as const]),
    ]),
  ];
}

describe("what is to be done", () => {
  it("is found by what the rows say", () => {
    for (let seed = 61; seed <= 80; seed++) {
      const stored = new Map<RunId, StoredRun>();
      mirror(seed, ({ database }, changed, { now }) => {
        stored.set(changed.run.id, changed);
        const runs = [...stored.values()].filter(({ run }) => !hasEnded(run));
        expect(listReady(database, 1000).map(({ row }) => row).toSorted()).toEqual(readyIn(runs));
        const due = dueIn(runs);
        for (const at of [now, now + 1000, now + 3_600_000]) {
          const expected = due.filter((one) => one.at <= at).map(({ run }) => run);
          expect([...listDue(database, at, 1000)].toSorted()).toEqual([...new Set(expected)].toSorted());
          const next = Math.min(...due.filter((one) => one.at > at).map((one) => one.at));
          expect(nextDueAt(database, at) ?? Infinity).toBe(next);
        }
        expect(listInterrupted(database, "none").map(({ token }) => token).toSorted()).toEqual(tokensIn(runs));
      });
    }
  });
});

function liveIn({ rows }: StoredRun): readonly Row[] {
  return [...rows.values()].filter(isLive);
}

function readyIn(runs: readonly StoredRun[]): readonly RowId[] {
  const going = runs.filter(({ run }) => run.status === "running");
  return going
    .flatMap(liveIn)
    .filter(({ status }) => status === "ready")
    .map(({ id }) => id)
    .toSorted();
}

function tokensIn(runs: readonly StoredRun[]): readonly string[] {
  return runs
    .flatMap(liveIn)
    .flatMap(({ token }) => token ?? [])
    .toSorted();
}

/** All that the alarms say, but for the timeouts of calls under way. */
function dueIn(runs: readonly StoredRun[]): readonly { readonly run: RunId; readonly at: number }[] {
  return runs.flatMap((stored) => {
    const { run } = stored;
    const own = run.alarms.map(({ at }) => at);
    const rows = run.status !== "running" ? [] : liveIn(stored).filter(({ token }) => token === null);
    const others = rows.flatMap(({ alarms }) => alarms).filter(({ kind }) => kind !== "start");
    return [...own, ...others.map(({ at }) => at)].map((at) => ({ run: run.id, at }));
  });
}
