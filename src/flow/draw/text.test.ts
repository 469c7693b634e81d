import { expect, test } from "vitest";
import { fitText } from "./svg-text.ts";
import { cutText, measureText, toAsciiText, toPlainText } from "./text.ts";

test.each([
  ["two\n lines\tand  spaces ", "two lines and spaces"],
  ["\u0000\u001Bc\u009Fd", "c d"],
  ["a\u202Eb\u200Bc\uFEFF", "abc"],
  ["\uD800x", "\uFFFDx"],
])("%j is shown as %j", (text, plain) => {
  expect(toPlainText(text)).toBe(plain);
});

test.each([
  ["Größe", "Gro?e"],
  ["naïve café…", "naive cafe..."],
  ["数 ok", "? ok"],
])("%j is %j in ASCII", (text, ascii) => {
  expect(toAsciiText(text)).toBe(ascii);
});

test.each([
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["数据", 4],
  ["\u{1F600}", 2],
])("%j takes %d columns", (text, columns) => {
  expect(measureText(text)).toBe(columns);
});

test.each([
  ["short", 10, "short"],
  ["exactly10!", 10, "exactly10!"],
  ["eleven long", 10, "eleven lo…"],
  ["a word cut", 8, "a word…"],
  ["数据数据", 6, "数据…"],
  ["x", 0, ""],
])("%j in %d columns is %j", (text, columns, cut) => {
  expect(cutText(text, columns)).toBe(cut);
});

const perLetter = (text: string): number => 10 * text.length;

test("a mark that does not fit itself is cut too", () => {
  expect(cutText("abcdef", 2, "...")).toBe("..");
  expect(cutText("abcdef", -1, "...")).toBe("");
});

test("text in the SVG is cut by its estimated width", () => {
  expect(fitText("fetch", 50, perLetter)).toBe("fetch");
  expect(fitText("fetch it", 50, perLetter)).toBe("fetc…");
  expect(fitText("fetch", 5, perLetter)).toBe("…");
});
