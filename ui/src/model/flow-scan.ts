// Reads the text of a flow while it is being written, in YAML or JSON and seldom whole: which key stands where, and what
// the cursor is at. It never refuses a text; where it cannot follow it knows less.

export type Entry = {
  /** Items of lists by their numbers. */
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
  /** One-based. */
  readonly line: number;
  /** A scalar, without its quotes. */
  readonly value: string | null;
};

export type Place = {
  /** Of the map or the item in which the cursor stands. */
  readonly path: readonly string[];
  /** Whose value is being written; null: a key, or an item. */
  readonly key: string | null;
  readonly word: string;
  /** Where the word begins. */
  readonly from: number;
  readonly quote: '"' | "'" | null;
  /** In a map or a list in brackets. */
  readonly isInline: boolean;
  /** In a comment nothing is completed. */
  readonly isComment: boolean;
};

export type Scan = { readonly entries: readonly Entry[]; readonly place: Place };

type Draft = { path: readonly string[]; from: number; to: number; line: number; value: string | null };
type Block = { readonly kind: "key" | "item"; readonly indent: number; readonly path: readonly string[] };
type Bracket = { readonly isMap: boolean; readonly path: readonly string[]; count: number; key: string | null };

type Token = { readonly from: number; readonly to: number; readonly text: string };

const plainKey = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#{}[\],&*!|>%@`"'][^#]*?))\s*:(?=\s|$)/;

export function scanFlow(text: string): Scan {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #entries: Draft[] = [];
  readonly #blocks: Block[] = [];
  readonly #brackets: Bracket[] = [];
  readonly #counts = new Map<string, number>();
  /** The indent of the key whose text goes over several lines. */
  #literal: { readonly indent: number; readonly path: readonly string[] } | null = null;
  #line = 1;
  /** The word in brackets that was read last. */
  #token: Token | null = null;
  #place: Place;

  constructor(text: string) {
    this.#text = text;
    this.#place = this.#at([], null, text.length, {});
  }

  scan(): Scan {
    let from = 0;
    while (from <= this.#text.length) {
      const end = this.#text.indexOf("\n", from);
      const to = end < 0 ? this.#text.length : end;
      // What is in brackets may go over lines; it says where it ended.
      const next = this.#readLine(from, to);
      if (next > to) {
        from = next;
        continue;
      }
      if (end < 0) break;
      this.#line += 1;
      from = end + 1;
    }
    return { entries: this.#entries, place: this.#place };
  }

  #at(path: readonly string[], key: string | null, from: number, more: Partial<Place>): Place {
    const word = this.#text.slice(from);
    return { path, key, word, from, quote: null, isInline: false, isComment: false, ...more };
  }

  get #top(): readonly string[] {
    return this.#blocks.at(-1)?.path ?? [];
  }

  #readLine(from: number, to: number): number {
    const line = this.#text.slice(from, to);
    const indent = line.length - line.trimStart().length;
    const rest = line.slice(indent).trimEnd();
    if (this.#literal !== null && (rest === "" || indent > this.#literal.indent)) {
      const { path } = this.#literal;
      if (rest !== "") this.#place = this.#at(path.slice(0, -1), path.at(-1) ?? null, from + indent, {});
      else this.#place = this.#blank(from, indent);
      return to;
    }
    this.#literal = null;
    if (rest.startsWith("#")) {
      this.#place = this.#at(this.#top, null, from + indent, { isComment: true });
      return to;
    }
    if (rest === "---") this.#blocks.length = 0;
    if (rest === "" || rest === "---") {
      this.#place = this.#blank(from, indent);
      return to;
    }
    return this.#readContent(from, from + indent, to);
  }

  /** Where a key would go that is begun at this indent. */
  #blank(from: number, indent: number): Place {
    const around = this.#blocks.findLast((block) => block.indent < indent);
    return this.#at(around?.path ?? [], null, from + indent, {});
  }

  #readContent(lineFrom: number, contentFrom: number, to: number): number {
    let at = contentFrom;
    this.#leave(at - lineFrom, this.#text[at] === "-" && /^-(?:\s|$)/.test(this.#text.slice(at, to)));
    while (/^-(?:\s|$)/.test(this.#text.slice(at, to))) {
      const path = [...this.#top, this.#number(this.#top)];
      this.#entries.push({ path, from: at, to: at + 1, line: this.#line, value: null });
      this.#blocks.push({ kind: "item", indent: at - lineFrom, path });
      at += 1;
      while (this.#text[at] === " " && at < to) at += 1;
    }
    const rest = this.#text.slice(at, to);
    if (rest.startsWith("{") || rest.startsWith("[")) return this.#readBrackets(at, this.#top, to);
    const key = plainKey.exec(rest);
    if (key !== null) return this.#readPair(lineFrom, at, to, key);
    this.#place = this.#at(this.#top, null, at, {});
    const own = this.#entries.at(-1);
    if (own !== undefined && this.#blocks.at(-1)?.kind === "item" && own.path === this.#top) own.value = unquote(rest);
    return to;
  }

  /** An item of a list may stand as deep as the key of the list. */
  #leave(indent: number, isItem: boolean): void {
    for (;;) {
      const top = this.#blocks.at(-1);
      if (top === undefined || top.indent < indent) return;
      if (isItem && top.indent === indent && top.kind === "key") return;
      this.#blocks.pop();
    }
  }

  #number(path: readonly string[]): string {
    const key = JSON.stringify(path);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return String(count);
  }

  #readPair(lineFrom: number, at: number, to: number, found: RegExpExecArray): number {
    const key = found[1] ?? found[2] ?? found[3] ?? "";
    const around = this.#top;
    const path = [...around, key];
    const entry: Draft = { path, from: at, to: at + found[0].length - 1, line: this.#line, value: null };
    this.#entries.push(entry);
    this.#blocks.push({ kind: "key", indent: at - lineFrom, path });
    let from = at + found[0].length;
    while (/[ \t]/.test(this.#text[from] ?? "") && from < to) from += 1;
    const value = this.#text.slice(from, to);
    if (value.startsWith("{") || value.startsWith("[")) return this.#readBrackets(from, path, to);
    if (/^[|>][+\-\d]*\s*(?:#.*)?$/.test(value)) this.#literal = { indent: at - lineFrom, path };
    else if (value.trim() !== "" && !value.startsWith("#")) entry.value = unquote(value);
    const quote = openQuote(value);
    this.#place = this.#at(around, key, quote === null ? from : from + 1, {
      quote,
      isComment: /(?:^|\s)#/.test(value) && quote === null,
    });
    return to;
  }

  /** From an opening bracket to where it is closed, or to the end. */
  #readBrackets(start: number, path: readonly string[], lineTo: number): number {
    this.#brackets.length = 0;
    this.#token = null;
    let at = start;
    while (at < this.#text.length) {
      const char = this.#text[at] ?? "";
      if (char === "\n") this.#line += 1;
      if (/\s/.test(char)) at += 1;
      else if (char === "#" && /\s/.test(this.#text[at - 1] ?? " ")) at = this.#endOfLine(at);
      else {
        at = this.#readSign(char, at, path);
        if (this.#brackets.length === 0) return this.#closed(at, lineTo, path);
      }
    }
    this.#place = this.#openPlace(this.#token);
    return this.#text.length + 1;
  }

  /** A bracket, a comma, a colon, or a word; where it ends. */
  #readSign(char: string, at: number, path: readonly string[]): number {
    const inner = this.#brackets.at(-1);
    if (char === "{" || char === "[") this.#open(char === "{", at, path);
    else if (char === "}" || char === "]") this.#brackets.pop();
    else if (char === "," && inner !== undefined) {
      inner.count += 1;
      inner.key = null;
    } else if (char === ":" && inner?.isMap === true && inner.key === null) this.#nameKey(inner);
    else {
      this.#token = this.#readToken(at);
      if (inner !== undefined) this.#take(inner, this.#token);
      return this.#token.to;
    }
    this.#token = null;
    return at + 1;
  }

  #open(isMap: boolean, at: number, outer: readonly string[]): void {
    const inner = this.#brackets.at(-1);
    const path = inner === undefined ? outer : this.#inside(inner);
    if (inner?.isMap === false) this.#entries.push({ path, from: at, to: at + 1, line: this.#line, value: null });
    this.#brackets.push({ isMap, path, count: 0, key: null });
  }

  #nameKey(inner: Bracket): void {
    inner.key = this.#token?.text ?? "";
    if (this.#token === null) return;
    const { from, to } = this.#token;
    this.#entries.push({ path: this.#inside(inner), from, to, line: this.#line, value: null });
  }

  #take(inner: Bracket, { from, to, text }: Token): void {
    const last = this.#entries.at(-1);
    if (inner.isMap) {
      if (inner.key !== null && last !== undefined && last.path.at(-1) === inner.key) last.value ??= text;
    } else this.#entries.push({ path: this.#inside(inner), from, to, line: this.#line, value: text });
  }

  #inside({ isMap, path, count, key }: Bracket): readonly string[] {
    return [...path, isMap ? (key ?? "") : String(count)];
  }

  #endOfLine(at: number): number {
    const end = this.#text.indexOf("\n", at);
    return end < 0 ? this.#text.length : end;
  }

  /** Behind what was closed the line goes on; most often there is nothing more. */
  #closed(at: number, lineTo: number, path: readonly string[]): number {
    const to = this.#endOfLine(at);
    this.#place = this.#at(path.slice(0, -1), path.at(-1) ?? null, this.#text.length, { isInline: true });
    // It ended on the line on which it began.
    if (to === lineTo) return to;
    this.#line += 1;
    return to + 1;
  }

  #readToken(from: number): Token {
    const quote = this.#text[from];
    if (quote === '"' || quote === "'") {
      let at = from + 1;
      while (at < this.#text.length && this.#text[at] !== quote) at += quote === '"' && this.#text[at] === "\\" ? 2 : 1;
      const to = Math.min(at + 1, this.#text.length);
      return { from, to, text: unquote(this.#text.slice(from, to)) };
    }
    let at = from;
    while (at < this.#text.length && !/[,{}[\]\n]/.test(this.#text[at] ?? "")) {
      if (this.#text[at] === ":" && (at + 1 >= this.#text.length || /[\s,}\]"']/.test(this.#text[at + 1] ?? ""))) break;
      at += 1;
    }
    const to = Math.max(at, from + 1);
    return { from, to, text: this.#text.slice(from, to).trim() };
  }

  #openPlace(token: Token | null): Place {
    const inner = this.#brackets.at(-1) ?? { isMap: true, path: [], count: 0, key: null };
    const path = inner.isMap ? inner.path : this.#inside(inner);
    if (token === null || token.to < this.#text.length)
      return this.#at(path, inner.key, this.#text.length, { isInline: true });
    const quote = openQuote(this.#text.slice(token.from));
    const isClosed = quote === null && /^["']/.test(this.#text.slice(token.from));
    const from = isClosed ? this.#text.length : token.from + (quote === null ? 0 : 1);
    return this.#at(path, inner.key, from, { quote, isInline: true });
  }
}

/** The quote in which a text stands that is not closed yet. */
function openQuote(text: string): '"' | "'" | null {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return null;
  const body = quote === '"' ? text.slice(1).replaceAll(/\\./g, "") : text.slice(1).replaceAll("''", "");
  return body.includes(quote) ? null : quote;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed[0];
  if (quote === '"' || quote === "'") {
    const end = trimmed.indexOf(quote, 1);
    return end < 0 ? trimmed.slice(1) : trimmed.slice(1, end);
  }
  return trimmed.replace(/\s+#.*$/, "");
}
