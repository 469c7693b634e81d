// What the owner reads back: the frontiers of runs, old rows that a decision needs, and what is to be done next. All of
// it by index, many runs with as few statements as one, and never a row of the history more than is asked for: what the
// past has left behind is added up by the server. Nothing is kept here: what is brought twice is read twice.

import type { Json } from "../../flow/json.ts";
import type { Need } from "../../run/decision.ts";
import { hasEnded, type Row, type RowId, type RunId, type Signal, type VisitCount } from "../../run/model.ts";
import { decodeValues, rowColumns, storedColumns, type StoredValue } from "../columns/row.ts";
import { runColumns } from "../columns/run.ts";
import { gatherScopes, type Group } from "../columns/scopes.ts";
import type { LoadedRun, RowPlace } from "../store.ts";
import type { Pool } from "./connection.ts";
import { toRunOf, uidOfRun } from "./queries.ts";
import type { Bound } from "./session.ts";

type Values = readonly StoredValue[];
type Query = { readonly name: string; readonly text: string; readonly values: readonly Bound[] };

const rowWidth = storedColumns.length;

/** Those that are loaded together are read by the same few statements. Exported for the test that looks at how they are
 *  carried out. */
export const loadTexts: {
  readonly [name in "runs" | "groups" | "live" | "visits" | "signals" | "joined"]: string;
} = {
  runs: `select ${runColumns} from runs where id = any($1)`,
  /** One pass over the rows; the id is that of the row with the greatest finished_no. */
  groups: `select run_id, role, scope, step, (status = 'cancelled')::int, count(*), sum(is_live), max(finished_no),
      (array_agg(id order by finished_no desc nulls last))[1]
    from steps where run_id = any($1) group by run_id, role, scope, step, status = 'cancelled'`,
  live: `select ${rowColumns}, ${uidOfRun} from steps
    where steps.run_id = any($1) and steps.is_live = 1 order by steps.id + 0`,
  visits: "select run_id, step, all_count, since_rest, rest from visits where run_id = any($1)",
  signals: "select run_id, id, name, value from signals where run_id = any($1) order by run_id, position",
  /** Forks without a join end with the row that opened them. */
  joined: `select run_id, caused_by from steps where run_id = any($1) and via = 'join'
    union select run_id, id from steps where run_id = any($1) and coalesce(arrived_at, ended) is not null`,
};

/** In the order in which they were asked for; a run that is not there is left out. */
export async function loadRuns(pool: Pool, runs: readonly RunId[]): Promise<readonly LoadedRun[]> {
  if (runs.length === 0) return [];
  const read = (name: keyof typeof loadTexts, ids: readonly RunId[]): Promise<readonly Values[]> =>
    pool.rows(`load_${name}`, loadTexts[name], [ids]);
  const [own, groups, live, visits, signals] = await Promise.all([
    read("runs", runs),
    read("groups", runs),
    read("live", runs),
    read("visits", runs),
    read("signals", runs),
  ]);
  const parts = {
    groups: byRun(groups, runAt.first, toGroup),
    live: byRun(live, runAt.row, toRow),
    visits: byRun(visits, runAt.first, toVisit),
    signals: byRun(signals, runAt.first, toSignal),
  };
  const found = new Map(own.map((values) => [Number(values[0]), toLoading(values, parts)]));
  const ending = [...found.values()].filter(({ run }) => run.ending !== null).map(({ run }) => run.id);
  const joined = byRun(ending.length === 0 ? [] : await read("joined", ending), runAt.first, ([, id]) => Number(id));
  return runs.flatMap((run) => {
    const loading = found.get(run);
    return loading === undefined ? [] : [toLoaded(loading, parts, joined.get(run) ?? [])];
  });
}

/** Where the run's id stands. */
const runAt = { first: 0, row: storedColumns.indexOf("run_id") } as const;

type Parts = {
  readonly groups: ReadonlyMap<RunId, readonly Group[]>;
  readonly live: ReadonlyMap<RunId, readonly Row[]>;
  readonly visits: ReadonlyMap<RunId, readonly (readonly [step: string, count: VisitCount])[]>;
  readonly signals: ReadonlyMap<RunId, readonly Signal[]>;
};

function byRun<T>(rows: readonly Values[], at: number, read: (values: Values) => T): ReadonlyMap<RunId, readonly T[]> {
  const lists = new Map<RunId, T[]>();
  for (const values of rows) {
    const run = Number(values[at]);
    const list = lists.get(run);
    if (list === undefined) lists.set(run, [read(values)]);
    else list.push(read(values));
  }
  return lists;
}

function toGroup([, role, scope, step, isCancelled, rows, live, finishedNo, id]: Values): Group {
  return {
    role: role as Group["role"],
    scope: scope as string,
    step: step as string,
    is_cancelled: isCancelled as number,
    rows: rows as number,
    live: live as number,
    finished_no: finishedNo as number | null,
    id: id as number,
  };
}

function toRow(values: Values): Row {
  return decodeValues(values, String(values[rowWidth]));
}

function toVisit([, step, all, sinceRest, rest]: Values): readonly [step: string, count: VisitCount] {
  return [step as string, { all: all as number, sinceRest: sinceRest as number, rest: rest as number }];
}

function toSignal([, id, name, value]: Values): Signal {
  return { id: id as string, name: name as string, data: JSON.parse(value as string) as Json };
}

function toLoading(values: Values, { groups }: Parts): ReturnType<typeof toRunOf> {
  return toRunOf(values, countRows(groups.get(Number(values[0])) ?? []));
}

function countRows(groups: readonly Group[]): {
  readonly live: number;
  readonly rowCount: number;
  readonly finishedCount: number;
} {
  let [live, rowCount, finishedCount] = [0, 0, 0];
  for (const group of groups) {
    live += group.live;
    rowCount += group.rows;
    finishedCount = Math.max(finishedCount, group.finished_no ?? 0);
  }
  return { live, rowCount, finishedCount };
}

function toLoaded(
  { run, flow }: ReturnType<typeof toRunOf>,
  { groups, live, visits, signals }: Parts,
  joined: readonly RowId[],
): LoadedRun {
  const rows = new Map((live.get(run.id) ?? []).map((row) => [row.id, row]));
  const own = groups.get(run.id) ?? [];
  const closed = run.ending === null ? null : new Set(joined);
  const frontier = {
    run,
    rows,
    // Nobody looks back from a run that has ended.
    scopes: hasEnded(run) ? new Map() : gatherScopes(own, rows, closed),
    visits: new Map([...firstVisits(own), ...(visits.get(run.id) ?? [])]),
    signals: signals.get(run.id) ?? [],
  };
  return { flow, frontier };
}

/** Of a step that was visited once only its row tells; since which rest is not known, and a count of one less is all
 *  that may come of it. */
function firstVisits(groups: readonly Group[]): readonly (readonly [step: string, count: VisitCount])[] {
  return groups.filter(({ role }) => role === "step").map(({ step }) => [step, { all: 1, sinceRest: 1, rest: 0 }]);
}

/** One list for each need, in their order; single rows are read together. */
export async function bringRows(pool: Pool, run: RunId, needs: readonly Need[]): Promise<readonly (readonly Row[])[]> {
  const ids = needs.flatMap((need) => (need.kind === "row" ? [need.row] : []));
  const single = ids.length === 0 ? Promise.resolve([]) : readRows(pool, { ...bring("rows"), values: [run, ids] });
  const lists = needs.map((need) => (need.kind === "row" ? single : readRows(pool, queryFor(run, need))));
  const found = await Promise.all(lists);
  return needs.map((need, at) => {
    const rows = found[at] ?? [];
    return need.kind === "row" ? rows.filter(({ id }) => id === need.row) : rows;
  });
}

async function readRows(pool: Pool, { name, text, values }: Query): Promise<readonly Row[]> {
  return (await pool.rows(name, text, values)).map(toRow);
}

const from = `select ${rowColumns}, ${uidOfRun} from steps where`;
/** Keeps the index of the run's rows out: there is a better one. */
const ofRun = "steps.run_id + 0 = $1";

/** Exported, as `loadTexts` is. */
export const bringTexts: { readonly [name in "rows" | "arrivals" | "items" | "ends" | "undo"]: string } = {
  rows: `${from} ${ofRun} and steps.id = any($2)`,
  arrivals: `${from} ${ofRun} and steps.arrived_at = $2 order by steps.id + 0`,
  items: `${from} ${ofRun} and steps.serves = $2 and steps.role = 'item' and steps.finished_no is not null
    order by steps.id + 0`,
  ends: `${from} steps.run_id = $1 and steps.ended is not null order by steps.id + 0`,
  undo: `${from} steps.run_id = $1 and steps.undo_no < $2 order by steps.undo_no desc limit 1`,
};

function bring(name: keyof typeof bringTexts): { readonly name: string; readonly text: string } {
  return { name: `bring_${name}`, text: bringTexts[name] };
}

function queryFor(run: RunId, need: Exclude<Need, { readonly kind: "row" }>): Query {
  switch (need.kind) {
    case "arrivals":
      return { ...bring("arrivals"), values: [run, need.fork] };
    case "items":
      return { ...bring("items"), values: [run, need.each] };
    case "ends":
      return { ...bring("ends"), values: [run] };
    case "undo":
      return { ...bring("undo"), values: [run, need.below ?? undoMax] };
  }
}

/** The column is no wider. */
const undoMax = 2 ** 31 - 1;

/** From the small index outward: what a run's status has to say is asked for each row by itself, so that no plan begins
 *  with the runs. Exported, as `loadTexts` is. */
export const listTexts: {
  readonly [name in "ready" | "interrupted" | "due" | "nextDue" | "overdue" | "waiting"]: string;
} = {
  ready: `select run_id, id from steps
    where queued_at is not null and (select status from runs where runs.id = steps.run_id) = 'running'
    order by queued_at, id limit $1`,
  /** Calls under way have no index, so that their end touches none: they are looked for in the runs that can have any. */
  interrupted: `select live.run_id, live.id, live.epoch, live.more
    from (select id from runs where status in ('running', 'paused') and status <> 'completed') as alive
      cross join lateral (
        select run_id, id, epoch, more from steps
        where run_id = alive.id and epoch is not null and epoch <> $1 and status = 'running' offset 0
      ) as live
    order by live.id`,
  /** A pause holds what is due of a run's rows, not what is due of the run itself. */
  due: `select run, min(due_at) from (
      (select id as run, due_at from runs where due_at <= $1 order by due_at limit $2)
      union all
      (select run_id, due_at from steps
        where due_at <= $1 and (select status from runs where runs.id = steps.run_id) = 'running'
        order by due_at limit $2)
    ) as due group by run order by 2, run limit $2`,
  nextDue: `select min(due_at) from (
      (select due_at from runs where due_at > $1 order by due_at limit 1)
      union all
      (select due_at from steps
        where due_at > $1 and (select status from runs where runs.id = steps.run_id) = 'running'
        order by due_at limit 1)
    ) as due`,
  /** Of so many runs from one on; the last column says how far it came. */
  overdue: `select late.run_id, alive.id
    from (
      select id from runs where status = 'running' and status <> 'completed' and id > $2 order by id limit $3
    ) as alive
      left join lateral (
        select run_id from steps
        where run_id = alive.id and epoch is not null and timeout_at <= $1 limit 1
      ) as late on true
    order by alive.id`,
  /** The name stands in the flow as it was written; a run that waits for another event of the same flow comes along, and
   *  takes nothing. */
  waiting: `select distinct run_id from steps
    where waits is not null and exists (
      select from runs where runs.id = steps.run_id and runs.status in ('running', 'paused')
        and runs.flow = any (array(select hash from flows where strpos(source, $1) > 0)) offset 0
    ) order by run_id`,
};

export async function listReady(pool: Pool, limitMax: number): Promise<readonly RowPlace[]> {
  const found = await pool.rows("list_ready", listTexts.ready, [limitMax]);
  return found.map(([run, row]) => ({ run: Number(run), row: Number(row) }));
}

export async function listInterrupted(
  pool: Pool,
  epoch: string,
): Promise<readonly (RowPlace & { readonly token: string })[]> {
  const found = await pool.rows("list_interrupted", listTexts.interrupted, [epoch]);
  return found.map(([run, row, its, more]) => ({
    run: Number(run),
    row: Number(row),
    token:
      its === "" ? (JSON.parse(String(more)) as { readonly token: string }).token : `${Number(row)}.${String(its)}`,
  }));
}

export async function listDue(pool: Pool, now: number, limitMax: number): Promise<readonly RunId[]> {
  return (await pool.rows("list_due", listTexts.due, [now, limitMax])).map(([run]) => Number(run));
}

export async function nextDueAt(pool: Pool, after: number): Promise<number | undefined> {
  const [[at] = []] = await pool.rows("next_due", listTexts.nextDue, [after]);
  return typeof at === "number" ? at : undefined;
}

/** So many running runs are looked at in one go, from where the last look ended. */
const lookedAtMax = 20_000;
const lookedAt = new WeakMap<Pool, RunId>();

/** Of the next runs in turn: whoever has more of them than one look takes finds a call that hangs a look later. */
export async function listOverdue(pool: Pool, now: number, limitMax: number): Promise<readonly RunId[]> {
  const after = lookedAt.get(pool) ?? 0;
  const found = await pool.rows("list_overdue", listTexts.overdue, [now, after, lookedAtMax]);
  const late = found.flatMap(([run]) => (run === null ? [] : [Number(run)])).slice(0, limitMax);
  const isAtEnd = found.length < lookedAtMax;
  const last = late.length === limitMax ? late.at(-1) : isAtEnd ? 0 : Number(found.at(-1)?.[1]);
  lookedAt.set(pool, last ?? 0);
  return late;
}

export async function listWaiting(pool: Pool, event: string): Promise<readonly RunId[]> {
  return (await pool.rows("list_waiting", listTexts.waiting, [JSON.stringify(event)])).map(([run]) => Number(run));
}
