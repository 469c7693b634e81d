// What people ask of a file and the engine does not: which ids begin with these digits, how far a run is. On a connection
// of its own that cannot write.

import { openReader } from "./connection.ts";

type StepCount = { readonly done: number; readonly all: number };

export interface Lookup extends Disposable {
  /** Ids that begin with these digits, of two at most. */
  readonly findIds: (kind: "run" | "step", digits: string) => readonly number[];
  /** The runs whose ids come before and after this one. */
  readonly findNeighbours: (run: number) => readonly number[];
  /** How many steps of a run are over, of those that it has entered. */
  readonly countSteps: (run: number) => StepCount;
}

/** Ids are no longer than this. */
const digitsMax = 16;

export function openLookup(path: string): Lookup {
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
  return {
    findIds: (kind, digits) => {
      const found = new Set<number>();
      for (let zeros = 0; zeros <= digitsMax - digits.length && found.size < 2; zeros += 1) {
        const first = Number(digits) * 10 ** zeros;
        for (const row of between[kind].all(first, first + 10 ** zeros - 1)) found.add(Number(row["id"]));
      }
      return [...found].slice(0, 2);
    },
    findNeighbours: (run) => {
      const found = around.get(run);
      return [found?.["before"], found?.["after"]].filter((id) => typeof id === "number");
    },
    countSteps: (run) => {
      const counted = steps.get(run);
      return { done: Number(counted?.["done"]), all: Number(counted?.["all_steps"]) };
    },
    [Symbol.dispose]: () => database.close(),
  };
}
