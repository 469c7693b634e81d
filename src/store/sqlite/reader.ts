// What the owner reads back: the frontiers of runs, old rows that a decision needs, and what is to be done next. All of
// it by index, and never a row of the history more than is asked for: what the past has left behind is added up by
// SQLite itself.

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Json } from "../../flow/json.ts";
import type { Need } from "../../run/decision.ts";
import { hasEnded, type Row, type RowId, type RunId, type Signal, type VisitCount } from "../../run/model.ts";
import type { LoadedRun, RowPlace } from "../store.ts";
import { decodeValues, rowColumns } from "../columns/row.ts";
import { decodeRun, runColumns } from "../columns/run.ts";
import { gatherScopes, type Group } from "../columns/scopes.ts";

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Each text is prepared once for each connection. */
function prepare(database: DatabaseSync, text: string): StatementSync {
  let known = prepared.get(database);
  if (known === undefined) prepared.set(database, (known = new Map<string, StatementSync>()));
  let statement = known.get(text);
  if (statement === undefined) known.set(text, (statement = database.prepare(text)));
  return statement;
}

/** `text` selects `rowColumns`. */
function readRows(database: DatabaseSync, { text, values }: Query, uid: string): readonly Row[] {
  const statement = prepare(database, text);
  statement.setReturnArrays(true);
  return (statement.all(...values) as unknown as readonly SQLOutputValue[][]).map((row) => decodeValues(row, uid));
}

type Query = { readonly text: string; readonly values: readonly SQLInputValue[] };

export function loadRuns(database: DatabaseSync, runs: readonly RunId[]): readonly LoadedRun[] {
  return runs.flatMap((run) => loadRun(database, run) ?? []);
}

const runText = `select ${runColumns} from runs where id = ?`;
/** One pass over the run's rows; `id` is that of the row with the greatest finished_no. */
const groupsText = `select role, scope, step, status = 'cancelled' as is_cancelled, count(*) as rows,
    total(is_live) as live, max(finished_no) as finished_no, id
  from steps where run_id = ? group by role, scope, step, is_cancelled`;
const liveText = `select ${rowColumns} from steps where run_id = ? and is_live = 1 order by id`;
const visitsText = "select step, all_count, since_rest, rest from visits where run_id = ?";
const signalsText = "select id, name, value from signals where run_id = ? order by position";
/** Forks without a join end with the row that opened them. */
const joinedText = `select caused_by from steps where run_id = ?1 and via = 'join'
  union select id from steps where run_id = ?1 and (arrived_at is not null or ended is not null)`;

function loadRun(database: DatabaseSync, id: RunId): LoadedRun | undefined {
  const columns = prepare(database, runText).get(id);
  if (columns === undefined) return undefined;
  const groups = prepare(database, groupsText).all(id) as unknown as readonly Group[];
  const { run, flow } = decodeRun(columns, countRows(groups));
  const rows = loadLive(database, id, run.uid, run.live);
  const joined = run.ending === null ? null : loadJoined(database, id);
  const frontier = {
    run,
    rows,
    // Nobody looks back from a run that has ended.
    scopes: hasEnded(run) ? new Map() : gatherScopes(groups, rows, joined),
    visits: loadVisits(database, id, groups),
    signals: loadSignals(database, id),
  };
  return { flow, frontier };
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

function loadLive(database: DatabaseSync, run: RunId, uid: string, count: number): Map<RowId, Row> {
  const rows = new Map<RowId, Row>();
  if (count === 0) return rows;
  for (const row of readRows(database, { text: liveText, values: [run] }, uid)) rows.set(row.id, row);
  return rows;
}

/** Forks that have closed, and gone on to their joins if they have any. */
function loadJoined(database: DatabaseSync, run: RunId): ReadonlySet<RowId> {
  return new Set(
    prepare(database, joinedText)
      .all(run)
      .map((columns) => columns["caused_by"] as number),
  );
}

/** Of a step that was visited once only its row tells; since which rest is not known, and a count of one less is all
 *  that may come of it. */
function loadVisits(database: DatabaseSync, run: RunId, groups: readonly Group[]): Map<string, VisitCount> {
  const visits = new Map<string, VisitCount>();
  for (const { role, step } of groups) if (role === "step") visits.set(step, { all: 1, sinceRest: 1, rest: 0 });
  for (const columns of prepare(database, visitsText).all(run)) {
    visits.set(columns["step"] as string, {
      all: columns["all_count"] as number,
      sinceRest: columns["since_rest"] as number,
      rest: columns["rest"] as number,
    });
  }
  return visits;
}

function loadSignals(database: DatabaseSync, run: RunId): readonly Signal[] {
  return prepare(database, signalsText)
    .all(run)
    .map((columns) => ({
      id: columns["id"] as string,
      name: columns["name"] as string,
      data: JSON.parse(columns["value"] as string) as Json,
    }));
}

/** One list for each need, in their order. */
export function bringRows(database: DatabaseSync, run: RunId, needs: readonly Need[]): readonly (readonly Row[])[] {
  const found = prepare(database, "select uid from runs where id = ?").get(run);
  if (found === undefined) return needs.map(() => []);
  const uid = found["uid"] as string;
  return needs.map((need) => readRows(database, queryFor(run, need), uid));
}

const from = `select ${rowColumns} from steps`;

/** Exported for the test that looks at how SQLite carries it out. */
export function queryFor(run: RunId, need: Need): Query {
  switch (need.kind) {
    case "row":
      return { text: `${from} where id = ? and run_id = ?`, values: [need.row, run] };
    case "arrivals":
      return { text: `${from} where arrived_at = ? and run_id = ? order by id`, values: [need.fork, run] };
    case "items":
      return {
        text: `${from} where serves = ? and run_id = ? and role = 'item' and finished_no is not null order by id`,
        values: [need.each, run],
      };
    case "ends":
      return { text: `${from} where run_id = ? and ended is not null order by id`, values: [run] };
    case "undo":
      return {
        text: `${from} where run_id = ? and undo_no < ? order by undo_no desc limit 1`,
        values: [run, need.below ?? Number.MAX_SAFE_INTEGER],
      };
  }
}

/** From the small index outward, and said so: without figures SQLite likes to go through a whole table. Exported, as
 *  `queryFor` is, for the test that looks at how they are carried out. */
export const listTexts: {
  readonly [name in "ready" | "interrupted" | "due" | "nextDue" | "overdue" | "waiting"]: string;
} = {
  ready: `select steps.run_id, steps.id from steps indexed by steps_ready cross join runs on runs.id = steps.run_id
  where steps.status = 'ready' and runs.status = 'running' order by steps.ready_at, steps.id limit ?`,
  interrupted: `select run_id, id, coalesce(more ->> '$.token', id || '.' || epoch) as token from steps indexed by steps_running
  where epoch is not null and epoch <> ? and status = 'running' order by id`,
  /** A pause holds what is due of a run's rows, not what is due of the run itself. */
  due: `select run, min(due_at) as due_at from (
    select * from (select id as run, due_at from runs where due_at <= ?1 order by due_at limit ?2)
    union all
    select * from (
      select steps.run_id as run, steps.due_at as due_at
      from steps indexed by steps_due cross join runs on runs.id = steps.run_id
      where steps.due_at <= ?1 and runs.status = 'running' order by steps.due_at limit ?2
    )
  ) group by run order by 2, run limit ?2`,
  nextDue: `select min(due_at) as due_at from (
    select * from (select due_at from runs where due_at > ?1 order by due_at limit 1)
    union all
    select * from (
      select steps.due_at as due_at from steps indexed by steps_due cross join runs on runs.id = steps.run_id
      where steps.due_at > ?1 and runs.status = 'running' order by steps.due_at limit 1
    )
  )`,
  overdue: `select distinct steps.run_id as run
  from steps indexed by steps_running cross join runs on runs.id = steps.run_id
  where steps.epoch is not null and steps.timeout_at <= ? and runs.status = 'running'
  order by steps.timeout_at limit ?`,
  /** The name stands in the flow as it was written; a run that waits for another event of the same flow comes along, and
   *  takes nothing. */
  waiting: `select distinct steps.run_id as run
  from steps indexed by steps_waiting cross join runs on runs.id = steps.run_id
  where steps.waits is not null and runs.status in ('running', 'paused')
    and runs.flow in (select hash from flows where instr(source, ?) > 0)
  order by steps.run_id`,
};

export function listReady(database: DatabaseSync, limitMax: number): readonly RowPlace[] {
  return prepare(database, listTexts.ready)
    .all(limitMax)
    .map((columns) => ({ run: columns["run_id"] as number, row: columns["id"] as number }));
}

export function listInterrupted(
  database: DatabaseSync,
  epoch: string,
): readonly (RowPlace & { readonly token: string })[] {
  return prepare(database, listTexts.interrupted)
    .all(epoch)
    .map((columns) => ({
      run: columns["run_id"] as number,
      row: columns["id"] as number,
      token: columns["token"] as string,
    }));
}

export function listDue(database: DatabaseSync, now: number, limitMax: number): readonly RunId[] {
  return prepare(database, listTexts.due)
    .all(now, limitMax)
    .map((columns) => columns["run"] as number);
}

export function nextDueAt(database: DatabaseSync, after: number): number | undefined {
  return (prepare(database, listTexts.nextDue).get(after)?.["due_at"] as number | null) ?? undefined;
}

export function listOverdue(database: DatabaseSync, now: number, limitMax: number): readonly RunId[] {
  return prepare(database, listTexts.overdue)
    .all(now, limitMax)
    .map((columns) => columns["run"] as number);
}

export function listWaiting(database: DatabaseSync, event: string): readonly RunId[] {
  return prepare(database, listTexts.waiting)
    .all(JSON.stringify(event))
    .map((columns) => columns["run"] as number);
}
