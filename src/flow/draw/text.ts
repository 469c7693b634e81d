// Text that a user wrote, made safe for one line of a drawing, and measured in columns of a terminal.

const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
// Format characters (direction marks, zero-width ones, soft hyphens) change how the text around them is shown; the two
// noncharacters may not stand in XML.
const invisible = /[\p{Cf}\uFFFE\uFFFF]/gu;
const marks = /^\p{M}$/u;
const wide =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]$/u;

/** One line without control characters and direction marks, white space collapsed. */
export function toPlainText(text: string): string {
  return text.toWellFormed().replaceAll(breaks, " ").replaceAll(invisible, "").trim();
}

/** The same in ASCII: accents are dropped, what has no ASCII letter becomes `?`. */
export function toAsciiText(text: string): string {
  return toPlainText(text)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("…", "...")
    .replaceAll(/[^ -~]/gu, "?");
}

/** Columns that a terminal needs for the text. */
export function measureText(text: string): number {
  let columns = 0;
  for (const character of text) columns += measureCharacter(character);
  return columns;
}

/** The text in at most `columns` columns; what is cut ends with `ellipsis`. */
export function cutText(text: string, columns: number, ellipsis = "…"): string {
  // A text of fewer UTF-16 units than half the room fits for certain; the rest is measured.
  if (text.length * 2 <= columns || measureText(text) <= columns) return text;
  const room = columns - measureText(ellipsis);
  if (room < 0) return ellipsis.slice(0, Math.max(0, columns));
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += measureCharacter(character);
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ellipsis}`;
}

function measureCharacter(character: string): number {
  if (character <= "~") return 1;
  if (marks.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
