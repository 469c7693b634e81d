// What commands that only look can see, in a store or on a server, and how a store is named.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { StepwellError } from "../error.ts";
import type { Right } from "../access/permission.ts";
import type { Workflow, WorkflowView } from "../engine/workflow-view.ts";
import type { Plan } from "../flow/plan.ts";
import type { HistoryEntry } from "../run/history.ts";
import type { Row, RowId, RunId, RunRow } from "../run/model.ts";
import type { InboxItemDocument } from "../server/contract/inbox.ts";
import { isServerAddress, showAddress } from "../store/address.ts";
import type { Lookup } from "../store/lookup.ts";
import type { RunPage, RunSearch } from "../store/search.ts";
import type { RunQuery, StoredRun } from "../store/store.ts";
import type { Call } from "./command.ts";
import { defaultStore } from "./global-flags.ts";
import { urlOf } from "./server-place.ts";
import type { WholeRun } from "../server/document/run.ts";

export interface View extends AsyncDisposable {
  readonly list: (query: RunQuery) => Promise<readonly StoredRun[]>;
  readonly search: (search: RunSearch) => Promise<RunPage>;
  /** With all its rows. */
  readonly read: (run: RunId) => Promise<WholeRun>;
  readonly listRows: (run: RunId) => Promise<readonly Row[]>;
  readonly historyOf: (run: RunId) => Promise<readonly HistoryEntry[]>;
  /** What waits for a person in runs, so many at most. */
  readonly collectInbox: (limitMax: number) => Promise<readonly InboxItemDocument[]>;
  /** Names of saved workflows, and what they are for. */
  readonly listWorkflows: () => Promise<readonly Pick<Workflow, "name" | "description">[]>;
  readonly ids: Ids;
  /** false: it is another's, and who acts may see only their own. */
  readonly isSeen: (run: RunId) => Promise<boolean>;
  /** Throws when who acts may not. */
  readonly allow: (right: Right) => Promise<void>;
  /** A saved one, by its name or as `name@3`; throws when there is none. */
  readonly getWorkflow: (reference: string) => Promise<WorkflowView>;
  /** null: it cannot be compiled by this version. */
  readonly planOf: (stored: PlannedRun) => Promise<Plan | null>;
}

/** `flow`: the hash of its version. */
type PlannedRun = { readonly run: Pick<RunRow, "id">; readonly flow: string };

/** Which run or step is meant, and how far runs are. */
export type Ids = Pick<Lookup, "findIds" | "findNeighbours" | "countSteps"> & {
  readonly hasRun: (run: RunId) => Promise<boolean>;
  readonly runOfUid: (uid: string) => Promise<RunId | undefined>;
  readonly runOfStep: (step: RowId) => Promise<RunId | undefined>;
};

export type Wish = Pick<Call, "values" | "surroundings">;

/** Where the store is: what was said, what the environment says, or the usual place. */
export function storeOf({ values, surroundings }: Wish): string {
  return values.store ?? (surroundings.environment["STEPWELL_STORE"] || (surroundings.config?.store ?? defaultStore));
}

/** What a command that somebody is told to type must say about the store, to mean the same one. */
export function storeFlag({ values }: Pick<Call, "values">): string {
  if (values.url !== undefined) return ` --url ${showStore(values.url)}`;
  return values.store === undefined ? "" : ` --store ${showStore(values.store)}`;
}

/** The same for who types elsewhere than where this was started: by its whole path. An address may hold a password, and is
 *  left to `STEPWELL_STORE`; what is in memory, no other process finds. */
export function wholeStoreFlag(address: string): string {
  if (isServerAddress(address) || address === ":memory:") return "";
  const path = resolve(address);
  return path === resolve(defaultStore) ? "" : `--store ${showStore(path)}`;
}

/** As people see it and may type it: without a password, which `PGPASSWORD` or `~/.pgpass` brings, and quoted where a
 *  shell would take it apart. */
export function showStore(address: string): string {
  const shown = showAddress(address);
  return /^[\w./:@%+,=~\\-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** Of a server only the server can tell, and is asked. */
export async function isThere(address: string): Promise<boolean> {
  // Without loading anything: a store that is not there is a common answer.
  if (!isServerAddress(address)) return existsSync(address);
  const { hasStore } = await import("../store/open.ts");
  return hasStore(address);
}

/** Whether there is anything to look at; a server speaks for itself. */
export async function hasPlace(wish: Wish): Promise<boolean> {
  return urlOf(wish) !== undefined || isThere(storeOf(wish));
}

/** For a command that makes no store; whether a server is there, it says itself. */
export async function refuseMissing(wish: Wish): Promise<string> {
  return urlOf(wish) ?? findStore(wish);
}

/** The store, if it is there: looking makes none. */
export async function findStore(wish: Wish): Promise<string> {
  const address = storeOf(wish);
  if (await isThere(address)) return address;
  throw new StepwellError("FILE_NOT_FOUND", `There is no store "${showAddress(address)}".`, {
    hint: "--store names another one, a file or postgres://…; stepwell run makes one",
  });
}

/** Of a store that is only looked at. */
export function refuseChange(): Promise<never> {
  return Promise.reject(new StepwellError("USAGE", "Nothing is changed here."));
}
