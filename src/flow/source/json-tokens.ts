// The tokens of JSON (RFC 8259), one at a time, so that every error has its offset and no nesting costs stack.

import { shorten } from "./reading.ts";

export type Token =
  | { readonly kind: "sign"; readonly sign: Sign; readonly at: number; readonly end: number }
  | { readonly kind: "scalar"; readonly value: Scalar; readonly at: number; readonly end: number }
  | { readonly kind: "end"; readonly at: number; readonly end: number }
  /** A bare word: what is wrong with it depends on where it stands. */
  | { readonly kind: "word"; readonly message: string; readonly at: number; readonly end: number }
  | { readonly kind: "bad"; readonly message: string; readonly at: number; readonly end: number };

export type Sign = "{" | "}" | "[" | "]" | ":" | ",";
type Scalar = null | boolean | number | string;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[-+.\w$]+/y;
const hexPattern = /[0-9a-fA-F]{4}/y;
const words: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** The token at or after `from`. */
export function nextToken(text: string, from: number): Token {
  const at = skipBlank(text, from);
  const character = text.charAt(at);
  switch (character) {
    case "":
      return { kind: "end", at, end: at };
    case "{":
    case "}":
    case "[":
    case "]":
    case ":":
    case ",":
      return { kind: "sign", sign: character, at, end: at + 1 };
    case '"':
      return readText(text, at);
    case "'":
      return bad(at, "JSON has no single quotes; write double quotes.");
    case "/":
      return bad(at, "JSON has no comments; remove this one, or write the document in YAML.");
    default:
      return readWord(text, at);
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function readText(text: string, at: number): Token {
  let isPlain = true;
  let end = at + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 0x22) {
      const value: string = isPlain ? text.slice(at + 1, end) : JSON.parse(text.slice(at, end + 1));
      return { kind: "scalar", value, at, end: end + 1 };
    }
    if (code < 0x20) return bad(end, controlMessage(code));
    if (code !== 0x5c) continue;
    isPlain = false;
    const escaped = readEscape(text, end);
    if (escaped === undefined) return bad(end, "This is no escape of JSON; write \\\\ for a backslash.");
    end = escaped;
  }
  return bad(at, 'The text that starts here is never closed; add a " at its end.');
}

/** The offset of the last character of the escape at `at`, or undefined. */
function readEscape(text: string, at: number): number | undefined {
  const letter = text.charAt(at + 1);
  if (letter === "u") return matchAt(hexPattern, text, at + 2) === undefined ? undefined : at + 5;
  return letter !== "" && '"\\/bfnrt'.includes(letter) ? at + 1 : undefined;
}

function controlMessage(code: number): string {
  if (code === 0x0a || code === 0x0d)
    return "A text cannot go over the end of a line; close it, or write \\n for a new line.";
  if (code === 0x09) return "A text cannot hold a tab as it is; write \\t.";
  return `A text cannot hold the control character ${codeName(code)} as it is; write \\u${hex(code)}.`;
}

function codeName(code: number): string {
  return `U+${hex(code).toUpperCase()}`;
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}

function readWord(text: string, at: number): Token {
  const word = matchAt(wordPattern, text, at);
  if (word === undefined) return bad(at, `The character ${JSON.stringify(text.charAt(at))} cannot stand here in JSON.`);
  const end = at + word.length;
  const value = words.get(word);
  if (value !== undefined) return { kind: "scalar", value, at, end };
  if (matchAt(numberPattern, text, at) === word) return { kind: "scalar", value: Number(word), at, end };
  const message = /^[-+.\d]/.test(word)
    ? `${shorten(word)} is not a number of JSON; write it like 10, -2.5 or 1e6.`
    : `${shorten(word)} is not a value of JSON; a text stands in double quotes: "${shorten(word)}".`;
  return { kind: "word", message, at, end };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function bad(at: number, message: string): Token {
  return { kind: "bad", message, at, end: at };
}
