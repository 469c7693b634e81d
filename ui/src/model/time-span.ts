// From one minute to another, in the zone in which times are shown.

import { timeFormats } from "./time-format.ts";

/** `18 Nov 02:00` */
export function showMinute(at: number): string {
  return timeFormats().minute.format(at);
}

/** `18 Nov 02:00–03:00`; from one day to another both are named. */
export function showSpan(from: number, to: number): string {
  const { key, hour, minute } = timeFormats();
  const isSameDay = key.format(from) === key.format(to - 1);
  return `${minute.format(from)}–${isSameDay ? hour.format(to) : minute.format(to)}`;
}
