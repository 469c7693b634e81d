// The lookup of a schema on a server: through a small pool of its own.

import { rangesOf, type Lookup, type StepCount } from "../lookup.ts";
import { createPool, openSettings } from "./connection.ts";

const betweenText = (table: "runs" | "steps"): string => `select found.id
  from unnest($1::bigint[], $2::bigint[]) as range (first, last)
    cross join lateral (select id from ${table} where id between range.first and range.last limit 2) as found limit 2`;

/** Each in the order in which they were asked for. */
const aroundText = `select (select max(id) from runs where id < asked.id), (select min(id) from runs where id > asked.id)
  from unnest($1::bigint[]) with ordinality as asked (id, place) order by place`;

const stepsText = `select counted.*
  from unnest($1::bigint[]) with ordinality as asked (id, place)
    cross join lateral (
      select count(distinct step) filter (where status in ('done', 'skipped') and is_live = 0), count(distinct step)
      from steps where run_id = asked.id and role = 'step'
    ) as counted
  order by place`;

const endedText =
  "select count(*) from runs where completed_at is not null and completed_at < $1 and parent_run is null";

export async function openLookup(address: string): Promise<Lookup> {
  const pool = createPool(openSettings(address));
  return {
    findIds: async (kind, digits) => {
      const ranges = rangesOf(digits);
      const given = [ranges.map(([first]) => first), ranges.map(([, last]) => last)];
      const found = await pool.rows(`between_${kind}`, betweenText(kind === "run" ? "runs" : "steps"), given);
      return found.map(([id]) => Number(id));
    },
    findNeighbours: async (runs) => {
      const found = await pool.rows("around", aroundText, [runs]);
      return new Map(runs.map((run, at) => [run, (found[at] ?? []).filter((id) => typeof id === "number")]));
    },
    countSteps: async (runs) => {
      const found = await pool.rows("step_counts", stepsText, [runs]);
      return new Map(runs.map((run, at) => [run, toCount(found[at] ?? [])]));
    },
    countEnded: async (before) => Number((await pool.rows("ended", endedText, [before]))[0]?.[0]),
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

function toCount([done, all]: readonly unknown[]): StepCount {
  return { done: Number(done), all: Number(all) };
}
