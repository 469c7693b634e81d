// What waits for a person, gathered from the live runs; every door shows the same documents.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { Plan } from "../flow/plan.ts";
import type { Row, RunId, RunRow } from "../run/model.ts";
import type { BriefRow } from "../store/brief.ts";
import type { RunQuery, StoredRun } from "../store/store.ts";
import type { InboxItemDocument } from "./contract/inbox.ts";
import { listWaiting, type WaitingItem } from "./waiting.ts";

/** With as much of the run and of the step as a document tells. */
export type InboxLine = {
  readonly run: Pick<RunRow, "id" | "name" | "createdBy">;
  readonly item: Omit<WaitingItem, "row"> & { readonly row: Pick<Row, "id" | "name" | "gate"> | null };
};

/** With what is needed to say more about it. */
export type CollectedLine = { readonly run: RunRow; readonly item: WaitingItem<BriefRow>; readonly plan: Plan | null };

/** What an inbox is gathered from, with the rights of whoever looks. */
export type InboxSource = {
  readonly list: (query: RunQuery) => Promise<readonly StoredRun[]>;
  /** Those of which something is still to come, at least. */
  readonly listRows: (run: RunId) => Promise<readonly BriefRow[]>;
  /** null: it cannot be compiled by this version. */
  readonly planOf: (stored: StoredRun) => Promise<Plan | null>;
};

export type InboxWish = {
  /** So many, and all of the run that has the last of them. */
  readonly limitMax: number;
  /** Only of runs that are older than this one. */
  readonly before?: RunId;
  /** So many live runs are looked at; all unless given. */
  readonly runsMax?: number;
};

export type Inbox = {
  readonly lines: readonly CollectedLine[];
  /** The run from which on there may be more; null: there is none. */
  readonly next: RunId | null;
};

/** Live runs are looked at by so many at a time. */
const pageMax = 200;
/** Asked for at the same time. */
const atOnceMax = 16;

export async function collectInbox(source: InboxSource, wish: InboxWish): Promise<Inbox> {
  const { limitMax, runsMax = Number.POSITIVE_INFINITY } = wish;
  const lines: CollectedLine[] = [];
  let { before } = wish;
  for (let looked = 0; looked < runsMax; looked += pageMax) {
    const page = await source.list({ status: "live", limitMax: pageMax, ...(before === undefined ? {} : { before }) });
    const rows = await readRowsOf(
      source,
      page.map(({ run }) => run.id),
    );
    for (const stored of page) {
      const { run } = stored;
      const plan = await source.planOf(stored);
      const items = listWaiting(run, rows.get(run.id) ?? [], plan);
      lines.push(...items.map((item) => ({ run, item, plan })));
      before = run.id;
      if (lines.length >= limitMax) return { lines, next: before };
    }
    if (page.length < pageMax) return { lines, next: null };
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  return { lines, next: before ?? null };
}

/** The rows of many runs, by run, each asked for once: so many at a time that a server of databases is kept busy, and no
 *  more than it takes. */
export async function readRowsOf<Known extends BriefRow>(
  source: { readonly listRows: (run: RunId) => Promise<readonly Known[]> },
  runs: readonly RunId[],
): Promise<ReadonlyMap<RunId, readonly Known[]>> {
  const rows = new Map<RunId, readonly Known[]>();
  const waiting = new Set(runs).values();
  const work = async (): Promise<void> => {
    for (const run of waiting) rows.set(run, await source.listRows(run));
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, runs.length) }, work));
  return rows;
}

/** What every door says of it. */
export type InboxLineDocument = Omit<InboxItemDocument, "uid" | "actions" | "gate" | "call" | "crossroads" | "change">;

/** Without what to do about it, which each door says in its own way. */
export function toInboxDocument({ run, item: { kind, row, since, title } }: InboxLine): InboxLineDocument {
  return {
    kind,
    workflow_id: run.id,
    workflow: run.name,
    step_id: row?.id ?? null,
    step: row?.name ?? null,
    title,
    message: row?.gate?.message ?? null,
    hash: row?.gate?.hash ?? null,
    created_by: run.createdBy,
    since,
  };
}
