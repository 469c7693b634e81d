import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { Need } from "../../run/decision.ts";
import { hasEnded, type Row, type RowId } from "../../run/model.ts";
import { pickNeeded } from "../../run/need.ts";
import { randomFlow } from "../../testing/random-flow.ts";
import { runRandomly, type RandomChange, type RandomRun } from "../../testing/random-run.ts";
import { createRandom } from "../../testing/random.ts";
import { emptyWrites, hasOwnChange, type Batch } from "../store.ts";
import { flattenBatch } from "../columns/batch.ts";
import { listMigrations } from "./migrate.ts";
import { bringRows, listDue, listInterrupted, listReady, listTexts, loadRuns, nextDueAt, queryFor } from "./reader.ts";
import { createStatements, writeFlat } from "./writer.ts";

function openMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const { text } of listMigrations()) database.exec(text);
  return database;
}

function planOf(seed: number): Plan {
  const checked = validate(randomFlow(createRandom(seed), { maxSteps: 14 }));
  if (checked.plan === null) throw new Error(`flow ${seed} is not valid`);
  return checked.plan;
}

/** Runs random flows and writes every decision; `compare` is called after each. */
function writeRandomRuns(
  seeds: readonly [from: number, to: number],
  compare: (database: DatabaseSync, run: RandomRun) => void,
): void {
  for (let seed = seeds[0]; seed < seeds[1]; seed++) {
    const database = openMemory();
    const statements = createStatements(database);
    let no = 0;
    runRandomly(planOf(seed), createRandom(seed), {
      run: 1000,
      messagesMax: 120,
      onChange(run, change) {
        no += 1;
        const flat = flattenBatch(batchOf(run, change, no));
        expect(writeFlat(database, statements, structuredClone(flat))).toEqual({ kind: "committed", no });
        compare(database, run);
      },
    });
    database.close();
  }
}

function batchOf(
  { frontier, now, lastId }: RandomRun,
  { changes, before, rowsBefore }: RandomChange,
  no: number,
): Batch {
  const { id, uid } = frontier.run;
  const isWritten = before === null || hasOwnChange(before, frontier.run);
  return {
    ...emptyWrites,
    no,
    at: now,
    lastId,
    runs: isWritten ? [{ run: frontier.run, flow: "hash", startKey: null, isNew: before === null }] : [],
    rows: changes.rows.map((row) => ({ run: id, uid, row, before: rowsBefore.get(row.id) ?? null })),
    events: changes.events.map((event) => ({ run: id, event })),
    signals: changes.signals === null ? [] : [{ run: id, signals: changes.signals }],
    visits: changes.visits.filter(({ count }) => count.all > 1).map((visit) => ({ run: id, ...visit })),
  };
}

describe("a run that is loaded", () => {
  it("is what the kernel has kept of it, whatever has happened", () => {
    let forks = 0;
    writeRandomRuns([1, 120], (database, { frontier }) => {
      const [loaded] = loadRuns(database, [1000]);
      forks += Number(frontier.scopes.size > 1);
      expect(toComparable(loaded?.frontier)).toEqual(toComparable(frontier));
    });
    expect(forks).toBeGreaterThan(100);
  });

  it("is left out when it is not there", () => {
    const database = openMemory();
    expect(loadRuns(database, [7])).toEqual([]);
    expect(bringRows(database, 7, [{ kind: "ends" }])).toEqual([[]]);
  });

  it("brings the old rows that a decision needs", () => {
    writeRandomRuns([120, 160], (database, { rows, messages }) => {
      if (messages % 10 > 0) return;
      const needs = needsOf(rows);
      expect(bringRows(database, 1000, needs)).toEqual(needs.map((need) => pickNeeded(need, rows)));
    });
  });
});

/** Since which rest a step was visited once is not stored, nor are versions that only count; nobody looks back from a
 *  run that has ended. */
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
    const met = { ready: 0, due: 0, interrupted: 0 };
    writeRandomRuns([160, 220], (database, run) => {
      const { now } = run;
      const ready = listReady(database, 1000).map(({ row }) => row);
      expect(ready.toSorted((one, other) => one - other)).toEqual(readyIn(run));
      const due = dueIn(run);
      for (const at of [now, now + 1000, now + 3_600_000]) {
        expect(listDue(database, at, 1000)).toEqual(due.some((one) => one <= at) ? [1000] : []);
        expect(nextDueAt(database, at) ?? Infinity).toBe(Math.min(...due.filter((one) => one > at)));
      }
      const interrupted = listInterrupted(database, "e1").map(({ token }) => token);
      expect(interrupted.toSorted()).toEqual(interruptedIn(run, "e1"));
      met.ready += ready.length;
      met.due += due.length;
      met.interrupted += interrupted.length;
    });
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(100);
  });
});

function readyIn({ frontier }: RandomRun): readonly RowId[] {
  const rows = frontier.run.status === "running" ? [...frontier.rows.values()] : [];
  return rows.filter(({ status }) => status === "ready").map(({ id }) => id);
}

function interruptedIn({ frontier }: RandomRun, epoch: string): readonly string[] {
  const tokens = [...frontier.rows.values()].flatMap(({ token }) => token ?? []);
  return tokens.filter((token) => !token.endsWith(`.${epoch}`)).toSorted();
}

/** The first alarm of the run and of each row, but for the timeouts of calls under way. */
function dueIn({ frontier }: RandomRun): readonly number[] {
  const { run, rows } = frontier;
  const resting = run.status === "running" ? [...rows.values()].filter(({ token }) => token === null) : [];
  return [run, ...resting].flatMap(({ alarms }) => {
    const instants = alarms.filter(({ kind }) => kind !== "start" || alarms === run.alarms).map(({ at }) => at);
    return instants.length === 0 ? [] : [Math.min(...instants)];
  });
}

describe("old rows", () => {
  it("are found by index, however long the history is", () => {
    const database = openMemory();
    const needs: readonly Need[] = [
      { kind: "row", row: 1 },
      { kind: "arrivals", fork: 1 },
      { kind: "items", each: 1 },
      { kind: "ends" },
      { kind: "undo", below: 5 },
    ];
    const plans = needs.map((need) => {
      const { text, values } = queryFor(1000, need);
      const lines = database.prepare(`explain query plan ${text}`).all(...values);
      return String(lines[0]?.["detail"]);
    });
    expect(plans).toEqual([
      expect.stringContaining("USING INTEGER PRIMARY KEY"),
      expect.stringContaining("steps_arrived"),
      expect.stringContaining("steps_serving"),
      expect.stringContaining("steps_ended"),
      expect.stringContaining("steps_undoable"),
    ]);
  });

  it("are never gone through to find what is to be done", () => {
    const database = openMemory();
    const indexes = { ready: 1, interrupted: 1, due: 2, nextDue: 2, overdue: 1, waiting: 1 };
    for (const [name, text] of Object.entries(listTexts)) {
      const plan = database.prepare(`explain query plan ${text}`).all();
      const steps = plan.map(({ detail }) => String(detail));
      const scans = steps.filter((step) => /SCAN (steps|runs)/.test(step) && !step.includes("INDEX"));
      expect({ name, scans }).toEqual({ name, scans: [] });
      const used = steps.filter((step) => /INDEX (steps|runs)_/.test(step));
      expect({ name, used: used.length }).toEqual({ name, used: indexes[name as keyof typeof indexes] });
    }
  });
});
