// A quoted text of an expression, with CEL's escapes.

export type TextLiteral =
  | { readonly ok: true; readonly value: string; readonly end: number }
  | {
      readonly ok: false;
      readonly message: string;
      readonly hint: string;
      readonly at: number;
      readonly end: number;
    };

// Written as a Map: names of object members would answer to `\constructor`, were it an object.
const plainEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  // JSON's own, so that a pasted JSON text is an expression.
  ["/", "/"],
]);

const hexDigits: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["X", 2],
  ["u", 4],
  ["U", 8],
]);

/** Reads the text whose opening quote stands at `start`. */
export function readTextLiteral(source: string, start: number): TextLiteral {
  const quote = source.charAt(start);
  let value = "";
  let at = start + 1;
  let copied = at;
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === quote) return { ok: true, value: value + source.slice(copied, at), end: at + 1 };
    if (character === "\n" || character === "\r") break;
    if (character !== "\\") {
      at += 1;
      continue;
    }
    const escape = readEscape(source, at);
    if (!escape.ok) return escape;
    value += source.slice(copied, at) + escape.value;
    at = escape.end;
    copied = at;
  }
  return {
    ok: false,
    message: `The text that begins with ${quote} is not closed.`,
    hint: `Write ${quote} at its end, or \\${quote} for one inside it.`,
    at: start,
    end: at,
  };
}

function readEscape(source: string, at: number): TextLiteral {
  const letter = source.charAt(at + 1);
  const plain = plainEscapes.get(letter);
  if (plain !== undefined) return { ok: true, value: plain, end: at + 2 };
  const digits = hexDigits.get(letter);
  if (digits !== undefined) return readCode(source, { at, from: at + 2, to: at + 2 + digits, radix: 16 });
  if (letter >= "0" && letter <= "3") return readCode(source, { at, from: at + 1, to: at + 4, radix: 8 });
  return wrongEscape(source, at, at + 2, "Write \\\\ for a backslash.");
}

type CodeSpan = { readonly at: number; readonly from: number; readonly to: number; readonly radix: 8 | 16 };

function readCode(source: string, { at, from, to, radix }: CodeSpan): TextLiteral {
  const digits = source.slice(from, to);
  const isWhole = digits.length === to - from && (radix === 8 ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/).test(digits);
  if (!isWhole) {
    return wrongEscape(source, at, to, "Write \\xHH, \\uHHHH, \\UHHHHHHHH or three octal digits.");
  }
  const code = Number.parseInt(digits, radix);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return wrongEscape(source, at, to, "Write the character itself, or \\U with its eight hexadecimal digits.");
  }
  return { ok: true, value: String.fromCodePoint(code), end: to };
}

function wrongEscape(source: string, at: number, to: number, hint: string): TextLiteral {
  const end = Math.min(to, source.length);
  return { ok: false, message: `${source.slice(at, end)} is not an escape that a text knows.`, hint, at, end };
}
