// What lies behind the bars: a few instants, breaks where time was left out, and now.

import { ChevronsRightLeft } from "lucide-react";
import { place, type Scale, type Tick, ticksOf, type Window, within } from "../../../model/time-scale.ts";

/** Names stand left of the track and durations right of it, in rows and axis alike. */
export const columns = "grid grid-cols-[clamp(84px,22%,160px)_minmax(0,1fr)_72px] gap-x-3 px-3";

/** Of the track, in a timeline of that width. */
export function trackWidth(room: number): number {
  return Math.max(0, room - Math.min(160, Math.max(84, (room - 24) * 0.22)) - 72 - 4 * 12);
}

type AxisProps = {
  readonly scale: Scale;
  readonly window: Window;
  readonly now: number | null;
  /** Of the track, in pixels. */
  readonly width: number;
  /** How many instants have room. */
  readonly tickCount: number;
};

function isInside(position: number): boolean {
  return position >= 0 && position <= 1;
}

function percent(position: number): string {
  return `${position * 100}%`;
}

/** In pixels, as far as it matters for what collides. */
const letterWidth = 7;
const nowWidth = 30;

/** The word for now stands right of its line; what would lie under it is left out. */
function isUnderNow({ left, text, now, width }: UnderNow): boolean {
  if (now === null || !isInside(now)) return false;
  const from = left * width + (left > 0.92 ? -text.length * letterWidth - 8 : 0);
  return from < now * width + nowWidth && from + text.length * letterWidth + 8 > now * width;
}

/** The last one stands left of its line, where the one before it may stand. */
function isUnder(before: Tick, { left, text, width }: Omit<UnderNow, "now">): boolean {
  return (left - before.position) * width < (before.text.length + text.length) * letterWidth + 16;
}

type UnderNow = {
  readonly left: number;
  readonly text: string;
  readonly now: number | null;
  readonly width: number;
};

/** Where the words about a gap stand, in pixels: over its middle, unless it lies at one of the ends. */
function labelOf(text: string, { from, to }: Window, width: number): Window {
  const size = text.length * letterWidth + 24;
  if (to > 0.85) return { from: Math.min(1, to) * width - size, to: Math.min(1, to) * width };
  if (from < 0.1) return { from: Math.max(0, from) * width, to: Math.max(0, from) * width + size };
  const middle = ((from + to) / 2) * width;
  return { from: middle - size / 2, to: middle + size / 2 };
}

function isUnderLabel({ left, text, width }: Omit<UnderNow, "now">, labels: readonly Window[]): boolean {
  const size = text.length * letterWidth + 4;
  const from = left * width + (left > 0.92 ? -size : 4);
  return labels.some((label) => from < label.to && from + size > label.from);
}

export function Axis({ scale, window, now, width, tickCount }: AxisProps) {
  const gaps = scale.gaps
    .map(({ text, ...gap }) => ({
      text,
      from: within(window, place(scale, gap.from)),
      to: within(window, place(scale, gap.to)),
    }))
    .filter(({ from, to }) => to >= 0 && from <= 1);
  const labels = gaps.map((gap) => labelOf(gap.text, gap, width));
  return (
    <div aria-hidden className={`pointer-events-none absolute inset-0 ${columns}`}>
      <span />
      <div data-track className="relative h-full">
        {ticksOf(scale, window, tickCount).map(({ at, position, text }, index, ticks) => {
          const left = within(window, position);
          const before = ticks[index - 1];
          const isCrowded =
            before !== undefined &&
            left > 0.92 &&
            isUnder({ ...before, position: within(window, before.position) }, { left, text, width });
          return (
            <span key={at} className="absolute inset-y-0 border-s border-border" style={{ left: percent(left) }}>
              {isCrowded ||
              isUnderNow({ left, text, now, width }) ||
              isUnderLabel({ left, text, width }, labels) ? null : (
                <span
                  className={`mono absolute top-1 !text-meta whitespace-nowrap text-text3 ${left > 0.92 ? "right-1" : "left-1"}`}
                >
                  {text}
                </span>
              )}
            </span>
          );
        })}
        {gaps.map((gap) => (
          <GapMark key={gap.from} {...gap} />
        ))}
        {now === null || !isInside(now) ? null : (
          <span
            data-testid="now"
            className="absolute top-5 bottom-0 z-1 border-s-2 border-accent"
            style={{ left: percent(now) }}
          >
            <span className="absolute -top-4 left-1 text-meta font-medium text-accent">now</span>
          </span>
        )}
      </div>
    </div>
  );
}

function GapMark({ from, to, text }: Window & { readonly text: string }) {
  return (
    <span
      data-testid="gap"
      title={text}
      className="absolute top-6 bottom-0 flex items-start justify-center border-x border-dashed border-strong bg-sunken/60"
      style={{ left: percent(Math.max(0, from)), width: percent(Math.min(1, to) - Math.max(0, from)) }}
    >
      <span
        className={`absolute -top-6 ${to > 0.85 ? "right-0" : from < 0.1 ? "left-0" : ""} rounded-control bg-surface px-1 py-1 text-center text-meta leading-4 whitespace-nowrap text-text2`}
      >
        <ChevronsRightLeft size={12} strokeWidth={1.75} className="me-1 inline align-[-2px]" />
        {text}
      </span>
    </span>
  );
}
