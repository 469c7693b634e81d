import { useCallback, useEffect, useRef, type CSSProperties } from "react";
import { StatusIcon } from "../../../components/status.tsx";
import { useInSight } from "../../../components/use-in-sight.ts";
import { rowsInSight } from "../../../model/in-sight.ts";
import { sayItems } from "../../../model/steps.ts";
import { showDuration } from "../../../model/time.ts";
import { place, type Scale, type Window, within } from "../../../model/time-scale.ts";
import { sayRow, type Segment, type Timeline, type TimelineRow } from "../../../model/timeline.ts";
import { columns } from "./axis.tsx";

type RowsProps = {
  readonly timeline: Timeline;
  readonly scale: Scale;
  readonly window: Window;
  readonly selected: string | null;
  readonly hovered: string | null;
  readonly onSelect: (key: string) => void;
  readonly onHover: ((key: string | null) => void) | undefined;
};

const rowHeight = 28;
/** From this many on only those that are seen are drawn. */
const manyRows = 200;

export function TimelineRows(props: RowsProps) {
  const { rows } = props.timeline;
  const { sight, box, onScroll } = useInSight();
  const shown = useRowInSight(rows.findIndex(({ key }) => key === props.selected));
  const watch = useCallback(
    (element: HTMLElement | null) => {
      shown.current = element;
      return box(element);
    },
    [shown, box],
  );
  const isLong = rows.length > manyRows;
  const [from, to] = isLong ? rowsInSight(rows.length, rowHeight, sight) : [0, rows.length];
  return (
    <div
      ref={watch}
      onScroll={isLong ? onScroll : undefined}
      role="region"
      aria-label="Steps over time"
      tabIndex={0}
      className="absolute inset-x-0 top-6 bottom-0 overflow-x-hidden overflow-y-auto"
    >
      <ul role="list" className="relative w-full" style={{ height: isLong ? rows.length * rowHeight : undefined }}>
        {rows.slice(from, to).map((row, at) => (
          <Line
            key={row.id}
            {...props}
            row={row}
            index={from + at}
            style={isLong ? { position: "absolute", top: (from + at) * rowHeight } : undefined}
          />
        ))}
      </ul>
    </div>
  );
}

/** The row that matters is seen: its list is scrolled as far as it takes, and nothing else. */
function useRowInSight(index: number) {
  const box = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const list = box.current;
    if (list === null || index < 0) return;
    const top = index * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  }, [index]);
  return box;
}

type LineProps = RowsProps & {
  readonly row: TimelineRow;
  readonly index: number;
  readonly style: CSSProperties | undefined;
};

function Line({ row, index, style, timeline, scale, window, selected, hovered, onSelect, onHover }: LineProps) {
  const isSelected = selected === row.key;
  const look = isSelected ? "bg-accent/10" : hovered === row.key ? "bg-text/5" : "";
  return (
    <li className="w-full" style={style} aria-setsize={timeline.rows.length} aria-posinset={index + 1}>
      <button
        type="button"
        aria-pressed={isSelected}
        data-testid="timeline-row"
        data-step-key={row.key}
        data-status={row.shown.token}
        data-hovered={hovered === row.key}
        className={`${columns} h-7 w-full items-center text-start -outline-offset-2! hover:bg-text/5 ${look}`}
        onClick={() => onSelect(row.key)}
        onMouseEnter={() => onHover?.(row.key)}
        onMouseLeave={() => onHover?.(null)}
      >
        <span className="sr-only">{sayRow(row, timeline)}</span>
        <span aria-hidden className="flex min-w-0 items-center gap-1.5">
          <span data-token={row.shown.token} className="text-[var(--status-fg)]" title={row.shown.word}>
            <StatusIcon shown={row.shown} />
          </span>
          <span className="min-w-0 truncate text-table" title={row.name}>
            {row.name}
          </span>
        </span>
        <span aria-hidden className="relative h-full overflow-hidden">
          {row.segments.map((segment) => (
            <Bar key={segment.id} segment={segment} scale={scale} window={window} />
          ))}
        </span>
        <span
          aria-hidden
          className="mono truncate text-end !text-meta text-text2"
          title={row.items === null ? undefined : sayItems(row.items)}
        >
          {showDuration((row.endedAt ?? timeline.to) - row.startedAt)}
        </span>
      </button>
    </li>
  );
}

type BarProps = { readonly segment: Segment; readonly scale: Scale; readonly window: Window };

function Bar({ segment, scale, window }: BarProps) {
  const left = within(window, place(scale, segment.from));
  const right = within(window, place(scale, segment.to));
  if (right < 0 || left > 1) return null;
  const from = Math.max(-0.01, left);
  const width = Math.min(1.01, right) - from;
  return (
    <span
      data-kind={segment.kind}
      data-token={segment.token}
      title={`${segment.title}: ${showDuration(segment.to - segment.from)}`}
      className="bar"
      style={{ left: `min(${from * 100}%, calc(100% - 3px))`, width: `${width * 100}%` }}
    >
      {segment.kind === "lost" ? <span className="bar-word">cut off somewhere here</span> : null}
    </span>
  );
}
