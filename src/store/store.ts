// The contract of durable memory. Whoever opens a store may read it and put messages into its inbox; who has claimed it
// writes. SQLite is one partition with one owner; other stores fit behind the same verbs.
//
// A batch is one transaction: it is on disk as a whole when `commit` answers, or not at all. Batches commit in the order
// in which they were handed over. Reads of the owner see what is committed; what is still under way, the executor lays
// over them itself.

import type { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { StepKey, TerminalKind } from "../flow/plan.ts";
import type { MutableFrontier } from "../run/apply.ts";
import type { Need, RunEvent } from "../run/decision.ts";
import type { Row, RowId, RunId, RunRow, RunStatus, Signal, VisitCount } from "../run/model.ts";
import type {
  Brief,
  ChildHead,
  ItemQuery,
  Moment,
  MomentQuery,
  ShortRow,
  Standing,
  StandingQuery,
  StatusCounts,
  WaitQuery,
} from "./brief.ts";
import type { AuditEntry, AuditPruning, AuditQuery, AuditRecord } from "./audit.ts";
import type { CountQuery, OutcomeCount, OutcomePage, Rating, StepOutcome } from "./outcome.ts";

/** `full`: what is acknowledged survives a power cut. `fast`: only the death of the process. */
export type Durability = "full" | "fast";

export interface Store extends AsyncDisposable {
  /** As people know it: a path, or an address without its password. */
  readonly name: string;
  readonly durability: Durability;
  /** What to do when an ownership is lost, or nobody knows what is on disk: a file is left alone until the process starts
   *  again; a server is claimed anew, and its rows tell. */
  readonly whenLost: "stop" | "claim_again";
  /** How often others look for what the owner has done, if they hear nothing. */
  readonly lookEveryMs: number;
  /** Something may have changed: a hint, which may be late or missing. Until what it gives is called. */
  onHint(listener: () => void): () => void;

  /** Takes the ownership if it is free; else says who has it. */
  claim(owner: OwnerCard): Promise<Claim>;
  /** Who wrote last as an owner; it may have died since. */
  findOwner(): Promise<OwnerCard | undefined>;

  findFlow(hash: string): Promise<FlowRecord | undefined>;
  findRun(run: RunId): Promise<StoredRun | undefined>;
  findRunByUid(uid: string): Promise<StoredRun | undefined>;
  findRunByKey(startKey: string): Promise<StoredRun | undefined>;
  listRuns(query: RunQuery): Promise<readonly StoredRun[]>;
  findRow(row: RowId): Promise<StoredRow | undefined>;
  /** In the order in which they were made. */
  listRows(run: RunId): Promise<readonly Row[]>;
  listEvents(run: RunId): Promise<readonly RunEvent[]>;
  /** What changed after commit `after`, oldest first; undefined: so far back that it is pruned. */
  listCommits(after: number, limitMax: number): Promise<readonly CommitRecord[] | undefined>;
  /** The number of the newest commit. */
  lastCommit(): Promise<number>;
  /** What people call these runs and rows; what is not there is left out. */
  listNames(runs: readonly RunId[], rows: readonly RowId[]): Promise<Names>;
  /** Newest first, older than `before`, without all that makes a run heavy. */
  listHeads(before: RunId, limitMax: number): Promise<readonly RunHead[]>;
  /** All rows of a run but items and the rows that keep them: the newest so many, oldest first. */
  listBriefs(run: RunId, limitMax: number): Promise<readonly Brief[]>;
  /** All rows of a run that have arrived at this fork, oldest first. */
  listArrivals(run: RunId, fork: RowId): Promise<readonly Brief[]>;
  /** The newest row of this step that is done; undefined: there is none. */
  findNewest(run: RunId, step: StepKey): Promise<RowId | undefined>;
  /** By run, the rows that may wait for a person, oldest first; a run without any is left out. */
  listWaits(query: WaitQuery): Promise<ReadonlyMap<RunId, readonly Brief[]>>;
  /** By run, whether something of it works, and what of it waits; a run that is not there is left out. */
  listStandings(query: StandingQuery): Promise<ReadonlyMap<RunId, Standing>>;
  /** Those of these rows that are there, without what is large in them. */
  findShort(rows: readonly RowId[]): Promise<ReadonlyMap<RowId, ShortRow>>;
  /** What happened in a run, in the order of its history. */
  listMoments(query: MomentQuery): Promise<readonly Moment[]>;
  /** The newest try of each item of an each, by their numbers. */
  listItems(query: ItemQuery): Promise<readonly Brief[]>;
  /** By each, the items of a run by the status of their newest try. */
  countItems(run: RunId): Promise<ReadonlyMap<RowId, StatusCounts>>;
  /** By run, its steps by the status of their newest try; a run without any is left out. */
  countSteps(runs: readonly RunId[]): Promise<ReadonlyMap<RunId, StatusCounts>>;
  /** Runs that steps of this one have started, newest first. */
  listChildren(run: RunId, limitMax: number): Promise<readonly ChildHead[]>;
  /** What is due next, of runs and of their rows, soonest first. */
  listNextDue(limitMax: number): Promise<readonly DuePlace[]>;
  /** How many runs are alive; a status that none has may be missing. */
  countLive(): Promise<Partial<Record<RunStatus, number>>>;
  measure(): Promise<Space>;
  findEntry(kind: string, key: string): Promise<Entry | undefined>;
  /** All of these kinds, each by key. */
  listEntries(...kinds: string[]): Promise<readonly Entry[]>;
  /** By step, and by who gave them. */
  listRatings(run: RunId): Promise<readonly Rating[]>;
  /** Calls that are over, newest first. */
  listOutcomes(page: OutcomePage): Promise<readonly StepOutcome[]>;
  /** By tool, workflow and version. */
  countOutcomes(query: CountQuery): Promise<readonly OutcomeCount[]>;
  /** Newest first. */
  listAudit(query: AuditQuery): Promise<readonly AuditEntry[]>;

  /** A guest's message to the owner; durable when this answers. With `within`: when that transaction commits, and only
   *  then seen by the owner. */
  post(message: Json, by: string, within?: Transaction): Promise<InboxId>;
  findAnswer(id: InboxId): Promise<InboxAnswer | undefined>;

  close(): Promise<void>;
}

/** A transaction of the embedding program, on the store's own database; what `pg`'s clients are. */
export type Transaction = {
  readonly query: (text: string, values: readonly unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
};

export type Claim =
  | { readonly kind: "owned"; readonly ownership: Ownership }
  | { readonly kind: "taken"; readonly owner: OwnerCard | undefined };

/** Shown to whoever finds the store taken. */
export type OwnerCard = {
  readonly pid: number;
  readonly host: string;
  /** `up` keeps the store; any other owner hands over when asked. */
  readonly role: "up" | "embedded" | "command";
  readonly since: number;
  /** Where it answers, when it does. */
  readonly address: string | null;
  /** Random for each claim of an engine. */
  readonly claim?: string;
};

export interface Ownership {
  /** Random for each ownership. */
  readonly epoch: string;
  /** The highest id ever given out. */
  readonly lastId: number;
  /** The number of commits so far. */
  readonly lastCommit: number;
  /** While a batch is written, the next one is begun for so many messages, with all else that there is; where there are
   *  fewer, all of it waits and shares a commit. */
  readonly secondBatchMin: number;

  /** Answers come in the order in which the batches were handed over; `committed` only as long as nobody else can have
   *  taken the store, so that it can be acted on at once: a process may stand still between asking and hearing. */
  commit(batch: Batch): Promise<Committed>;
  /** Called once, when it turns out that the ownership is lost; what was handed over and not answered is unknown. */
  onLost(listener: (problem: StepwellError) => void): void;

  /** Frontiers of runs as they are on disk; a run that is not there is left out. */
  load(runs: readonly RunId[]): Promise<readonly LoadedRun[]>;
  /** One list for each need, in their order. */
  bring(run: RunId, needs: readonly Need[]): Promise<readonly (readonly Row[])[]>;

  /** Live runs that have rows which are ready, oldest first. */
  listReady(limitMax: number): Promise<readonly RowPlace[]>;
  /** Rows that were running under another epoch. */
  listInterrupted(): Promise<readonly (RowPlace & { readonly token: string })[]>;
  /** Runs of which something is due at `now`; paused ones only for their own limit. */
  listDue(now: number, limitMax: number): Promise<readonly RunId[]>;
  /** The next instant after `after` at which something is due. */
  nextDueAt(after: number): Promise<number | undefined>;
  /** Calls that run longer than they may. */
  listOverdue(now: number, limitMax: number): Promise<readonly RunId[]>;
  /** Live runs with an open wait for the event of this name. */
  listWaiting(event: string): Promise<readonly RunId[]>;

  /** Messages of guests that have no answer yet, oldest first; called again when there may be more. */
  onInbox(listener: (messages: readonly InboxMessage[]) => void): void;

  /** Ended runs that may go, oldest first, and what they weigh. */
  listPrunable(query: PruneQuery): Promise<Prunable>;
  /** Removes what may go of the audit; false: nothing does. */
  pruneAudit(pruning: AuditPruning): Promise<boolean>;
  /** Gives free pages back to the system, keeps the log small; a little at a time. */
  tidy(): Promise<void>;

  /** The ownership ends; a guest may take it. Waits for what was handed over. */
  release(): Promise<void>;
}

export type RowPlace = { readonly run: RunId; readonly row: RowId };

export type LoadedRun = {
  readonly flow: string;
  readonly frontier: MutableFrontier;
};

export type StoredRun = {
  readonly run: RunRow;
  /** Hash of the flow's version. */
  readonly flow: string;
  readonly updatedAt: number;
  readonly startKey: string | null;
};

export type StoredRow = { readonly run: RunId; readonly row: Row };

export type FlowRecord = {
  readonly hash: string;
  readonly name: string | null;
  /** What the user wrote, as JSON: shown as it was. */
  readonly source: Json;
  readonly createdAt: number;
};

/** What is kept beside the runs, one by one under its key: saved workflows, breakers, who may do what. */
export type Entry = {
  readonly kind: string;
  readonly key: string;
  /** Counts its changes. */
  readonly version: number;
  readonly updatedAt: number;
  readonly value: Json;
};

export type RunQuery = {
  /** null: all but cancelled ones; "all": every one. */
  readonly status: RunStatus | "all" | "live" | null;
  readonly name?: string;
  /** Who started it. */
  readonly createdBy?: string;
  readonly limitMax: number;
  /** Older than this run: ids are in the order of creation, newest first. */
  readonly before?: RunId;
};

export type RunName = { readonly name: string; readonly createdBy: string };

export type Names = { readonly runs: ReadonlyMap<RunId, RunName>; readonly rows: ReadonlyMap<RowId, string> };

/** What of a run is enough to count it. */
export type RunHead = {
  readonly id: RunId;
  readonly name: string;
  readonly status: RunStatus;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly terminalKind: TerminalKind | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
};

/** `row` null: of the run itself. */
export type DuePlace = { readonly run: RunId; readonly row: RowId | null; readonly dueAt: number };

export type CommitRecord = {
  readonly no: number;
  readonly at: number;
  readonly changes: readonly CommitChange[];
  /** Kinds of the entries that were written, each once. */
  readonly entries: readonly string[];
};

export type CommitChange = {
  readonly run: RunId;
  /** null: of the run itself. */
  readonly row: RowId | null;
  readonly status: string;
  /** What it was called and whose it was, of a run that is `removed`: nothing else knows it any more. */
  readonly was?: RunName;
};

export type InboxId = number;
export type InboxMessage = { readonly id: InboxId; readonly message: Json; readonly by: string };
export type InboxAnswer = { readonly answer: Json };

export type Space = {
  readonly fileBytes: number;
  readonly walBytes: number;
  /** Pages of the file that hold nothing. */
  readonly freeBytes: number;
};

export type PruneQuery = {
  /** Ended before this instant; null: any. */
  readonly endedBefore: number | null;
  /** Only those whose root is called so. */
  readonly name?: string;
  /** Only behind this place. */
  readonly after?: PrunePlace;
  /** So many of the newest stay. */
  readonly keepMax: number | null;
  /** About so many rows in all. */
  readonly rowsMax: number;
};

/** When a root has ended, and which one it is. */
export type PrunePlace = { readonly at: number; readonly id: RunId };

/** Of ended runs, which may go; `next`: more may, behind that place. */
export type Prunable = { readonly runs: readonly RunId[]; readonly next: PrunePlace | null };

/** All that one transaction writes. Each row and each run stands in it once. */
export type Batch = {
  /** One more than the commit before; a batch whose predecessor failed is thereby refused (`behind`). */
  readonly no: number;
  readonly at: number;
  readonly lastId: number;
  readonly flows: readonly FlowRecord[];
  readonly runs: readonly RunWrite[];
  readonly rows: readonly RowWrite[];
  readonly events: readonly { readonly run: RunId; readonly event: RunEvent }[];
  /** Whole lists, each in place of the one before. */
  readonly signals: readonly { readonly run: RunId; readonly signals: readonly Signal[] }[];
  /** Counts of steps that were visited more than once; a first visit is known by its row. */
  readonly visits: readonly { readonly run: RunId; readonly step: StepKey; readonly count: VisitCount }[];
  readonly answers: readonly { readonly id: InboxId; readonly answer: Json }[];
  /** Each newer than the one that stands there; null in place of a value: it goes. */
  readonly entries: readonly EntryWrite[];
  /** Each in place of the one that the same person gave; one of a whole run also in place of those of its steps. */
  readonly ratings: readonly Rating[];
  readonly audit: readonly AuditRecord[];
  /** Ended runs, to go with all that belongs to them. */
  readonly pruned: readonly RunId[];
  /** Those of them of whose end whoever follows is told. */
  readonly removed: readonly RemovedRun[];
};

export type RemovedRun = RunName & { readonly run: RunId };

/** What a batch writes that writes nothing. */
export const emptyWrites: Omit<Batch, "no" | "at" | "lastId"> = {
  flows: [],
  runs: [],
  rows: [],
  events: [],
  signals: [],
  visits: [],
  answers: [],
  entries: [],
  ratings: [],
  audit: [],
  pruned: [],
  removed: [],
};

export type EntryWrite = Omit<Entry, "value"> & { readonly value: Json | null };

/** Counters (`live`, `rowCount`, `finishedCount`) are not written: the rows tell them. */
export type RunWrite = {
  readonly run: RunRow;
  readonly flow: string;
  /** Only of a new run. */
  readonly startKey: string | null;
  readonly isNew: boolean;
};

export type RowWrite = {
  readonly run: RunId;
  /** Of the run: a key that is made of it is not stored again. */
  readonly uid: string;
  readonly row: Row;
  /** As it is on disk, or will be once the batches before are; null: a new row. */
  readonly before: Row | null;
};

export type Committed =
  | { readonly kind: "committed"; readonly no: number }
  /** Surely not on disk. `stale`: a row was not as the writer believed; its memory is wrong. `behind`: the batch before
   *  it failed, and two are handed over at a time. */
  | { readonly kind: "refused"; readonly reason: RefusedReason; readonly message: string }
  /** Nobody knows whether it is on disk. */
  | { readonly kind: "unknown"; readonly message: string };

export type RefusedReason = "constraint" | "busy" | "full" | "stale" | "behind";

/** What a run's own columns are: only when one of them changes is the run written. */
export function hasOwnChange(before: RunRow, after: RunRow): boolean {
  for (const field of ownFields) if (before[field] !== after[field]) return true;
  return false;
}

const ownFields = [
  "status",
  "startedAt",
  "completedAt",
  "cancelledAt",
  "terminalKind",
  "output",
  "error",
  "attention",
  "ending",
  "alarms",
  "data",
  "seen",
  "restCount",
  "endedCount",
] as const satisfies readonly (keyof RunRow)[];
