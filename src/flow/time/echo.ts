// An instant as people read it. What is shown here can be read again, and means the same.

import { dateOf, dayMs, monthNames, weekdayNames, weekdayOf } from "./calendar.ts";
import { formatOffset, offsetAt, shortNameAt, toWall, type Zone } from "./zone.ts";

/** `Mon 9 Mar 2026, 09:00 EDT (America/New_York)`; seconds where there are some. */
export function formatInstant(at: number, zone: Zone): string {
  const wall = toWall(zone, at);
  const dayNumber = Math.floor(wall / dayMs);
  const { year, month, day } = dateOf(dayNumber);
  const date = `${shorten(weekdayNames, weekdayOf(dayNumber))} ${day} ${shorten(monthNames, month - 1)} ${year}`;
  return `${date}, ${formatTime(wall - dayNumber * dayMs)} ${formatZone(at, zone)}`;
}

function shorten(names: readonly string[], index: number): string {
  const name = names[index] ?? "";
  return name.slice(0, 1).toUpperCase() + name.slice(1, 3);
}

function formatTime(msOfDay: number): string {
  const second = Math.floor(msOfDay / 1000);
  const [hours, minutes, seconds] = [second / 3600, (second / 60) % 60, second % 60].map((number) =>
    String(Math.floor(number)).padStart(2, "0"),
  );
  return seconds === "00" ? `${hours}:${minutes}` : `${hours}:${minutes}:${seconds}`;
}

/** The short name says which of two equal hours it is; the name which rules apply. */
function formatZone(at: number, zone: Zone): string {
  const short = shortNameAt(zone, at);
  if (short === zone.name)
    return zone.name.startsWith("UTC") ? short : `${short} (${formatOffset(offsetAt(zone, at))})`;
  return `${short} (${zone.name})`;
}
