import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "./open.ts";
import { openLookup } from "./lookup.ts";

let path = "";
const runs = [17, 1_774_093_092_891, 1_774_093_092_990, 1_774_094_000_000];

beforeAll(async () => {
  path = join(mkdtempSync(join(tmpdir(), "stepwell-")), "stepwell.db");
  await (await openSqlite(path)).close();
  using database = new DatabaseSync(path);
  const run = database.prepare(`insert into runs
    (id, uid, flow, name, status, version, updated_at, input, created_by, created_at, rest_count, ended_count)
    values (?, 'u', 'f', 'n', 'running', 1, 1, '{}', 'ada', 1, 0, 0)`);
  for (const id of runs) run.run(id);
  const step = database.prepare(`insert into steps
    (id, run_id, step, role, status, version, updated_at, visit, attempt, scope, via, created_at, is_live)
    values (?, 17, ?, ?, ?, 1, 1, 1, ?, '', 'next', 1, ?)`);
  step.run(18, "a", "step", "failed", 1, 0);
  step.run(19, "a", "step", "done", 2, 0);
  step.run(20, "b", "step", "running", 1, 1);
  step.run(21, "b", "item", "done", 1, 0);
});

afterAll(() => rmSync(join(path, ".."), { recursive: true }));

describe("a look at the ids of a file", () => {
  test.each([
    ["17", [17, 1_774_093_092_891]],
    ["1774093", [1_774_093_092_891, 1_774_093_092_990]],
    ["1774094", [1_774_094_000_000]],
    ["1774093092990", [1_774_093_092_990]],
    ["18", []],
  ])("runs that begin with %s, two at most", async (digits, ids) => {
    await using lookup = await openLookup(path);
    expect(await lookup.findIds("run", digits)).toEqual(ids);
  });

  test("steps are another list, and a run has neighbours", async () => {
    await using lookup = await openLookup(path);
    expect(await lookup.findIds("step", "2")).toEqual([20, 21]);
    const neighbours = await lookup.findNeighbours([1_774_093_092_891, 17]);
    expect([...neighbours]).toEqual([
      [1_774_093_092_891, [17, 1_774_093_092_990]],
      [17, [1_774_093_092_891]],
    ]);
  });

  test("steps are counted once, however often they were tried", async () => {
    await using lookup = await openLookup(path);
    const counts = await lookup.countSteps([17, 1]);
    expect([counts.get(17), counts.get(1)]).toEqual([
      { done: 1, all: 2 },
      { done: 0, all: 0 },
    ]);
  });

  test("ended runs are counted, without those that belong to others", async () => {
    using database = new DatabaseSync(path);
    database.exec("update runs set status = 'completed', completed_at = 5 where id <> 17");
    database.exec("update runs set parent_run = 17 where id = 1774094000000");
    await using lookup = await openLookup(path);
    expect([await lookup.countEnded(5), await lookup.countEnded(6)]).toEqual([0, 2]);
  });
});
