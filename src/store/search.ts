// Runs by what is in them: the stores give runs by key, newest first, page by page, and here is looked into each, so that
// every store finds the same. A search is bounded by what it looks at, not by what it finds; whoever wants more goes on
// from where it ended.

import { setImmediate as takeTurn } from "node:timers/promises";
import { canonicalText, isArray, isObject, own, type Json } from "../flow/json.ts";
import type { RunId, RunStatus } from "../run/model.ts";
import { triggerOf, type Trigger } from "../run/trigger.ts";
import type { RunQuery, Store, StoredRun } from "./store.ts";

export type RunSearch = RunQuery & {
  /** In place of `status`: any of these. */
  readonly statuses?: readonly RunStatus[];
  /** From this instant on. */
  readonly createdAfter?: number;
  /** Before this instant. */
  readonly createdBefore?: number;
  /** In its name, input, output or error, in capitals or not. */
  readonly text?: string;
  /** What the input has at this place. */
  readonly field?: { readonly path: readonly string[]; readonly value: Json };
  /** Any of these set it going. */
  readonly triggers?: readonly Trigger[];
  /** Only these runs, if they are all that else is asked for. */
  readonly ids?: readonly RunId[];
  /** The page ends with the run by which it has come to so many, about; no limit unless given. */
  readonly bytesMax?: number;
};

export type RunPage = {
  readonly runs: readonly StoredRun[];
  /** The run from which on there may be more (`before`); null: there is none. */
  readonly next: RunId | null;
};

/** What a search reads of a store. */
export type Searched = Pick<Store, "listRuns" | "listHeads">;

/** So many runs are looked into by one search. */
export const looksMax = 100_000;
/** Few enough that nobody else waits for long while they are read. */
const pageMax = 200;
/** Before anybody knows how large they are. */
const firstPageMax = 8;
/** What is read at once, about. */
const pageBytes = 16 * 1024 * 1024;
/** Ids rise with the clock; by so much may a clock have been set back, and nothing is missed. */
const slackMs = 60_000;

export async function searchRuns(store: Searched, query: RunSearch): Promise<RunPage> {
  const { limitMax, bytesMax = Infinity } = query;
  if (limitMax < 1) return { runs: [], next: null };
  const isSearching = isSearch(query);
  const isWanted = isSearching ? createFilter(query) : () => true;
  if (query.ids !== undefined) return searchThese(store, query, { ids: query.ids, isWanted });
  const runs: StoredRun[] = [];
  let before = await findStart(store, query);
  let bytes = 0;
  let looked = 0;
  // A list is bounded by what it gives.
  const looksAtMost = isSearching ? looksMax : Infinity;
  let wanted = Math.min(firstPageMax, limitMax);
  while (looked < looksAtMost) {
    const page = await listAny(store, { ...query, before }, wanted);
    let pageSize = 0;
    for (const stored of page) {
      before = stored.run.id;
      const size = sizeOf(stored);
      pageSize += size;
      if (!isWanted(stored)) continue;
      runs.push(stored);
      bytes += size;
      if (runs.length === limitMax || bytes >= bytesMax) return { runs, next: before };
    }
    if (page.length < wanted || isTooOld(page, query)) return { runs, next: null };
    looked += page.length;
    // As many as fit, should they be as large as those before.
    const fitting = Math.floor(Math.min(pageBytes, bytesMax - bytes) / (pageSize / page.length));
    wanted = Math.max(1, Math.min(pageMax, fitting, isSearching ? looksAtMost - looked : limitMax - runs.length));
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  return { runs, next: before };
}

/** What users have put there; the rest is small. */
function sizeOf({ run }: StoredRun): number {
  const texts = [run.input, run.output, run.error, run.data].map((value) => Buffer.byteLength(JSON.stringify(value)));
  return texts.reduce((sum, length) => sum + length, 500);
}

function isSearch({ createdAfter, createdBefore, text, field, triggers }: RunSearch): boolean {
  return [createdAfter, createdBefore, text, field, triggers].some((given) => given !== undefined);
}

type These = { readonly ids: readonly RunId[]; readonly isWanted: (stored: StoredRun) => boolean };

/** Each is looked for where it would stand in the list, so that what else is asked for holds for it as well; a few at once,
 *  since each may be large. */
async function searchThese(store: Searched, query: RunSearch, { ids, isWanted }: These): Promise<RunPage> {
  const { limitMax, bytesMax = Infinity, before = Number.MAX_SAFE_INTEGER } = query;
  const left = [...new Set(ids)].filter((id) => id < before).toSorted((one, other) => other - one);
  const last = left.at(-1);
  const runs: StoredRun[] = [];
  let bytes = 0;
  while (left.length > 0) {
    const few = left.splice(0, firstPageMax);
    const found = await Promise.all(few.map((id) => listAny(store, { ...query, before: id + 1 }, 1)));
    for (const [at, [stored]] of found.entries()) {
      if (stored === undefined || stored.run.id !== few[at] || !isWanted(stored)) continue;
      runs.push(stored);
      bytes += sizeOf(stored);
      const { id } = stored.run;
      if (runs.length === limitMax || bytes >= bytesMax) return { runs, next: id === last ? null : id };
    }
    await takeTurn();
  }
  return { runs, next: null };
}

/** Of several statuses, each is asked for by its index. */
async function listAny(store: Searched, query: RunSearch, limitMax: number): Promise<readonly StoredRun[]> {
  const { status, statuses, name, createdBy, before } = query;
  const rest = {
    limitMax,
    ...(name === undefined ? {} : { name }),
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(before === undefined ? {} : { before }),
  };
  if (statuses === undefined) return store.listRuns({ ...rest, status });
  const lists = await Promise.all([...new Set(statuses)].map((one) => store.listRuns({ ...rest, status: one })));
  return lists
    .flat()
    .toSorted((one, other) => other.run.id - one.run.id)
    .slice(0, limitMax);
}

/** What was created later need not be looked at: where it ends is found by halves. */
async function findStart(store: Searched, { before, createdBefore }: RunSearch): Promise<RunId> {
  let high = before ?? Number.MAX_SAFE_INTEGER;
  if (createdBefore === undefined) return high;
  const [newest] = await store.listHeads(high, 1);
  if (newest === undefined || newest.createdAt < createdBefore + slackMs) return high;
  high = newest.id;
  let low = 0;
  // Runs from `high` on are too new; those before `low` are not.
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const [head] = await store.listHeads(middle, 1);
    if (head !== undefined && head.createdAt >= createdBefore + slackMs) high = head.id;
    else low = middle;
  }
  return high;
}

function isTooOld(page: readonly StoredRun[], { createdAfter }: RunSearch): boolean {
  return createdAfter !== undefined && page.every(({ run }) => run.createdAt < createdAfter - slackMs);
}

function createFilter(query: RunSearch): (stored: StoredRun) => boolean {
  const { createdAfter, createdBefore, text, field, triggers } = query;
  const wanted = text?.toLowerCase();
  const expected = field === undefined ? undefined : canonicalText(field.value);
  return ({ run }) => {
    if (createdAfter !== undefined && run.createdAt < createdAfter) return false;
    if (createdBefore !== undefined && run.createdAt >= createdBefore) return false;
    if (triggers !== undefined && !triggers.includes(triggerOf(run))) return false;
    if (field !== undefined && textAt(run.input, field.path) !== expected) return false;
    return wanted === undefined || [run.name, run.input, run.output, run.error].some((value) => holds(value, wanted));
  };
}

/** undefined: there is nothing at this place. */
function textAt(input: Json, path: readonly string[]): string | undefined {
  let value: Json | undefined = input;
  for (const key of path) {
    if (isArray(value)) value = /^\d{1,9}$/u.test(key) ? value[Number(key)] : undefined;
    else value = isObject(value) ? own(value, key) : undefined;
  }
  return value === undefined ? undefined : canonicalText(value);
}

/** Texts, numbers and keys count; what stands between them in JSON does not. */
function holds(value: Json, wanted: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(wanted);
  if (typeof value === "number") return String(value).includes(wanted);
  if (isArray(value)) return value.some((item) => holds(item, wanted));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, member]) => key.toLowerCase().includes(wanted) || holds(member, wanted));
}
