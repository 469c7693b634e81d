import { describe, expect, test } from "vitest";
import type { Place } from "./places.ts";
import { readText, type Source } from "./read.ts";

function read(text: string): Source {
  return readText(text, { syntax: "yaml" });
}

/** Code and place of each finding, as `code line:column pointer`. */
function found({ findings }: Source): readonly string[] {
  return findings.map(({ code, line, column, pointer }) => `${code} ${line}:${column} ${pointer}`.trim());
}

function at(place: Place | undefined): string {
  return `${place?.line}:${place?.column}`;
}

/** An anchor and as many aliases of it. */
function many(count: number): string {
  return `- &a x\n${"- *a\n".repeat(count)}`;
}

/** A list of the same thing ten times. */
function ten(name: string): string {
  return `[${Array.from({ length: 10 }, () => name).join(", ")}]`;
}

describe("reading YAML", () => {
  test("knows only the core schema, whatever a %YAML line says", () => {
    const body = "on: x\noff: y\na: yes\nb: 0777\nc: 1:30\nd: 2001-12-14\ne: 1_000\nf: 0o17\ng: 0x1F\nh: ~\ni: =\n";
    const expected = {
      on: "x",
      off: "y",
      a: "yes",
      b: 777,
      c: "1:30",
      d: "2001-12-14",
      e: "1_000",
      f: 15,
      g: 31,
      h: null,
      i: "=",
    };
    for (const directive of ["", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%YAML 1.3\n---\n"]) {
      expect(read(directive + body)).toMatchObject({ value: expected, findings: [] });
    }
  });

  test("reads block, quoted, folded and flow style", () => {
    const text = "a: |\n  x\n  y\nb: >-\n  x\n  y\nc: [1, {d: 'it''s'}, e: 2]\nf: \"\\u00e9\\x41\"\n";
    expect(read(text)).toMatchObject({
      value: { a: "x\ny\n", b: "x y", c: [1, { d: "it's" }, { e: 2 }], f: "éA" },
      findings: [],
    });
  });

  test("reads the line ends of Windows", () => {
    const source = read("a: 1\r\nb:\r\n  - x\r\n");
    expect(source).toMatchObject({ value: { a: 1, b: ["x"] }, findings: [] });
    expect(source.locate("/b/0")).toEqual({ line: 3, column: 5 });
  });

  test("names keys that are no texts as they are written", () => {
    expect(read("404: a\n1.0: b\n~: c\nfalse: d\n? e\n")).toMatchObject({
      value: { "404": "a", "1.0": "b", "~": "c", false: "d", e: null },
      findings: [],
    });
  });

  test("keeps __proto__ as data", () => {
    const { value } = read("__proto__: {x: 1}\nconstructor: 2\n");
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  test.each([
    ["nothing", ""],
    ["only comments", "# a\n# b\n"],
    ["only a marker", "---\n"],
    ["only markers", "---\n...\n"],
    ["only a directive", "%YAML 1.2\n"],
  ])("calls %s empty", (_, text) => {
    expect(found(read(text))).toEqual(["empty_document 1:1"]);
  });

  test("does not call null or an empty text empty", () => {
    expect(read("~")).toMatchObject({ value: null, findings: [] });
    expect(read('""')).toMatchObject({ value: "", findings: [] });
  });

  test("refuses several documents, but not the markers of one", () => {
    expect(found(read("a: 1\n---\nb: 2\n"))).toEqual(["several_documents 2:1"]);
    expect(read("---\na: 1\n...\n")).toMatchObject({ value: { a: 1 }, findings: [] });
    expect(found(read("a: 1\n... x\n"))).toEqual(["not_yaml 2:5"]);
  });

  test.each(["\u0000", "\u0002", "\u001f", "\u007f"])("refuses the control character %j", (character) => {
    const source = read(`a: "x${character}"`);
    expect(found(source)).toEqual(["not_yaml 1:6"]);
    expect(source.findings[0]?.message).toMatch(/U\+00.. stands here; remove it, or write \\x/);
  });

  test("reports keys that stand twice, also when they are written differently", () => {
    const source = read("a: {b: 1, 'b': 2}\n1: x\n'1': y\n");
    expect(found(source)).toEqual(["duplicate_key 1:11 /a/b", "duplicate_key 3:1 /1"]);
    expect(source.findings[1]?.message).toContain("first on line 2");
    expect(source.value).toEqual({ a: { b: 2 }, "1": "y" });
  });

  test("refuses numbers that cannot be kept exactly", () => {
    const source = read("[.inf, -.inf, .nan, 9007199254740993, 0x20000000000001, 1.5]");
    expect(found(source)).toEqual([
      "unsafe_number 1:2 /0",
      "unsafe_number 1:8 /1",
      "unsafe_number 1:15 /2",
      "unsafe_number 1:21 /3",
      "unsafe_number 1:39 /4",
    ]);
    expect(source.value).toEqual([Number.MAX_VALUE, -Number.MAX_VALUE, 0, 2 ** 53, 2 ** 53, 1.5]);
  });

  test("reports the key true as an on that was misread, with a patch where routes are free", () => {
    const source = read("steps:\n  a:\n    true: {ok: b}\n");
    expect(found(source)).toEqual(["misread_on 3:5 /steps/a/true"]);
    expect(source.findings[0]?.message).toContain("write routes");
    expect(source.findings[0]?.patch).toEqual([{ op: "move", from: "/steps/a/true", path: "/steps/a/routes" }]);
    expect(source.value).toEqual({ steps: { a: { true: { ok: "b" } } } });
    for (const text of ["True: {a: b}\nroutes: {}\n", "true: [a]\non: {}\n", "true: x\n"]) {
      expect(read(text).findings).toEqual([expect.not.objectContaining({ patch: expect.anything() })]);
      expect(read(text).findings[0]?.code).toBe("misread_on");
    }
    expect(read("true: [a]\n").findings[0]?.patch).toBeDefined();
    expect(read("'true': x\n").findings).toEqual([]);
  });

  test("refuses every tag but those of the core schema, and those where they do not fit", () => {
    const source = read(
      "a: !!binary aGk=\nb: !!set {x, y}\nc: !!omap [x: 1]\nd: !!timestamp 2001-12-14\ne: !shout hi\nf: !!int x\ng: !!map [1]\n" +
        "!custom h: 1\ni: !<tag:example.com,2000:x> 1\n",
    );
    expect(found(source)).toEqual([
      "custom_tag 1:4 /a",
      "custom_tag 2:4 /b",
      "custom_tag 3:4 /c",
      "custom_tag 4:4 /d",
      "custom_tag 5:4 /e",
      "custom_tag 6:4 /f",
      "custom_tag 7:4 /g",
      "custom_tag 8:1",
      "custom_tag 9:4 /i",
    ]);
    expect(source.value).toMatchObject({ a: "aGk=", b: { x: null, y: null }, c: [{ x: 1 }], d: "2001-12-14", e: "hi" });
    expect(found(read("a: !no!such x\n"))).toEqual(["custom_tag 1:4"]);
  });

  test("allows the tags of the core schema", () => {
    const text =
      "a: !!str 1\nb: !!int '2'\nc: !!float 3.0\nd: !!bool true\ne: !!null ''\nf: !!map {}\ng: !!seq []\nh: ! 12\n";
    expect(read(text)).toMatchObject({
      value: { a: "1", b: 2, c: 3, d: true, e: null, f: {}, g: [], h: "12" },
      findings: [],
    });
  });

  test("takes << in quotes as a name and refuses it as a merge", () => {
    expect(read("'<<': 1\n")).toMatchObject({ value: { "<<": 1 }, findings: [] });
    const source = read("a: &a {x: 1}\nb:\n  <<: *a\n");
    expect(found(source)).toEqual(["not_yaml 3:3 /b"]);
    expect(source.value).toBeUndefined();
  });

  test("knows where every value and every key stands", () => {
    const { locate, locateKey } = read("# note\na:\n  - 1\n  - b: x\nc: &d {e: 5}\nf: *d\ng:\n");
    const pointers = ["", "/a", "/a/0", "/a/1/b", "/c/e", "/f", "/f/e", "/g", "/g/none"];
    expect(pointers.map((pointer) => at(locate(pointer)))).toEqual([
      "2:1",
      "3:3",
      "3:5",
      "4:8",
      "5:11",
      "6:4",
      "5:11",
      "7:3",
      "7:3",
    ]);
    expect(["", "/a", "/a/0", "/a/1/b", "/f", "/f/e"].map((pointer) => at(locateKey(pointer)))).toEqual([
      "2:1",
      "2:1",
      "3:5",
      "4:5",
      "6:1",
      "5:8",
    ]);
  });

  test("knows where a key without a value stands", () => {
    expect(read("? a\n").locate("/a")).toEqual({ line: 1, column: 3 });
  });
});

describe("aliases", () => {
  test("repeat what their anchor stood for where they are written", () => {
    const source = read("- &a 1\n- &b [*a, &c 3]\n- &a 2\n- *b\n- *a\n- {*c : x}\n");
    expect(source).toMatchObject({ value: [1, [1, 3], 2, [1, 3], 2, { "3": "x" }], findings: [] });
  });

  test("do not repeat the findings of what they repeat", () => {
    expect(found(read("a: &a {x: .inf, x: !t 1}\nb: *a\n"))).toEqual([
      "unsafe_number 1:11 /a/x",
      "duplicate_key 1:17 /a/x",
      "custom_tag 1:20 /a/x",
    ]);
  });

  test("may stand for a key", () => {
    expect(read("&k key: 1\nother: {*k : 2}\n")).toMatchObject({ value: { key: 1, other: { key: 2 } }, findings: [] });
    expect(found(read("a: &k [1]\n*k : 2\n"))).toEqual(["not_yaml 2:1"]);
    expect(found(read("*k : 2\n"))).toEqual(["not_yaml 1:1"]);
  });

  test("of nothing are refused", () => {
    const source = read("a: *b\nb: &b 1\nc: [*d]");
    expect(found(source)).toEqual(["not_yaml 1:4 /a", "not_yaml 3:5 /c/0"]);
    expect(source.findings[0]?.message).toContain("&b");
  });

  test("inside of themselves are refused", () => {
    expect(found(read("a: &a\n  b: [1, *a]\n"))).toEqual(["alias_limit 2:10 /a/b/1"]);
    expect(found(read("&a [*a, *a]"))).toEqual(["alias_limit 1:5 /0"]);
  });

  test("may be a hundred, not more", () => {
    expect(read(many(100)).findings).toEqual([]);
    expect(found(read(many(101)))).toEqual(["alias_limit 102:3 /101"]);
  });

  test("may add ten thousand values, not more", () => {
    const base = `a: &a ${ten("x")}\nb: &b ${ten("*a")}\nc: &c ${ten("*b")}\n`;
    expect(read(base).findings).toEqual([]);
    const source = read(`${base}d: &d ${ten("*c")}\ne: ${ten("*d")}\n`);
    expect(found(source)).toEqual([expect.stringMatching(/^alias_limit 4:/)]);
    expect(source.findings[0]?.message).toContain("write the values out");
  });

  test("cannot get around the depth limit", () => {
    const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
    const source = read(`a: &a ${deep}\nb: ${"[".repeat(40)}*a${"]".repeat(40)}\n`);
    expect(found(source)).toEqual([expect.stringMatching(/^too_deep 2:44 \/b/)]);
  });
});

describe("depth and size of YAML", () => {
  test.each([
    ["lists in brackets", (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["maps in brackets", (depth: number) => `${"{a: ".repeat(depth)}1${"}".repeat(depth)}`],
    ["lists on one line", (depth: number) => `${"- ".repeat(depth)}x`],
    [
      "lists in lines",
      (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}-`).join("\n"),
    ],
    [
      "maps in lines",
      (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
    ],
  ])("allows 128 levels of %s and refuses one more", (_, nested) => {
    expect(read(nested(128)).findings).toEqual([]);
    for (const depth of [129, 130, 131, 1_000]) {
      expect(read(nested(depth)).findings.map(({ code }) => code)).toEqual(["too_deep"]);
    }
  });

  test("counts the maps that pairs in a list make", () => {
    expect(read(`${"[a: ".repeat(64)}1${"]".repeat(64)}`).findings).toEqual([]);
    expect(read(`${"[a: ".repeat(65)}1${"]".repeat(65)}`).findings).toMatchObject([{ code: "too_deep" }]);
  });

  test("refuses a text of nothing but signs", () => {
    expect(read(`[${",".repeat(500_000)}]`).findings).toMatchObject([{ code: "too_large" }]);
  });
});
