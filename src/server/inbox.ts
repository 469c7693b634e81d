// What waits for a person, gathered from the live runs; every door shows the same documents.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { Plan } from "../flow/plan.ts";
import type { Row, RowId, RunId, RunRow } from "../run/model.ts";
import type { Brief, BriefRow, WaitQuery } from "../store/brief.ts";
import type { RunPage, RunSearch } from "../store/search.ts";
import type { StoredRun } from "../store/store.ts";
import type { InboxItemDocument } from "./contract/inbox.ts";
import { listWaiting, type WaitingItem } from "./waiting.ts";

/** With as much of the run and of the step as a document tells. */
export type InboxLine = {
  readonly run: Pick<RunRow, "id" | "name" | "createdBy">;
  readonly item: Omit<WaitingItem, "row" | "kind"> & {
    readonly kind: InboxItemDocument["kind"];
    readonly row: Pick<Row, "id" | "name" | "gate"> | null;
  };
};

/** With what is needed to say more about it. */
export type CollectedLine = { readonly run: RunRow; readonly item: WaitingItem<BriefRow>; readonly plan: Plan | null };

/** What an inbox is gathered from, with the rights of whoever looks. */
export type InboxSource = {
  readonly search: (search: RunSearch) => Promise<RunPage>;
  /** Of runs that were found before. */
  readonly listWaits: (query: WaitQuery) => Promise<ReadonlyMap<RunId, readonly Brief[]>>;
  /** null: it cannot be compiled by this version. */
  readonly planOf: (stored: StoredRun) => Promise<Plan | null>;
};

/** How far somebody has come: in the run, to what waits with this row; null: to its end. 0: to what is no row's. */
export type InboxPlace = { readonly run: RunId; readonly row: RowId | null };

export type InboxWish = {
  readonly limitMax: number;
  /** Only what comes behind it. */
  readonly behind?: InboxPlace;
  /** So many live runs are looked at, or a few more; all unless given. */
  readonly runsMax?: number;
  /** false: a machine that rests in a state waits for nobody, and is left out. */
  readonly hasStates?: boolean;
};

export type Inbox<Item> = {
  readonly items: readonly Item[];
  /** Behind which there may be more; null: there is none. */
  readonly next: InboxPlace | null;
};

/** Live runs are looked at by so many at a time, and by so much of them. */
const pageMax = 200;
const pageBytes = 16 * 1024 * 1024;
/** So many rows of a run are read at a time. */
const rowsMax = 200;
/** So many runs at once are asked for what waits in them. */
const partMax = 20;
/** Asked for at the same time. */
const atOnceMax = 16;

/** Newest runs first; of one run, in the order in which its rows were made. Every line is told of at once, so that no more
 *  of runs is held than is looked at. */
export async function collectInbox<Item>(
  source: InboxSource,
  wish: InboxWish,
  toItem: (line: CollectedLine) => Promise<Item>,
): Promise<Inbox<Item>> {
  const { limitMax, behind, runsMax = Number.POSITIVE_INFINITY, hasStates = true } = wish;
  const items: Item[] = [];
  let before = behind === undefined ? undefined : behind.row === null ? behind.run : behind.run + 1;
  for (let looked = 0; looked < runsMax;) {
    const query = { status: "live", limitMax: pageMax, bytesMax: pageBytes } as const;
    const page = await source.search(before === undefined ? query : { ...query, before });
    const lines = await linesOf(source, page.runs, { behind, limitMax: limitMax - items.length, hasStates });
    items.push(...(await mapSome(lines, toItem)));
    const last = lines.at(-1);
    if (items.length >= limitMax && last !== undefined)
      return { items, next: { run: last.run.id, row: last.item.row?.id ?? 0 } };
    if (page.next === null) return { items, next: null };
    before = page.next;
    looked += page.runs.length;
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  return { items, next: before === undefined ? null : { run: before, row: null } };
}

type Part = { readonly behind: InboxPlace | undefined; readonly limitMax: number; readonly hasStates: boolean };

async function linesOf(
  source: InboxSource,
  runs: readonly StoredRun[],
  { behind, limitMax, hasStates }: Part,
): Promise<readonly CollectedLine[]> {
  const fresh = runs.flatMap(({ run }) => (run.id === behind?.run ? [] : [run.id]));
  const waits = await listWaitsOf(source, fresh, hasStates);
  const lines: CollectedLine[] = [];
  for (const stored of runs) {
    const { run } = stored;
    // Most runs wait for nobody.
    if (run.id !== behind?.run && !waits.has(run.id) && run.attention === null) continue;
    // Only the plan knows which rows are states.
    const plan = hasStates ? await planOrNone(source, stored) : null;
    let row = run.id === behind?.run ? behind.row : null;
    let rows =
      row === null ? (waits.get(run.id) ?? []) : await listBehind(source, { run: run.id, after: row, hasStates });
    for (;;) {
      const told = listWaiting(
        run,
        rows.map((brief) => brief.row),
        plan,
      );
      // What is no row's comes first.
      const items = row === null ? told : told.filter((item) => item.row !== null);
      lines.push(...items.slice(0, limitMax - lines.length).map((item) => ({ run, item, plan })));
      if (lines.length >= limitMax) return lines;
      if (rows.length < rowsMax) break;
      row = rows.at(-1)?.row.id ?? 0;
      rows = await listBehind(source, { run: run.id, after: row, hasStates });
    }
  }
  return lines;
}

/** A few runs at a time: all rows of each are passed by. */
async function listWaitsOf(
  source: InboxSource,
  runs: readonly RunId[],
  hasStates: boolean,
): Promise<ReadonlyMap<RunId, readonly Brief[]>> {
  const waits = new Map<RunId, readonly Brief[]>();
  for (let from = 0; from < runs.length; from += partMax) {
    if (from > 0) await takeTurn();
    const part = { runs: runs.slice(from, from + partMax), limitMax: rowsMax, hasStates };
    for (const [run, rows] of await source.listWaits(part)) waits.set(run, rows);
  }
  return waits;
}

type Behind = { readonly run: RunId; readonly after: RowId; readonly hasStates: boolean };

async function listBehind(source: InboxSource, { run, after, hasStates }: Behind): Promise<readonly Brief[]> {
  await takeTurn();
  return (await source.listWaits({ runs: [run], after, limitMax: rowsMax, hasStates })).get(run) ?? [];
}

/** What waits is shown also where nobody can say what its answers lead to. */
async function planOrNone(source: InboxSource, stored: StoredRun): Promise<Plan | null> {
  return source.planOf(stored).catch(() => null);
}

/** In their order, a few at a time; others have their turn in between. */
async function mapSome<Given, Made>(
  given: readonly Given[],
  make: (one: Given) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < given.length; from += atOnceMax) {
    made.push(...(await Promise.all(given.slice(from, from + atOnceMax).map(make))));
    await takeTurn();
  }
  return made;
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
export type InboxLineDocument = Omit<
  InboxItemDocument,
  "uid" | "about" | "actions" | "gate" | "call" | "crossroads" | "change"
>;

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
