// Durations as people write them: `30s`, `1h30m`, `2 hours`, `PT5M`. Our own grammar, since `parse-duration` takes what it
// understands and skips the rest: `P1M`, a month, is a minute to it, `1,5h` fifteen hours, `5 minutes ago` five minutes.

type Unit = { readonly letter: string; readonly ms: number; readonly words: readonly string[] };

/** From the longest to the shortest. Months and years are left out: how long they are depends on the day. */
const units: readonly Unit[] = [
  { letter: "w", ms: 604_800_000, words: ["week", "weeks"] },
  { letter: "d", ms: 86_400_000, words: ["day", "days"] },
  { letter: "h", ms: 3_600_000, words: ["hour", "hours", "hr", "hrs"] },
  { letter: "m", ms: 60_000, words: ["minute", "minutes", "min", "mins"] },
  { letter: "s", ms: 1_000, words: ["second", "seconds", "sec", "secs"] },
  { letter: "ms", ms: 1, words: ["millisecond", "milliseconds"] },
];

/** Ten years: what is longer is a slip of the pen, or a date. */
const durationLimitMs = 3650 * 86_400_000;
/** No duration needs more; a long text is not worth reading. */
const lengthLimit = 64;

const partPattern = / *(\d+(?:\.\d{1,3})?) *([a-z]+)/y;
const isoPattern = /^P(?=[\dT])(\d+W)?(\d+D)?(?:T(?=\d)(\d+H)?(\d+M)?(\d+(?:\.\d{1,3})?S)?)?$/;

/** In milliseconds, a whole number up to ten years; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text.length > lengthLimit) return undefined;
  const trimmed = text.trim();
  const ms = sumOf(fromIso(trimmed) ?? trimmed);
  return ms !== undefined && Number.isInteger(ms) && ms <= durationLimitMs ? ms : undefined;
}

/** `PT1H30M` as `1h30m`. */
function fromIso(text: string): string | undefined {
  return isoPattern
    .exec(text)
    ?.slice(1)
    .map((part) => part ?? "")
    .join("")
    .toLowerCase();
}

/** The sum of the parts, each of a shorter unit than the one before, so that `1h1h` and `30m 1h` are not understood. */
function sumOf(text: string): number | undefined {
  let total: number | undefined;
  let previous = -1;
  partPattern.lastIndex = 0;
  for (let end = 0; end < text.length; end = partPattern.lastIndex) {
    const [, amount, word = ""] = partPattern.exec(text) ?? [];
    const index = units.findIndex(({ letter, words }) => letter === word || words.includes(word));
    const unit = units[index];
    if (unit === undefined || index <= previous) return undefined;
    previous = index;
    // In thousandths, because 1.1 hours as a fraction are not a whole number of milliseconds.
    total = (total ?? 0) + (Math.round(Number(amount) * 1000) * unit.ms) / 1000;
  }
  return total;
}

/** For messages: `1h 30m`, `5s`, `250ms`. */
export function formatDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const { letter, ms: unit } of units) {
    // Nobody says three weeks where 21 days stand in the flow.
    const count = letter === "w" ? 0 : Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count}${letter}`);
  }
  return parts.length === 0 ? "0s" : parts.join(" ");
}
