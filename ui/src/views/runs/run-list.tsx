// The list of runs: as long as it may be, only what is in sight is drawn, and nothing moves under the pointer.

import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { Problem } from "../../api/request.ts";
import type { RunQuery } from "../../api/runs.ts";
import { useLive } from "../../components/live.tsx";
import { useIsNarrow } from "../../components/narrow.ts";
import { Failed, Skeleton } from "../../components/page.tsx";
import { needsPerson } from "../../model/run-row.ts";
import { refresh } from "../../model/run-list.ts";
import type { Run } from "../../model/run.ts";
import { extended, nothing, toggled, type Selection } from "../../model/selection.ts";
import { Cards, NewRuns, SelectAll } from "./list-parts.tsx";
import { RunCard, RunRow } from "./run-line.tsx";
import { RunTable } from "./run-table.tsx";
import { restoreId, useLineHeight, useLines, useReadingAhead, type Lines, type More } from "./use-lines.ts";
import { useListKeys } from "./use-list-keys.ts";
import { useFreshRows, useRunRows } from "./use-run-list.ts";
import { useSteady } from "./use-steady.ts";
import { useWaiting } from "./use-waiting.ts";
import { useWayBack } from "./use-way-back.ts";

/** The next page is read when so few rows are left. */
const ahead = 30;

type ListProps = {
  readonly query: RunQuery;
  /** Only those in which something waits for a person. */
  readonly onlyWaiting: boolean;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly empty: ReactNode;
  /** In the place of the list when nobody understands what is looked for. */
  readonly unreadable: (message: string) => ReactNode;
  /** Over the end of the list: above it, it would push the rows away from under the pointer. */
  readonly over: (rows: readonly Run[]) => ReactNode;
};

export function RunList(props: ListProps) {
  const { list, rows } = useRunRows(props.query);
  const waiting = useWaiting();
  const isWanted = (run: Run): boolean => !props.onlyWaiting || needsPerson(run, waiting);
  if (list.data === undefined) {
    if (list.error === null) return <Skeleton lines={12} />;
    if (list.error instanceof Problem && list.error.code === "INPUT_INVALID")
      return props.unreadable(list.error.message);
    return <Failed error={list.error} again={() => void list.refetch()} />;
  }
  const more = { has: list.hasNextPage, isReading: list.isFetchingNextPage, read: () => void list.fetchNextPage() };
  return <Frame {...props} listed={rows} isWanted={isWanted} more={more} waiting={waiting} />;
}

type FrameProps = ListProps & {
  readonly listed: readonly Run[];
  readonly isWanted: (run: Run) => boolean;
  readonly more: More;
  readonly waiting: ReadonlySet<number>;
};

/** Around what scrolls: knows whether it may move. */
function Frame({ listed, isWanted, more, ...props }: FrameProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const [isOver, setOver] = useState(false);
  const isPaused = useLive().line === "paused";
  const rows = props.onlyWaiting ? listed.filter(isWanted) : listed;
  const height = useLineHeight(isNarrow);
  const lines = useLines(scroller, rows, { height, isNarrow });
  const items = lines.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  const mayMove = (lines.scrollOffset ?? 0) < 8 && !isOver && !isPaused;
  const sight = { from: placeIn(listed, rows[first], first), to: placeIn(listed, rows[last], last), mayMove };
  const { read, held, release } = useFreshRows(props.query, listed, sight);
  useReadingAhead(last >= rows.length - ahead, more);
  const shown = refresh(rows.slice(first, last + 1), read);
  const news = held.filter(isWanted).length;
  const show = (): void => {
    release();
    lines.scrollToOffset(0);
  };
  return (
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
    >
      {news === 0 || mayMove ? null : <NewRuns count={news} onShow={show} />}
      <Scroller {...props} {...{ scroller, lines, rows, shown, height, isNarrow }} hasMore={more.has} />
      {props.over(listed)}
    </div>
  );
}

/** `at`: where it is, unless others are left out before it. */
function placeIn(rows: readonly Run[], run: Run | undefined, at: number): number {
  if (run === undefined || rows[at] === run) return Math.max(at, 0);
  return Math.max(rows.indexOf(run), 0);
}

type ScrollerProps = Omit<ListProps, "over" | "query" | "onlyWaiting" | "unreadable"> & {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly lines: Lines;
  readonly rows: readonly Run[];
  /** Those in sight, as they are now. */
  readonly shown: readonly Run[];
  readonly waiting: ReadonlySet<number>;
  readonly height: number;
  readonly isNarrow: boolean;
  readonly hasMore: boolean;
};

function Scroller(props: ScrollerProps) {
  const { scroller, lines, rows, shown, waiting, height, isNarrow, hasMore, selection, onSelection, empty } = props;
  const [active, setActive] = useState<number | null>(null);
  const navigate = useNavigate();
  const open = (run: number): void => void navigate({ to: "/runs/$id", params: { id: String(run) } });
  const ids = useMemo(() => rows.map((loaded) => loaded.id), [rows]);
  const select = (run: number, isRange: boolean): void => {
    onSelection(isRange && active !== null ? extended(selection, ids, [active, run]) : toggled(selection, run));
    setActive(run);
  };
  const clear = (): void => onSelection(nothing);
  const acts = { onOpen: useSteady(open), onSelect: useSteady(select) };
  const press = useListKeys({ rows, active, setActive, virtual: lines, scroller, onClear: clear, ...acts });
  useWayBack(scroller, active);
  const items = lines.getVirtualItems();
  const isActiveThere = shown.some(({ id }) => id === active);
  const Line = isNarrow ? RunCard : RunRow;
  const drawn = shown.map((run, at) => (
    <Line
      key={run.id}
      {...{ run, waiting, height, onActive: setActive, ...acts }}
      isActive={isActiveThere ? run.id === active : at === 0}
      isSelected={selection.has(run.id)}
      place={(items[0]?.index ?? 0) + at + 1}
    />
  ));
  const size = lines.getTotalSize();
  const all = <SelectAll ids={ids} selection={selection} onSelection={onSelection} />;
  const table = (
    <RunTable items={items} height={size} count={hasMore ? -1 : rows.length + 1} selectAll={all}>
      {drawn}
    </RunTable>
  );
  const cards = <Cards items={drawn} height={size} start={items[0]?.start ?? 0} />;
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="List of runs"
      tabIndex={0}
      data-testid="run-list"
      data-scroll-restoration-id={restoreId}
      onKeyDown={press}
      className={`min-h-0 flex-1 overflow-auto bg-surface outline-offset-[-2px] ${selection.size === 0 ? "" : "pb-20"}`}
    >
      {rows.length > 0 ? isNarrow ? cards : table : hasMore ? <Skeleton /> : empty}
    </div>
  );
}
