// A batch in the making: the decisions of many messages, merged so that each row and each run is written once. Nothing of
// it is done before it is on disk.

import type { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { Changes, Decision, Reply, RunEvent, ToolCall } from "../run/decision.ts";
import { applyChanges } from "../run/apply.ts";
import { type Row, type RowId, type RunId, type Signal, type VisitCount } from "../run/model.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { Rating } from "../store/outcome.ts";
import {
  hasOwnChange,
  type Batch,
  type EntryWrite,
  type FlowRecord,
  type InboxId,
  type RemovedRun,
  type RowWrite,
  type RunWrite,
} from "../store/store.ts";
import type { Envelope } from "./envelope.ts";
import { noteRecent, type HeldRun } from "./held-run.ts";
import { answerTo } from "./request.ts";

export type BatchDraft = {
  readonly no: number;
  readonly at: number;
  readonly envelopes: Envelope[];
  readonly replies: { readonly envelope: Envelope; readonly reply: Reply }[];
  readonly touched: Set<HeldRun>;
  readonly startKeys: Map<RunId, string>;
  readonly flows: FlowRecord[];
  readonly rows: Map<RowId, DraftRow>;
  /** How many of them have come to their end by it. */
  ended: number;
  readonly events: { readonly run: RunId; readonly event: RunEvent }[];
  readonly signals: Map<RunId, readonly Signal[]>;
  readonly visits: Map<string, { readonly run: RunId; readonly step: string; readonly count: VisitCount }>;
  readonly calls: { readonly held: HeldRun; readonly call: ToolCall; readonly attempt: number }[];
  readonly aborts: Set<string>;
  /** Rows that have become ready, for the dispatcher. */
  readonly ready: { readonly run: RunId; readonly row: RowId }[];
  /** Rows that were admitted in this batch. */
  readonly admitted: { readonly run: RunId; readonly row: RowId }[];
  /** What other runs could not be told; it is tried again as a message of its own. */
  readonly troubles: Envelope[];
  /** What people have asked for in it. */
  readonly audit: AuditRecord[];
  readonly asides: WaitingAside[];
};

/** A class for the same reason as `RecentRow`. */
class DraftRow implements RowWrite {
  readonly run: RunId;
  readonly uid: string;
  row: Row;
  readonly before: Row | null;

  constructor({ id, frontier }: HeldRun, row: Row, before: Row | null) {
    this.run = id;
    this.uid = frontier.run.uid;
    this.row = row;
    this.before = before;
  }
}

/** What is written with a batch and is not the decision of a run; and who waits for it. */
export type Aside = {
  /** Ended runs that are to go. */
  readonly pruned?: readonly RunId[];
  /** Those of them that somebody wanted to be gone. */
  readonly removed?: readonly RemovedRun[];
  /** To guests, beside the replies. */
  readonly answers?: readonly { readonly id: InboxId; readonly answer: Json }[];
  readonly flows?: readonly FlowRecord[];
  readonly entries?: readonly EntryWrite[];
  readonly ratings?: readonly Rating[];
  readonly audit?: readonly AuditRecord[];
  readonly events?: readonly { readonly run: RunId; readonly event: RunEvent }[];
  /** Ids were given away for later: they are never given again. */
  readonly keepsIds?: true;
};

export type WaitingAside = Aside & { readonly done: () => void; readonly failed: (error: StepwellError) => void };

export function createBatchDraft(no: number, at: number): BatchDraft {
  return {
    no,
    at,
    envelopes: [],
    replies: [],
    touched: new Set(),
    startKeys: new Map(),
    flows: [],
    rows: new Map(),
    ended: 0,
    events: [],
    signals: new Map(),
    visits: new Map(),
    calls: [],
    aborts: new Set(),
    ready: [],
    admitted: [],
    troubles: [],
    audit: [],
    asides: [],
  };
}

/** Takes a decision into the batch and into the run's frontier. `brought`: old rows that the decision was given. */
export function mergeDecision(
  draft: BatchDraft,
  held: HeldRun,
  decided: { readonly decision: Decision; readonly brought: ReadonlyMap<RowId, Row> | null },
): void {
  const { decision, brought } = decided;
  const { changes } = decision;
  draft.touched.add(held);
  held.batchNo = draft.no;
  for (const row of changes.rows) {
    const known = draft.rows.get(row.id);
    const before = known === undefined ? rowBefore(held, row, brought) : known.row;
    if (known !== undefined) known.row = row;
    else draft.rows.set(row.id, new DraftRow(held, row, before));
    if (row.completedAt !== null && row.copiedFrom === null && (before?.completedAt ?? null) === null) draft.ended += 1;
    noteRecent(held, row, draft.no);
    if (row.status === "ready") draft.ready.push({ run: held.id, row: row.id });
  }
  mergeRest(draft, held.id, changes);
  const wasPaused = held.frontier.run.status === "paused";
  applyChanges(held.frontier, changes);
  if (wasPaused) announceReady(draft, held);
  for (const call of decision.calls)
    draft.calls.push({ held, call, attempt: held.frontier.rows.get(call.row)?.attempt ?? 1 });
  for (const token of decision.aborts) draft.aborts.add(token);
}

/** What was ready while the run was paused was let go by; it is looked at again. */
function announceReady(draft: BatchDraft, { id, frontier }: HeldRun): void {
  if (frontier.run.status !== "running") return;
  for (const row of frontier.rows.values()) if (row.status === "ready") draft.ready.push({ run: id, row: row.id });
}

/** As the row is on disk, or will be once the batches before this one are. */
function rowBefore(held: HeldRun, row: Row, brought: ReadonlyMap<RowId, Row> | null): Row | null {
  if (row.version === 1) return null;
  return held.frontier.rows.get(row.id) ?? held.recent.get(row.id)?.row ?? brought?.get(row.id) ?? null;
}

function mergeRest(draft: BatchDraft, run: RunId, { events, signals, visits }: Changes): void {
  for (const event of events) draft.events.push({ run, event });
  if (signals !== null) draft.signals.set(run, signals);
  // A first visit is known by its row.
  for (const { step, count } of visits) if (count.all > 1) draft.visits.set(`${run}:${step}`, { run, step, count });
}

/** What is handed to the store; null: nothing changed. */
export function closeBatch(draft: BatchDraft, lastId: number): Batch | null {
  const runs = [...runWrites(draft)];
  const answers: { readonly id: InboxId; readonly answer: Json }[] = [];
  const newest = new Map<string, EntryWrite>();
  const pruned: RunId[] = [];
  const removed: RemovedRun[] = [];
  const ratings = new Map<string, Rating>();
  const { no, at, flows, rows, events, signals, visits, audit } = draft;
  for (const { envelope, reply } of draft.replies)
    if (envelope.inbox !== null) answers.push({ id: envelope.inbox, answer: answerTo(reply) });
  for (const aside of draft.asides) {
    answers.push(...(aside.answers ?? []));
    for (const entry of aside.entries ?? []) newest.set(`${entry.kind} ${entry.key}`, entry);
    flows.push(...(aside.flows ?? []));
    events.push(...(aside.events ?? []));
    pruned.push(...(aside.pruned ?? []));
    removed.push(...(aside.removed ?? []));
    for (const rating of aside.ratings ?? []) putRating(ratings, rating);
    audit.push(...(aside.audit ?? []));
  }
  const entries = [...newest.values()];
  const given = [...ratings.values()];
  const kept = draft.asides.filter(({ keepsIds }) => keepsIds);
  const lists = [runs, events, answers, entries, given, audit, flows, pruned, kept];
  if (rows.size + signals.size + visits.size === 0 && lists.every((list) => list.length === 0)) return null;
  return {
    no,
    at,
    lastId,
    flows,
    runs,
    rows: [...rows.values()] satisfies readonly RowWrite[],
    events,
    signals: [...signals].map(([run, list]) => ({ run, signals: list })),
    visits: [...visits.values()],
    answers,
    entries,
    ratings: given,
    audit,
    pruned,
    removed,
  };
}

/** Each key once, as it was given last. One of the whole run replaces what the same person has said of its steps. */
function putRating(ratings: Map<string, Rating>, rating: Rating): void {
  const { run, step, by } = rating;
  for (const [key, other] of ratings) if (step === null && other.run === run && other.by === by) ratings.delete(key);
  ratings.set(`${run} ${step} ${by}`, rating);
}

function* runWrites(draft: BatchDraft): Iterable<RunWrite> {
  for (const held of draft.touched) {
    const { written, frontier, flow } = held;
    if (written !== null && !hasOwnChange(written, frontier.run)) continue;
    held.written = frontier.run;
    yield { run: frontier.run, flow, startKey: draft.startKeys.get(held.id) ?? null, isNew: written === null };
  }
}
