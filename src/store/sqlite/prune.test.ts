import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { listMigrations, migrate } from "./migrate.ts";
import type { PrunePlace, PruneQuery } from "../store.ts";
import { createPruner } from "./prune.ts";

test("of very many ended runs so many stay as were asked for, and those of the same instant are told apart", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, { path: ":memory:", migrations: listMigrations(), now: 1 });
  const add = (from: number, to: number): void =>
    database.exec(`
      with recursive numbers (n) as (values (${from}) union all select n + 1 from numbers where n < ${to})
      insert into runs (id, uid, flow, name, status, version, updated_at, input, created_by, created_at, completed_at,
        rest_count, ended_count)
      select n, 'u', 'f', 'n', 'completed', 1, 1, '{}', 'ann', 1, n / 7, 0, 0 from numbers`);
  add(1, 30_000);
  const pruner = createPruner(database);
  const prune = (query: PruneQuery): readonly number[] => pruner(query).runs;
  const query = { endedBefore: null, keepMax: 29_995, rowsMax: 100 };
  expect(prune(query)).toEqual([1, 2, 3, 4, 5]);
  // What it remembers may be a moment old: never does more go than may.
  add(30_001, 30_010);
  expect([5, 15]).toContain(prune(query).length);
  expect(prune({ ...query, keepMax: 30_000 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(prune({ ...query, keepMax: 10_000, rowsMax: 1e6 })).toHaveLength(20_010);
  expect(prune({ ...query, keepMax: 30_010 })).toEqual([]);
  database.close();
});

test("whoever looks for a name passes by no more than so many others at once, and goes on behind them", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, { path: ":memory:", migrations: listMigrations(), now: 1 });
  database.exec(`
    with recursive numbers (n) as (values (1) union all select n + 1 from numbers where n < 50000)
    insert into runs (id, uid, flow, name, status, version, updated_at, input, created_by, created_at, completed_at,
      rest_count, ended_count)
    select n, 'u', 'f', iif(n % 20000 = 7, 'rare', 'n'), 'completed', 1, 1, '{}', 'ann', 1, n / 7, 0, 0 from numbers`);
  const prune = createPruner(database);
  const found: number[][] = [];
  for (let after: PrunePlace | null = { at: -1, id: -1 }; after !== null;) {
    const { runs, next } = prune({ endedBefore: null, keepMax: null, rowsMax: 100, name: "rare", after });
    found.push([...runs]);
    after = next;
  }
  // Never more than four thousand at once.
  expect(found).toHaveLength(13);
  expect(found.flat()).toEqual([7, 20_007, 40_007]);
  database.close();
});
