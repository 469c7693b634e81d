import { describe, expect, it } from "vitest";
import { readToken, type Token } from "./tokens.ts";

function readAll(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let token = readToken(source, 0);
  while (token.kind !== "end") {
    tokens.push(token);
    token = readToken(source, token.end);
  }
  return tokens;
}

function values(source: string): readonly unknown[] {
  return readAll(source).map((token) => (token.kind === "bad" ? token.message : "value" in token ? token.value : null));
}

describe("reading tokens", () => {
  it("reads names, numbers, texts and symbols with their offsets", () => {
    expect(readAll(` a_1 >= 'x'`)).toEqual([
      { kind: "name", value: "a_1", at: 1, end: 4 },
      { kind: "symbol", value: ">=", at: 5, end: 7 },
      { kind: "text", value: "x", at: 8, end: 11 },
    ]);
  });

  it("reads every symbol, the long ones first", () => {
    const symbols = ["==", "!=", "<=", ">=", "&&", "||", "??", ...Array.from("()[]{},.:?<>+-*%!/")];
    expect(values(symbols.join(" "))).toEqual(symbols);
    expect(values("a<=b??c&&!d")).toEqual(["a", "<=", "b", "??", "c", "&&", "!", "d"]);
  });

  it.each([
    ["0", 0],
    ["12", 12],
    ["007", 7],
    ["1.5", 1.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["1E+3", 1000],
    ["25e-1", 2.5],
    ["0x1F", 31],
    ["0X1f", 31],
    ["9007199254740991", 9007199254740991],
    ["1e308", 1e308],
  ])("reads the number %s", (source, value) => {
    expect(readAll(source)).toEqual([{ kind: "number", value, at: 0, end: source.length }]);
  });

  it("leaves a dot that no digit follows to the member behind it", () => {
    expect(values("1.size")).toEqual([1, ".", "size"]);
    expect(values("a ?.5 : 1")).toEqual(["a", "?", 0.5, ":", 1]);
  });

  it.each([
    ["1u", "1u is neither a number nor a name."],
    ["12ab_3 ", "12ab_3 is neither a number nor a name."],
    ["1e", "1e is neither a number nor a name."],
    ["0x", "0x is neither a number nor a name."],
    ["1e999", "1e999 is too large to be kept exactly."],
    ["9007199254740993", "9007199254740993 is too large to be kept exactly."],
    ["0xFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF is too large to be kept exactly."],
  ])("refuses the number %s", (source, message) => {
    expect(values(source)).toEqual([message]);
  });

  it.each([
    [`'a"b'`, `a"b`],
    [`"a'b"`, `a'b`],
    [`''`, ""],
    [String.raw`"\a\b\f\n\r\t\v\\\?\"\'\/\``.concat('"'), "\u0007\b\f\n\r\t\v\\?\"'/`"],
    [String.raw`"\x41\X42\u00e9\U0001F600\101"`, "ABé😀A"],
    [String.raw`'a\nb\nc'`, "a\nb\nc"],
    [`"größer 😀"`, "größer 😀"],
  ])("reads the text %s", (source, value) => {
    expect(readAll(source)).toEqual([{ kind: "text", value, at: 0, end: source.length }]);
  });

  it.each([
    [`'abc`, 0, 4, "The text that begins with ' is not closed."],
    [`"ab\nc"`, 0, 3, 'The text that begins with " is not closed.'],
    [`"ab\rc"`, 0, 3, 'The text that begins with " is not closed.'],
    [String.raw`"a\"`, 0, 4, 'The text that begins with " is not closed.'],
    [String.raw`"a\q"`, 2, 4, String.raw`\q is not an escape that a text knows.`],
    [`"a\\`, 2, 3, "\\ is not an escape that a text knows."],
    [String.raw`"\u00g0"`, 1, 7, String.raw`\u00g0 is not an escape that a text knows.`],
    [String.raw`"\x4`, 1, 4, String.raw`\x4 is not an escape that a text knows.`],
    [String.raw`"\ud83d"`, 1, 7, String.raw`\ud83d is not an escape that a text knows.`],
    [String.raw`"\U00110000"`, 1, 11, String.raw`\U00110000 is not an escape that a text knows.`],
    [String.raw`"\18a"`, 1, 5, String.raw`\18a is not an escape that a text knows.`],
  ])("refuses the text %j", (source, at, end, message) => {
    expect(readToken(source, 0)).toMatchObject({ kind: "bad", message, at, end });
  });

  it.each([
    ["===", "Write == to compare."],
    ["!==", "Write != to compare."],
    ["=", "Write == to compare."],
    ["<>", "Write != to compare."],
    ["&", "Write && for and."],
    ["|", "Write || for or."],
    ["//", "An expression has no comments: leave it out."],
    ["/*", "An expression has no comments: leave it out."],
    ["**", "Write x * x."],
    ["`", "Write a text between ' or \"."],
    ["“", "Write a text between ' or \"."],
    ["$", "Names are written without $."],
    ["?.", "Write a plain dot: what is missing is null and never an error."],
    ["ß", 'Write such a name as ["name"], in quotes.'],
  ])("says what %s is here", (source, hint) => {
    expect(readToken(source, 0)).toEqual({
      kind: "bad",
      message: `${source} is not part of an expression.`,
      hint,
      at: 0,
      end: source.length,
    });
  });

  it.each([
    ["#", "# is not part of an expression."],
    ["😀", "😀 is not part of an expression."],
    ["\u00a0", "The character U+00A0 is not part of an expression."],
    ["\u0000", "The character U+0000 is not part of an expression."],
    ["\ud800", "The character U+D800 is not part of an expression."],
  ])("refuses the character %j without a hint", (source, message) => {
    expect(readToken(source, 0)).toEqual({ kind: "bad", message, hint: undefined, at: 0, end: source.length });
  });

  it("keeps an operator that is followed by an equals sign", () => {
    expect(values("<==")).toEqual(["<=", "= is not part of an expression."]);
  });
});
