// A part of a run's history: the store says what happened when, and only the rows of what is told are read, without what is
// large in them.

import { setImmediate as takeTurn } from "node:timers/promises";
import { entriesOf, type HistoryEntry } from "../run/history.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Moment, ShortRow } from "../store/brief.ts";
import type { Store } from "../store/store.ts";

export type HistoryQuery = {
  /** So many of the oldest are passed over. */
  readonly skip: number;
  readonly limitMax: number;
  /** Of a result, or of what an event brought: longer ones are left out. */
  readonly bytesMax: number;
};

export type HistoryPart = {
  readonly entry: HistoryEntry;
  /** How long its value is, which was left out; null: it is there. */
  readonly omitted: number | null;
};

/** So many rows are read at a time. */
const rowsMax = 100;

export async function listHistory(
  store: Pick<Store, "listMoments" | "findShort">,
  run: RunId,
  { skip, limitMax, bytesMax }: HistoryQuery,
): Promise<readonly HistoryPart[]> {
  const moments = await store.listMoments({ run, skip, limitMax, bytesMax });
  const ids = new Set(moments.flatMap(({ kind, row }) => (kind === "event" || row === null ? [] : [row])));
  const rows = new Map<RowId, ShortRow>();
  for (const part of chunksOf([...ids])) {
    for (const [id, row] of await store.findShort(part)) rows.set(id, row);
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  return moments.flatMap((moment) => toPart(moment, rows, bytesMax));
}

function chunksOf(ids: readonly RowId[]): readonly (readonly RowId[])[] {
  const count = Math.ceil(ids.length / rowsMax);
  return Array.from({ length: count }, (_, no) => ids.slice(no * rowsMax, (no + 1) * rowsMax));
}

function toPart(moment: Moment, rows: ReadonlyMap<RowId, ShortRow>, bytesMax: number): readonly HistoryPart[] {
  if (moment.kind === "event") {
    const { dataBytes, ...entry } = moment;
    return [{ entry, omitted: dataBytes > bytesMax ? dataBytes : null }];
  }
  const found = moment.row === null ? undefined : rows.get(moment.row);
  // Gone meanwhile, and all of its run with it.
  if (found === undefined) return [];
  const entry = entriesOf(found.row).find(({ kind }) => kind === moment.kind);
  if (entry === undefined) return [];
  const { resultBytes } = found;
  const isLong = entry.kind === "ended" && resultBytes !== null && resultBytes > bytesMax;
  return [{ entry, omitted: isLong ? resultBytes : null }];
}
