// Time along a line from 0 to 1, on which long stretches in which nothing was at work take no more than a mark.

import type { Timeline } from "./timeline.ts";
import { showDuration } from "./time.ts";

export type Gap = { readonly from: number; readonly to: number; readonly text: string };

type Piece = {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly gap: Gap | null;
};

export type Scale = { readonly pieces: readonly Piece[]; readonly gaps: readonly Gap[] };

/** The part of the line that is seen. */
export type Window = { readonly from: number; readonly to: number };

export type Tick = { readonly at: number; readonly position: number; readonly text: string };

export const wholeWindow: Window = { from: 0, to: 1 };

const gapLeastMs = 60_000;
/** Of the whole line, for one mark and for all of them. */
const gapShare = 0.17;
const gapsShare = 0.5;

/** A gap lies between two instants at which something began or ended, when nothing was at work between them. */
export function findGaps({ rows, from, to }: Timeline): readonly Gap[] {
  const segments = rows.flatMap((row) => row.segments);
  const instants = new Set([from, to]);
  for (const segment of segments) instants.add(segment.from).add(segment.to);
  const cuts = [...instants]
    .filter((instant) => instant >= from && instant <= to)
    .toSorted((one, other) => one - other);
  const busy = mergeSpans(segments.filter(({ kind }) => kind === "running" || kind === "cut"));
  const lost = segments.filter(({ kind }) => kind === "lost");
  const gaps: Gap[] = [];
  let next = 0;
  for (const [at, start] of cuts.entries()) {
    const end = cuts[at + 1];
    if (end === undefined || end - start <= gapLeastMs) continue;
    while ((busy[next]?.to ?? Infinity) <= start) next += 1;
    if ((busy[next]?.from ?? Infinity) < end) continue;
    const isLost = lost.some((segment) => segment.from <= start && segment.to >= end);
    gaps.push({
      from: start,
      to: end,
      text: `${showDuration(end - start)}${isLost ? ", cut off in here" : " waiting"}`,
    });
  }
  return gaps;
}

type Span = { readonly from: number; readonly to: number };

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

export function makeScale(timeline: Timeline): Scale {
  const gaps = findGaps(timeline);
  const busyMs = timeline.to - timeline.from - gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const share = gaps.length === 0 ? 0 : busyMs <= 0 ? 1 / gaps.length : Math.min(gapShare, gapsShare / gaps.length);
  const perMs = busyMs <= 0 ? 0 : (1 - share * gaps.length) / busyMs;
  const pieces: Piece[] = [];
  let at = timeline.from;
  let start = 0;
  const add = (to: number, gap: Gap | null): void => {
    if (to <= at) return;
    const end = start + (gap === null ? (to - at) * perMs : share);
    pieces.push({ from: at, to, start, end, gap });
    at = to;
    start = end;
  };
  for (const gap of gaps) {
    add(gap.from, null);
    add(gap.to, gap);
  }
  add(timeline.to, null);
  return { pieces, gaps };
}

/** From 0 to 1; what lies outside is at one of the ends. */
export function place({ pieces }: Scale, at: number): number {
  const piece = findPiece(pieces, at);
  if (piece === undefined) return 0;
  if (at <= piece.from) return piece.start;
  if (at >= piece.to) return piece.end;
  return piece.start + ((at - piece.from) / (piece.to - piece.from)) * (piece.end - piece.start);
}

function findPiece(pieces: readonly Piece[], at: number): Piece | undefined {
  return pieces.find(({ to }) => at <= to) ?? pieces.at(-1);
}

/** Where in the window something lies; below 0 or above 1 it is not seen. */
export function within({ from, to }: Window, position: number): number {
  return (position - from) / (to - from);
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

/** A few instants after the beginning, in words; none in a gap. */
export function ticksOf(scale: Scale, window: Window, wanted = 6): readonly Tick[] {
  const origin = scale.pieces[0]?.from;
  if (origin === undefined) return [];
  const seen = scale.pieces.filter(({ gap, start, end }) => gap === null && end > window.from && start < window.to);
  const ms = seen.reduce((sum, piece) => sum + seenMs(piece, window), 0);
  const step = steps.find((size) => ms / size <= wanted) ?? Math.ceil(ms / wanted / 86_400_000) * 86_400_000;
  const ticks: Tick[] = [];
  for (const piece of seen) {
    // Beyond a gap it is told how long after it: `20 m 29 s`, `+200 ms`, `+400 ms`.
    const isBeyond = piece !== scale.pieces[0];
    const zero = isBeyond ? piece.from : origin;
    for (let at = zero; at <= piece.to && ticks.length < 200; at += step) {
      const position = place(scale, at);
      if (position < window.from || position > window.to) continue;
      const text =
        at === origin ? "0" : `${isBeyond && at > zero ? "+" : ""}${showDuration(at - (at === zero ? origin : zero))}`;
      ticks.push({ at, position, text });
    }
  }
  return tellApart(thinOut(ticks, (window.to - window.from) / (wanted * 2)));
}

/** Whoever comes close, long after the beginning, sees several instants that read alike. */
function tellApart(ticks: readonly Tick[]): readonly Tick[] {
  let last: Tick | null = null;
  return ticks.map((tick) => {
    if (last === null || tick.text !== last.text) {
      last = tick;
      return tick;
    }
    return { ...tick, text: `+${showDuration(tick.at - last.at)}` };
  });
}

function seenMs({ from, to, start, end }: Piece, window: Window): number {
  const part = (Math.min(end, window.to) - Math.max(start, window.from)) / Math.max(end - start, Number.EPSILON);
  return (to - from) * Math.max(0, part);
}

function thinOut(ticks: readonly Tick[], least: number): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.position - (kept.at(-1)?.position ?? -Infinity) >= least) kept.push(tick);
  return kept;
}

const narrowest = 1 / 5000;

/** Closer or farther, with the same instant under the pointer; `at` is where it stands in the window. */
export function zoom({ from, to }: Window, factor: number, at: number): Window {
  const size = Math.min(1, Math.max(narrowest, (to - from) * factor));
  return keepInside(from + at * (to - from) - at * size, size);
}

/** Along the line, by a part of what is seen. */
export function move({ from, to }: Window, part: number): Window {
  const size = to - from;
  return keepInside(from + part * size, size);
}

function keepInside(from: number, size: number): Window {
  const start = Math.min(1 - size, Math.max(0, from));
  return { from: start, to: start + size };
}
