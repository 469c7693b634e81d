import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { openLookup } from "./lookup.ts";

let place: PostgresPlace;
const runs = [17, 1_774_093_092_891, 1_774_093_092_990, 1_774_094_000_000];

beforeAll(async () => {
  place = await createPostgresPlace({ durability: "fast" });
  await place.session.query(
    `insert into runs (id, uid, flow, name, status, version, updated_at, input, created_by, created_at, rest_count,
        ended_count, partition)
      select id, 'u', 'f', 'n', 'running', 1, 1, '{}', 'ada', 1, 0, 0, 0 from unnest($1::bigint[]) as id`,
    [runs],
  );
  await place.session.run(`insert into steps
      (id, run_id, step, role, status, attempt, is_live, version, updated_at, visit, scope, via, created_at)
    select id, 17, step, role, status, attempt, is_live, 1, 1, 1, '', 'next', 1
    from (values (18, 'a', 'step', 'failed', 1, 0), (19, 'a', 'step', 'done', 2, 0),
      (20, 'b', 'step', 'running', 1, 1), (21, 'b', 'item', 'done', 1, 0))
      as rows (id, step, role, status, attempt, is_live)`);
});

afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

describe("a look at the ids on a server", () => {
  test.each([
    ["17", [17, 1_774_093_092_891]],
    ["1774093", [1_774_093_092_891, 1_774_093_092_990]],
    ["1774094", [1_774_094_000_000]],
    ["1774093092990", [1_774_093_092_990]],
    ["18", []],
  ])("runs that begin with %s, two at most", async (digits, ids) => {
    await using lookup = await openLookup(place.url);
    expect(await lookup.findIds("run", digits)).toEqual(ids);
  });

  test("steps are another list, and a run has neighbours", async () => {
    await using lookup = await openLookup(place.url);
    expect(await lookup.findIds("step", "2")).toEqual([20, 21]);
    expect([...(await lookup.findNeighbours([1_774_093_092_891, 17]))]).toEqual([
      [1_774_093_092_891, [17, 1_774_093_092_990]],
      [17, [1_774_093_092_891]],
    ]);
  });

  test("steps are counted once, however often they were tried", async () => {
    await using lookup = await openLookup(place.url);
    const counts = await lookup.countSteps([17, 1]);
    expect([counts.get(17), counts.get(1)]).toEqual([
      { done: 1, all: 2 },
      { done: 0, all: 0 },
    ]);
  });

  test("ended runs are counted, without those that belong to others", async () => {
    await place.session.run("update runs set status = 'completed', completed_at = 5 where id <> 17");
    await place.session.run("update runs set parent_run = 17 where id = 1774094000000");
    await using lookup = await openLookup(place.url);
    expect([await lookup.countEnded(5), await lookup.countEnded(6)]).toEqual([0, 2]);
  });
});
