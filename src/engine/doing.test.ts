import { expect, test } from "vitest";
import { makeRun } from "../store/conformance/subject.ts";
import type { Standing } from "../store/brief.ts";
import { createWorld } from "../testing/engine.ts";
import type { FaultyStore } from "../testing/faulty-store.ts";
import { listDoings, sumSteps } from "./doing.ts";

const idle: Standing = { status: "running", hasAttention: false, isMachine: false, isWorking: false, rows: [] };

test("of many runs few are looked at at once, and others have their turn in between", async () => {
  const runs = Array.from({ length: 95 }, (_, at) => makeRun(at + 1));
  const asked: number[] = [];
  const seen: number[] = [];
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  // As a file does, it answers at once.
  const store = {
    countSteps: async (ids: readonly number[]) => new Map(ids.map((id) => [id, { done: id }])),
    listStandings: async ({ runs: ids }: { readonly runs: readonly number[] }) => {
      asked.push(ids.length);
      seen.push(turns);
      return new Map(ids.map((id) => [id, { ...idle, hasAttention: id === 95 }]));
    },
  };
  setImmediate(turn);
  const sums = await sumSteps(store, runs);
  expect([sums.size, sums.get(95), new Set(seen).size]).toEqual([
    95,
    { statuses: { done: 95 }, waits: {}, doing: "person" },
    10,
  ]);
  seen.length = 0;
  const doings = await listDoings(
    store,
    runs.map(({ id }) => id),
  );
  isOver = true;
  expect([doings.size, doings.get(1), doings.get(95), new Set(seen).size]).toEqual([95, "work", "person", 10]);
  expect(Math.max(...asked)).toBe(10);
});

test("steps are counted only of runs whose steps are told", async () => {
  await using world = createWorld("memory");
  const stores: FaultyStore[] = [];
  const { engine } = await world.open({ prepare: (store) => void stores.push(store) });
  for (let count = 0; count < 40; count++) await engine.start({ start: { gate: {}, done: true } });
  await world.settle();
  const countOf = (verb: string): number => stores.reduce((sum, { counts }) => sum + (counts.get(verb) ?? 0), 0);
  const overview = await engine.readsFor({ user: "ann", via: null, scopes: null }).overview({ hours: 1 });
  expect([overview.running.length, overview.hours[0]?.doing]).toEqual([10, { person: 40 }]);
  expect([countOf("countSteps"), countOf("listStandings")]).toEqual([1, 4]);
});
