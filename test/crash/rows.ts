// The store as any SQL client sees it. The harness reads it with a connection of its own and trusts nothing that the
// engine says about itself.

import { DatabaseSync } from "node:sqlite";
import type { Json } from "../../src/flow/json.ts";
import type { Columns, Database } from "./database.ts";
import { isServer, lookAtServer } from "./postgres/look.ts";

export type RunRecord = {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly status: string;
  readonly terminalKind: string | null;
  readonly startKey: string | null;
  readonly input: string;
  readonly output: string | null;
  readonly attention: { readonly code: string; readonly row: number | null } | null;
};

export type StepRecord = {
  readonly id: number;
  readonly run: number;
  readonly step: string;
  readonly role: string;
  readonly status: string;
  readonly visit: number;
  readonly item: number | null;
  readonly attempt: number;
  readonly causedBy: number | null;
  readonly via: string;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly finishedNo: number | null;
  readonly isLive: boolean;
  readonly serves: number | null;
  readonly isHeld: boolean;
};

export type CommitRecord = { readonly no: number; readonly changes: Json };

/** undefined: there is nothing to look at yet, or not now. */
export async function look<T>(store: string, read: (database: Database) => Promise<T>): Promise<T | undefined> {
  return isServer(store) ? lookAtServer(store, read) : lookAtFile(store, read);
}

/** A connection for one look. */
async function lookAtFile<T>(path: string, read: (database: Database) => Promise<T>): Promise<T | undefined> {
  let file: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    file = opened;
    const all = async (statement: string): Promise<readonly Columns[]> => opened.prepare(statement).all();
    const checkIntegrity = async (): Promise<string> =>
      (await all("pragma integrity_check(3)")).map((row) => String(row["integrity_check"])).join("; ");
    return await read({ all, checkIntegrity });
  } catch {
    return undefined;
  } finally {
    file?.close();
  }
}

export async function readRuns(database: Database, where = "true"): Promise<readonly RunRecord[]> {
  const columns = "id, uid, name, status, terminal_kind, start_key, input, output, more";
  return (await database.all(`select ${columns} from runs where ${where}`)).map((row) => ({
    id: Number(row["id"]),
    uid: String(row["uid"]),
    name: String(row["name"]),
    status: String(row["status"]),
    terminalKind: textOf(row["terminal_kind"]),
    startKey: textOf(row["start_key"]),
    input: String(row["input"]),
    output: textOf(row["output"]),
    attention: (moreOf(row)["attention"] ?? null) as RunRecord["attention"],
  }));
}

export async function readSteps(database: Database, where = "true"): Promise<readonly StepRecord[]> {
  const columns =
    "id, run_id, step, role, status, visit, item, attempt, caused_by, via, tool, outcome, created_at, started_at, completed_at, finished_no, is_live, serves, more";
  return (await database.all(`select ${columns} from steps where ${where}`)).map((row) => ({
    id: Number(row["id"]),
    run: Number(row["run_id"]),
    step: String(row["step"]),
    role: String(row["role"]),
    status: String(row["status"]),
    visit: Number(row["visit"]),
    item: numberOf(row["item"]),
    attempt: Number(row["attempt"]),
    causedBy: numberOf(row["caused_by"]),
    via: String(row["via"]),
    tool: textOf(row["tool"]),
    outcome: textOf(row["outcome"]),
    createdAt: Number(row["created_at"]),
    startedAt: numberOf(row["started_at"]),
    completedAt: numberOf(row["completed_at"]),
    finishedNo: numberOf(row["finished_no"]),
    isLive: Number(row["is_live"]) === 1,
    serves: numberOf(row["serves"]),
    isHeld: moreOf(row)["isHeld"] === true || moreOf(row)["isHeld"] === 1,
  }));
}

export async function readCommits(database: Database): Promise<readonly CommitRecord[]> {
  return (await database.all("select no, changes from commits order by no")).map((row) => ({
    no: Number(row["no"]),
    changes: JSON.parse(String(row["changes"])) as Json,
  }));
}

function moreOf(row: Columns): Readonly<Record<string, Json>> {
  return row["more"] === null || row["more"] === undefined
    ? {}
    : (JSON.parse(String(row["more"])) as Record<string, Json>);
}

function textOf(value: Columns[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function numberOf(value: Columns[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
