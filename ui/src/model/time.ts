// Times and durations in words: `840 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`; `4 s ago`, `in 14 h`.

import { timeFormats } from "./time-format.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export function showDuration(ms: number): string {
  if (ms < 0) return showDuration(0);
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / second).toFixed(1)} s`;
  const seconds = Math.round(ms / second);
  if (seconds < 3600) return inTwo(seconds, 60, ["m", "s"]);
  const minutes = Math.round(ms / minute);
  if (minutes < 24 * 60) return inTwo(minutes, 60, ["h", "m"]);
  return inTwo(Math.round(ms / hour), 24, ["d", "h"]);
}

function inTwo(count: number, size: number, [large, small]: readonly [string, string]): string {
  const rest = count % size;
  return rest === 0 ? `${Math.floor(count / size)} ${large}` : `${Math.floor(count / size)} ${large} ${rest} ${small}`;
}

/** Coarse, for how long ago or how far away something is. */
export function showDistance(ms: number): string {
  const size = Math.abs(ms);
  const [count, unit] =
    size < minute
      ? [Math.round(size / second), "s"]
      : size < hour
        ? [Math.round(size / minute), "min"]
        : size < day
          ? [Math.round(size / hour), "h"]
          : [Math.round(size / day), "d"];
  if (count === 0) return "now";
  return ms < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}

/** How long until a distance in words is another one. */
export function changesWithin(ms: number): number {
  const size = Math.abs(ms);
  return size < minute ? second : size < hour ? 15 * second : minute;
}

export function showAbsolute(at: number): string {
  return timeFormats().absolute.format(at);
}

/** `Thu 19 Nov, 09:00` */
export function showDay(at: number): string {
  return timeFormats().day.format(at);
}

/** `02:25:10` */
export function showClockTime(at: number): string {
  return timeFormats().clock.format(at);
}

/** `02:25` */
export function showHour(at: number): string {
  return timeFormats().hour.format(at);
}

/** With milliseconds, for histories. */
export function showClock(at: number): string {
  return `${showClockTime(at)}.${String(new Date(at).getMilliseconds()).padStart(3, "0")}`;
}

/** The one in which times are shown, and read where somebody writes one. */
export function shownZone(): string {
  return timeFormats().zone;
}

/** `1.2 s` as it is read aloud. */
export function sayDuration(ms: number): string {
  if (ms < second) return `${Math.round(ms)} milliseconds`;
  if (ms < minute) return `${(ms / second).toFixed(1)} seconds`;
  return showDuration(ms)
    .replace(/ m\b/, " minutes")
    .replace(/ s\b/, " seconds")
    .replace(/ h\b/, " hours")
    .replace(/ d\b/, " days");
}

/** `12.3 kB`, as people say sizes. */
export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
