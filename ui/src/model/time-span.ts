// From one minute to another, in the zone of whoever looks.

const day24 = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const minute24 = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** `18 Nov 02:00`, in the zone of whoever looks. */
export function showMinute(at: number): string {
  return `${day24.format(at)} ${minute24.format(at)}`;
}

/** `18 Nov 02:00–03:00`; from one day to another both are named. */
export function showSpan(from: number, to: number): string {
  const isSameDay = day24.format(from) === day24.format(to - 1);
  return `${showMinute(from)}–${isSameDay ? minute24.format(to) : showMinute(to)}`;
}
