// What anybody may ask a database: one statement each, with the function that reads its rows. Runs come without their
// counters (`live`, `rowCount`, `finishedCount` are 0): they are not stored, and only the owner counts.

import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Json } from "../../flow/json.ts";
import type { RunEvent } from "../../run/decision.ts";
import type { Row, RowId, RunId, RunStatus } from "../../run/model.ts";
import type { CommitRecord, Entry, FlowRecord, OwnerCard, RunQuery, StoredRow, StoredRun } from "../store.ts";
import { createBriefQueries, type BriefQueries } from "./briefs.ts";
import { createFigures, type Figures } from "./figures.ts";
import type { OutcomeQueries } from "../outcome.ts";
import { createOutcomeQueries } from "./outcomes.ts";
import { createNameQueries, type NameQueries } from "./names.ts";
import { placeOfUid } from "../uid.ts";
import { readChanges } from "../columns/commit.ts";
import { decodeRow, rowColumns } from "../columns/row.ts";
import { decodeRun, runColumns } from "../columns/run.ts";

export type Queries = Figures &
  BriefQueries &
  OutcomeQueries &
  NameQueries & {
    readonly findOwner: () => OwnerCard | undefined;
    /** Of the newest ownership. */
    readonly findEpoch: () => string | undefined;
    readonly findFlow: (hash: string) => FlowRecord | undefined;
    readonly findRun: (run: RunId) => StoredRun | undefined;
    readonly findRunByUid: (uid: string) => StoredRun | undefined;
    readonly findRunByKey: (startKey: string) => StoredRun | undefined;
    readonly listRuns: (query: RunQuery) => readonly StoredRun[];
    readonly findRow: (row: RowId) => StoredRow | undefined;
    readonly listRows: (run: RunId) => readonly Row[];
    readonly listEvents: (run: RunId) => readonly RunEvent[];
    readonly listCommits: (after: number, limitMax: number) => readonly CommitRecord[] | undefined;
    readonly lastCommit: () => number;
    readonly findEntry: (kind: string, key: string) => Entry | undefined;
    readonly listEntries: (kind: string) => readonly Entry[];
    /** The highest id ever given out. */
    readonly lastId: () => number;
  };

export function createQueries(database: DatabaseSync): Queries {
  return {
    ...createRunQueries(database),
    ...createRowQueries(database),
    ...createCommitQueries(database),
    ...createEntryQueries(database),
    ...createOutcomeQueries(database),
    ...createFigures(database),
    ...createBriefQueries(database),
    ...createNameQueries(database),
  };
}

type Columns = { readonly [column: string]: SQLOutputValue };

function createRunQueries(database: DatabaseSync): Pick<Queries, FindOwner | "findFlow" | "listRuns" | FindRun> {
  const meta = database.prepare("select value from meta where name = :name");
  const flow = database.prepare("select hash, name, source, created_at from flows where hash = :hash");
  const byId = database.prepare(`select ${runColumns} from runs where id = :run`);
  const byKey = database.prepare(`select ${runColumns} from runs where start_key = :startKey`);
  const child = database.prepare("select json_extract(more, '$.childRun') as run from steps where id = :row");
  const lists = createRunLists(database, everybodys);
  const listsOfOne = createRunLists(database, oneUsers);
  const findRun = (run: RunId): StoredRun | undefined => toRun(byId.get({ ":run": run }));
  return {
    findOwner: () => toOwner(meta.get({ ":name": "owner" })),
    findEpoch: () => meta.get({ ":name": "epoch" })?.["value"] as string | undefined,
    findFlow: (hash) => toFlow(flow.get({ ":hash": hash })),
    findRun,
    findRunByUid: (uid) => {
      const place = placeOfUid(uid);
      if (place === undefined) return undefined;
      const run = place.kind === "run" ? place.run : child.get({ ":row": place.row })?.["run"];
      const found = typeof run === "number" && Number.isSafeInteger(run) ? findRun(run) : undefined;
      return found?.run.uid === uid ? found : undefined;
    },
    findRunByKey: (startKey) => toRun(byKey.get({ ":startKey": startKey })),
    listRuns: ({ status, name, createdBy, limitMax, before }) => {
      const given = { ":name": name ?? null, ":before": before ?? Number.MAX_SAFE_INTEGER, ":limit": limitMax };
      const found =
        createdBy === undefined
          ? lists[status ?? "present"].all(given)
          : listsOfOne[status ?? "present"].all({ ...given, ":createdBy": createdBy });
      return found.flatMap((columns) => toRun(columns) ?? []);
    },
  };
}

function createEntryQueries(database: DatabaseSync): Pick<Queries, "findEntry" | "listEntries"> {
  const columns = "kind, key, version, updated_at, value";
  const one = database.prepare(`select ${columns} from entries where kind = :kind and key = :key`);
  const all = database.prepare(`select ${columns} from entries where kind = :kind order by key`);
  return {
    findEntry: (kind, key) => toEntry(one.get({ ":kind": kind, ":key": key })),
    listEntries: (kind) => all.all({ ":kind": kind }).flatMap((found) => toEntry(found) ?? []),
  };
}

function toEntry(columns: Columns | undefined): Entry | undefined {
  if (columns === undefined) return undefined;
  const { kind, key, version, updated_at: updatedAt, value } = columns;
  const entry = { kind: String(kind), key: String(key), version: Number(version), updatedAt: Number(updatedAt) };
  return { ...entry, value: JSON.parse(String(value)) as Json };
}

type FindOwner = "findOwner" | "findEpoch";
type FindRun = "findRun" | "findRunByUid" | "findRunByKey";
type ListName = RunStatus | "all" | "live" | "present";

type Statement = ReturnType<DatabaseSync["prepare"]>;
type RunLists = { readonly [name in ListName]: Statement };

/** Whose runs, and how those of a status are found. */
type Whose = {
  readonly any: string;
  readonly live: (status: RunStatus) => string;
  readonly ended: (status: RunStatus) => string;
};

/** By the index, which knows all but the completed ones. */
const ofStatus = (status: RunStatus): string => `runs.status = '${status}' and runs.status <> 'completed'`;

const everybodys: Whose = { any: "true", live: ofStatus, ended: ofStatus };

/** The live ones are few, whoever has started them; of the others, one user's are fewer. A plus keeps an index out. */
const oneUsers: Whose = {
  any: "runs.created_by = :createdBy",
  live: (status) => `${ofStatus(status)} and +runs.created_by = :createdBy`,
  ended: (status) => `runs.created_by = :createdBy and +runs.status = '${status}'`,
};

/** One statement for each status, so that each finds its index: SQLite knows none by a parameter. */
function createRunLists(database: DatabaseSync, { any, live, ended }: Whose): RunLists {
  const prepareList = (condition: string): Statement =>
    database.prepare(`${listText(condition)} order by id desc limit :limit`);
  return {
    present: prepareList(`${any} and runs.status <> 'cancelled'`),
    all: prepareList(any),
    completed: prepareList(`${any} and runs.status = 'completed'`),
    scheduled: prepareList(live("scheduled")),
    running: prepareList(live("running")),
    paused: prepareList(live("paused")),
    failed: prepareList(ended("failed")),
    cancelled: prepareList(ended("cancelled")),
    // Each part is in order already, and they are merged: none is read further than the limit.
    live: database.prepare(
      `${(["scheduled", "running", "paused"] as const).map((status) => listText(live(status))).join(" union all ")}
      order by id desc limit :limit`,
    ),
  };
}

function listText(condition: string): string {
  return `select ${runColumns} from runs
    where ${condition} and runs.id < :before and (:name is null or runs.name = :name)`;
}

function createRowQueries(database: DatabaseSync): Pick<Queries, "findRow" | "listRows" | "listEvents"> {
  const byId = database.prepare(`
    select ${rowColumns}, runs.uid as uid from steps join runs on runs.id = steps.run_id where steps.id = :row`);
  const byRun = database.prepare(`
    select ${rowColumns}, runs.uid as uid from steps join runs on runs.id = steps.run_id
    where steps.run_id = :run order by steps.id`);
  const events = database.prepare(
    "select id, kind, at, step_id, by, value from events where run_id = :run order by no",
  );
  return {
    findRow: (row) => {
      const columns = byId.get({ ":row": row });
      if (columns === undefined) return undefined;
      return { run: Number(columns["run_id"]), row: decodeRow(columns, String(columns["uid"])) };
    },
    listRows: (run) => byRun.all({ ":run": run }).map((columns) => decodeRow(columns, String(columns["uid"]))),
    listEvents: (run) => events.all({ ":run": run }).map(toEvent),
  };
}

function createCommitQueries(database: DatabaseSync): Pick<Queries, "listCommits" | "lastCommit" | "lastId"> {
  const first = database.prepare("select min(no) as no from commits");
  const last = database.prepare("select max(no) as no from commits");
  const list = database.prepare("select no, at, changes from commits where no > :after order by no limit :limit");
  const lastId = database.prepare(`
    select max(
      coalesce((select max(id) from runs), 0),
      coalesce((select max(id) from steps), 0),
      coalesce((select max(last_id) from commits where no = (select max(no) from commits)), 0)
    ) as id`);
  return {
    listCommits: (after, limitMax) => {
      const oldest = first.get()?.["no"];
      if (typeof oldest === "number" && oldest > after + 1) return undefined;
      return list.all({ ":after": after, ":limit": limitMax }).map(toCommit);
    },
    lastCommit: () => Number(last.get()?.["no"] ?? 0),
    lastId: () => Number(lastId.get()?.["id"] ?? 0),
  };
}

function toRun(columns: Columns | undefined): StoredRun | undefined {
  return columns === undefined ? undefined : decodeRun(columns);
}

function toOwner(columns: Columns | undefined): OwnerCard | undefined {
  return columns === undefined ? undefined : (JSON.parse(String(columns["value"])) as OwnerCard);
}

function toFlow(columns: Columns | undefined): FlowRecord | undefined {
  if (columns === undefined) return undefined;
  return {
    hash: columns["hash"] as string,
    name: columns["name"] as string | null,
    source: JSON.parse(columns["source"] as string) as Json,
    createdAt: columns["created_at"] as number,
  };
}

function toEvent(columns: Columns): RunEvent {
  return {
    id: columns["id"] as string,
    kind: columns["kind"] as string,
    at: columns["at"] as number,
    row: columns["step_id"] as number | null,
    by: columns["by"] as string | null,
    data: JSON.parse(columns["value"] as string) as Json,
  };
}

function toCommit(columns: Columns): CommitRecord {
  const { no, at, changes } = columns;
  return { no: no as number, at: at as number, ...readChanges(changes as string) };
}
