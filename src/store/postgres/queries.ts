// What anybody may ask a database: one statement each, with the function that reads its rows. Runs come without their
// counters (`live`, `rowCount`, `finishedCount` are 0): they are not stored, and only the owner counts.

import type { Json } from "../../flow/json.ts";
import type { RunEvent } from "../../run/decision.ts";
import type { Row, RowId, RunId, RunStatus } from "../../run/model.ts";
import { readChanges } from "../columns/commit.ts";
import { decodeValues, rowColumns, storedColumns, type StoredValue } from "../columns/row.ts";
import { changingRunColumns, decodeRun, fixedRunColumns, runColumns, type Counts } from "../columns/run.ts";
import type { CommitRecord, Entry, FlowRecord, OwnerCard, RunQuery, StoredRow, StoredRun } from "../store.ts";
import { placeOfUid } from "../uid.ts";
import type { Pool } from "./connection.ts";
import type { BriefRequests } from "../brief.ts";
import { createBriefQueries } from "./briefs.ts";
import { createFigures, type Figures } from "./figures.ts";
import type { OutcomeRequests } from "../outcome.ts";
import { createOutcomeQueries } from "./outcomes.ts";
import { createNameQueries, type NameQueries } from "./names.ts";

export type Queries = Figures &
  BriefRequests &
  OutcomeRequests &
  NameQueries & {
    readonly findOwner: () => Promise<OwnerCard | undefined>;
    readonly findFlow: (hash: string) => Promise<FlowRecord | undefined>;
    readonly findRun: (run: RunId) => Promise<StoredRun | undefined>;
    readonly findRunByUid: (uid: string) => Promise<StoredRun | undefined>;
    readonly findRunByKey: (startKey: string) => Promise<StoredRun | undefined>;
    readonly listRuns: (query: RunQuery) => Promise<readonly StoredRun[]>;
    readonly findRow: (row: RowId) => Promise<StoredRow | undefined>;
    readonly listRows: (run: RunId) => Promise<readonly Row[]>;
    readonly listEvents: (run: RunId) => Promise<readonly RunEvent[]>;
    readonly listCommits: (after: number, limitMax: number) => Promise<readonly CommitRecord[] | undefined>;
    readonly lastCommit: () => Promise<number>;
    readonly findEntry: (kind: string, key: string) => Promise<Entry | undefined>;
    readonly listEntries: (...kinds: string[]) => Promise<readonly Entry[]>;
  };

/** Asked for each row by itself, and sorted by what no index has (`id + 0`): for a table that is empty the server would
 *  begin anywhere, and go on like that when it has grown. */
export const uidOfRun: string = "(select uid from runs where runs.id = steps.run_id)";

/** What is read by these texts is found by an index; exported for the test that looks at how they are carried out. */
export const texts: {
  readonly [
    name in
      | "owner"
      | "flow"
      | "run"
      | "run_by_key"
      | "child"
      | "row"
      | "rows"
      | "events"
      | "commits"
      | "last"
      | "entry"
      | "entries"
  ]: string;
} = {
  owner: "select owner from partitions where no = 0",
  flow: "select hash, name, source, created_at from flows where hash = $1",
  run: `select ${runColumns} from runs where id = $1`,
  run_by_key: `select ${runColumns} from runs where start_key = $1`,
  child: "select more from steps where id = $1",
  row: `select ${rowColumns}, ${uidOfRun} from steps where steps.id = $1`,
  rows: `select ${rowColumns}, ${uidOfRun} from steps where steps.run_id = $1 order by steps.id + 0`,
  events: "select id, kind, at, step_id, by, value from events where run_id = $1 order by no + 0",
  commits: "select no, at, changes from commits where no > $1 order by no limit $2",
  last: "select no from commits order by no desc limit 1",
  entry: "select kind, key, version, updated_at, value from entries where kind = $1 and key = $2",
  entries: "select kind, key, version, updated_at, value from entries where kind = any($1) order by kind, key",
};

type Values = readonly StoredValue[];

export function createQueries(pool: Pool): Queries {
  const read = (name: keyof typeof texts, ...values: readonly (string | number)[]): Promise<readonly Values[]> =>
    values.every(canBeThere) ? pool.rows(name, texts[name], values) : Promise.resolve([]);
  const findRun = async (run: RunId): Promise<StoredRun | undefined> => (await read("run", run)).map(toRun)[0];
  return {
    findOwner: async () => {
      const [[owner] = []] = await read("owner");
      return typeof owner === "string" ? (JSON.parse(owner) as OwnerCard) : undefined;
    },
    findFlow: async (hash) => (await read("flow", hash)).map(toFlow)[0],
    findRun,
    findRunByUid: async (uid) => {
      const place = placeOfUid(uid);
      if (place === undefined) return undefined;
      const run = place.kind === "run" ? place.run : childIn((await read("child", place.row))[0]?.[0]);
      const found = run !== undefined && Number.isSafeInteger(run) ? await findRun(run) : undefined;
      return found?.run.uid === uid ? found : undefined;
    },
    findRunByKey: async (startKey) => (await read("run_by_key", startKey)).map(toRun)[0],
    listRuns: (query) => listRuns(pool, query),
    findRow: async (row) => (await read("row", row)).map(toStoredRow)[0],
    listRows: async (run) => (await read("rows", run)).map((values) => toStoredRow(values).row),
    listEvents: async (run) => (await read("events", run)).map(toEvent),
    listCommits: async (after, limitMax) => {
      const found = (await read("commits", after, limitMax)).map(toCommit);
      // They have no gaps: one that is missing at the beginning was removed.
      return found[0] !== undefined && found[0].no > after + 1 ? undefined : found;
    },
    lastCommit: async () => Number((await read("last"))[0]?.[0] ?? 0),
    findEntry: async (kind, key) => (await read("entry", kind, key)).map(toEntry)[0],
    listEntries: async (...kinds) => {
      // One question for all of them: an engine reads many kinds when it begins.
      const found = await pool.rows("entries", texts.entries, [kinds.filter(canBeThere)]);
      return found.map(toEntry);
    },
    ...createOutcomeQueries(pool),
    ...createFigures(pool),
    ...createBriefQueries(pool),
    ...createNameQueries(pool),
  };
}

/** No text of PostgreSQL has a NUL in it, and no whole number is longer than these. */
function canBeThere(value: string | number): boolean {
  return typeof value === "number" ? Number.isSafeInteger(value) : !value.includes("\0");
}

type ListName = RunStatus | "all" | "live" | "present";

/** By the index, which knows all but the completed ones. */
const ofStatus = (status: RunStatus): string => `runs.status = '${status}' and runs.status <> 'completed'`;

/** Whose runs, and how those of a status are found. */
type Whose = {
  readonly any: string;
  readonly live: (status: RunStatus) => string;
  readonly ended: (status: RunStatus) => string;
  /** In the order of the index of any and of the ended ones. */
  readonly page: string;
};

const byId = "runs.id < $1 order by runs.id desc limit $3";

const everybodys: Whose = { any: "true", live: ofStatus, ended: ofStatus, page: byId };

/** The live ones are few, whoever has started them; of the others, one user's are fewer. An empty text behind a column
 *  keeps its index out. */
const oneUsers: Whose = {
  any: "runs.created_by = $4",
  live: (status) => `${ofStatus(status)} and runs.created_by || '' = $4`,
  ended: (status) => `runs.created_by = $4 and runs.status || '' = '${status}'`,
  page: "-runs.id > -($1::bigint) order by -runs.id limit $3",
};

/** One text for each status, so that each finds its index: a partial index is not found by a parameter. Exported, as
 *  `texts` is, for the test of the plans. */
export const listTexts: {
  readonly [whose in "everybodys" | "oneUsers"]: { readonly [name in ListName]: string };
} = { everybodys: createListTexts(everybodys), oneUsers: createListTexts(oneUsers) };

function createListTexts({ any, live, ended, page }: Whose): { readonly [name in ListName]: string } {
  const liveText = (status: RunStatus): string => listText(live(status), byId);
  return {
    present: listText(`${any} and runs.status || '' <> 'cancelled'`, page),
    all: listText(any, page),
    completed: listText(`${any} and runs.status || '' = 'completed'`, page),
    scheduled: liveText("scheduled"),
    running: liveText("running"),
    paused: liveText("paused"),
    failed: listText(ended("failed"), page),
    cancelled: listText(ended("cancelled"), page),
    // None of the parts is read further than the limit.
    live: `(${liveText("scheduled")}) union all (${liveText("running")}) union all (${liveText("paused")})
      order by id desc limit $3`,
  };
}

function listText(condition: string, page: string): string {
  return `select ${runColumns} from runs
    where ($2::text is null or runs.name = $2) and ${condition} and ${page}`;
}

async function listRuns(pool: Pool, query: RunQuery): Promise<readonly StoredRun[]> {
  const { status, name, createdBy, limitMax, before } = query;
  if (![name ?? "", createdBy ?? ""].every(canBeThere)) return [];
  const list = status ?? "present";
  const whose = createdBy === undefined ? "everybodys" : "oneUsers";
  const given = [before ?? Number.MAX_SAFE_INTEGER, name ?? null, limitMax];
  const values = createdBy === undefined ? given : [...given, createdBy];
  return (await pool.rows(`runs_${whose}_${list}`, listTexts[whose][list], values)).map(toRun);
}

const runColumnNames: readonly string[] = [...fixedRunColumns, ...changingRunColumns];

/** From a list of the values of `runColumns`. */
export function toRunOf(values: Values, counts?: Counts): StoredRun {
  return decodeRun(Object.fromEntries(runColumnNames.map((column, at) => [column, values[at] ?? null])), counts);
}

function toRun(values: Values): StoredRun {
  return toRunOf(values);
}

/** The uid comes behind the columns of the row. */
function toStoredRow(values: Values): StoredRow {
  return { run: Number(values[runIdAt]), row: decodeValues(values, String(values[storedColumns.length])) };
}

const runIdAt = storedColumns.indexOf("run_id");

function childIn(more: StoredValue): number | undefined {
  return typeof more === "string" ? (JSON.parse(more) as { readonly childRun?: number }).childRun : undefined;
}

function toEntry([kind, key, version, updatedAt, value]: Values): Entry {
  const entry = { kind: String(kind), key: String(key), version: Number(version), updatedAt: Number(updatedAt) };
  return { ...entry, value: JSON.parse(String(value)) as Json };
}

function toFlow([hash, name, source, createdAt]: Values): FlowRecord {
  return {
    hash: hash as string,
    name: name as string | null,
    source: JSON.parse(source as string) as Json,
    createdAt: createdAt as number,
  };
}

function toEvent([id, kind, at, row, by, data]: Values): RunEvent {
  return {
    id: id as string,
    kind: kind as string,
    at: at as number,
    row: row as number | null,
    by: by as string | null,
    data: JSON.parse(data as string) as Json,
  };
}

function toCommit([no, at, text]: Values): CommitRecord {
  return { no: no as number, at: at as number, ...readChanges(text as string) };
}
