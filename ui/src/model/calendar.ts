// Days that lie ahead, in the time zone of the browser.

export type Day = { readonly from: number; readonly count: number };

/** From today on; how many of these times fall on each. */
export function daysAhead(now: number, days: number, times: readonly number[]): readonly Day[] {
  const today = new Date(now);
  const midnight = (after: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + after).getTime();
  return Array.from({ length: days }, (_none, at) => {
    const [from, to] = [midnight(at), midnight(at + 1)];
    return { from, count: times.filter((time) => time >= from && time < to).length };
  });
}
