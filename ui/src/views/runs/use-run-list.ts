// The rows of the list, and what is held back until it can be shown without a jump.

import { useInfiniteQuery, useQueries, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { pageSize, runListQuery, runPageQuery } from "../../api/run-list.ts";
import type { RunPage, RunQuery } from "../../api/runs.ts";
import { useChanges, useLiveDesk } from "../../components/live.tsx";
import type { Change } from "../../model/change.ts";
import { absorb, cursorsFor, foldRows, heldBack, isSameRows, joinPages, reaches } from "../../model/run-list.ts";
import type { Run } from "../../model/run.ts";

const noRuns: readonly Run[] = [];
/** A run that begins is seen at once, but many are not asked for one by one. */
const headPace = { firstMs: 40, mostMs: 600 };

/** The rows as they stand, however they may have changed since. */
export function useRunRows(query: RunQuery) {
  const list = useInfiniteQuery(runListQuery(query));
  const rows = useMemo(() => joinPages((list.data?.pages ?? []).map(({ runs }) => runs)), [list.data]);
  useFolding(query);
  return { list, rows };
}

/** What is told of a run is shown before it has been read anew. */
function useFolding(query: RunQuery): void {
  const client = useQueryClient();
  const key = JSON.stringify(query);
  const desk = useLiveDesk();
  const fold = useCallback(
    (changes: readonly Change[]) => {
      if (changes.some(({ step }) => step === null))
        desk.readSoon({ key: runPageQuery(JSON.parse(key), null).queryKey, pace: headPace });
      client.setQueryData<InfiniteData<RunPage>>(["run-list", JSON.parse(key)], (old) =>
        old === undefined ? old : { ...old, pages: old.pages.map((page) => foldPage(page, changes)) },
      );
    },
    [client, desk, key],
  );
  useChanges(fold);
}

function foldPage(page: RunPage, changes: readonly Change[]): RunPage {
  const runs = foldRows(page.runs, changes);
  return runs === page.runs ? page : { ...page, runs };
}

type Sight = { readonly from: number; readonly to: number; readonly mayMove: boolean };

/** What is in sight as it is now, and what waits to be shown. */
export function useFreshRows(query: RunQuery, rows: readonly Run[], { from, to, mayMove }: Sight) {
  const client = useQueryClient();
  const isRead = client.getQueryData(runListQuery(query).queryKey) !== undefined;
  const cursors = [...new Set([null, ...cursorsFor(rows, { from, to, size: pageSize })])];
  const pages = useQueries({ queries: cursors.map((cursor) => ({ ...runPageQuery(query, cursor), enabled: isRead })) });
  const head = pages[0]?.data;
  const { held, isOther } = useMemo(() => compare(rows, head), [rows, head]);
  const release = (): void => {
    if (head === undefined) return;
    client.setQueryData(runListQuery(query).queryKey, (old) => (old === undefined ? old : absorbHead(old, head)));
  };
  const isDue = mayMove && isOther;
  useEffect(() => {
    if (isDue) release();
    // `release` is made anew each time, of the same head and list.
  }, [isDue, head, rows]);
  return { read: pages.flatMap(({ data }) => (data === undefined ? [] : [data.runs])), held, release };
}

function compare(
  rows: readonly Run[],
  head: RunPage | undefined,
): { readonly held: readonly Run[]; readonly isOther: boolean } {
  if (head === undefined) return { held: noRuns, isOther: false };
  const absorbed = absorb(rows, { runs: head.runs, isAll: head.next === null });
  return { held: heldBack(rows, head.runs), isOther: !isSameRows(rows, absorbed) };
}

/** All that was read stands in the first page from now on; the next one is read behind the last row, as before. */
function absorbHead(old: InfiniteData<RunPage>, head: RunPage): InfiniteData<RunPage> {
  const rows = joinPages(old.pages.map(({ runs }) => runs));
  const told = { runs: head.runs, isAll: head.next === null };
  const next = reaches(rows, told) ? (old.pages.at(-1)?.next ?? null) : head.next;
  return { pages: [{ runs: absorb(rows, told), next }], pageParams: [null] };
}
