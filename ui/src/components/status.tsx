// A status: an icon, a word and a colour, always all three.

import {
  AlarmClock,
  Ban,
  Check,
  Circle,
  CircleDot,
  CircleQuestionMark,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Pause,
  RotateCw,
  SkipForward,
  TimerOff,
  X,
} from "lucide-react";
import type { Shown, Token } from "../model/status.ts";

const icons: { readonly [token in Token]: LucideIcon } = {
  pending: Circle,
  ready: CircleDot,
  running: LoaderCircle,
  waiting: Hand,
  sleeping: AlarmClock,
  retrying: RotateCw,
  done: Check,
  failed: X,
  cancelled: Ban,
  skipped: SkipForward,
  uncertain: CircleQuestionMark,
  paused: Pause,
};

export function StatusIcon({ shown, size = 14 }: { readonly shown: Shown; readonly size?: number }) {
  const Icon = shown.word === "timed out" ? TimerOff : icons[shown.token];
  return <Icon size={size} strokeWidth={1.75} aria-hidden className={shown.token === "running" ? "spin" : undefined} />;
}

type PillProps = { readonly shown: Shown; readonly isLarge?: boolean; readonly note?: string };

export function StatusPill({ shown, isLarge = false, note }: PillProps) {
  const size = isLarge ? "px-2.5 py-0.5 text-table" : "px-2 text-meta leading-5";
  const border = shown.token === "skipped" ? "border border-dashed border-strong" : "";
  return (
    <span
      data-token={shown.token}
      className={`status inline-flex shrink-0 items-center gap-1 rounded-full font-medium whitespace-nowrap ${size} ${border}`}
    >
      <StatusIcon shown={shown} size={isLarge ? 14 : 12} />
      {shown.word}
      {note === undefined ? null : <span className="font-normal"> · {note}</span>}
    </span>
  );
}
