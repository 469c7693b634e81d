import { array, assert, constantFrom, jsonValue, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { readText } from "./read.ts";

/** What YAML and JSON are made of, and what neither should hold. */
const pieces = constantFrom(
  ...Array.from("-?:,[]{}#&*!|>'\"%@` \n\t\\a1~\uFEFF\u0000\u0002\u001f\ud800é"),
  ..."---|...|&a |*a|!a |!!int |!<a> |<<: |: |- |? | #|%YAML 1.1\n|%TAG ! x\n|{{ x }}".split("|"),
  ...'  |\n  |\r\n|"x"|true|null|.inf|0x1f|1e400'.split("|"),
);

describe("readText", () => {
  test.each([
    ["an object", ' \n{"a": [1]}', "json"],
    ["a list", "[1, 2]", "json"],
    ["a map in lines", "a: 1\n", "yaml"],
    ["a map in brackets without quotes", "{a: [x, y], b: 1}", "yaml"],
    ["a list in brackets without quotes", "[a, b]", "yaml"],
    ["single quotes in brackets", "{'a': 1}", "yaml"],
    ["a single text", '"a"', "yaml"],
    ["a map with a comment in front", '# why\n{"a": 1}', "yaml"],
  ])("reads %s", (_, text, syntax) => {
    const source = readText(text);
    expect(source.findings).toEqual([]);
    expect(source.syntax).toBe(syntax);
    expect(source.value).toBeDefined();
  });

  test.each([
    ["neither JSON nor YAML", "{a: 1", "json", "not_json"],
    ["a slip in what opens like JSON, although YAML would read it as a gate", '{"tool": }', "json", "not_json"],
    ["a comma too many in JSON", '[{"a": 1,}]', "json", "not_json"],
    ["a comment of JavaScript, which YAML would take for a key", "{ // why\n a: 1}", "json", "not_json"],
    ["brackets without the space behind a colon, which YAML would take for one key", "{a:1}", "json", "not_json"],
    ["nesting in JSON", "[".repeat(200), "json", "too_deep"],
    ["nesting in brackets of YAML", "{a: ".repeat(200), "yaml", "too_deep"],
    ["two documents in brackets", "{a: 1}\n---\n{b: 2}", "yaml", "several_documents"],
    ["nothing at all", " ", "yaml", "empty_document"],
  ])("reports %s once", (_, text, syntax, code) => {
    const source = readText(text);
    expect(source.findings.map((finding) => finding.code)).toEqual([code]);
    expect(source.syntax).toBe(syntax);
    expect(source.value).toBeUndefined();
    expect(source.locate("")).toBeUndefined();
    expect(source.locateKey("/a")).toBeUndefined();
  });

  test("obeys the syntax that is given", () => {
    expect(readText('{"a": tru}', { syntax: "yaml" })).toMatchObject({
      syntax: "yaml",
      value: { a: "tru" },
      findings: [],
    });
    expect(readText("{a: 1}", { syntax: "json" })).toMatchObject({ syntax: "json", findings: [{ code: "not_json" }] });
    expect(readText("a: 1", { syntax: "json" }).findings).toMatchObject([{ code: "not_json", line: 1, column: 1 }]);
  });

  test.each(["\uFEFF[1", "\uFEFFa: b: c"])("does not count a byte order mark as a column (%j)", (text) => {
    const plain = readText(text.slice(1));
    expect(readText(text).findings).toEqual(plain.findings);
    expect(plain.findings.length).toBe(1);
  });

  test("reads past a byte order mark", () => {
    expect(readText('\uFEFF{"a": 1}')).toMatchObject({ syntax: "json", value: { a: 1 }, findings: [] });
    expect(readText("\uFEFFa: 1")).toMatchObject({ syntax: "yaml", value: { a: 1 }, findings: [] });
    expect(readText("\uFEFFa: 1").locate("/a")).toEqual({ line: 1, column: 4 });
  });

  test.each([
    ["one megabyte of ASCII", `"${"x".repeat(1_048_574)}"`, []],
    ["one byte more", `"${"x".repeat(1_048_575)}"`, ["too_large"]],
    ["as many bytes in fewer characters", `"${"é".repeat(524_287)}"`, []],
    ["more bytes than characters", `"${"é".repeat(524_288)}"`, ["too_large"]],
  ])("measures the size in bytes of UTF-8: %s", (_, text, codes) => {
    for (const syntax of ["json", "yaml"] as const) {
      const source = readText(text, { syntax });
      expect(source.findings.map(({ code }) => code)).toEqual(codes);
      expect(source.syntax).toBe(syntax);
    }
  });

  test.each<["json" | "yaml", (key: string) => string]>([
    ["json", (key) => `{"a": [\n{"b": 1, ${JSON.stringify(key)}: 2}]}`],
    ["yaml", (key) => `a:\n- b: 1\n  ? ${key}\n  : 2`],
  ])("takes keys of 1,024 characters, and none that are longer: %s", (syntax, textWith) => {
    const longest = "k".repeat(1024);
    expect(readText(textWith(longest), { syntax })).toMatchObject({ value: { a: [{ [longest]: 2 }] }, findings: [] });
    const source = readText(textWith(`${longest}k`), { syntax });
    expect(source.value).toBeUndefined();
    expect(source.findings).toMatchObject([
      { code: "key_too_long", pointer: "/a/0", message: expect.stringContaining("has 1025 characters") },
    ]);
    expect(source.findings[0]?.line).toBe(syntax === "json" ? 2 : 3);
  });

  test("guesses the syntax of what is too large to read", () => {
    expect(readText(`{"a": ${"1".repeat(1_048_576)}}`)).toMatchObject({
      syntax: "json",
      findings: [{ code: "too_large" }],
    });
    expect(readText(`a: ${"1".repeat(1_048_576)}`)).toMatchObject({
      syntax: "yaml",
      findings: [{ code: "too_large" }],
    });
  });

  test("reads the same value from JSON and from YAML", () => {
    const plain = jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
    assert(
      property(plain, (text) => {
        const json = readText(text, { syntax: "json" });
        const yaml = readText(text, { syntax: "yaml" });
        expect(yaml.findings.map(({ code, pointer }) => [code, pointer])).toEqual(
          json.findings.map(({ code, pointer }) => [code, pointer]),
        );
        expect(JSON.stringify(yaml.value)).toBe(JSON.stringify(json.value));
      }),
    );
  });

  test("never throws, and has a value or says why not, with a place", () => {
    assert(
      property(array(pieces, { maxLength: 20 }), constantFrom("json", "yaml", undefined), (parts, syntax) => {
        const source = readText(parts.join(""), syntax === undefined ? {} : { syntax });
        expect(source.value !== undefined || source.findings.length > 0).toBe(true);
        for (const { line = 0, column = 0, message } of source.findings) {
          expect(Math.min(line, column)).toBeGreaterThan(0);
          expect(message).not.toMatch(/undefined|\n/);
        }
        const root = source.locate("/0/a");
        expect(root === undefined).toBe(source.value === undefined);
      }),
      { numRuns: 3_000 },
    );
  });
});
