// A phrase cut into words, numbers, clock times, dates and zones. Whatever it is, each visible character ends up in one
// token, so that nothing is passed over.

export type Token = {
  readonly kind: "date" | "clock" | "zone" | "number" | "word" | "mark";
  /** In lower case, so that capitals make no difference; a zone as it was written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
  ["date", /\d{4}-\d\d-\d\d(?![\d-])/y],
  ["clock", /\d{1,2}:\d\d(?::\d\d)?(?![\d:])/y],
  ["zone", /[a-z]+(?:_[a-z]+)*(?:\/[a-z0-9_+-]+)+/iy],
  ["zone", /(?:utc|gmt)[+-]\d{1,2}(?::?\d\d)?(?![\d:])/iy],
  ["zone", /[+-]\d\d:\d\d(?![\d:])/y],
  // +0200, but not +1000 minutes
  ["zone", /[+-]\d{4}(?!\d|\.|\s*[a-z])/iy],
  ["number", /\d+(?:\.\d+)?/y],
  ["word", /[ap]\.m\.?/iy],
  ["word", /[a-z]+(?:'[a-z]+)*/iy],
  ["mark", /\S/uy],
];

export function cutIntoTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length;) {
    const found = readToken(text, start);
    if (found !== undefined) tokens.push(found);
    start = found?.end ?? start + 1;
  }
  return tokens;
}

/** Undefined: a blank. */
function readToken(text: string, start: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start;
    const [matched] = pattern.exec(text) ?? [];
    if (matched === undefined) continue;
    return { kind, text: kind === "zone" ? matched : plain(matched), start, end: start + matched.length };
  }
  return undefined;
}

/** a.m. is am; a capital M alone may be meant as months, and is nothing. */
function plain(matched: string): string {
  if (matched === "M") return matched;
  return matched.toLowerCase().replace(/^([ap])\.m\.?$/, "$1m");
}

/** Where the reading is; who reads moves `at` on. */
export type Cursor = { readonly tokens: readonly Token[]; at: number };

/** Goes back to where it was when nothing came of it. */
export function attempt<Value>(cursor: Cursor, read: (cursor: Cursor) => Value | undefined): Value | undefined {
  const { at } = cursor;
  const value = read(cursor);
  if (value === undefined) cursor.at = at;
  return value;
}

/** The next token, if it is of this kind. */
export function take(cursor: Cursor, kind: Token["kind"]): string | undefined {
  const token = cursor.tokens[cursor.at];
  if (token?.kind !== kind) return undefined;
  cursor.at += 1;
  return token.text;
}

/** Whether these words come next; then they are passed. */
export function skip(cursor: Cursor, ...words: readonly string[]): boolean {
  if (!words.every((word, index) => cursor.tokens[cursor.at + index]?.text === word)) return false;
  cursor.at += words.length;
  return true;
}

/** The next word, if the table has it. */
export function lookUp<Value>(cursor: Cursor, table: ReadonlyMap<string, Value>): Value | undefined {
  const value = table.get(cursor.tokens[cursor.at]?.text ?? "");
  if (value !== undefined) cursor.at += 1;
  return value;
}
