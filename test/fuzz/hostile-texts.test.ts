import { describe, expect, test } from "vitest";
import { readText } from "../../src/flow/source/read.ts";
import { hostileTexts } from "./hostile-texts.ts";

const cases = hostileTexts().map(({ name, text, expected }) => ({
  name,
  text,
  codes: expected === undefined ? [] : [expected],
}));

describe("hostile texts", () => {
  test("have a name each", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test.each(cases)("$name: read, or refused for what it is", ({ text, codes }) => {
    const { value, syntax, findings } = readText(text);
    expect([...new Set(findings.map(({ code }) => code))]).toEqual(codes);
    expect(value !== undefined || codes.length > 0).toBe(true);
    expect(findings.every(({ line = 0, column = 0 }) => line > 0 && column > 0)).toBe(true);
    const other = readText(text, { syntax: syntax === "json" ? "yaml" : "json" });
    expect(other.value !== undefined || other.findings.length > 0).toBe(true);
  });

  test("pollute no prototype", () => {
    const proto = cases.filter(({ text }) => text.includes("polluted"));
    expect(proto.map(({ text }) => Object.keys(readText(text).value ?? {}))).toEqual([
      ["__proto__", "constructor"],
      ["__proto__", "constructor"],
    ]);
    expect("polluted" in {}).toBe(false);
  });
});
