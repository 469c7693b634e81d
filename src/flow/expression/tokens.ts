// The words of an expression, read one at a time from any offset: the parser asks for the next one, and templates use
// the same reader to find where a placeholder ends. What is not a word is a token too, `bad`, with its cure.

import { readTextLiteral } from "./text-literal.ts";

export type Token =
  | { readonly kind: "number"; readonly value: number; readonly at: number; readonly end: number }
  | { readonly kind: "text"; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: "name"; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: "symbol"; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: "end"; readonly at: number; readonly end: number }
  | {
      readonly kind: "bad";
      readonly message: string;
      readonly hint: string | undefined;
      readonly at: number;
      readonly end: number;
    };

/** By the codes of both characters: the parser asks for one at every turn, and a slice would be made for nothing. */
const pairs: ReadonlyMap<number, string> = new Map(
  ["==", "!=", "<=", ">=", "&&", "||", "??"].map((pair) => [pairCode(pair.charCodeAt(0), pair.charCodeAt(1)), pair]),
);

function pairCode(first: number, second: number): number {
  return first * 0x10000 + second;
}

const singles: ReadonlySet<string> = new Set("?<>*/!");
/** Those that begin nothing longer. */
const lonely: ReadonlySet<string> = new Set("()[]{},.:+-%");

/** What people write out of habit, the longest first, and what it is here. */
const habits: readonly (readonly [string, string])[] = [
  ["===", "Write == to compare."],
  ["!==", "Write != to compare."],
  ["<>", "Write != to compare."],
  ["=", "Write == to compare."],
  ["&", "Write && for and."],
  ["|", "Write || for or."],
  ["//", "An expression has no comments: leave it out."],
  ["/*", "An expression has no comments: leave it out."],
  ["**", "Write x * x."],
  ["`", "Write a text between ' or \"."],
  ["“", "Write a text between ' or \"."],
  ["”", "Write a text between ' or \"."],
  ["‘", "Write a text between ' or \"."],
  ["’", "Write a text between ' or \"."],
  ["$", "Names are written without $."],
];

const habitStarts: ReadonlySet<string> = new Set(habits.map(([text]) => text.charAt(0)));

/** A piece of the source in a message: a long one is cut. */
export function quoted(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The first token at or behind `from`. */
export function readToken(source: string, from: number): Token {
  const at = skipSpace(source, from);
  if (at >= source.length) return { kind: "end", at, end: at };
  const code = source.charCodeAt(at);
  if (isNameStart(code)) return readName(source, at);
  if (isDigit(code) || (code === 0x2e && isDigit(source.charCodeAt(at + 1)))) return readNumber(source, at);
  if (code === 0x22 || code === 0x27) return readText(source, at);
  return readSymbol(source, at);
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (isSpace(source.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}

function readName(source: string, at: number): Token {
  let end = at + 1;
  while (isNamePart(source.charCodeAt(end))) end += 1;
  return { kind: "name", value: source.slice(at, end), at, end };
}

function readText(source: string, at: number): Token {
  const literal = readTextLiteral(source, at);
  if (literal.ok) return { kind: "text", value: literal.value, at, end: literal.end };
  return { kind: "bad", message: literal.message, hint: literal.hint, at: literal.at, end: literal.end };
}

function readNumber(source: string, at: number): Token {
  const end = endOfNumber(source, at);
  const text = source.slice(at, end);
  if (isNamePart(source.charCodeAt(end))) {
    let wordEnd = end + 1;
    while (isNamePart(source.charCodeAt(wordEnd))) wordEnd += 1;
    const word = quoted(source.slice(at, wordEnd));
    const hint = `Write ${quoted(text)}, or "${word}" for the text.`;
    return { kind: "bad", message: `${word} is neither a number nor a name.`, hint, at, end: wordEnd };
  }
  const value = Number(text);
  if (!Number.isFinite(value) || (text.length > safeDigits && isWhole(text) && !Number.isSafeInteger(value))) {
    const hint = "Write a smaller number, or the text between quotes.";
    return { kind: "bad", message: `${quoted(text)} is too large to be kept exactly.`, hint, at, end };
  }
  return { kind: "number", value, at, end };
}

/** A whole number with this many digits is kept exactly, whatever they are. */
const safeDigits = 15;

function isWhole(text: string): boolean {
  return !/[.eE]/.test(text) || /^0[xX]/.test(text);
}

function endOfNumber(source: string, at: number): number {
  if (/^0[xX][0-9a-fA-F]/.test(source.slice(at, at + 3))) {
    let end = at + 2;
    while (/^[0-9a-fA-F]$/.test(source.charAt(end))) end += 1;
    return end;
  }
  let end = skipDigits(source, at);
  if (source.charAt(end) === "." && isDigit(source.charCodeAt(end + 1))) end = skipDigits(source, end + 1);
  if (source.charAt(end) !== "e" && source.charAt(end) !== "E") return end;
  const sign = source.charAt(end + 1);
  const digits = sign === "+" || sign === "-" ? end + 2 : end + 1;
  return isDigit(source.charCodeAt(digits)) ? skipDigits(source, digits) : end;
}

function skipDigits(source: string, from: number): number {
  let end = from;
  while (isDigit(source.charCodeAt(end))) end += 1;
  return end;
}

function readSymbol(source: string, at: number): Token {
  const first = source.charAt(at);
  if (lonely.has(first)) return { kind: "symbol", value: first, at, end: at + 1 };
  const pair = pairs.get(pairCode(source.charCodeAt(at), source.charCodeAt(at + 1)));
  // Three characters are a habit before two of them are an operator: `===`, `!==`.
  if (pair !== undefined && source.charAt(at + 2) !== "=") return { kind: "symbol", value: pair, at, end: at + 2 };
  if (first === "?" && source.charAt(at + 1) === "." && !isDigit(source.charCodeAt(at + 2))) {
    const hint = "Write a plain dot: what is missing is null and never an error.";
    return { kind: "bad", message: "?. is not part of an expression.", hint, at, end: at + 2 };
  }
  if (habitStarts.has(first)) {
    const habit = habits.find(([text]) => source.startsWith(text, at));
    if (habit !== undefined) return badSymbol(habit[0], at, habit[1]);
  }
  if (pair !== undefined) return { kind: "symbol", value: pair, at, end: at + 2 };
  if (singles.has(first)) return { kind: "symbol", value: first, at, end: at + 1 };
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  return badSymbol(character, at, /^\p{L}$/u.test(character) ? 'Write such a name as ["name"], in quotes.' : undefined);
}

function badSymbol(text: string, at: number, hint: string | undefined): Token {
  const code = text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(text) ? text : `The character U+${code}`;
  return { kind: "bad", message: `${shown} is not part of an expression.`, hint, at, end: at + text.length };
}
