import { expect, test } from "vitest";
import { createPostgresPlace } from "../../testing/postgres-place.ts";
import type { PruneQuery } from "../store.ts";
import { createPruner } from "./prune.ts";

test("of very many ended runs so many stay as were asked for, and those of the same instant are told apart", async () => {
  await using place = await createPostgresPlace({ durability: "fast" });
  const add = async (from: number, to: number): Promise<void> => {
    await place.session.run(`
      insert into runs (id, uid, flow, name, status, version, updated_at, input, created_by, created_at, completed_at,
        rest_count, ended_count, partition)
      select no, 'u', 'f', 'n', 'completed', 1, 1, '{}', 'ann', 1, no / 7, 0, 0, 0 from generate_series(${from}, ${to}) as no`);
  };
  await add(1, 11_000);
  const pruner = createPruner(place.pool);
  const prune = async (query: PruneQuery): Promise<readonly number[]> => (await pruner(query)).runs;
  const query = { endedBefore: null, keepMax: 10_995, rowsMax: 100 };
  expect(await prune(query)).toEqual([1, 2, 3, 4, 5]);
  // What it remembers may be a moment old: never does more go than may.
  await add(11_001, 11_010);
  expect([5, 15]).toContain((await prune(query)).length);
  expect(await prune({ ...query, keepMax: 11_000 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await prune({ ...query, keepMax: 10_000, rowsMax: 1e6 })).toHaveLength(1010);
  expect(await prune({ ...query, keepMax: 11_010 })).toEqual([]);
});
