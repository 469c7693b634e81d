// When each step was queued, at work, backing off or waiting: a list of bars over one axis.

import { useCallback, useMemo, useState } from "react";
import type { Outline } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { move, makeScale, place, wholeWindow, within, zoom } from "../../../model/time-scale.ts";
import { sayBegin } from "../../../model/sentence.ts";
import { buildTimeline, legendOf } from "../../../model/timeline.ts";
import { useClock } from "../clock.ts";
import { Words } from "../inspector/said.tsx";
import { Axis, trackWidth } from "./axis.tsx";
import "./timeline.css";
import { TimelineRows } from "./timeline-rows.tsx";
import { TimelineTools } from "./timeline-tools.tsx";

export type TimelineProps = {
  readonly outline: Outline;
  /** Key of a step. */
  readonly selected: string | null;
  readonly hovered?: string | null;
  readonly onSelect: (key: string | null) => void;
  readonly onHover?: (key: string | null) => void;
};

/** From this many rows on it moves once a second. */
const manyRows = 300;

export function Timeline({ outline, selected, hovered = null, onSelect, onHover }: TimelineProps) {
  const isLive = !hasRunEnded(outline.run.status);
  const tick = useClock(isLive);
  const now = outline.steps.length > manyRows ? Math.floor(tick / 1000) * 1000 : tick;
  const timeline = useMemo(() => buildTimeline(outline, now), [outline, now]);
  const scale = useMemo(() => makeScale(timeline), [timeline]);
  const [window, setWindow] = useState(wholeWindow);
  const [room, setRoom] = useState(800);
  const wheel = useWheel(
    useCallback(
      (by, at) => setWindow((seen) => (by.zoom === null ? move(seen, by.move) : zoom(seen, by.zoom, at))),
      [],
    ),
  );
  const watch = useCallback(
    (section: HTMLElement | null) => both(wheel(section), watchWidth(section, setRoom)),
    [wheel],
  );
  if (timeline.rows.length === 0) return <NothingYet outline={outline} />;
  return (
    <section
      ref={watch}
      aria-label="Timeline"
      data-testid="timeline"
      className="flex min-h-0 w-full min-w-0 flex-1 flex-col bg-surface"
    >
      <TimelineTools legend={legendOf(timeline)} window={window} onChange={setWindow} />
      <div className="relative min-h-0 flex-1">
        <Axis
          scale={scale}
          window={window}
          width={trackWidth(room)}
          tickCount={Math.min(7, Math.max(2, Math.floor((room * 0.6) / 90)))}
          now={timeline.isLive ? within(window, place(scale, timeline.to)) : null}
        />
        <TimelineRows
          timeline={timeline}
          scale={scale}
          window={window}
          selected={selected}
          hovered={hovered}
          onSelect={onSelect}
          onHover={onHover}
        />
      </div>
    </section>
  );
}

function NothingYet({ outline: { run } }: { readonly outline: Outline }) {
  const isLater = run.status === "scheduled" && run.scheduledAt !== null;
  return (
    <p className="p-4 text-text2">
      Nothing has begun yet. {isLater ? <Words sentence={sayBegin(run.scheduledAt)} /> : "Steps appear as they start."}
    </p>
  );
}

function both(one: (() => void) | undefined, other: (() => void) | undefined): () => void {
  return () => {
    one?.();
    other?.();
  };
}

function watchWidth(section: HTMLElement | null, tell: (width: number) => void): (() => void) | undefined {
  if (section === null) return undefined;
  const watcher = new ResizeObserver(([entry]) => tell(entry?.contentRect.width ?? 0));
  watcher.observe(section);
  return () => watcher.disconnect();
}

type WheelStep = { readonly zoom: number | null; readonly move: number };

/** Shift and the wheel come closer along the time; sideways it moves. A listener of React's own could not hold the page
 *  still. */
function useWheel(act: (by: WheelStep, at: number) => void) {
  return useCallback(
    (section: HTMLElement | null) => {
      if (section === null) return undefined;
      const turn = (event: WheelEvent): void => {
        const track = section.querySelector("[data-track]")?.getBoundingClientRect();
        if (track === undefined || track.width === 0) return;
        const by = event.deltaY === 0 ? event.deltaX : event.deltaY;
        if (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        event.preventDefault();
        const at = Math.min(1, Math.max(0, (event.clientX - track.left) / track.width));
        act(
          event.shiftKey ? { zoom: by > 0 ? 1.25 : 0.8, move: 0 } : { zoom: null, move: event.deltaX / track.width },
          at,
        );
      };
      section.addEventListener("wheel", turn, { passive: false });
      return () => section.removeEventListener("wheel", turn);
    },
    [act],
  );
}
