import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { Need } from "../../run/decision.ts";
import { hasEnded, type Row, type RowId } from "../../run/model.ts";
import { pickNeeded } from "../../run/need.ts";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { randomFlow } from "../../testing/random-flow.ts";
import { runRandomly, type RandomChange, type RandomRun } from "../../testing/random-run.ts";
import { createRandom } from "../../testing/random.ts";
import { hasOwnChange, type Batch } from "../store.ts";
import { bringRows, listDue, listInterrupted, listReady, loadRuns, nextDueAt } from "./reader.ts";

let place: PostgresPlace;

beforeAll(async () => {
  place = await createPostgresPlace({ durability: "fast" });
});

afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

function planOf(seed: number): Plan {
  const checked = validate(randomFlow(createRandom(seed), { maxSteps: 14 }));
  if (checked.plan === null) throw new Error(`flow ${seed} is not valid`);
  return checked.plan;
}

type Seen = { readonly batch: Partial<Batch>; readonly run: RandomRun };

/** Runs random flows and writes every decision; `compare` is called after many of them. */
async function writeRandomRuns(
  seeds: readonly [from: number, to: number],
  compare: (run: RandomRun) => Promise<void>,
): Promise<void> {
  for (let seed = seeds[0]; seed < seeds[1]; seed++) {
    await place.clear();
    const seen: Seen[] = [];
    runRandomly(planOf(seed), createRandom(seed), {
      run: 1000,
      messagesMax: 120,
      onChange: (run, change) => seen.push({ batch: batchOf(run, change), run: copyOf(run) }),
    });
    for (const [index, { batch, run }] of seen.entries()) {
      expect(await place.write(batch)).toMatchObject({ kind: "committed" });
      // The server is asked over a wire: every third time, and at the end.
      if (index % 3 === seed % 3 || index === seen.length - 1) await compare(run);
    }
  }
}

/** The run goes on before the database is asked. */
function copyOf(run: RandomRun): RandomRun {
  return structuredClone({ ...run });
}

function batchOf({ frontier, now, lastId }: RandomRun, { changes, before, rowsBefore }: RandomChange): Partial<Batch> {
  const { id, uid } = frontier.run;
  const isWritten = before === null || hasOwnChange(before, frontier.run);
  return {
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
  it("is what the kernel has kept of it, whatever has happened", async () => {
    let forks = 0;
    await writeRandomRuns([1, 12], async ({ frontier }) => {
      const [loaded] = await loadRuns(place.pool, [1000]);
      forks += Number(frontier.scopes.size > 1);
      expect(toComparable(loaded?.frontier)).toEqual(toComparable(frontier));
    });
    expect(forks).toBeGreaterThan(3);
  });

  it("is left out when it is not there", async () => {
    await place.clear();
    expect(await loadRuns(place.pool, [7])).toEqual([]);
    expect(await loadRuns(place.pool, [])).toEqual([]);
    expect(await bringRows(place.pool, 7, [{ kind: "ends" }, { kind: "row", row: 1 }])).toEqual([[], []]);
  });

  it("brings the old rows that a decision needs", async () => {
    await writeRandomRuns([120, 124], async ({ rows, messages }) => {
      if (messages % 5 > 0) return;
      const needs = needsOf(rows);
      expect(await bringRows(place.pool, 1000, needs)).toEqual(needs.map((need) => pickNeeded(need, rows)));
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

describe("many runs", () => {
  it("are loaded with as few statements as one, in the order in which they were asked for", async () => {
    await place.clear();
    const runs = Array.from({ length: 12 }, (_, index) => (index + 1) * 1000);
    for (const run of runs) {
      const batches: Partial<Batch>[] = [];
      runRandomly(planOf(run % 13), createRandom(run), {
        run,
        messagesMax: 30,
        onChange: (seen, change) => batches.push(batchOf(seen, change)),
      });
      for (const batch of batches) expect(await place.write(batch)).toMatchObject({ kind: "committed" });
    }
    let asked = 0;
    const counting = {
      ...place.pool,
      rows: (...given: Parameters<typeof place.pool.rows>) => {
        asked += 1;
        return place.pool.rows(...given);
      },
    };
    const order = runs.toReversed();
    const together = await loadRuns(counting, [...order, 999]);
    expect(asked).toBeLessThanOrEqual(6);
    expect(together.map(({ frontier }) => frontier.run.id)).toEqual(order);
    const alone = await Promise.all(order.map((run) => loadRuns(place.pool, [run])));
    expect(together).toEqual(alone.flat());
  });
});

describe("what is to be done", () => {
  it("is found by what the rows say", async () => {
    const met = { ready: 0, due: 0, interrupted: 0 };
    await writeRandomRuns([160, 168], async (run) => {
      const { now } = run;
      const ready = (await listReady(place.pool, 1000)).map(({ row }) => row);
      expect(ready.toSorted((one, other) => one - other)).toEqual(readyIn(run));
      const due = dueIn(run);
      for (const at of [now, now + 1000, now + 3_600_000]) {
        expect(await listDue(place.pool, at, 1000)).toEqual(due.some((one) => one <= at) ? [1000] : []);
        expect((await nextDueAt(place.pool, at)) ?? Infinity).toBe(Math.min(...due.filter((one) => one > at)));
      }
      const interrupted = (await listInterrupted(place.pool, "e1")).map(({ token }) => token);
      expect(interrupted.toSorted()).toEqual(interruptedIn(run, "e1"));
      met.ready += ready.length;
      met.due += due.length;
      met.interrupted += interrupted.length;
    });
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(10);
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
