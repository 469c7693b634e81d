// Texts of servers, before anybody sees them: without signs that move the cursor, hide or turn text around, and without
// the values that were filled into the server's configuration.

/** Controls, formats, private and unassigned signs, ends of lines and paragraphs, and selectors of variants. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

/** What colours a terminal: without the sign that begins it, the rest would be seen. */
const colours = new RegExp(String.raw`${String.fromCodePoint(27)}\[[0-9;?]*[ -/]*[@-~]`, "g");

/** Ends of lines and tabs stay. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(colours, "").replaceAll(invisible, (sign) => (sign === "\n" || sign === "\t" ? sign : ""));
}

/** Shorter ones are found everywhere, and say little. */
const valueLengthMin = 6;

/** Hides what was filled in: values of this connection alone, forgotten with it. */
export function createVeil(values: Iterable<string>): (text: string) => string {
  const hidden = [...new Set(values)]
    .filter(({ length }) => length >= valueLengthMin)
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    let shown = text;
    for (const value of hidden) shown = shown.replaceAll(value, "[hidden]");
    return shown;
  };
}
