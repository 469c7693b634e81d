// The statements that read rows without what may be large in them, and what makes of their answers what is asked for. The
// same words mean the same to both databases; only their parameters are written differently.

import type { Json } from "../../flow/json.ts";
import type { RowId, RowStatus, RunId, RunStatus } from "../../run/model.ts";
import type { Brief, ChildHead, Moment, ShortRow, Standing, StatusCounts } from "../brief.ts";
import { decodeValues, storedColumns, type StoredValue } from "./row.ts";

const uid = "(select uid from runs where runs.id = steps.run_id)";

/** The columns of a row, its two texts as they are told; then their lengths, and the uid of the run. */
function columnsWith(textOf: (column: "args" | "result") => string): string {
  const columns = storedColumns.map((column) => `${isText(column) ? textOf(column) : `steps.${column}`} as ${column}`);
  return [...columns, bytesOf("args"), bytesOf("result"), `${uid} as uid`].join(", ");
}

/** Both texts are left out. */
export const briefColumns: string = columnsWith(() => "null");
/** A text that stands out of the row is left out. */
export const shortColumns: string = columnsWith((column) => `nullif(steps.${column}, '')`);

function isText(column: string): column is "args" | "result" {
  return column === "args" || column === "result";
}

function bytesOf(column: "args" | "result"): string {
  const blob = `select octet_length(body) from blobs where step_id = steps.id and column_name = '${column}'`;
  return `case when steps.${column} = '' then (${blob}) else octet_length(steps.${column}) end as ${column}_bytes`;
}

/** Each by itself: a server might go through all events to join them. */
function eventIn(value: string): string {
  return `case when ranked_page.phase = 2 then (select ${value} from events where events.no = ranked_page.no) end`;
}

type BriefText = "briefs" | "arrivals" | "newest" | "itemCounts" | "children" | "moments";

/** Of tries of the same, the newest counts. `+ 0` keeps the order by another index out. */
export const briefTexts: { readonly [name in BriefText]: string } = {
  briefs: `select ${briefColumns} from steps
    where steps.run_id = $1 and steps.role <> 'items' and steps.role <> 'item' order by steps.id + 0 desc limit $2`,
  arrivals: `select ${briefColumns} from steps
    where steps.run_id + 0 = $1 and steps.arrived_at = $2 order by steps.id + 0`,
  newest: `select id from steps where run_id = $1 and step = $2 and status = 'done' and role = 'step'
    order by id + 0 desc limit 1`,
  itemCounts: `select serves, status, count(*) from (
      select serves, status, row_number() over (partition by serves, item order by id desc) as tries
      from steps where run_id = $1 and role = 'item'
    ) as ranked where tries = 1 group by serves, status`,
  children: `select id, uid, name, status, more from runs where parent_run = $1 order by id + 0 desc limit $2`,
  // Of one instant, in the order in which rows led to each other; what is said of the whole run comes first.
  moments: `select ranked_page.at, ranked_page.place, ranked_page.phase, ${eventIn("kind")}, ${eventIn("by")},
      ${eventIn("case when octet_length(value) > $4 then null else value end")}, ${eventIn("octet_length(value)")}
    from (
      select at, place, phase, no from (
        select created_at as at, id as place, 0 as phase, 0 as no from steps where run_id = $1
        union all select started_at, id, 1, 0 from steps where run_id = $1 and started_at is not null
        union all select at, coalesce(step_id, 0), 2, no from events where run_id = $1
        union all select completed_at, id, 3, 0 from steps where run_id = $1 and completed_at is not null
      ) as ranked order by at, place, phase, no limit $3 offset $2
    ) as ranked_page order by ranked_page.at, ranked_page.place, ranked_page.phase, ranked_page.no`,
};

type WaitWords = { readonly hasStates: boolean; readonly columns?: string };

const isHeld = `steps.more like '%"isHeld":true%'`;

/** Of one run, by the word for its id: more of its live rows may be there, but none of them can wait for a person. */
export function waitsText(run: string, { hasStates, columns = briefColumns }: WaitWords): string {
  return `select ${columns} from steps where steps.run_id = ${run} and steps.is_live = 1 and steps.id > $2 and (
      steps.role = 'probe' or steps.status = 'uncertain' or ${isHeld}
      or steps.status = 'pending' and (${hasStates ? "steps.role = 'step' or " : ""}steps.more like '%"gate":{%')
    ) order by steps.id + 0 limit $3`;
}

/** Of live rows: a call is under way or next; it calls nothing; and which of the latter come first. A probe does: what it
 *  finds out about needs nobody meanwhile. */
export const standingTexts: { readonly [name in "isCall" | "isQuiet" | "rank"]: string } = {
  isCall: "(steps.status = 'ready' or steps.status = 'running' and steps.epoch is not null)",
  isQuiet: `(steps.role = 'probe' or steps.status = 'uncertain' or steps.status = 'pending' or ${isHeld}
    or steps.status = 'running' and steps.epoch is null)`,
  rank: `case
      when steps.role = 'probe' then 0
      when steps.status = 'uncertain' or ${isHeld} or steps.more like '%"gate":{%' then 1
      when steps.role = 'step' then 2 else 3
    end`,
};

/** What is told of a run itself; `more` is what few runs have, as JSON. */
export function standingColumns(more: string): string {
  const hasKey = (key: string): string => `case when ${more} -> '${key}' is null then 0 else 1 end`;
  return `runs.id, runs.status, ${hasKey("attention")}, ${hasKey("data")}`;
}

/** `among`: that an id is one of those which a query gives, in the words of the database; a server takes a list, since it
 *  might go through all rows otherwise. */
export function itemsText(among: (query: string) => string): string {
  const ids = `select id from (
      select id, item, status, row_number() over (partition by item order by id desc) as tries
      from steps where serves = $2 and run_id + 0 = $1 and role = 'item'
    ) as ranked
    where tries = 1 and item > $3 and (cast($4 as text) is null or status = cast($4 as text))
    order by item limit $5`;
  return `select ${briefColumns} from steps where steps.id ${among(ids)} order by steps.item`;
}

export function toBrief(values: readonly StoredValue[]): Brief {
  const { args: _args, result: _result, ended: _ended, ...row } = decodeValues(values, uidIn(values));
  return { row, ...toLengths(values, _ended) };
}

/** undefined: there is none. */
export function toNewest([found]: readonly (readonly StoredValue[])[]): RowId | undefined {
  return found === undefined ? undefined : Number(found[0]);
}

export function toShortRow(values: readonly StoredValue[]): ShortRow {
  const row = decodeValues(values, uidIn(values));
  return { run: runIn(values), uid: uidIn(values), row, ...toLengths(values, row.ended) };
}

/** By run, in the order in which they come. */
export function toWaits(found: readonly (readonly StoredValue[])[]): ReadonlyMap<RunId, readonly Brief[]> {
  const byRun = Map.groupBy(found, runIn);
  return new Map([...byRun].map(([run, rows]) => [run, rows.map(toBrief)]));
}

export function toStandings(
  found: readonly (readonly StoredValue[])[],
  rows: ReadonlyMap<RunId, readonly Brief[]>,
): ReadonlyMap<RunId, Standing> {
  return new Map(
    found.map(([id, status, attention, machine, call]) => [
      Number(id),
      {
        status: status as RunStatus,
        hasAttention: Number(attention) === 1,
        isMachine: Number(machine) === 1,
        isWorking: call !== null,
        rows: (rows.get(Number(id)) ?? []).map(({ row }) => row),
      },
    ]),
  );
}

const width = storedColumns.length;
const [runPlace, endedPlace] = [storedColumns.indexOf("run_id"), storedColumns.indexOf("ended")];

function runIn(values: readonly StoredValue[]): RunId {
  return Number(values[runPlace]);
}

function uidIn(values: readonly StoredValue[]): string {
  return String(values[width + 2]);
}

function toLengths(
  values: readonly StoredValue[],
  ended: { readonly output: Json } | null,
): Pick<Brief, "argsBytes" | "resultBytes" | "lastBytes"> {
  const resultBytes = toNumber(values[width + 1]);
  // 2: it gave something else than its result, which stands in the row.
  const output = values[endedPlace] === 2 ? (ended?.output ?? null) : null;
  const outputBytes = output === null ? 0 : Buffer.byteLength(JSON.stringify(output));
  const lastBytes = values[endedPlace] === 2 ? outputBytes : (resultBytes ?? 0);
  return { argsBytes: toNumber(values[width]), resultBytes, lastBytes };
}

function toNumber(value: StoredValue): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** From rows of: whose, status, how many. */
export function toCounts(found: readonly (readonly StoredValue[])[]): ReadonlyMap<number, StatusCounts> {
  const counts = new Map<number, StatusCounts>();
  for (const [whose, status, count] of found) {
    const id = Number(whose);
    counts.set(id, { ...counts.get(id), [status as RowStatus]: Number(count) });
  }
  return counts;
}

export function toChild([id, childUid, name, status, more]: readonly StoredValue[]): ChildHead {
  const { parent } = JSON.parse(typeof more === "string" ? more : "{}") as {
    readonly parent?: { readonly row: RowId } | null;
  };
  return {
    id: Number(id),
    uid: String(childUid),
    name: String(name),
    status: status as RunStatus,
    row: parent?.row ?? null,
  };
}

const phases = ["entered", "started", "event", "ended"] as const;

export function toMoment([at, place, phase, event, by, data, bytes]: readonly StoredValue[]): Moment {
  const row = Number(place) === 0 ? null : Number(place);
  const kind = phases[Number(phase)] ?? "entered";
  if (kind !== "event") return { at: Number(at), row, kind };
  return {
    at: Number(at),
    row,
    kind,
    event: String(event),
    by: typeof by === "string" ? by : null,
    data: typeof data === "string" ? (JSON.parse(data) as Json) : null,
    dataBytes: Number(bytes),
  };
}
