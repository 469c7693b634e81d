// The lookup of a file: on a connection of its own that cannot write.

import { rangesOf, type Lookup, type StepCount } from "../lookup.ts";
import { openReader } from "./connection.ts";

export async function openLookup(path: string): Promise<Lookup> {
  const database = openReader(path);
  const between = {
    run: database.prepare("select id from runs where id between ? and ? limit 2"),
    step: database.prepare("select id from steps where id between ? and ? limit 2"),
  };
  const around = database.prepare(`
    select (select max(id) from runs where id < ?1) as before, (select min(id) from runs where id > ?1) as after`);
  const steps = database.prepare(`
    select count(distinct step) as all_steps,
      count(distinct case when status in ('done', 'skipped') and is_live = 0 then step end) as done
    from steps where run_id = ? and role = 'step'`);
  const ended = database.prepare("select count(*) as runs from runs where completed_at < ? and parent_run is null");
  const findNeighbours = (run: number): readonly number[] => {
    const found = around.get(run);
    return [found?.["before"], found?.["after"]].filter((id) => typeof id === "number");
  };
  const countSteps = (run: number): StepCount => {
    const counted = steps.get(run);
    return { done: Number(counted?.["done"]), all: Number(counted?.["all_steps"]) };
  };
  return {
    findIds: async (kind, digits) => {
      const found = new Set<number>();
      for (const [first, last] of rangesOf(digits)) {
        if (found.size < 2) for (const row of between[kind].all(first, last)) found.add(Number(row["id"]));
      }
      return [...found].slice(0, 2);
    },
    findNeighbours: async (runs) => new Map(runs.map((run) => [run, findNeighbours(run)])),
    countSteps: async (runs) => new Map(runs.map((run) => [run, countSteps(run)])),
    countEnded: async (before) => Number(ended.get(before)?.["runs"]),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
