// Durations as people write them: `30s`, `1h30m`, `2 hours`, `PT5M`. Our own grammar, since `parse-duration` reads what
// it finds and skips the rest: `P1M`, a month, is a minute to it, `1,5h` fifteen hours, `5 minutes ago` five minutes.

/** Months and years are left out: their length depends on the day. */
const unitMs: ReadonlyMap<string, number> = new Map(
  Object.entries({
    w: 604_800_000,
    d: 86_400_000,
    h: 3_600_000,
    m: 60_000,
    s: 1_000,
    ms: 1,
  }),
);

/** Other spellings of the units. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    week: "w",
    weeks: "w",
    day: "d",
    days: "d",
    hour: "h",
    hours: "h",
    hr: "h",
    hrs: "h",
    minute: "m",
    minutes: "m",
    min: "m",
    mins: "m",
    second: "s",
    seconds: "s",
    sec: "s",
    secs: "s",
    millisecond: "ms",
    milliseconds: "ms",
  }),
);

/** Ten years: longer ones are slips, and a timer that far away is a date. */
const durationLimitMs = 3650 * 86_400_000;

/** No duration is longer than this, and what is not read costs nothing. */
const lengthLimit = 64;

const partPattern = / *(\d+)(?:\.(\d{1,3}))? *([a-z]+)/y;
const isoPattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** Milliseconds, a whole number up to ten years; undefined if the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text.length > lengthLimit) return undefined;
  const trimmed = text.trim();
  const written = toParts(trimmed);
  return written;
}
