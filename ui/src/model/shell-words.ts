// A command line as it is typed: split into words as a POSIX shell does it, with quotes and backslashes, and nothing in it
// expanded. `${NAME}`, `*` and `~` stay as they are.

export type Words =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** What a backslash stands before within double quotes; before all else it is itself. */
const escapedInQuotes = '"\\$`';

export function splitWords(line: string): Words {
  const words: string[] = [];
  /** null: between two words. A word may be empty: '' is one. */
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at);
    const next = line.charAt(at + 1);
    if (sign === quote) quote = "";
    else if (quote === "'") word += sign;
    else if (sign === "\\" && (quote === "" ? next !== "" : escapedInQuotes.includes(next) && next !== "")) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote === "" && (sign === "'" || sign === '"')) {
      quote = sign;
      word ??= "";
    } else if (quote === "" && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + sign;
  }
  if (quote !== "")
    return { ok: false, problem: `A quote is not closed: there is one more ${quote} than there should be.` };
  if (word !== null) words.push(word);
  return { ok: true, words };
}
