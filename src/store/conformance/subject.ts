// What the suite needs of a store under test, and what it writes into it: whole rows and runs, of which a test names
// only what it is about.

import { expect, type ExpectStatic } from "vitest";
import type { Row, RowId, RunId, RunRow } from "../../run/model.ts";
import {
  emptyWrites,
  type Batch,
  type Committed,
  type FlowRecord,
  type OwnerCard,
  type Ownership,
  type RowWrite,
  type RunWrite,
  type Store,
} from "../store.ts";

export type Subject = {
  readonly name: string;
  /** A new, empty place for a store. */
  readonly create: () => Promise<TestPlace>;
  /** Why one place cannot be opened twice; null: it can. */
  readonly aloneBecause: string | null;
};

export type TestPlace = {
  /** Each is on its own, as if in another process. */
  readonly open: (options?: TestOptions) => Promise<Store>;
  /** As any SQL client would. */
  readonly query: (sql: string) => Promise<readonly { readonly [column: string]: unknown }[]>;
  /** Closes all that was opened. */
  readonly remove: () => Promise<void>;
};

type TestOptions = {
  readonly clock?: () => number;
  readonly commitsKept?: { readonly ageMs: number; readonly bytes: number };
};

export type Group = { readonly name: string; readonly cases: readonly Case[] };

export type Case = {
  readonly title: string;
  /** Opens its place more than once, or looks into it from outside. */
  readonly isShared: boolean;
  readonly check: (place: TestPlace, expect: ExpectStatic) => Promise<void>;
};

export function atPlace(title: string, check: Case["check"]): Case {
  return { title, isShared: false, check };
}

export function atSharedPlace(title: string, check: Case["check"]): Case {
  return { title, isShared: true, check };
}

export const card: OwnerCard = { pid: 12, host: "here", role: "embedded", since: 1000, address: null };

export const flow: FlowRecord = {
  hash: "f1",
  name: "greet",
  source: { start: { tool: "log", done: true } },
  createdAt: 1000,
};

export async function claim(store: Store, owner: OwnerCard = card): Promise<Ownership> {
  const claimed = await store.claim(owner);
  if (claimed.kind === "owned") return claimed.ownership;
  throw new Error(`The store is taken by ${JSON.stringify(claimed.owner)}`);
}

/** Numbers batches as an executor does. */
export type Pen = {
  readonly ownership: Ownership;
  /** Handed over at once; nobody waits. */
  readonly hand: (batch: Partial<Batch>) => Promise<Committed>;
  /** Committed, or the test fails. */
  readonly write: (batch: Partial<Batch>) => Promise<number>;
};

export function createPen(ownership: Ownership): Pen {
  let last = ownership.lastCommit;
  const hand = async (batch: Partial<Batch>): Promise<Committed> => {
    last += 1;
    return ownership.commit({ ...emptyBatch, no: last, ...batch });
  };
  return {
    ownership,
    hand,
    write: async (batch) => {
      const committed = await hand(batch);
      expect(committed).toEqual({ kind: "committed", no: last });
      return last;
    },
  };
}

const emptyBatch: Omit<Batch, "no"> = { ...emptyWrites, at: 2000, lastId: 0 };

export function uidOf(run: RunId): string {
  return `${run.toString(36)}-chance`;
}

export function makeRun(id: RunId, fields: Partial<RunRow> = {}): RunRow {
  return {
    id,
    uid: uidOf(id),
    name: "greet",
    status: "running",
    version: 1,
    input: { to: "Ann" },
    createdBy: "ann",
    createdVia: null,
    createdAt: 1000,
    startedAt: 1000,
    completedAt: null,
    cancelledAt: null,
    terminalKind: null,
    output: null,
    error: null,
    attention: null,
    ending: null,
    alarms: [],
    live: 0,
    rowCount: 0,
    finishedCount: 0,
    restCount: 0,
    endedCount: 0,
    parent: null,
    origin: null,
    keys: null,
    data: null,
    seen: [],
    ...fields,
  };
}

export function endRun(run: RunRow, fields: Partial<RunRow> = {}): RunRow {
  return {
    ...run,
    version: run.version + 1,
    status: "completed",
    completedAt: 3000,
    terminalKind: "success",
    endedCount: 1,
    ...fields,
  };
}

/** A call that is under way. */
export function makeRow(id: RowId, fields: Partial<Row> = {}): Row {
  const status = fields.status ?? "running";
  return {
    id,
    step: "start",
    name: "start",
    role: "step",
    status,
    version: 1,
    visit: 1,
    index: null,
    attempt: 1,
    interruptions: 0,
    scope: "",
    side: null,
    causedBy: null,
    via: "start",
    previous: { kind: "input" },
    tool: "log",
    args: { message: "hello" },
    secrets: [],
    key: `key-${id}`,
    token: status === "running" ? `${id}.epoch001` : null,
    result: null,
    errors: null,
    outcome: null,
    error: null,
    warnings: [],
    alarms: [],
    createdAt: 1000,
    readyAt: 1000,
    startedAt: status === "running" ? 1000 : null,
    completedAt: null,
    finishedNo: null,
    open: null,
    arrived: false,
    ended: null,
    mayHaveHappened: false,
    isHeld: false,
    isUndoable: false,
    childRun: null,
    childFlow: null,
    gate: null,
    firing: null,
    serves: null,
    handle: null,
    copiedFrom: null,
    ...fields,
  };
}

export function finishRow(row: Row, fields: Partial<Row> = {}): Row {
  return {
    ...row,
    version: row.version + 1,
    status: "done",
    token: null,
    result: "ok",
    completedAt: 3000,
    finishedNo: 1,
    ...fields,
  };
}

export function newRun(run: RunRow, startKey: string | null = null): RunWrite {
  return { run, flow: flow.hash, startKey, isNew: true };
}

export function changedRun(run: RunRow): RunWrite {
  return { run, flow: flow.hash, startKey: null, isNew: false };
}

export function newRow(run: RunId, row: Row): RowWrite {
  return { run, uid: uidOf(run), row, before: null };
}

export function changedRow(run: RunId, row: Row, before: Row): RowWrite {
  return { run, uid: uidOf(run), row, before };
}
