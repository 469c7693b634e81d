import { array, assert, constantFrom, json, pre, property } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Place } from "./places.ts";
import { readText, type Source } from "./read.ts";

function read(text: string): Source {
  return readText(text, { syntax: "json" });
}

/** Code and place of each finding, as `code line:column pointer`. */
function found({ findings }: Source): readonly string[] {
  return findings.map(({ code, line, column, pointer }) => `${code} ${line}:${column} ${pointer}`.trim());
}

describe("reading JSON", () => {
  test("gives the value that JSON.parse gives, for any JSON", () => {
    assert(
      property(json({ maxDepth: 5 }), (text) => {
        const { value, findings } = read(text);
        const parsed: unknown = JSON.parse(text);
        pre(findings.every(({ code }) => code !== "unsafe_number"));
        expect(findings).toEqual([]);
        expect(JSON.stringify(value)).toBe(JSON.stringify(parsed));
      }),
    );
  });

  test("refuses exactly what JSON.parse refuses", () => {
    const signs = constantFrom(
      ...Array.from("{}[]:,\"'\\/ \n\t-+.0123e"),
      '"a"',
      '"b":',
      "true",
      "null",
      "1.5",
      "\\u00e9",
      "\\n",
      "é",
    );
    assert(
      property(array(signs, { minLength: 1, maxLength: 12 }), (parts) => {
        const text = parts.join("");
        expect([text, read(text).value !== undefined]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("keeps escapes, lone surrogates and __proto__ as data", () => {
    const { value, findings } = read('{"__proto__": {"x": 1}, "constructor": "\\ud800\\n\\u00e9\\/"}');
    expect(findings).toEqual([]);
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "constructor"]);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"constructor":"\\ud800\\né/"}');
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  test.each([
    ["a comma too many in an object", '{"a": 1,\n}', "1:8", "remove the comma"],
    ["a comma too many in a list", "[1, ]", "1:3", "remove the comma"],
    ["two commas", "[1,,2]", "1:3", "remove the comma"],
    ["a comma first", "[,1]", "1:2", "A value is missing"],
    ["nothing but a comma", ",", "1:1", "A value is missing"],
    ["a comma missing", '{"a": 1\n "b": 2}', "2:2", "A comma is missing"],
    ["a comma missing in a list", "[1 2]", "1:4", "or a ] that closes"],
    ["a colon missing", '{"a" 1}', "1:6", "A : is missing"],
    ["a value missing", '{"a": }', "1:7", "A value is missing"],
    ["the wrong bracket", '{"a": [1}', "1:9", "or a ]"],
    ["a key without quotes", "{a: 1}", "1:2", "A key in double quotes"],
    ["a number as a key", "{1: 1}", "1:2", "A key in double quotes"],
    ["single quotes", "{'a': 1}", "1:2", "double quotes"],
    ["a template without quotes", '{"a": {{ input.x }}}', "1:7", "must stand in quotes"],
    ["a comment", '{"a": 1 // why\n}', "1:9", "no comments"],
    [
      "a word that is no value",
      '{"a": True}',
      "1:7",
      'True is not a value of JSON; a text stands in double quotes: "True"',
    ],
    ["a very long word", `[${"x".repeat(100)}]`, "1:2", `${"x".repeat(57)}... is not`],
    ["a number with a leading zero", "[01]", "1:2", "01 is not a number"],
    ["infinity", "[-Infinity]", "1:2", "is not a number"],
    ["a character that means nothing", "[§]", "1:2", '"§" cannot stand here'],
    ["a text over two lines", '["a\nb"]', "1:4", "write \\n"],
    ["a tab in a text", '["a\tb"]', "1:4", "write \\t"],
    ["a control character in a text", '["a\u0001"]', "1:4", "U+0001"],
    ["a bad escape", '["\\q"]', "1:3", "no escape"],
    ["a bad code point", '["\\u12g4"]', "1:3", "no escape"],
    ["an escape at the very end", '["\\', "1:3", "no escape"],
    ["a text that is not closed", '\n["abc', "2:2", "never closed"],
    ["an object that is not closed", '\n{"a": 1', "2:8", "before the { of line 2"],
    ["a list that is not closed", "[1", "1:3", "before the [ of line 1"],
    ["something behind the end", '{"a": 1} x', "1:10", "The document ends before this"],
  ])("says where and what to do about %s", (_, text, place, message) => {
    const source = read(text);
    expect(source.value).toBeUndefined();
    expect(found(source)).toEqual([`not_json ${place}`]);
    expect(source.findings[0]?.message).toContain(message);
  });

  test("reports a key that stands twice at its second place, and goes on with that one", () => {
    const source = read('{\n "a": {"b": 1,\n "b": 2}, "x/y": 1,\n "x/y": 3}');
    expect(found(source)).toEqual(["duplicate_key 3:2 /a/b", "duplicate_key 4:2 /x~1y"]);
    expect(source.findings[0]?.message).toContain("first on line 2");
    expect(source.value).toEqual({ a: { b: 2 }, "x/y": 3 });
    expect(source.locateKey("/a/b")).toEqual({ line: 3, column: 2 });
  });

  test("sees through escapes that make two keys equal", () => {
    expect(found(read('{"a": 1, "\\u0061": 2}'))).toEqual(["duplicate_key 1:10 /a"]);
  });

  test("refuses numbers that cannot be kept exactly", () => {
    const source = read('[1e999, -1e999, 9007199254740993, -9007199254740992, 9007199254740991, 0.1, {"id": 1e20}]');
    expect(found(source)).toEqual([
      "unsafe_number 1:2 /0",
      "unsafe_number 1:9 /1",
      "unsafe_number 1:17 /2",
      "unsafe_number 1:35 /3",
      "unsafe_number 1:84 /6/id",
    ]);
    expect(source.value).toEqual([
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      2 ** 53,
      -(2 ** 53),
      Number.MAX_SAFE_INTEGER,
      0.1,
      { id: 1e20 },
    ]);
  });

  test("tells the first twenty problems and no more", () => {
    expect(read(`{${'"a": 1,'.repeat(1_000)}"a": 2}`).findings.length).toBe(20);
  });

  test("allows 128 levels and refuses one more", () => {
    expect(read(nested(128)).findings).toEqual([]);
    expect(found(read(nested(129)))).toEqual([`too_deep 1:129 ${"/0".repeat(128)}`]);
  });

  test.each(["", " \n\t", "\uFEFF"])("calls %j empty", (text) => {
    expect(found(read(text))).toEqual(["empty_document 1:1"]);
  });

  test("knows where every value and every key stands", () => {
    const { locate, locateKey } = read('{\n  "a": [1,\n    {"b": null}],\n  "c": "x"\n}');
    expect([locate(""), locate("/a"), locate("/a/0"), locate("/a/1/b"), locate("/c")].map(at)).toEqual([
      "1:1",
      "2:8",
      "2:9",
      "3:11",
      "4:8",
    ]);
    expect([locateKey(""), locateKey("/a"), locateKey("/a/1"), locateKey("/a/1/b"), locateKey("/c/d")].map(at)).toEqual(
      ["1:1", "2:3", "3:5", "3:6", "4:3"],
    );
  });
});

/** As many lists within each other. */
function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function at(place: Place | undefined): string {
  return `${place?.line}:${place?.column}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
