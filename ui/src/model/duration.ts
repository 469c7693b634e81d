// Lengths of time as flows write them. The page must not use the server's parser, so the grammar stands here once more; a
// test asks both.

/** From the longest to the shortest: each may be said once, in this order. */
const units: readonly (readonly [words: string, ms: number])[] = [
  ["w|weeks?", 604_800_000],
  ["d|days?", 86_400_000],
  ["h|hours?|hrs?", 3_600_000],
  ["m|minutes?|mins?", 60_000],
  ["s|seconds?|secs?", 1_000],
  ["ms|milliseconds?", 1],
];
const shape = new RegExp(`^${units.map(([words]) => `(?: *(\\d+(?:\\.\\d{1,3})?) *(?:${words}))?`).join("")}$`);
const iso = /^P(?=[\dT])(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** Ten years. */
const limitMs = 3650 * 86_400_000;
const lengthLimit = 64;

/** null: it is one. */
export function problemOfDuration(text: string): string | null {
  const trimmed = text.trim();
  const amounts = (iso.exec(trimmed) ?? shape.exec(trimmed))?.slice(1) ?? [];
  if (text.length > lengthLimit || trimmed === "" || amounts.length === 0)
    return "Write how long, with a unit, the largest first: 30s, 5m, 1h30m, 2 days.";
  const ms = units.reduce((sum, [, unit], at) => sum + (Math.round(Number(amounts[at] ?? 0) * 1000) * unit) / 1000, 0);
  if (ms > limitMs) return "That is longer than ten years.";
  return Number.isInteger(ms) ? null : "Nothing is shorter than a millisecond.";
}
