import { expect, test } from "vitest";
import { toPlainJson } from "./jsonc.ts";

test.each([
  ['{ "a": 1, // one\n "b": [1, 2,], /* two\n lines */ }', { a: 1, b: [1, 2] }],
  ['{ "a": "// no comment, /* nor this */ ,}" }', { a: "// no comment, /* nor this */ ,}" }],
  [String.raw`{ "a": "\" // , }", }`, { a: '" // , }' }],
  ["\uFEFF[1, /* x */ ]", [1]],
])("%j is read as if it were JSON", (text, value) => {
  const plain = toPlainJson(text);
  expect(JSON.parse(plain)).toEqual(value);
  // Places stay.
  expect(plain).toHaveLength(text.length);
  expect(plain.split("\n")).toHaveLength(text.split("\n").length);
});

test.each(['{ "a" }', "[1,,2]", '{ "a": 1 /* }', '["a]', "/"])("%j stays wrong", (text) => {
  expect(() => JSON.parse(toPlainJson(text)) as unknown).toThrow(SyntaxError);
});

test("what never ends takes no longer than anything else", () => {
  for (const text of ["/*".repeat(50_000), String.raw`"\"`.repeat(30_000), ", ".repeat(50_000), "//".repeat(50_000)])
    expect(toPlainJson(text)).toHaveLength(text.length);
});
